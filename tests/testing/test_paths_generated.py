"""Paths made for a criterion: they run, they take what they say, and nothing is dropped silently."""

from __future__ import annotations

import importlib
import json
import os
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path as File
from random import Random
from typing import Any

import pytest

import fsm
from fsm import Answer, Trace
from fsm.coverage import covered, data_of, targets
from fsm.errors import AnswerError, FsmError, ModelError
from fsm.rulesets import names
from fsm.testing import PathSet, paths
from fsm.testing.budget import Budget
from fsm.testing.generation.abstractgraph import abstract_graph_of
from fsm.testing.generation.formats import as_json, as_pytest, as_text
from fsm.testing.generation.routes import path_taking, path_to
from fsm.testing.generation.searchgoal import search_goal
from fsm.testing.generation.searchnode import first_step
from fsm.testing.generation.targetedwalker import TargetedWalker
from support import processes
from support.amounts import sample, thorough
from support.folders import ROOT
from support.smallmodels import FIGHTING


@cache
def made(criterion: str) -> PathSet:
    return paths(FIGHTING, criterion)


CRITERIA = (
    "states",
    "transitions",
    "literals",
    "rules",
    "refusals",
)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_all_that_is_feasible_is_taken_and_measured_by_the_games_themselves(criterion: str) -> None:
    found = made(criterion)
    coverage = found.coverage
    if criterion != "refusals":  # what is refused leaves no trace
        coverage = covered(
            FIGHTING, criterion, data_of(FIGHTING, [path.run().trace for path in found])
        )
    assert coverage.missing == found.open == ()
    assert len(coverage.covered) + len(coverage.infeasible) == len(coverage.targets)
    assert {t.key for path in found for _, t in path.takes} == {t.key for t in coverage.covered}


def test_a_path_ends_with_something_that_it_is_the_first_to_take() -> None:
    assert all(
        max(number for number, _ in path.takes) == len(path.answers) for path in made("literals")
    )


MADE = """
import fsm
from fsm.testing.generation.formats import answer_text
from fsm.testing.generation import paths
for path in paths(fsm.load("magic-2010"), "rules", effort=300):
    print(path.start, *map(answer_text, path.answers), path.takes)
"""


def test_equal_arguments_give_equal_paths_whatever_the_seed_of_hashes() -> None:
    """A rule is cited by several states and facts. All of them must be tried in the order of the
    model.
    """
    found = []
    for seed in ("0", "1"):
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        found.append(processes.run([sys.executable, "-c", MADE], env=env).stdout)
    assert "Start(" in found[0]
    assert found[0] == found[1]


def test_nothing_can_be_left_out_of_a_set() -> None:
    """Neither a path nor its last answer."""
    paths = made("literals").paths
    every = {t.key for t in made("literals").coverage.covered}
    for path in paths:
        others = [p.trace for p in paths if p is not path]
        shorter = replace(path, answers=path.answers[:-1]).run().trace
        taken = covered(FIGHTING, "literals", data_of(FIGHTING, [*others, shorter])).taken
        assert every - set(taken)


def test_a_path_replays_from_its_json() -> None:
    for path in json.loads(as_json(made("literals")))["paths"]:
        trace = Trace.read(json.dumps(line) for line in path["trace"])
        assert len(trace.replay(FIGHTING).trace.records) == len(trace.records) > 0


def test_the_text_tells_every_target_once() -> None:
    text = as_text(made("transitions"))
    for transition in FIGHTING.transitions:
        assert sum(line.strip() == transition.id for line in text.splitlines()) == 1


@thorough
def test_the_pytest_file_passes_and_fails_on_another_model(tmp_path: File) -> None:
    found = paths(fsm.load("grand-archive"), "states", effort=3_000)
    assert found.answers > 10
    file = tmp_path / "test_made.py"
    file.write_text(as_pytest(found, "grand-archive"))
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    run = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-c",
        str(tmp_path / "pytest.ini"),
    ]
    passed = processes.run([*run, str(file)])
    assert passed.returncode == 0, passed.stdout
    assert f"{len(found)} passed" in passed.stdout
    file.write_text(file.read_text().replace("fsm.load('grand-archive')", "fsm.load('magic')"))
    assert processes.run([*run, str(file)]).returncode == 1


