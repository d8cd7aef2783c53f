"""Mutation runs for machines of the `transitions` library: would your tests notice a change?

The user's tests run once to see what they take, then against each change, those that take it. A
change that none of them notices gets a test: it passes on the machine, and fails on the changed
one.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice, starmap
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
import pytest

from fsm.coverage.data import Data, Subject, combine
from fsm.errors import FsmError, suggest
from fsm.model import Model, Term
from fsm.testing.formats import Case, file_of, words_of
from fsm.testing.machineways import MachineSource, PlannedStep, WaySearch, fails
from fsm.testing.mutants import DATA, EVERY, VARIABLE, Job, Mutant, change, differences, mutants_of
from fsm.wording import many

PLUGIN = "fsm.testing.mutants"
LEAST, SLOWER = 10.0, 5.0
"""Without a limit of the user's, a run may take so many seconds, or so many times those of the run
without a change.
"""
MOST = 8
"""At most this many ways to a difference are tried for each survivor."""
Fate = Literal["", "noticed", "survived", "unapplied"]
"""Not tried yet; noticed by a failure, or by not ending; survived; or never made, for instance
because the machine runs in another process.
"""
Tests = frozenset[str]
"""The node ids of tests, or `EVERY`."""


@dataclass(slots=True, eq=False)
class Change:
    """One change of a recorded machine, the tests that take what it changes, and what became of
    it.
    """

    subject: Subject
    mutant: Mutant
    tests: Tests
    fate: Fate = ""

    def __str__(self) -> str:
        if self.fate == "unapplied":
            return f"not tried: {self.mutant}: the tests run no such machine in their own process"
        run = f"{many(len(self.tests), 'test')} ran, and none failed"
        return f"{self.fate}: {self.mutant}: {run if self.tests else 'no test takes it'}"


def report(changes: Sequence[Change], same: Mapping[Subject, int]) -> Iterator[str]:
    """Yield what became of changes, line by line. `same` says how many more changes of each machine
    make no difference.
    """
    for subject, more in same.items():
        of = [change for change in changes if change.fate and change.subject == subject]
        fates = Counter(change.fate for change in of)
        told = f"{fates['noticed']} noticed, {fates['survived']} survived"
        alike = f", {more} more make no difference" if more else ""
        yield f"{subject.label}: {many(len(of), 'change')}, {told}{alike}"
        yield from (f"  {one}" for one in of if one.fate != "noticed")
    fates = Counter(change.fate for change in changes)
    tried = fates["noticed"] + fates["survived"]
    share = fates["noticed"] / tried if tried else 1.0
    left = f", {fates['']} not tried" * bool(fates[""])
    yield f"score: {share:.0%} of {many(tried, 'change')} noticed{left}"


def asked(data: Data, machine: str, own: Subject | None) -> dict[Subject, Model]:
    """Return the machines that tests use of a name or label, those that are defined as `own`, or
    "all".

    Raises FsmError if the tests use none of them.
    """
    plain = {subject: model for subject, model in data.models.items() if not model.played}
    found = dict[Subject, Model]()
    for subject, model in plain.items():
        named = machine in ("all", subject.name, subject.label)
        if own is not None:
            named = (subject.name, subject.fingerprint) == (own.name, own.fingerprint)
        if named:
            found[subject] = model
    if not found:
        names = [subject.name for subject in plain]
        raise FsmError(f"the tests do not use {machine!r}{suggest(machine, names)}")
    return found


def changes_of(data: Data, subject: Subject, model: Model) -> tuple[list[Change], int]:
    """Return the changes of a machine, and how many more make no difference."""
    found, same, taken = list[Change](), 0, data.seen[subject].taken
    for mutant in mutants_of(model):
        if next(differences(model, mutant), None) is None:
            same += 1
        else:
            tests = frozenset(context for _, context, id, *_ in taken if id == mutant.row)
            found.append(Change(subject, mutant, tests))
    return found, same


def chosen(every: list[Change], limit: int | None, seed: int) -> list[Change]:
    """Return all changes, or so many at random, in order."""
    some = random.Random(seed).sample(every, min(limit or len(every), len(every)))
    return [change for change in every if change in some]


# runs of pytest -----------------------------------------------------------------------------------


class Run(NamedTuple):
    """What came of one run of pytest: its exit code, or None if it took too long, whether the
    change was made, and its output.
    """

    code: int | None
    is_applied: bool
    output: list[str]

    @property
    def has_failed(self) -> bool:
        """Whether a test failed, or the run."""
        return self.code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)


@dataclass
class Mutating:
    """Runs the user's tests, with these arguments of pytest."""

    arguments: Sequence[str]
    timeout: float | None = None
    passing: dict[Tests, bool] = field(default_factory=dict)
    running: set[subprocess.Popen[bytes]] = field(default_factory=set)
    is_ended: bool = False

    def record(self) -> Data:
        """Run all tests without a change. Raises FsmError if they do not pass."""
        limit, began, self.timeout = self.timeout, time.monotonic(), None
        with tempfile.TemporaryDirectory() as directory:
            run = self._run(Job(records=True), Path(directory))
            data = combine([Path(directory) / DATA])
        self.timeout = limit or max(LEAST, SLOWER * (time.monotonic() - began))
        where, last = " ".join(["pytest", *self.arguments]), run.output[-1].strip("= ")
        if run.has_failed:
            text = f"{where} fails without any change: {last}"
            raise FsmError(f"{text}; a mutation run needs tests that pass")
        return data

    def run(self, job: Job) -> Run:
        """Run pytest for one job in a process of its own."""
        with tempfile.TemporaryDirectory() as directory:
            return self._run(job, Path(directory))

    def _run(self, job: Job, directory: Path) -> Run:
        (directory / "job.json").write_bytes(msgspec.json.encode(job))
        words = [sys.executable, "-m", "pytest", "-p", PLUGIN, "-o", f"cache_dir={directory}"]
        words += ["-x"] if job.mutant is not None else []
        code: int | None = None
        with open(directory / "output", "wb") as output:
            process = subprocess.Popen(
                [*words, *self.arguments],
                stdout=output,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                env={**os.environ, VARIABLE: str(directory)},
                start_new_session=True,
            )
            self.running.add(process)
            if self.is_ended:
                _kill(process)
            try:
                with suppress(subprocess.TimeoutExpired):
                    code = process.wait(self.timeout)
            finally:
                _kill(process)
                self.running.discard(process)
        text = (directory / "output").read_text("utf-8", "replace")
        lines = [line for line in text.split("\n") if line.strip()] or ["no output"]
        return Run(code, (directory / "applied").exists(), lines)

    def against(
        self, changes: Sequence[Change], progress: Callable[[int, int], None], jobs: int = 1
    ) -> None:
        """Run the tests against these changes. An interrupt ends it; the others have no fate."""
        progress(0, len(changes))
        with ThreadPoolExecutor(jobs) as threads:  # each waits for a process
            try:
                fates = threads.map(self.tried, changes)
                for number, (change, fate) in enumerate(zip(changes, fates, strict=True), 1):
                    change.fate = fate
                    progress(number, len(changes))
            except KeyboardInterrupt:
                threads.shutdown(wait=False, cancel_futures=True)
                self.is_ended = True
                for process in [*self.running]:
                    _kill(process)

    def tried(self, change: Change) -> Fate:
        """Run the tests that take what is changed, or all if these fail also without the change."""
        if not change.tests:
            return "survived"
        name = change.subject.name
        tests = None if change.tests & {"", EVERY} else change.tests
        run = self.run(Job(change.mutant, name, tests))
        if tests is not None and run.has_failed and not self.passes(tests):
            run = self.run(Job(change.mutant, name))
        if run.has_failed:
            return "noticed"
        return "survived" if run.is_applied else "unapplied"

    def passes(self, tests: Tests) -> bool:
        """Whether these tests pass without a change, though others do not run before them."""
        if tests not in self.passing:
            self.passing[tests] = not self.run(Job(tests=tests)).has_failed
        return self.passing[tests]


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and those that it started."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


