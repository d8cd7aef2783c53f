"""Paths through a ruleset: they take what they say, they replay, and what is not taken is named."""

from __future__ import annotations

import json
import os
import runpy
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path as File

import pytest

import fsm
from fsm.coverage import collecting, covered, data_of
from fsm.model import Event, State
from fsm.rulesets import Act, Phase, Step, Table, Window
from fsm.testing import PathSet, paths
from support import processes
from support.amounts import amount, thorough
from support.commandline import command
from support.smallturn import TURN, extended, row

# Who has drawn may quit. The last row is behind one that always holds.
QUITTING = extended(
    TURN,
    states=[State("gone", "final", rule="1")],
    events=[Event("quit")],
    transitions=[row("pick", "gone", on="quit", layer="jump"), row("pick", "over")],
)
RESTING = QUITTING.without("pick -> feast [lucky]")
DAY = Table(
    "day",
    Phase("light", Step("dawn", Act("draw", when="not first_turn")), Step("noon", Window())),
    lacks="extra_phase, extra_step",
)
HERE = __name__


def written(folder: File, *words: object) -> tuple[int, str]:
    """The exit code and the file that was written."""
    file = folder / "written"
    return command("paths", *words, "-o", file).exit_code, file.read_text("utf-8")


def fired(found: PathSet) -> set[str]:
    """The transitions that fire in new games of the paths."""
    return {record.transition for path in found for record in path.trace.records}


@pytest.mark.parametrize("criterion", ["states", "transitions", "literals", "rules"])
def test_everything_that_can_be_taken_is_taken(criterion: str) -> None:
    found = paths(QUITTING, criterion)
    coverage = found.coverage
    assert found.open == coverage.missing == ()
    assert len(coverage.covered) + len(coverage.infeasible) == len(coverage.targets)
    taken = {target.id for path in found for target in path.takes}
    assert taken == {target.id for target in coverage.covered}
    assert taken


@pytest.mark.parametrize("criterion", ["states", "transitions", "literals", "rules"])
def test_what_paths_say_they_take_is_what_coverage_measures(criterion: str) -> None:
    found = paths(DAY, criterion, effort=3_000)
    measured = covered(found.model, criterion, data_of(found.model, [p.trace for p in found]))
    assert measured.taken.keys() == found.coverage.taken.keys()


def test_what_no_run_can_take_is_named_with_the_reason() -> None:
    found = paths(QUITTING)
    [target] = found.coverage.infeasible
    assert target.id == "pick -> over"
    assert target.infeasible == "in pick a row above is taken whenever it is tried"
    assert fired(found) == {row.id for row in QUITTING.transitions} - {target.id}


@pytest.fixture(scope="module")
def day() -> PathSet:
    return paths(DAY, effort=amount(3_000, 20_000))


def test_the_transitions_of_a_table_and_its_window_are_taken(day: PathSet) -> None:
    taken = {target.id for path in day for target in path.takes}
    assert taken <= fired(day)
    assert len(taken) >= 42
    assert len(taken) + len(day.open) == len(day.coverage.targets)
    assert all(day.why_open(target) for target in day.open)


def test_every_path_is_needed_up_to_its_last_answer(day: PathSet) -> None:
    for path in day:
        shorter = replace(path, answers=path.answers[:-1])
        assert not {target.id for target in path.takes} <= fired(replace(day, paths=(shorter,)))


def test_a_path_is_not_taken_by_another_model() -> None:
    path = next(path for path in paths(QUITTING) if "feast" in targets(path.run()))
    assert "feast" not in targets(path.run(RESTING))


def targets(game: fsm.TurnController) -> set[str]:
    """The states that a recorded game has come to."""
    assert game.trace is not None
    return {record.target for record in game.trace.records}


def test_an_unknown_criterion_is_refused_with_a_hint() -> None:
    with pytest.raises(fsm.FsmError, match="did you mean 'rules'"):
        paths(QUITTING, "rulers")
    with pytest.raises(fsm.FsmError, match="criterion 'pairs' is not in what paths are made for"):
        paths(QUITTING, "pairs")


