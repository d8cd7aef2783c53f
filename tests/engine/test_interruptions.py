"""Ending the turn or a phase, leaving, and events of one's own are orders of an answer."""

from __future__ import annotations

import pytest

import fsm
from fsm import Answer, EndPhase, EndTurn, Leave, Signal
from fsm.errors import AnswerError, OrderError
from fsm.hosts import wire
from support.playing import quiet, started, to, unchanged, until

MAGIC = fsm.load("magic")


def resolving(step: str = "upkeep", players: str = "AB") -> fsm.TurnController:
    """A game in which something resolves in this step."""
    game = started(MAGIC, players)
    to(game, step)
    game.answer(Answer("acted"))
    while not isinstance(game.request, fsm.Resolve):
        game.answer(quiet(game.request, {"stack_empty": False}))
    return game


@pytest.mark.parametrize("order", [EndTurn(), Signal("end_turn")])
def test_ending_the_turn_is_an_order(order: fsm.EndTurn | fsm.Signal) -> None:
    game, other = resolving(), resolving()
    assert isinstance(game.request, fsm.Resolve)
    game.answer(game.request.done(order))
    other.answer(Answer(signal=Signal("end_turn")))
    assert game.request == other.request
    assert game.request.state != "upkeep"
    assert game.snapshot() == other.snapshot()
    assert [(result.order, result.state) for result in game.results] == [(order, "done")]


def test_an_answer_may_interrupt_more_than_once() -> None:
    """Each interruption comes where the one before has led: after the phase, the turn is ended as
    well.
    """
    game = resolving("declare_attackers", "ABC")
    game.answer(Answer("done", {}, (Leave("B"), EndPhase(), EndTurn())))
    events = [
        record.event
        for record in game.trace.records
        if record.event not in ("done", "passed", "acted")
    ]
    assert events.index("player_left") < events.index("end_phase") < events.index("end_turn")
    assert {result.state for result in game.results} == {"done"}


def test_an_interruption_that_changes_nothing_does_not_let_the_turn_go_on() -> None:
    """723.2g: no phase is ended here, and the turn ends where the answer was given, not in the
    phase after it.
    """
    game = started(MAGIC)
    request = until(
        game,
        lambda r: (
            isinstance(r, fsm.Perform)
            and r.action == "empty_mana"
            and r.at.step == "precombat_main"
        ),
    )
    game.answer(quiet(request, orders=[EndPhase(), EndTurn()]))
    assert (game.position.step, game.request.state) == ("precombat_main", "end_turn_triggers")
    assert [result.state for result in game.results] == ["nothing", "done"]


def test_what_cannot_be_ended_is_told_in_the_results() -> None:
    """723.2g: only combat phases are ended."""
    game = resolving("upkeep")
    game.answer(Answer("done", {}, (EndPhase(),)))
    [result] = game.results
    assert (result.state, result.why) == ("nothing", "it is no combat phase: nothing happens")


@pytest.mark.parametrize("order", [EndTurn(), EndPhase(), Signal("end_turn")])
def test_nothing_is_interrupted_between_two_answers(order: fsm.EndTurn) -> None:
    game = started(MAGIC)
    to(game, "upkeep")
    unchanged(game, lambda: game.order(order), AnswerError, repr(order), "not between two answers")
    with pytest.raises(OrderError, match="none is under way before the game"):
        fsm.TurnController(MAGIC, ["A", "B"], orders=[order])


def test_a_window_alone_has_no_turn_to_end() -> None:
    from fsm.rulesets import window_alone

    game = fsm.TurnController(window_alone(MAGIC), ["A", "B"])
    unchanged(
        game,
        lambda: game.answer(quiet(game.request, orders=[EndTurn()])),
        AnswerError,
        "'end_turn'",
        "leave",
    )


def test_they_go_through_json_and_the_trace() -> None:
    answer = Answer("done", {}, (EndTurn(), EndPhase(), Signal("end_turn"), Leave("B")))
    assert wire.answer_of(wire.dump(answer)) == answer
    game = resolving()
    game.answer(Answer("done", {}, (EndTurn(),)))
    trace = fsm.Trace.read(game.trace.lines())
    assert trace.answers[-1] == Answer("done", {}, (EndTurn(),))
    assert trace.replay(MAGIC).request == game.request


def test_answers_of_older_versions_are_read() -> None:
    old = {"is": "Answer", "word": "done", "signal": {"is": "Signal", "event": "end_turn"}}
    answer = wire.answer_of(old)
    assert answer == Answer(signal=Signal("end_turn"))
    assert answer.interruptions == (Signal("end_turn"),)
    assert Answer("done", {}, (EndTurn(), fsm.AddTurn("A")), Signal("x")).interruptions == (
        EndTurn(),
        Signal("x"),
    )
