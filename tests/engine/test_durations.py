"""With which request a game is told that a duration has ended. `cards/durations.json` has in which
step (CR 500.4-5, 514.2, 611).
"""

from __future__ import annotations

import pytest

import fsm
from fsm import (
    AddPhase,
    AddStep,
    Effect,
    EndPhase,
    EndTurn,
    SkipStep,
    StandingTrigger,
    TurnController,
)
from fsm.model import Model
from fsm.orders import Order
from support.playing import (
    asked,
    attack,
    quiet,
    resolved,
    resolving,
    started,
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


def test_until_end_of_turn_made_after_that_lasts_to_the_next_cleanup(magic: Model) -> None:
    game = started(magic)
    until(game, lambda r: r.at.step == "cleanup" and asked(r) == "check")
    game.answer(quiet(game.request, {"triggers_waiting": True}, orders=[Effect("e", "A")]))
    until(game, lambda r: bool(r.expired))
    assert (game.position.turn, game.position.step, game.position.iteration) == (1, "cleanup", 2)


@pytest.mark.parametrize(
    ("ruleset", "action"), [("magic", "empty_mana"), ("magic-2010", "end_combat_effects")]
)
def test_until_end_of_combat_ends_with_the_phase_before_the_mana(ruleset: str, action: str) -> None:
    """Rule 500.5a: the first combat of two."""
    orders = Effect("e", "A", "end_of_combat"), AddPhase("combat")
    game = resolved(fsm.load(ruleset), "beginning_of_combat", *orders)
    assert expiry(game) == (1, "end_of_combat", action)
    assert to(game, "beginning_of_combat", iteration=2)


@pytest.mark.parametrize(
    ("order", "step"),
    [
        (AddStep("upkeep", after="end_of_combat"), "upkeep"),
        (SkipStep("end_of_combat", scope="this_turn"), "declare_attackers"),
    ],
)
def test_the_end_of_combat_is_that_of_its_last_step(magic: Model, order: Order, step: str) -> None:
    game = resolved(magic, "beginning_of_combat", Effect("e", "A", "end_of_combat"), order)
    assert expiry(game) == (1, step, "empty_mana")
    assert game.request.state == "combat_phase_end"


@pytest.mark.parametrize("order", [EndTurn(), EndPhase()])
def test_until_end_of_combat_ends_when_combat_is_cut_short(magic: Model, order: Order) -> None:
    """Rules 723.1d, 723.2d and 500.5."""
    game = started(magic)
    attack(game)
    resolving(game, "declare_blockers", Effect("e", "A", "end_of_combat"), order)
    assert expiry(game) == (1, "declare_blockers", "empty_mana")


def test_in_an_older_edition_mana_empties_before_combat_is_over() -> None:
    game = resolved(
        fsm.load("magic?edition=2025-04"), "end_of_combat", Effect("e", "A", "end_of_combat")
    )
    heard = []
    while not game.request.expired:
        heard.append(asked(game.request))
        game.answer(quiet(game.request))
    assert heard[-1] == "empty_mana"
