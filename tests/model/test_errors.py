"""Errors as data: programs read the kind, the place and what would be right, and never the text."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable

import pytest

import fsm
from fsm.errors import (
    AnswerError,
    DrawError,
    FsmError,
    ModelError,
    OrderError,
    RulesetError,
    ScenarioError,
    StaleAnswerError,
    TraceError,
)
from fsm.rulesets import Act, Phase, Step, Table

UNKNOWN_STEP = {"given": [{"when": {"turn": 1, "step": "upkep"}, "do": "trigger", "id": "x"}]}
WRONG_TABLE = Table("court", Phase("day", Step("hall", Act("dress", when="first_trun"))))


def game() -> fsm.TurnController:
    return fsm.TurnController("magic", ["Ann", "Ben"])


def answered(answer: fsm.Answer) -> object:
    return game().answer(answer)


SKIPS = fsm.Answer("done", {}, (fsm.AddTurn("Ann"), fsm.SkipStep("upkep")))


@pytest.mark.parametrize(
    ("wrong", "error", "kind", "place", "found", "remedy"),
    [
        (
            lambda: answered(SKIPS),
            OrderError,
            "unknown-step",
            "answer.orders[1].step",
            "upkep",
            "did you mean 'upkeep'?",
        ),
        (
            lambda: fsm.TurnController(
                "magic", ["Ann", "Ben"], orders=[fsm.AddTurn(players=("Ann", "Bem"))]
            ),
            OrderError,
            "unknown-player",
            "orders[0].players",
            "Bem",
            "did you mean 'Ben'?",
        ),
        (
            lambda: answered(fsm.Answer("passed")),
            AnswerError,
            "wrong-word",
            "answer.word",
            "passed",
            "answer 'done', not",
        ),
        (
            lambda: answered(fsm.Answer("done", {"stack_emtpy": True})),
            AnswerError,
            "unknown-fact",
            "answer.facts",
            "stack_emtpy",
            "did you mean 'stack_empty'?",
        ),
        (
            lambda: game().answer(fsm.Answer("done"), to=7),
            StaleAnswerError,
            "stale-answer",
            "",
            None,
            "",
        ),
        (
            lambda: fsm.load("magik"),
            RulesetError,
            "unknown-ruleset",
            "",
            "magik",
            "did you mean 'magic'?",
        ),
        (
            lambda: fsm.load("magic", editions="2026-01"),
            RulesetError,
            "unknown-option",
            "options.editions",
            "editions",
            "did you mean 'edition'?",
        ),
        (
            WRONG_TABLE.build,
            RulesetError,
            "table",
            "court: phase 'day', step 'hall', part 1",
            None,
            "did you mean 'first_turn'?",
        ),
        (
            lambda: fsm.scenarios.load(UNKNOWN_STEP, place="cases.json"),
            ScenarioError,
            "unknown-step",
            "given[0].when.step",
            "upkep",
            "did you mean 'upkeep'?",
        ),
        (
            lambda: fsm.load("magic").state("upkeep_widow"),
            ModelError,
            "unknown-state",
            "",
            "upkeep_widow",
            "did you mean",
        ),
        (
            lambda: fsm.draw("magic", format="pgn"),
            DrawError,
            "unknown-format",
            "",
            "pgn",
            "did you mean 'png'?",
        ),
        (lambda: fsm.Trace.read(["{}"]), TraceError, "trace", "line 1", None, ""),
    ],
)
def test_an_error_says_what_is_wrong_as_data(
    wrong: Callable[[], object],
    error: type[FsmError],
    kind: str,
    place: str,
    found: object,
    remedy: str,
) -> None:
    with pytest.raises(error) as raised:
        wrong()
    one = raised.value
    assert (one.kind, one.place, one.found) == (kind, place, found)
    assert one.remedy.startswith(remedy) and one.remedy in str(one)
    assert json.loads(json.dumps(one.to_json())) == {
        "is": error.__name__,
        "text": str(one),
        "kind": kind,
        "place": place,
        "found": found,
        "remedy": one.remedy,
        "known": list(one.known),
        "rule": one.rule,
        "problems": list(one.problems),
    }


def test_what_would_be_right_is_known() -> None:
    with pytest.raises(OrderError) as raised:
        answered(SKIPS)
    assert "upkeep" in raised.value.known


def test_an_error_crosses_processes_whole() -> None:
    with pytest.raises(RulesetError) as raised:
        WRONG_TABLE.build()
    again = pickle.loads(pickle.dumps(raised.value))
    assert again.to_json() == raised.value.to_json()
    assert again.problems == raised.value.problems != ()


def test_a_replayed_trace_from_a_file_is_the_game(tmp_path: object) -> None:
    path = f"{tmp_path}/game.jsonl"
    played = game()
    fsm.drive(played, fsm.BaseHost(), until=lambda request: request.at.turn == 2)
    played.trace.write(path)
    with open(path, encoding="utf-8") as lines:
        assert fsm.Trace.read(lines).replay("magic").snapshot() == played.snapshot()
