"""Extra and skipped turns, phases and steps, where a game shows more than which steps come.
`cards/*.json` has where they come (CR 500.7 to 500.10, 614.10).
"""

from __future__ import annotations

import pytest

from fsm import (
    AddStep,
    AddTurn,
    Answer,
    Order,
    SkipPhase,
    SkipStep,
    SkipTurn,
)
from fsm.model import Model
from support.playing import (
    actives,
    asked,
    quiet,
    resolving,
    rest_of_turn,
    started,
    steps_of,
    to,
    until,
)

TEAMS = [["A", "B"], ["C", "D"]]


def test_a_step_after_one_that_has_just_ended_waits_for_the_next(magic: Model) -> None:
    game = started(magic)
    to(game, "draw", turn=2)
    until(game, lambda r: asked(r) == "empty_mana")
    orders = [AddStep("upkeep", after="draw"), AddStep("draw", before="end")]
    game.answer(quiet(game.request, orders=orders))
    assert rest_of_turn(game)[-4:] == ["draw", "upkeep", "end", "cleanup"]


@pytest.mark.parametrize(
    ("orders", "order_of_turns"),
    [
        ([SkipTurn(players=("C", "D"))], "AAC"),
        ([SkipTurn("C"), SkipTurn("D")], "AAA"),
        ([AddTurn(players=("B", "A"))], "AAC"),
    ],
)
def test_one_effect_on_a_team_counts_once(
    magic: Model, orders: list[Order], order_of_turns: str
) -> None:
    """Rule 805.8."""
    game = started(magic, "ACBD", teams=TEAMS)
    resolving(game, "end", *orders)
    assert actives(game, through=3) == order_of_turns


@pytest.mark.parametrize("players", [("C", "D"), ("D",), ()])
def test_one_effect_skips_one_step_and_one_phase_of_a_team(
    magic: Model, players: tuple[str, ...]
) -> None:
    game, skip = started(magic, "ACBD", teams=TEAMS), SkipPhase("combat", players=players)
    resolving(game, "end", SkipStep("upkeep", players=players), skip)
    for turn, there in ((2, False), (4, True)):
        steps = steps_of(game, turn)
        assert ("upkeep" in steps, "end_of_combat" in steps) == (there, there)


@pytest.mark.parametrize(
    ("skips", "steps"),
    [(1, ["draw", "draw"]), (2, ["draw"]), (3, [])],
)
def test_each_skip_takes_one_of_the_added_and_ordinary_steps(
    magic: Model, skips: int, steps: list[str]
) -> None:
    """Rules 500.9 and 614.10a: the added ones first. Nothing is left for a later turn."""
    game = started(magic, orders=[SkipStep("draw", "B")] * skips)
    to(game, "upkeep", turn=2)
    game.order(AddStep("draw", before="draw", count=2))
    assert rest_of_turn(game) == ["upkeep", *steps, *steps_of(game.fork(), 4)[3:]]
    assert steps_of(game, 4).count("draw") == 1


def test_when_every_step_is_skipped_the_phases_still_end(magic: Model) -> None:
    """Rule 500.5: mana empties as combat ends."""
    game = started(magic, orders=[SkipStep(s.name, scope="each") for s in magic.of_kind("step")])
    for turn in (1, 2, 3):
        at = game.position
        assert (at.turn, at.phase, asked(game.request)) == (turn, "combat", "empty_mana")
        game.answer(Answer())