# tests of survivors -------------------------------------------------------------------------------


def tests_for(changes: Sequence[Change], source: MachineSource) -> tuple[str, list[str]]:
    """Return a file of tests for the changes that survived, or "", and a note on each that has
    none.
    """
    search, cases, notes = WaySearch(source.fresh), list[Case](), list[str]()
    for mutant in [one.mutant for one in changes if one.fate == "survived"]:
        if any(_notices(search, mutant, case) for case in cases):
            continue
        found = _cases(search, mutant)
        case = next((case for case in found if _notices(search, mutant, case)), None)
        if case is None:
            notes.append(f"no test for this: {mutant}; none was found that fails with it")
        else:
            cases.append(case)
    title = f"Tests of `{source.spec}` for changes that no test has noticed."
    told = {"title": title, "command": "mutate", "missing": ()}
    text = file_of(search.original, source, cases, silent=False, **told) if cases else ""
    return text, notes


def _cases(search: WaySearch, mutant: Mutant) -> Iterator[Case]:
    """Yield tests that may notice the change."""
    model = search.known.model
    for difference in islice(differences(model, mutant), MOST):
        at, event, answers = difference.at, difference.event, difference.answers
        plans = (plan[:-1] for plan in search.plans.values() if plan[-1].at == at)
        before = next(plans, None)
        told = PlannedStep(event, at, tuple(answers.items()))
        run = search.run((*before, told)) if before is not None else None
        if run is not None:
            target = next((model.transition(id).target for id in run.taken), None)
            said = " and ".join(starmap(Term, answers.items()))
            words = words_of(event, at, target, f"if {said}" if said else "")
            yield Case(words, f"Nothing else has noticed this: {mutant}", run.steps)


def _notices(search: WaySearch, mutant: Mutant, case: Case) -> bool:
    """Say whether a test passes on the machine, and fails on the changed one."""
    changed = search.make()
    change(changed, mutant, search.known.subject.name)
    return not fails(search.make(), case.steps) and fails(changed, case.steps)
