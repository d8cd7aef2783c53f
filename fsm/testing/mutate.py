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
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
import pytest

from fsm.coverage.data import Data, Subject
from fsm.coverage.files import combine
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
Fate = Literal["", "noticed", "timeout", "survived", "untaken", "unapplied"]
"""Not tried yet; noticed by a failure, or by not ending; survived the tests that take it; taken by
no test; or never made, for instance because the machine runs in another process."""
Tests = frozenset[str]
"""The node ids of tests, or `EVERY`."""


@dataclass(slots=True, eq=False)
class Change:
    """One change of a recorded machine, the tests that take what it changes, and what became of it."""

    subject: Subject
    mutant: Mutant
    tests: Tests
    fate: Fate = ""

    @property
    def survives(self) -> bool:
        """Whether no test has noticed it."""
        return self.fate in ("survived", "untaken")

    def __str__(self) -> str:
        match self.fate:
            case "untaken":
                return f"survived: {self.mutant}: no test takes it"
            case "unapplied":
                why = "the tests run no such machine in their own process"
                return f"not tried: {self.mutant}: {why}"
        count = len(self.tests)
        take = "tests take" if count != 1 else "test takes"
        return f"{self.fate}: {self.mutant}: {count} {take} it, and none fails"


def report(changes: Sequence[Change], same: Mapping[Subject, int]) -> Iterator[str]:
    """Yield what became of changes, line by line. `same` says how many more changes of each machine
    make no difference.
    """
    for subject, more in same.items():
        of = [change for change in changes if change.fate and change.subject == subject]
        fates = Counter(change.fate for change in of)
        late = f" ({fates['timeout']} by not ending)" if fates["timeout"] else ""
        alike = f", {more} more make no difference" if more else ""
        yield (
            f"{subject.label}: {many(len(of), 'change')}, "
            f"{fates['noticed'] + fates['timeout']} noticed{late}, "
            f"{fates['survived'] + fates['untaken']} survived{alike}"
        )
        yield from (f"  {one}" for one in of if one.fate not in ("noticed", "timeout"))
    tried = [change for change in changes if change.fate not in ("", "unapplied")]
    lives = sum(change.survives for change in tried)
    share = 1 - lives / len(tried) if tried else 1.0
    untried = sum(not change.fate for change in changes)
    left = f", {untried} not tried" if untried else ""
    yield f"score: {share:.0%} of {many(len(tried), 'change')} noticed{left}"


def asked(data: Data, machine: str, own: Subject | None) -> dict[Subject, Model]:
    """Return the machines that tests use of a name or label, those that are defined as `own`, or
    "all".

    Raises FsmError if the tests use none of them.
    """
    models = {subject: data.models.get(subject) for subject in data.seen}
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
            words = [line.split(" ") for line in run.output]
            failed = [word[1] for word in words if word[0] in ("FAILED", "ERROR") and word[1:]]
            text = f"{where} fails without any change: {few(failed or [last], 1)}"
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
            return "untaken"
        name = change.subject.name
        tests = None if change.tests & {"", EVERY} else change.tests
        run = self.run(Job(change.mutant, name, tests))
        if tests is not None and run.has_failed and not self.passes(tests):
            run = self.run(Job(change.mutant, name))
        if run.code is None:
            return "timeout"
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
