"""The agenda: which of several entries that fit comes first, seen in the steps and turns that a game takes."""

from __future__ import annotations

import pytest

from fsm.model import Model
from fsm.orders import AddStep, AddTurn, ControlNextTurn, Scope, Skip
from support.playing import quiet, resolving, started, steps, through, turns


@pytest.mark.parametrize(
    ("scopes", "missing"),
    [(("next", "this_turn"), [1]), (("this_turn", "next"), [1, 4])],
    ids=["next skip first", "this turn's skip first"],
)
def test_of_two_skips_that_apply_the_older_one_is_used(
    magic: Model, scopes: tuple[Scope, Scope], missing: list[int]
) -> None:
    """614.10a: a skip of the next draw step is used up only if no older skip has taken that step away."""
    game = started(magic, "ABC")
    game.answer(quiet(game.request, orders=[Skip("step", "draw", "A", scope) for scope in scopes]))
    through(game, 4)
    assert [turn for turn in (1, 2, 3, 4) if "draw" not in steps(game, turn)] == missing


def test_of_two_steps_added_before_a_step_the_newer_one_comes_first(magic: Model) -> None:
    game = started(magic)
    resolving(game, "upkeep", AddStep("upkeep", before="end"), AddStep("draw", before="end"))
    assert steps(through(game, 1), 1)[-4:] == ["draw", "upkeep", "end", "cleanup"]


def test_the_turn_after_a_controlled_turn_comes_before_older_extra_turns(magic: Model) -> None:
    """500.7: the extra turn that was added last is taken first."""
    game = started(magic, "ABC")
    resolving(game, "upkeep", AddTurn("C"), AddTurn("B"), ControlNextTurn("B", "A", extra_turn_after=True))
    assert turns(through(game, 5))[:5] == ["A", "B", "B", "C", "B"]
