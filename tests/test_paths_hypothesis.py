"""Strategies and the state machine for Hypothesis."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.stateful import run_state_machine_as_test

import fsm
from fsm.controller import TurnController
from fsm.paths import Path
from fsm.paths.stateful import INVARIANTS, rule_based
from fsm.paths.strategies import games
from fsm.replaying import replay
from fsm.rulesets import names
from fsm.trace import Trace

FEW = settings(
    max_examples=5, stateful_step_count=20, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
GAME = fsm.load("grand-archive")


@given(games(GAME, most=30))
@FEW
def test_a_game_drawn_can_be_played_and_replayed(path: Path) -> None:
    trace = path.run().trace
    assert trace.answers == list(path.answers)
    assert replay(Trace.read(trace.lines()), GAME).request == path.run().request


@pytest.mark.parametrize("name", names())
def test_the_invariants_hold(name: str) -> None:
    run_state_machine_as_test(rule_based(fsm.load(name)), settings=FEW)


def test_a_failing_run_prints_a_trace_that_replays(capsys: pytest.CaptureFixture[str]) -> None:
    def never_past_two(controller: TurnController) -> None:
        assert len(controller.trace.answers) < 2, "too many answers"

    with pytest.raises(AssertionError, match="too many answers") as failed:
        run_state_machine_as_test(rule_based(GAME, (*INVARIANTS, never_past_two)), settings=FEW)
    text = "\n".join(getattr(failed.value, "__notes__", [])) + capsys.readouterr().out
    lines = [line for line in text.splitlines() if line.startswith('{"')]
    assert len(replay(Trace.read(lines), GAME).trace.answers) == 2
