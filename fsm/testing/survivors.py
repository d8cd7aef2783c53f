"""Writes a test for each survivor of a mutation run, and runs it: it passes on the machine, and
fails on the changed one.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, starmap
from pathlib import Path

from fsm.errors import FsmError
from fsm.model import Term
from fsm.model.elements import guard_text
from fsm.testing.machinesource import MachineSource
from fsm.testing.machinetests import Case, ending, file_of, names_of
from fsm.testing.machineways import PlannedStep, WaySearch
from fsm.testing.mutants import Difference, Mutant, differences
from fsm.testing.mutate import Mutating, Verdict
from fsm.testing.mutatedtests import Job

FILE = "test_survivors.py"
MOST = 8
"""At most this many ways to a difference are tried for each survivor."""
SECONDS = 120.0
"""A run of one of these tests may take so long."""


def tests_for(
    survivors: Sequence[Verdict], source: MachineSource, command: str
) -> tuple[str, list[str], list[str]]:
    """Return a file of tests, their names, and a note on each survivor that has none.

    Each test was run without the changes that it is for, where it passes, and with each of them,
    where it fails.
    """
    search, notes = WaySearch(source.fresh), list[str]()
    cases: dict[str, Case] = {}
    mutants: dict[str, list[Mutant]] = {}
    for verdict in survivors:
        mutant = verdict.change.mutant
        case = next(_cases(search, mutant), None)
        if case is None:
            notes.append(f"no test for this: {mutant}; no way to it was found")
            continue
        steps = repr(case)
        cases[steps] = case
        mutants.setdefault(steps, []).append(mutant)
    written = [replace(cases[steps], about=tuple(map(str, mutants[steps]))) for steps in cases]
    of = dict(zip(names_of(written), zip(written, mutants.values(), strict=True), strict=True))
    title = f"Tests of `{source.spec}` for changes that no test has noticed."

    def text() -> str:
        return file_of(
            search.original, source, [case for case, _ in of.values()], title, command, False
        )

    name = search.known.subject.name
    for wrong, why in list(_wrong(text(), {test: some for test, (_, some) in of.items()}, name)):
        notes.append(f"no test for this: {', '.join(map(str, of.pop(wrong)[1]))}; {why}")
    return text() if of else "", list(of), notes


def _cases(search: WaySearch, mutant: Mutant) -> Iterator[Case]:
    """Yield tests that may notice the change."""
    model = search.known.model
    for difference in islice(differences(model, mutant), MOST):
        plans = (plan[:-1] for plan in search.plans.values() if plan[-1].at == difference.at)
        before = next(plans, None)
        if before is None:
            continue
        last = PlannedStep(difference.event, difference.at, difference.answers)
        run = search.run((*before, last))
        if run is not None:
            targets = {row.id: row.target for row in model.transitions}
            target = targets[run.taken[0]] if run.taken else None
            yield Case(_words(difference, target), (), run.start, run.steps)


def _words(difference: Difference, target: str | None) -> str:
    at, said = difference.at, guard_text(starmap(Term, difference.answers.items()), " and ")
    return f"{difference.event} when {at}{f' if {said}' if said else ''} {ending(at, target)}"


def _wrong(text: str, tests: dict[str, list[Mutant]], machine: str) -> Iterator[tuple[str, str]]:
    """Yield each test that fails without a change, or passes with one of its own."""
    with tempfile.TemporaryDirectory() as temporary:
        home = Path(temporary)
        (home / FILE).write_text(text, "utf-8")
        words = [f"--rootdir={home}", "-c", os.devnull, str(home / FILE)]
        runs = Mutating(words, timeout=SECONDS)
        failing = _failing(runs, Job())
        for test, mutants in tests.items():
            if test in failing:
                yield test, "the one that was written fails without the change, too"
            elif not all(
                _failing(runs, Job(mutant, machine, frozenset({test}))) for mutant in mutants
            ):
                yield test, "the one that was written passes with the change, too"


def _failing(runs: Mutating, job: Job) -> set[str]:
    """Return the names of the tests that fail. Raises FsmError if they do not run."""
    with tempfile.TemporaryDirectory() as directory:
        run = runs.run(job, Path(directory))
    if run.outcome is None or not run.outcome.ran:
        raise FsmError(f"the tests that were written do not run: {run.last_line}")
    return {id.rpartition("::")[2] for id in run.outcome.failed}