MADE = """
import fsm
for path in fsm.testing.paths("magic-2010", "rules", effort=300):
    print(path.start, path.answers, path.takes)
"""


@thorough
def test_equal_arguments_give_equal_paths_whatever_the_seed_of_hashes() -> None:
    told = []
    for seed in ("0", "1"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        told.append(processes.run([sys.executable, "-c", MADE], env=environment, check=True).stdout)
    assert "Answer(" in told[0]
    assert told[0] == told[1]


# the command --------------------------------------------------------------------------------------


def test_the_text_tells_every_transition_once(tmp_path: File) -> None:
    code, text = written(tmp_path, f"{HERE}:QUITTING")
    assert code == 0
    assert text.startswith("transitions of small: 9 targets, 8 taken, 1 infeasible, 0 open")
    told = [line.strip() for line in text.splitlines()]
    for transition in QUITTING.transitions:
        assert told.count(transition.id) == int(transition.id != "pick -> over")


def test_what_is_open_is_told_with_the_reason(tmp_path: File) -> None:
    done = command("paths", f"{HERE}:DAY", "--seconds", "0.001")
    assert done.exit_code == 1
    assert "open: turn: dawn_before -> " in done.stderr
    assert "no path to it was found within the effort" in done.stderr


def test_only_what_tests_lack_is_taken(tmp_path: File) -> None:
    with collecting(tmp_path / "data"):
        game = fsm.TurnController(QUITTING, ("A", "B"))
        game.answer(fsm.Answer("done", {"lucky": True}))
    _, text = written(tmp_path, f"{HERE}:QUITTING", "--missing", tmp_path / "data")
    assert "pick -> feast [lucky]" not in text
    assert "pick -> rest" in text
    assert text.startswith("transitions of small: 6 targets, 5 taken, 1 infeasible, 0 open")


def made(file: File) -> Iterator[Callable[[], None]]:
    """The tests that a file defines."""
    names = runpy.run_path(str(file))
    return (test for name, test in names.items() if name.startswith("test_"))


@pytest.mark.parametrize("criterion", ["transitions", "literals"])
def test_the_tests_pass_and_fail_on_another_model(tmp_path: File, criterion: str) -> None:
    file = tmp_path / "test_made.py"
    words = "--criterion", criterion, "--format", "pytest", "-o", file
    assert command("paths", f"{HERE}:QUITTING", *words).exit_code == 0
    for test in made(file):
        test()
    file.write_text(file.read_text().replace(":QUITTING", ":RESTING"))
    with pytest.raises((AssertionError, fsm.FsmError)):
        for test in made(file):
            test()


def test_the_scenarios_are_played_by_fsm_run(tmp_path: File) -> None:
    code, text = written(tmp_path, f"{HERE}:DAY", "--format", "scenario", "--seconds", "0.04")
    assert code == 1  # some are open
    file = tmp_path / "paths.json"
    file.write_text(text, "utf-8")
    run = command("run", file, "--ruleset", f"{HERE}:DAY")
    assert run.exit_code == 0, run.output
    told = json.loads(text)
    assert told[0]["note"].startswith("transitions: takes ")
    skip = {"do": "skip_step", "step": "dawn"}
    file.write_text(json.dumps([{**one, "given": [skip, *one["given"]]} for one in told]))
    run = command("run", file, "--ruleset", f"{HERE}:DAY")
    assert run.exit_code == 1, run.output


def test_the_shortest_path_to_a_state(tmp_path: File) -> None:
    code, text = written(tmp_path, "magic-classic", "--to", "upkeep_window")
    assert code == 0
    assert text.startswith(
        "states of magic-classic: 1 target, 1 taken, 0 infeasible, 0 open; 1 path, 2 answers"
    )
    wrong = command("paths", "magic-classic", "--to", "upkep_window")
    assert wrong.exit_code == 2
    assert "did you mean 'upkeep_window'" in wrong.output
