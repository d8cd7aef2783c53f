"""Errors are data: programs read the kind, the place and what would be right, and never the text."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable

import pytest

import fsm
from fsm.errors import FsmError, RulesetError
from fsm.rulesets import Act, Phase, Table

COURT = Table("court", Phase("day", Act("dress", when="first_trun")))
WRONG_STEP = {"given": [{"when": {"turn": 1, "step": "upkep"}, "do": "trigger", "id": "x"}]}


def game() -> fsm.TurnController:
    return fsm.TurnController("magic", ["Ann", "Ben"])


def skips(request: fsm.Request | fsm.Over) -> fsm.Answer:
    assert isinstance(request, fsm.Perform)
    return request.done(fsm.AddTurn("Ann"), fsm.SkipStep("upkep"))


@pytest.mark.parametrize(
    ("wrong", "name", "kind", "place", "found", "remedy"),
    [
        (lambda: game().answer(skips(game().request)), "OrderError", "unknown-step", "answer.orders[1].step", "upkep", "did you mean 'upkeep'?"),
        (lambda: game().answer(fsm.Answer("passed")), "AnswerError", "wrong-word", "answer.word", "passed", "answer 'done', not"),
        (lambda: game().answer(fsm.Answer("done"), to=7), "StaleAnswerError", "stale-answer", "", None, ""),
        (lambda: fsm.load("magic", editions="2026-01"), "RulesetError", "unknown-option", "options.editions", "editions", "did you mean 'edition'?"),
        (lambda: fsm.scenarios.load(WRONG_STEP, place="x.json"), "ScenarioError", "unknown-step", "given[0].when.step", "upkep", "did you mean 'upkeep'?"),
    ],
    ids=lambda value: value if isinstance(value, str) and "-" in value else "",
)  # fmt: skip
def test_an_error_says_what_is_wrong_as_data(
    wrong: Callable[[], object], name: str, kind: str, place: str, found: object, remedy: str
) -> None:
    with pytest.raises(FsmError) as raised:
        wrong()
    error = raised.value
    assert (type(error).__name__, error.kind, error.place, error.found) == (
        name,
        kind,
        place,
        found,
    )
    assert error.remedy.startswith(remedy) and error.remedy in str(error)
    sent = json.loads(json.dumps(error.to_json()))
    assert [sent[key] for key in ("is", "kind", "place", "found")] == [name, kind, place, found]
    assert [sent["text"], sent["remedy"]] == [str(error), error.remedy]


def test_an_error_crosses_processes_whole() -> None:
    with pytest.raises(RulesetError) as raised:
        fsm.TurnController(COURT, ["Ann", "Ben"])
    again = pickle.loads(pickle.dumps(raised.value))
    assert again.to_json() == raised.value.to_json()
    assert (again.kind, again.problems) == ("table", raised.value.problems)
