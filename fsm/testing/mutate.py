"""Mutation runs for machines of the `transitions` library: would your tests notice a change?

The user's tests run once to see what they take, then against each change, those that take it.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec
import pytest

from fsm.coverage.data import Data, model_in
from fsm.coverage.files import combine
from fsm.coverage.subjects import Subject
from fsm.errors import FsmError, suggest
from fsm.model import Model
from fsm.model.graph import graphs_of
from fsm.testing.mutants import Mutant, differences, mutants_of
from fsm.testing.mutatedtests import DATA, EVERY, VARIABLE, Job
from fsm.wording import few, many

PLUGIN = "fsm.testing.mutatedtests"
LEAST, SLOWER = 10.0, 5.0
"""Without a limit of the user's, a run may take so many seconds, or so many times those of the run
without a change.
"""
Fate = Literal["noticed", "timeout", "survived", "untaken", "unapplied"]
"""Noticed by a failure, or by not ending; survived the tests that take it; taken by no test; or
never made, for instance because the machine runs in another process."""
Tests = frozenset[str]
"""The node ids of tests, or `EVERY`."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a recorded machine, and the tests that take what it changes."""

    subject: Subject
    mutant: Mutant
    tests: Tests


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one change."""

    change: Change
    fate: Fate

    @property
    def survives(self) -> bool:
        """Whether no test has noticed it."""
        return self.fate in ("survived", "untaken")

    def __str__(self) -> str:
        text, count = self.change.mutant, len(self.change.tests)
        match self.fate:
            case "untaken":
                return f"survived: {text}: no test takes it"
            case "unapplied":
                return f"not tried: {text}: the tests run no such machine in their own process"
        take = "tests take" if count != 1 else "test takes"
        return f"{self.fate}: {text}: {count} {take} it, and none fails"


@dataclass
class Report:
    """The verdicts of a mutation run.

    `same` says how many more changes of each machine make no difference. `untried` is how many were
    left out by an interrupt.
    """

    verdicts: list[Verdict] = field(default_factory=list)
    same: dict[Subject, int] = field(default_factory=dict)
    untried: int = 0

    @property
    def survivors(self) -> list[Mutant]:
        """The changes that no test has noticed."""
        return [verdict.change.mutant for verdict in self.verdicts if verdict.survives]

    def lines(self) -> Iterator[str]:
        """Yield the report, line by line."""
        for subject, same in self.same.items():
            of = [verdict for verdict in self.verdicts if verdict.change.subject == subject]
            fates = [verdict.fate for verdict in of]
            late, lives = fates.count("timeout"), sum(verdict.survives for verdict in of)
            words = f"{late + fates.count('noticed')} noticed"
            words += f" ({late} by not ending)" if late else ""
            more = f", {same} more make no difference" if same else ""
            yield f"{subject.label}: {many(len(of), 'change')}, {words}, {lives} survived{more}"
            yield from (f"  {one}" for one in of if one.fate not in ("noticed", "timeout"))
        tried = sum(verdict.fate != "unapplied" for verdict in self.verdicts)
        share = 1 - len(self.survivors) / tried if tried else 1.0
        left = f", {self.untried} not tried" if self.untried else ""
        yield f"score: {share:.0%} of {many(tried, 'change')} noticed{left}"


def asked(data: Data, machine: str, own: Subject | None) -> dict[Subject, Model]:
    """Return the machines that tests use of a name or label, those that are defined as `own`, or
    "all".

    Raises FsmError if the tests use none of them.
    """
    models = {subject: model_in(data, subject) for subject in data.seen}
    plain = {s: m for s, m in models.items() if m is not None and not graphs_of(m)[0].played}
    if own is not None:
        key = own.name, own.fingerprint
        found = {s: m for s, m in plain.items() if (s.name, s.fingerprint) == key}
    else:
        found = {s: m for s, m in plain.items() if machine in ("all", s.name, s.label)}
    if found:
        return found
    names = sorted({subject.name for subject in plain})
    if own is not None and own.name in names:
        text = f"no machine that is defined as {machine}, only others called {own.name}"
        raise FsmError(f"the tests use {text}")
    used = f"; they use: {', '.join(names) or 'no machine of the transitions library'}"
    raise FsmError(f"the tests do not use {machine!r}{suggest(machine, names) or used}")


def changes(data: Data, subject: Subject, model: Model) -> tuple[list[Change], int]:
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
    if limit is None or limit >= len(every):
        return every
    numbers = random.Random(seed).sample(range(len(every)), limit)
    return [every[number] for number in sorted(numbers)]


# runs of pytest -----------------------------------------------------------------------------------


@dataclass
class Run:
    """What came of one run of pytest: its exit code, or None if it took too long, and its output."""

    code: int | None
    is_applied: bool
    output: list[str]

    @property
    def has_failed(self) -> bool:
        """Whether a test failed, or the run."""
        return self.code not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)

    @property
    def failed(self) -> list[str]:
        """The tests and files that failed, as the summary names them."""
        words = [line.split(" ") for line in self.output]
        return [word[1] for word in words if word[0] in ("FAILED", "ERROR") and len(word) > 1]


@dataclass
class Mutating:
    """Runs the user's tests, with these arguments of pytest, in this folder."""

    arguments: Sequence[str]
    timeout: float | None = None
    folder: str = field(default_factory=os.getcwd)
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
        if run.code == pytest.ExitCode.NO_TESTS_COLLECTED:
            raise FsmError(f"{where} runs no tests: {last}")
        if run.has_failed:
            text = f"{where} fails without any change: {few(run.failed or [last], 1)}"
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
                cwd=self.folder,
                env={**os.environ, VARIABLE: str(directory)},
                start_new_session=True,
            )
            self.running.add(process)
            if self.is_ended:
                _kill(process)
            try:
                code = process.wait(self.timeout)
            except subprocess.TimeoutExpired:
                pass
            finally:
                _kill(process)
                self.running.discard(process)
        text = (directory / "output").read_text("utf-8", "replace")
        lines = [line for line in text.split("\n") if line.strip()] or ["no output"]
        return Run(code, (directory / "applied").exists(), lines)

    def against(
        self, changes: Sequence[Change], progress: Callable[[int, int], None], jobs: int = 1
    ) -> Report:
        """Run the tests against these changes. An interrupt ends it with what is known."""
        report = Report()
        progress(0, len(changes))
        with ThreadPoolExecutor(jobs) as threads:  # each waits for a process
            try:
                fates = threads.map(partial(tried, self), changes)
                for change, fate in zip(changes, fates, strict=True):
                    report.verdicts.append(Verdict(change, fate))
                    progress(len(report.verdicts), len(changes))
            except KeyboardInterrupt:
                self._end(threads)
        report.untried = len(changes) - len(report.verdicts)
        return report

    def _end(self, threads: ThreadPoolExecutor) -> None:
        """End the processes that run, and begin no others."""
        threads.shutdown(wait=False, cancel_futures=True)
        self.is_ended = True
        for process in [*self.running]:
            _kill(process)

    def passes(self, tests: Tests) -> bool:
        """Whether these tests pass without a change, though others do not run before them."""
        if tests not in self.passing:
            self.passing[tests] = not self.run(Job(tests=tests)).has_failed
        return self.passing[tests]


def tried(runs: Mutating, change: Change) -> Fate:
    """Run the tests that take what is changed, or all if these fail also without the change."""
    if not change.tests:
        return "untaken"
    tests = None if change.tests & {"", EVERY} else change.tests
    run = runs.run(Job(change.mutant, change.subject.name, tests))
    if tests is not None and run.has_failed and not runs.passes(tests):
        run = runs.run(Job(change.mutant, change.subject.name))
    if run.code is None:
        return "timeout"
    if run.has_failed:
        return "noticed"
    return "survived" if run.is_applied else "unapplied"


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and those that it started."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
