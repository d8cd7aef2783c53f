"""Subscriptions see what is really entered, in order; logging is quiet until it is set up."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable

import pytest

import fsm
from fsm import AddStep, Answer, Over, Priority, Request, Signal, SkipStep, TurnController
from fsm.engine import Record
from fsm.engine.requests import Word
from fsm.errors import AnswerError
from fsm.hosts import entering, logged
from fsm.rulesets import names
from fsm.runs.visits import visits_of
from support import processes


def quiet(request: Request | Over) -> Answer:
    word: Word = "passed" if isinstance(request, Priority) else "done"
    return Answer(
        word, {name: name in ("stack_empty", "attackers_declared") for name in request.facts}
    )


def played(game: TurnController, turns: int) -> TurnController:
    while game.position.turn <= turns:
        game.answer(quiet(game.request))
    return game


@pytest.mark.parametrize("name", names())
def test_every_step_is_entered_as_often_as_it_is_visited(name: str) -> None:
    model = fsm.load(name)
    game, heard = TurnController(model, ["A", "B"]), list[str]()
    begun = len(list(visits_of(game.trace.records, model)))
    for step in model.of_kind("step"):
        entering(game, step.name, lambda record: heard.append(record.step))
    played(game, 3)
    visited = [visit.step for visit in visits_of(game.trace.records, model) if visit.turn]
    assert heard == visited[begun:]


def test_what_is_skipped_is_not_entered_and_what_is_added_is() -> None:
    game, heard = TurnController(fsm.load("magic"), ["A", "B"]), list[tuple[int, str]]()
    for place in ("upkeep", "draw"):
        entering(game, place, lambda record: heard.append((record.turn, record.step)))
    game.answer(Answer(orders=(SkipStep("upkeep", "B"), AddStep("upkeep", after="draw"))))
    played(game, 2)
    assert heard == [(1, "upkeep"), (2, "draw")], (
        "the first draw step is skipped (103.8a), B's upkeep by the effect"
    )


def test_phases_turns_stages_and_the_window() -> None:
    game, heard = TurnController(fsm.load("magic"), ["A", "B"]), dict[str, int]()
    for place in ("combat", "turn", "untap_untap_permanents", "priority", "combat_phase"):
        heard[place] = 0

        def count(record: Record, place: str = place) -> None:
            heard[place] += 1

        entering(game, place, count)
    played(game, 2)
    asked = sum(
        record.machine == "window" and record.target == "priority" for record in game.trace.records
    )
    assert heard == {
        "combat": 2,
        "turn": 2,
        "untap_untap_permanents": 2,
        "priority": asked,
        "combat_phase": 2,
    }


def test_a_place_that_a_refused_pass_stays_in_is_not_entered_again() -> None:
    """Grand Archive: who must attack cannot pass, and keeps Opportunity."""
    game, heard = TurnController(fsm.load("grand-archive"), ["A", "B"]), list[str]()
    while not isinstance(game.request, Priority):
        game.answer(quiet(game.request))
    entering(game, "opportunity", lambda record: heard.append(record.transition))
    game.answer(Answer("passed", {**quiet(game.request).facts, "attack_required": True}))
    assert heard == []
    played(game, 1)
    assert heard


def test_they_are_called_in_the_order_in_which_they_were_made() -> None:
    game, heard = TurnController(fsm.load("magic"), ["A", "B"]), list[str]()

    def noting(name: str) -> Callable[[Record], None]:
        return lambda record: heard.append(name)

    stops = [entering(game, "upkeep", noting(name)) for name in "abc"]
    while not heard:
        game.answer(quiet(game.request))
    assert heard == ["a", "b", "c"]
    stops[1]()
    played(game, 1)
    while len(heard) < 5:
        game.answer(quiet(game.request))
    assert heard[3:] == ["a", "c"]


def test_one_that_raises_takes_the_answer_back() -> None:
    game = TurnController(fsm.load("magic"), ["A", "B"])

    def refuse(record: Record) -> None:
        raise ValueError("not now")

    stop = entering(game, "upkeep", refuse)
    while game.position.stage != "untap_end":
        game.answer(quiet(game.request))
    before = game.snapshot()
    with pytest.raises(ValueError, match="not now"):
        game.answer(quiet(game.request))
    assert game.snapshot() == before
    stop()
    assert game.answer(quiet(game.request)).at.step == "upkeep"


def test_an_unknown_place_is_refused() -> None:
    with pytest.raises(
        AnswerError, match=r"no place 'upkep' to be entered; did you mean 'upkeep'\?"
    ):
        entering(TurnController(fsm.load("magic"), ["A", "B"]), "upkep", print)


def test_the_log_is_structured(caplog: pytest.LogCaptureFixture) -> None:
    game = TurnController(fsm.load("magic"), ["A", "B"])
    stop = logged(game)
    with caplog.at_level(logging.DEBUG, logger="fsm"):
        while game.position.step != "upkeep":
            game.answer(quiet(game.request))
        game.answer(Answer("done", quiet(game.request).facts, signal=Signal("end_turn")))
    count = len(caplog.records)
    noted = [vars(entry)["record"]["transition"] for entry in caplog.records]
    assert noted == [record.transition for record in game.trace.records[-count:]]
    assert caplog.records[0].name == "fsm"
    assert any("turn 1 of A, untap: " in message for message in caplog.messages)
    stop()
    game.answer(quiet(game.request))
    assert len(caplog.records) == count


def test_it_is_quiet_by_default() -> None:
    code = (
        "import fsm; from fsm.hosts.subscriptions import logged; import logging;"
        "game = fsm.TurnController(fsm.load('magic'), ['A', 'B']); logged(game, level=logging.WARNING);"
        "[game.answer(fsm.Answer()) for _ in range(3)]"
    )
    done = processes.run([sys.executable, "-c", code], check=True)
    assert (done.stdout, done.stderr) == ("", "")
