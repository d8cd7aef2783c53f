"""No target that a game takes is held infeasible; everything taken is in the denominator. On every
ruleset.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from itertools import islice, pairwise
from typing import Any

import pytest

from fsm import Answer, Trace
from fsm.checks.feasibility.effects import BY_ANSWERS, reads, writes
from fsm.checks.feasibility.prover import prover_of
from fsm.coverage import Data, covered, criteria, data_of, targets
from fsm.coverage.evidence import evidence_of
from fsm.engine import Record
from fsm.engine.interpreter import Interpreter
from fsm.model import Model
from fsm.model.graph import graphs_of
from fsm.rulesets import names
from fsm.state.agenda import Agenda
from fsm.state.primitives import ACTIONS, TESTS
from fsm.state.run import Run
from fsm.state.setup import run_of
from support.amounts import amount, sample
from support.wanderer import Wanderer, loop_brought_near

MODELS = {name: loop_brought_near(name) for name in names()}
SEEDS = range(1, amount(1, 2) + 1)
ANSWERS = amount(1_200, 5_000)


@cache
def traces(name: str) -> tuple[Trace, ...]:
    return tuple(
        game.trace for seed in SEEDS for game in Wanderer(MODELS[name], seed).games(ANSWERS)
    )


@cache
def data(name: str) -> Data:
    return data_of(MODELS[name], traces(name))


@pytest.mark.parametrize("name", sample(names(), 1))
def test_what_is_taken_is_a_target_and_none_of_it_is_held_infeasible(name: str) -> None:
    model = MODELS[name]
    assert data(name).firings > 2 * ANSWERS * len(SEEDS)
    for criterion in sample(criteria(), 4):
        coverage = covered(model, criterion, data(name))
        assert coverage.refuted == (), criterion
        assert set(coverage.taken) <= {target.key for target in coverage.targets}
        assert len(coverage.targets) == len(coverage.covered) + len(coverage.missing) + len(
            coverage.infeasible
        )
        assert coverage.notes == ()


@pytest.mark.parametrize("name", sample(names(), 1))
def test_nothing_taken_falls_outside_the_denominator(name: str) -> None:
    """`covered` counts only targets: so what the criterion itself counted must all be targets."""
    from fsm.coverage.criteria import criterion as of_name

    model = MODELS[name]
    found, _ = evidence_of(model, data(name))
    for criterion in sample(criteria(), 4):
        known = {target.key for target in targets(model, criterion)}
        for evidence in found:
            taken = {(evidence.graph.name, id) for id, _ in of_name(criterion).taken(evidence)}
            assert taken <= known, criterion


@pytest.mark.parametrize("name", sample(names(), 1))
def test_no_pair_of_firings_that_was_taken_is_held_impossible(name: str) -> None:
    found, _ = evidence_of(MODELS[name], data(name))
    for evidence in found:
        prover = prover_of(evidence.graph)
        arcs = ([arc for arc, _ in path] for path in evidence.paths)
        pairs = {pair for path in arcs for pair in pairwise(path)}
        assert len(pairs) > 20
        assert [pair for pair in pairs if not prover.joins(*pair)] == []


@pytest.mark.parametrize("name", sample(names(), 1))
def test_much_is_proved_all_the_same(name: str) -> None:
    pairs = targets(MODELS[name], "pairs")
    assert sum(bool(pair.infeasible) for pair in pairs) > len(pairs) / 3


# the table of what primitives read and change -----------------------------------------------------


def test_every_primitive_says_what_it_reads_or_changes() -> None:
    assert [test.name for test in TESTS.values() if test.reads is None] == []
    assert [action.name for action in ACTIONS.values() if action.writes is None] == []


class Spy:
    """A run, or its agenda, that remembers which of its fields are read, also by its own methods."""

    def __init__(self, thing: Any, read: set[str]) -> None:
        self._thing, self._read = thing, read

    def __getattr__(self, name: str) -> Any:
        thing, read = self._thing, self._read
        method = getattr(type(thing), name, None)
        if isinstance(method, property) and method.fget is not None:
            return method.fget(self)
        if callable(method):
            return lambda *args, **kwargs: method(self, *args, **kwargs)
        found = getattr(thing, name)
        if isinstance(found, Agenda):
            return Spy(found, read)
        read.add(name)
        return found


def standing(name: str) -> Iterator[tuple[Model, Run, Record | None, bool]]:
    """The runs of some games after each firing; True for the first firing after an answer."""
    model = MODELS[name]
    for trace in traces(name)[:12]:
        run = run_of(model, trace.head)
        interpreter = Interpreter(model)
        fired: list[tuple[Record, Run]] = []

        def note(record: Record, fired: list[Any] = fired, run: Run = run) -> None:
            fired.append((record, run.copy()))

        interpreter.onward(run, note)
        for answer in [e for e in trace.entries if isinstance(e, Answer)][:400]:
            fired.clear()
            before = run.copy()
            yield model, before, None, False
            interpreter.answered(run, answer, note)
            yield from ((model, after, record, i == 0) for i, (record, after) in enumerate(fired))


@pytest.mark.parametrize("name", sample(names(), 1))
def test_a_test_reads_no_more_than_the_table_says(name: str) -> None:
    seen = set()
    for model, run, _, _ in islice(standing(name), 0, None, 5):
        for fact in (f for m in (model, model.window) if m is not None for f in m.facts):
            if fact.test and fact.timing != "latched":
                read: set[str] = set()
                TESTS[fact.test[0]].run(Spy(run, read), *fact.test[1:])
                assert read - {"model"} <= reads(fact.test), fact.test
                seen.add(fact.test[0])
    assert seen == {
        f.test[0] for m in (MODELS[name], MODELS[name].window) if m for f in m.facts if f.test
    }


@pytest.mark.parametrize("name", sample(names(), 1))
def test_a_firing_changes_no_more_than_the_table_says(name: str) -> None:
    model, seen = MODELS[name], set()
    rows = {
        (graph.name, row.id): row for graph in graphs_of(model) for row in graph.model.transitions
    }
    own = {"state", "frame", "told", "expired", "triggered"}
    before: Run | None = None
    for _, after, record, first in standing(name):
        if record is not None and before is not None:
            row = rows[record.machine, record.transition]
            allowed = writes(row.actions) | own | (BY_ANSWERS | {"latched"} if first else set())
            allowed |= (
                {"left", "controls", "decider", "appointed"}
                if record.event == "player_left"
                else set()
            )
            changed = {n for n, value in values(after).items() if value != values(before)[n]}
            assert changed <= allowed, (record.transition, changed - allowed)
            seen |= {action.name for action in row.actions}
        before = after
    assert len(seen) > 15


def values(run: Run) -> dict[str, Any]:
    """Everything that changes in a run."""
    agenda = {f.name: getattr(run.agenda, f.name) for f in fields(Agenda)}
    calendar = {"calendar": tuple(getattr(run.calendar, f.name) for f in fields(run.calendar))}
    others = {
        f.name: getattr(run, f.name)
        for f in fields(Run)
        if f.name not in ("agenda", "calendar", "model")
    }
    return {**agenda, **calendar, **others}
