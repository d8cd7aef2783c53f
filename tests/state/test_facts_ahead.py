"""Which facts a request asks for, when steps are skipped: those that can be read, and no others."""

from __future__ import annotations

import pytest

import fsm
from fsm import CheckState, SkipPhase, SkipStep, SkipTurn
from fsm.errors import AnswerError
from support.playing import attack, quiet, started, to, unchanged, until


@pytest.mark.parametrize("ruleset", ["magic", "magic-2010", "magic-classic"])
@pytest.mark.parametrize(
    ("orders", "step"),
    [
        ([], "declare_blockers"),
        ([SkipStep("upkeep", "B"), SkipTurn("B", extra=True)], "declare_blockers"),
        ([SkipStep("declare_blockers", "A")], "declare_attackers"),
    ],
)
def test_first_strike_is_asked_for_when_blockers_have_been_declared(
    ruleset: str, orders: list[fsm.Order], step: str
) -> None:
    """Rule 510.4: before, only if that step is skipped."""
    game = started(fsm.load(ruleset), orders=orders)
    attack(game)
    asked = until(game, lambda request: "first_strike_in_combat" in request.facts)
    assert asked.at.step == step


def test_an_answer_with_orders_may_have_to_tell_more_and_is_told_what() -> None:
    """Grand Archive: whether time is distorted decides what comes after the main phase."""
    game = started(fsm.load("grand-archive"))
    asked = to(game, "draw", CheckState, turn=2)
    orders = [SkipPhase("main", "B")]
    answer = quiet(asked, orders=orders)
    unchanged(game, lambda: game.answer(answer), AnswerError, "does not tell the fact 'time_")
    told = {"time_distorted": False}
    assert game.answer(quiet(asked, told, orders=orders)).at.phase != "main"
