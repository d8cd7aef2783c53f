"""Writes a test for each survivor of a mutation run, and runs it: it passes on the machine, and
fails on the mutant.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from fsm.coverage.data import Subject, subject_of
from fsm.errors import FsmError
from fsm.model import Model
from fsm.testing.machinesource import MachineSource
from fsm.testing.machinetests import Case, file_of, names_of
from fsm.testing.machineways import PlannedStep, WaySearch
from fsm.testing.mutation.jobs import Job
from fsm.testing.mutation.mutants import Mutant, answers_text, differences
from fsm.testing.mutation.results import Verdict
from fsm.testing.mutation.running import Mutating

FILE = "test_survivors.py"
MOST = 8
"""At most this many ways to a difference are tried for each survivor."""


def write_tests(
    survivors: Sequence[Verdict], source: MachineSource, command: str, callbacks_run: bool = True
) -> tuple[str, dict[str, str], list[str]]:
    """Return a file of tests, the name of the test for each survivor, and notes on those that have
    none.

    Every test was run: without a change, where it passes, and with the mutant, where it fails.
    """
    search = WaySearch(source.fresh, "real" if callbacks_run else "stub")
    subject = subject_of(search.known.model)
    cases: dict[str, Case] = {}
    notes: list[str] = []
    for verdict in survivors:
        if verdict.definition.subject != subject:
            notes.append(f"no test for {verdict.definition}: {source.spec} makes another machine")
        elif (case := next(_cases(search, verdict.mutant), None)) is not None:
            cases[verdict.mutant.text] = case
        else:
            notes.append(f"no test for this: {verdict.mutant.text}; no way to it was found")
    mutants = {verdict.mutant.text: verdict.mutant for verdict in survivors}
    title = f"Tests of `{source.spec}` for changes that no test has noticed."
    while True:
        merged = _merged(cases)
        written = list(dict.fromkeys(merged.values()))
        names = dict(zip(written, names_of(written), strict=True))
        text = file_of(search.original, source, written, title, command, not callbacks_run)
        found = {mutant: names[case] for mutant, case in merged.items()}
        wrong = _wrong(text, found, mutants, subject) if cases else {}
        if not wrong:
            return text, found, list(dict.fromkeys(notes))
        for mutant, why in wrong.items():
            notes.append(f"no test for this: {mutant}; {why}")
            del cases[mutant]


def _merged(cases: Mapping[str, Case]) -> dict[str, Case]:
    """Return the test for each mutant. Those with the same steps are one, which names all its
    mutants.
    """
    same: dict[str, list[str]] = {}
    for mutant, case in cases.items():
        same.setdefault(repr(replace(case, about=())), []).append(mutant)
    return {
        mutant: replace(cases[some[0]], about=tuple(some))
        for some in same.values()
        for mutant in some
    }


def _wrong(
    text: str, names: Mapping[str, str], mutants: Mapping[str, Mutant], subject: Subject
) -> dict[str, str]:
    """Run each test, and return the survivors whose test is wrong, with the reason.

    One process tries one mutant of each test, as machines are made anew for each.
    """
    wrong: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as temporary:
        home = Path(temporary)
        (home / FILE).write_text(text, "utf-8")
        runs = Mutating([f"--rootdir={home}", "-c", os.devnull, str(home / FILE)], timeout=120)
        failed = _failing(runs, Job(), home / "plain")
        left = [mutant for mutant, name in names.items() if name not in failed]
        wrong |= {
            m: "the one that was written fails without the change, too"
            for m in names
            if m not in left
        }
        number = 0
        while left:
            starts = [m for m in left if mutants[m].kind == "initial"][
                :1
            ]  # such a machine is changed as it is imported
            now = {names[mutant]: mutant for mutant in reversed(starts or left)}
            each = {name: mutants[mutant] for name, mutant in now.items()}
            job = Job(
                subject=subject,
                tests=tuple(now),
                each=each,
                mutant=mutants[starts[0]] if starts else None,
            )
            failed, number = _failing(runs, job, home / str(number)), number + 1
            passed = [mutant for name, mutant in now.items() if name not in failed]
            wrong |= dict.fromkeys(passed, "the one that was written passes with the change, too")
            left = [mutant for mutant in left if mutant not in now.values()]
    return wrong


def _failing(runs: Mutating, job: Job, directory: Path) -> set[str]:
    """Return the names of the tests that fail. Raises FsmError if they do not run."""
    run = runs.run(job, directory, stop_early=False)
    if run.answer is None or not run.answer.ran:
        last = run.output.strip().splitlines()[-1:]
        raise FsmError(f"the tests that were written do not run: {' '.join(last)}")
    return {id.rpartition("::")[2] for id in run.answer.failed}


def _cases(search: WaySearch, mutant: Mutant) -> Iterator[Case]:
    """Yield tests that may notice the mutant."""
    model = search.known.model
    if mutant.kind == "initial":
        run = search.run((), stubs=False)
        if run is not None:
            yield Case(f"begins in {model.initial}", (mutant.text,), run.start, ())
    elif mutant.kind == "callback":
        yield from _calling(search, mutant)
    else:
        yield from _distinguishing(search, model, mutant)


def _distinguishing(search: WaySearch, model: Model, mutant: Mutant) -> Iterator[Case]:
    for number, difference in enumerate(differences(model, mutant)):
        before = next(
            (plan[:-1] for plan in search.plans.values() if plan[-1].at == difference.at), None
        )
        if before is None or number >= MOST:
            continue
        last = PlannedStep(difference.event, difference.at, difference.answers)
        run = search.run((*before, last))
        if run is None:
            continue
        rows = {row.id: row for row in model.transitions}
        target = next((rows[id].target for id in run.taken), None)
        end = (
            f"leads to {target}"
            if target not in (None, difference.at)
            else f"stays {difference.at}"
        )
        given = f" if {answers_text(difference.answers)}" if difference.answers else ""
        words = f"{difference.event} when {difference.at}{given} {end}"
        yield Case(words, (mutant.text,), run.start, run.steps)


def _calling(search: WaySearch, mutant: Mutant) -> Iterator[Case]:
    """Yield a test whose last event calls the callback. Callbacks have the names by which tests
    know them.
    """
    for row, plan in search.plans.items():
        if mutant.row and row.id != mutant.row:
            continue
        run = search.run(plan, called=True)
        name = (
            next(
                (name for name in run.called if mutant.name in (name, name.rpartition(".")[2])), ""
            )
            if run
            else ""
        )
        if run is not None and name:
            words = f"{row.event} when {plan[-1].at} calls {mutant.name}"
            yield Case(words, (mutant.text,), run.start, run.steps, called=name)
