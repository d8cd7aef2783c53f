"""With which request a game is told that a duration has ended. `cards/durations.json` has in which
step (CR 500.4-5, 514.2, 611).
"""

from __future__ import annotations

import pytest

import fsm
from fsm import (
    AddPhase,
    Effect,
    StandingTrigger,
    TurnController,
)
from fsm.model import Model
from support.playing import (
    asked,
    quiet,
    resolved,
    to,
    to_action,
    until,
)


def expiry(game: TurnController) -> tuple[int, str, str]:
    """Where the next duration ends, and what is asked then."""
    request = until(game, lambda r: bool(r.expired))
    return request.at.turn, request.at.step, asked(request)


def test_a_duration_ends_before_anything_else_of_that_turn_or_step(magic: Model) -> None:
    """Rule 500.4 before 500.6: expiry and trigger come with one request, apart."""
    turn, step = Effect("turn", "B", "your_next_turn"), Effect("step", "B", "your_next_upkeep")
    game = resolved(magic, "end", turn, step, StandingTrigger("t", "upkeep"))
    assert expiry(game) == (2, "untap", "phasing")
    game.answer(quiet(game.request))
    assert expiry(game) == (2, "upkeep", "check")
    assert (game.request.expired, game.request.triggered) == (("step",), ("t",))


def test_until_end_of_turn_ends_with_the_damage_after_the_discard(magic: Model) -> None:
    """Rules 514.1 and 514.2: those that end together are told in the order they were made, once."""
    game = resolved(magic, "upkeep", Effect("b", "A"), Effect("a", "B"), Effect("b", "A"))
    assert to_action(game, "discard_to_hand_size").expired == ()
    assert expiry(game) == (1, "cleanup", "remove_damage_and_end_effects")
    assert game.request.expired == ("b", "a", "b")
    assert game.answer(quiet(game.request)).expired == ()


@pytest.mark.parametrize(
    ("ruleset", "action"), [("magic", "empty_mana"), ("magic-2010", "end_combat_effects")]
)
def test_until_end_of_combat_ends_with_the_phase_before_the_mana(ruleset: str, action: str) -> None:
    """Rule 500.5a: the first combat of two."""
    orders = Effect("e", "A", "end_of_combat"), AddPhase("combat")
    game = resolved(fsm.load(ruleset), "beginning_of_combat", *orders)
    assert expiry(game) == (1, "end_of_combat", action)
    assert to(game, "beginning_of_combat", iteration=2)