@pytest.mark.parametrize("name", sample(names(), 2))
def test_what_is_not_reached_is_reported_and_what_is_taken_is_really_taken(name: str) -> None:
    """With little effort much is left; nothing of it may be forgotten."""
    found = paths(fsm.load(name), "transitions", effort=2_000)
    coverage = found.coverage
    assert len(coverage.covered) > 30
    assert len(coverage.covered) + len(coverage.infeasible) + len(found.open) == len(
        coverage.targets
    )
    assert {t.key for path in found for _, t in path.takes} <= {t.key for t in coverage.covered}
    assert coverage.refuted == () and coverage.notes == ()


def test_a_path_to_a_state() -> None:
    [path] = path_to(fsm.load("magic"), "upkeep_window")
    assert (
        path.trace.records[-1].machine == "window"
        or path.trace.records[-1].target == "upkeep_window"
    )
    assert len(path.answers) == 4  # the answers of an untap step: nothing shorter leads there
    with pytest.raises(ModelError, match="did you mean 'upkeep_window'"):
        path_to(fsm.load("magic"), "upkep_window")


HARD = (
    (
        "magic",
        "combat_damage_after -> step_hub [extra_step_due]",
    ),  # the order must come in a step that is not missed
    (
        "magic",
        "step_resume -> combat_damage_after [step_returns_to_combat_damage_after]",
    ),  # back from there as well
    (
        "magic",
        "step_resume -> upkeep_before [step_returns_to_upkeep_before]",
    ),  # ordered before the step begins
    ("magic-classic", "step_resume -> cleanup_before [step_returns_to_cleanup_before]"),
    (
        "grand-archive",
        "end_turn_stack -> end_clean_up [ending_under_way]",
    ),  # a signal where the turn is ending
)


@pytest.mark.parametrize(("name", "id"), HARD)
def test_a_path_to_what_must_be_ordered_long_before(name: str, id: str) -> None:
    """No plain answer comes nearer to these: an order or a signal does, and only in the right
    place.
    """
    model = fsm.load(name)
    [target] = [t for t in targets(model, "transitions") if t.id == id]
    [path] = path_taking(model, "transitions", target)
    assert id in {record.transition for record in path.run().trace.records}
    assert any(answer.orders or answer.signal for answer in path.answers)


def test_what_is_to_be_refused_is_tried_on_the_path() -> None:
    found = made("refusals")
    assert any(path.refused for path in found)
    late = next(path for path in found if path.refused)
    wrong = replace(late, refused=((0, Answer("done", {"angry": False, "tired": False})),))
    with pytest.raises(AnswerError, match="was to be refused in 'draw'"):
        wrong.run()


def test_a_criterion_that_is_none_is_refused_with_a_hint() -> None:
    with pytest.raises(FsmError, match="did you mean 'rules'"):
        paths(FIGHTING, "rulers")
    with pytest.raises(FsmError, match="paths for 'pairs' cannot be generated"):
        paths(FIGHTING, "pairs")


@pytest.mark.parametrize("over", ["one_left", "never"])
def test_the_last_player_stays_in_a_game_that_nobody_would_end(
    monkeypatch: pytest.MonkeyPatch, over: str
) -> None:
    monkeypatch.syspath_prepend(ROOT / "examples")
    lanterns = importlib.import_module("lanterns").LANTERNS
    found = paths(replace(lanterns, over=over), effort=10_000)
    assert not found.open
    names: dict[str, Any] = {}
    exec(as_pytest(found, "lanterns:LANTERNS"), names)  # plays by the table as it stands
    for number in range(1, len(found) + 1) if over == "one_left" else ():
        names[f"test_path_{number}"]()
    assert any(answer.signal for path in found for answer in path.answers), "somebody leaves"


def test_the_parts_of_a_search_end_when_its_time_is_up() -> None:
    budget = Budget(1_000, seconds=0)
    assert not budget.part(100).lasts
    goal = search_goal(abstract_graph_of(FIGHTING), "transitions")
    node = first_step(goal.abstract, fsm.TurnController(FIGHTING, ("A", "B"))).node
    walker = TargetedWalker(goal, Random(1), budget)
    assert walker.best([node], games=30, fixed_cost=1) is None
    assert (
        TargetedWalker(goal, Random(1), Budget(1_000)).best([node], games=30, fixed_cost=1)
        is not None
    )
