"""Paths made for a criterion: they run, they take what they say, and nothing is dropped silently."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path as File

import pytest

import fsm
from fsm.coverage import covered, data_of
from fsm.errors import FsmError, ModelError
from fsm.model import Event, Fact, Model, State, Term, Transition
from fsm.paths import PathSet, paths
from fsm.paths.generating import path_to, random_path
from fsm.paths.mutation import mutants, notices, survivors, why_equivalent
from fsm.paths.telling import as_json, as_pytest, as_text
from fsm.replaying import replay
from fsm.rulesets import names
from fsm.trace import Trace


@cache
def model() -> Model:
    """A small game of one's own: a draw, then perhaps a fight, round and round."""
    states = (
        State("turn", "turn", "turn"),
        State("draw", "action", parent="turn", asks="perform", action="draw"),
        State("fights", "choice", parent="turn"),
        State("fight", "action", parent="turn", asks="perform", action="fight"),
        State("over", "final"),
    )
    rows = (
        Transition("draw", "fights"),
        Transition("fights", "fight", guard=(Term("angry"), Term("tired", False))),
        Transition("fights", "draw"),
        Transition("fight", "draw"),
        Transition("turn", "over", "stop"),
    )
    events = (Event("done", "finished", completion=True), Event("stop", "somebody has had enough"))
    facts = (Fact("angry", "somebody is angry"), Fact("tired", "all are tired"))
    return Model("small", "draw", states, rows, events, facts)


@cache
def made(criterion: str) -> PathSet:
    return paths(model(), criterion)


@pytest.mark.parametrize("criterion", ["states", "transitions", "literals", "pairs", "2-switch"])
def test_all_that_is_feasible_is_taken_and_measured_by_the_games_themselves(criterion: str) -> None:
    found = made(criterion)
    coverage = covered(model(), criterion, data_of(model(), [path.run().trace for path in found]))
    assert coverage.missing == found.open == ()
    assert len(coverage.covered) + len(coverage.infeasible) == len(coverage.targets)
    assert {t.key for path in found for _, t in path.takes} == {t.key for t in coverage.covered}


def test_a_path_ends_with_something_that_it_is_the_first_to_take() -> None:
    assert all(max(number for number, _ in path.takes) == len(path.answers) for path in made("pairs"))


def test_the_bound_is_met_where_one_walk_can_do_it() -> None:
    """Three answers fire all but the end of the game, by hand: draw, draw angry, fight; the end rides on one."""
    found = made("transitions")
    assert found.bound <= found.answers <= 5
    assert 0 < made("pairs").bound <= made("pairs").answers


def test_a_path_replays_from_its_json() -> None:
    for path in json.loads(as_json(made("pairs")))["paths"]:
        trace = Trace.read(json.dumps(line) for line in path["trace"])
        assert len(replay(trace, model()).trace.records) == len(trace.records) > 0


def test_the_text_tells_every_target_once() -> None:
    text = as_text(made("transitions"))
    for transition in model().transitions:
        assert sum(line.strip() == transition.id for line in text.splitlines()) == 1


def test_the_pytest_file_passes_and_fails_on_another_model(tmp_path: File) -> None:
    found = paths(fsm.load("grand-archive"), "states", effort=3_000)
    assert found.answers > 20
    file = tmp_path / "test_made.py"
    file.write_text(as_pytest(found, "grand-archive"))
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", str(tmp_path / "pytest.ini")]
    passed = subprocess.run([*run, str(file)], capture_output=True, text=True, check=False)
    assert passed.returncode == 0, passed.stdout
    assert f"{len(found)} passed" in passed.stdout
    file.write_text(file.read_text().replace("fsm.load('grand-archive')", "fsm.load('magic')"))
    assert subprocess.run([*run, str(file)], capture_output=True, check=False).returncode == 1


@pytest.mark.parametrize("name", names())
def test_what_is_not_reached_is_reported_and_what_is_taken_is_really_taken(name: str) -> None:
    """With little effort much is left; nothing of it may be forgotten."""
    found = paths(fsm.load(name), "transitions", effort=2_000)
    coverage = found.coverage
    assert len(coverage.covered) > 60
    assert len(coverage.covered) + len(coverage.infeasible) + len(found.open) == len(coverage.targets)
    assert {t.key for path in found for _, t in path.takes} <= {t.key for t in coverage.covered}
    assert coverage.refuted == () and coverage.notes == ()


def test_a_path_to_a_state() -> None:
    [path] = path_to(fsm.load("magic"), "upkeep_window")
    assert path.trace.records[-1].machine == "window" or path.trace.records[-1].target == "upkeep_window"
    assert len(path.answers) == 4  # the answers of an untap step: nothing shorter leads there
    with pytest.raises(ModelError, match="did you mean 'upkeep_window'"):
        path_to(fsm.load("magic"), "upkep_window")


def test_a_random_walk_is_the_same_by_its_seed_and_stops_when_told() -> None:
    magic = fsm.load("magic")
    [one], [two], [other] = (random_path(magic, 60, seed) for seed in (5, 5, 6))
    assert one.answers == two.answers != other.answers
    [short] = random_path(magic, 60, 5, until=lambda path: len(path.answers) == 7)
    assert short.answers == one.answers[:7]


def test_a_criterion_without_paths_is_refused_with_a_hint() -> None:
    with pytest.raises(FsmError, match="refusals"):
        paths(model(), "refusals")


# mutation ------------------------------------------------------------------------------------------------------


def test_every_mutant_of_a_small_model_is_noticed_or_explained() -> None:
    every = list(mutants(model()))
    assert {m.kind for m in every} == {"removed", "flipped", "swapped"}
    left = survivors(made("pairs").paths, every)
    assert [str(m) for m in left if not why_equivalent(model(), m)] == []


def test_no_path_notices_the_model_itself() -> None:
    [same, *_] = mutants(model())
    same = type(same)(same.kind, same.machine, same.what, model())
    assert not any(notices(path, same) for path in made("pairs"))
