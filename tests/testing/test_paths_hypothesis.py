"""Strategies and the state machine for Hypothesis."""

from __future__ import annotations

import json
import sys
from pathlib import Path as File

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.stateful import run_state_machine_as_test

import fsm
from fsm.engine.controller import TurnController
from fsm.engine.trace import Trace
from fsm.rulesets import names
from fsm.scenarios import parse_scenarios, play
from fsm.testing.generation import Path
from fsm.testing.generation.stateful import rule_based
from fsm.testing.generation.strategies import games
from support import processes

FEW = settings(max_examples=5, stateful_step_count=20, suppress_health_check=list(HealthCheck))
MANY = settings(FEW, max_examples=60, stateful_step_count=40, phases=[Phase.generate])
GAME = fsm.load("grand-archive")


@given(games(GAME, most=30))
@FEW
def test_a_game_drawn_can_be_played_and_replayed(path: Path) -> None:
    trace = path.run().trace
    assert trace.answers == list(path.answers)
    assert Trace.read(trace.lines()).replay(GAME).request == path.run().request


@pytest.mark.parametrize("name", names())
def test_the_invariants_hold(name: str) -> None:
    run_state_machine_as_test(rule_based(fsm.load(name), name), settings=FEW)


def _notes(failed: pytest.ExceptionInfo[AssertionError]) -> str:
    return "\n".join(getattr(failed.value, "__notes__", []))


def test_a_failing_run_of_a_broken_model_prints_a_trace_that_replays() -> None:
    with pytest.raises(AssertionError, match="never_stuck") as failed:
        hole = fsm.load("magic").without("upkeep_window -> upkeep_end on closed")
        run_state_machine_as_test(rule_based(hole), settings=MANY)
    lines = [line for line in _notes(failed).splitlines() if line.startswith('{"')]
    assert json.loads(lines[0])["is"] == "GameHeader"


def test_a_failing_run_prints_a_scenario_that_fsm_run_plays(tmp_path: File) -> None:
    """An invariant of one's own that does not hold."""

    def no_upkeep(controller: TurnController) -> None:
        step = controller.agenda.current_step
        assert step is None or step.name != "upkeep", "there is an upkeep"

    with pytest.raises(AssertionError, match="there is an upkeep") as failed:
        run_state_machine_as_test(
            rule_based(fsm.load("magic"), "magic", [no_upkeep]), settings=MANY
        )
    text = _notes(failed)
    found = json.loads(text[text.index("{") : text.rindex("}") + 1])
    assert found["ruleset"] == "magic"
    file = tmp_path / "found.json"
    file.write_text(json.dumps(found))
    run = processes.run([sys.executable, "-m", "fsm", "run", str(file)])
    assert run.returncode == 0, run.stdout + run.stderr
    assert "upkeep" in [visit.step for visit in play(parse_scenarios(found, "found")[0]).visits]
