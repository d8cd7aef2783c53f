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
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec

from fsm.coverage.data import Data, model_in
from fsm.coverage.files import combine
from fsm.coverage.subjects import Subject
from fsm.errors import FsmError, suggest
from fsm.model import Model
from fsm.model.graph import graphs_of
from fsm.parallel import spread
from fsm.testing.mutants import Mutant, differences, mutants_of
from fsm.testing.mutatedtests import DATA, EVERY, VARIABLE, Job, Outcome

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
    model: Model
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
    left out by a limit or an interrupt.
    """

    verdicts: list[Verdict] = field(default_factory=list)
    same: dict[Subject, int] = field(default_factory=dict)
    untried: int = 0
    interrupted: bool = False

    @property
    def survivors(self) -> list[Verdict]:
        """The changes that no test has noticed."""
        return [verdict for verdict in self.verdicts if verdict.survives]

    def lines(self) -> Iterator[str]:
        """Yield the report, line by line."""
        for subject, same in self.same.items():
            of = [verdict for verdict in self.verdicts if verdict.change.subject == subject]
            lives = sum(verdict.survives for verdict in of)
            late = sum(verdict.fate == "timeout" for verdict in of)
            noticed = late + sum(verdict.fate == "noticed" for verdict in of)
            words = [f"{len(of)} changes", f"{noticed} noticed", f"{lives} survived"]
            words[1] += f" ({late} by not ending)" if late else ""
            words += [f"{same} more make no difference"] if same else []
            yield f"{subject.label}: {', '.join(words)}"
            for verdict in of:
                if verdict.fate not in ("noticed", "timeout"):
                    yield f"  {verdict}"
        tried = [verdict for verdict in self.verdicts if verdict.fate != "unapplied"]
        share = 1 - len(self.survivors) / len(tried) if tried else 1.0
        left = f", {self.untried} not tried" if self.untried else ""
        yield f"score: {share:.0%} of {len(tried)} changes noticed{left}"


class Recorded:
    """The machines that the tests use, by their names, with what each test takes."""

    def __init__(self, data: Data) -> None:
        self.data = data
        self.models: dict[Subject, Model] = {}
        for subject in data.seen:
            model = model_in(data, subject)
            if model is not None and not graphs_of(model)[0].played:
                self.models[subject] = model

    def asked(self, machine: str, own: Subject | None) -> list[Subject]:
        """Return the machines of a name or label, those that are defined as `own`, or "all".

        Raises FsmError if the tests use none of them.
        """
        if own is not None:
            key = own.name, own.fingerprint
            found = [one for one in self.models if (one.name, one.fingerprint) == key]
        else:
            found = [one for one in self.models if machine in ("all", one.name, one.label)]
        if found:
            return found
        names = sorted({subject.name for subject in self.models})
        if own is not None and own.name in names:
            raise FsmError(
                f"the tests use no machine that is defined as {machine}, "
                f"only others called {own.name}"
            )
        used = ", ".join(names) or "no machine of the transitions library"
        raise FsmError(
            f"the tests do not use {machine!r}{suggest(machine, names) or f'; they use: {used}'}"
        )

    def changes(self, subject: Subject) -> tuple[list[Change], int]:
        """Return the changes of a machine, and how many more make no difference."""
        model, found, same = self.models[subject], list[Change](), 0
        for mutant in mutants_of(model):
            if next(differences(model, mutant), None) is None:
                same += 1
            else:
                found.append(Change(subject, model, mutant, self._taking(subject, mutant.row)))
        return found, same

    def _taking(self, subject: Subject, row: str) -> Tests:
        seen = self.data.seen[subject]
        return frozenset(context for _, context, id, *_ in seen.taken if id == row)


@dataclass
class Run:
    """What came of one run of pytest. `outcome` is None if the process did not end by itself."""

    outcome: Outcome | None
    is_late: bool
    is_applied: bool
    last_line: str


@dataclass
class Mutating:
    """Runs the user's tests, with these arguments of pytest, in this folder."""

    arguments: Sequence[str]
    timeout: float | None = None
    folder: str = field(default_factory=os.getcwd)
    passing: dict[Tests, bool] = field(default_factory=dict)

    def record(self) -> Recorded:
        """Run all tests without a change. Raises FsmError if they do not pass."""
        limit, began, self.timeout = self.timeout, time.monotonic(), None
        with tempfile.TemporaryDirectory() as directory:
            run = self.run(Job(records=True), Path(directory))
            data = combine([Path(directory) / DATA])
        self.timeout = limit or max(LEAST, SLOWER * (time.monotonic() - began))
        where = " ".join(["pytest", *self.arguments])
        if run.outcome is None:
            raise FsmError(f"{where} has not ended by itself, without any change: {run.last_line}")
        if run.outcome.failed:
            first, *others = run.outcome.failed
            more = f" and {len(others)} more" if others else ""
            raise FsmError(
                f"{where} fails without any change: {first}{more}; "
                "a mutation run needs tests that pass"
            )
        if not run.outcome.ran:
            raise FsmError(f"{where} runs no tests: {run.last_line}")
        return Recorded(data)

    def run(self, job: Job, directory: Path) -> Run:
        """Run pytest for one job in a process of its own."""
        (directory / "job.json").write_bytes(msgspec.json.encode(job))
        words = [sys.executable, "-m", "pytest", "-p", PLUGIN, "-o", f"cache_dir={directory}"]
        words += ["-x"] if job.mutant is not None else []
        is_late = False
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
            try:
                process.wait(self.timeout)
            except subprocess.TimeoutExpired:
                is_late = True
            finally:
                _kill(process)
        outcome = None
        if not is_late and (directory / "outcome.json").exists():
            outcome = msgspec.json.decode((directory / "outcome.json").read_bytes(), type=Outcome)
        text = (directory / "output").read_text("utf-8", "replace").split("\n")
        last = next((line.strip("= ") for line in reversed(text) if line.strip()), "no output")
        return Run(outcome, is_late, (directory / "applied").exists(), last)

    def against(
        self, changes: Sequence[Change], progress: Callable[[int, int], None], jobs: int = 1
    ) -> Report:
        """Run the tests against these changes. An interrupt ends it with what is known."""
        report = Report()
        try:
            progress(0, len(changes))
            with spread(partial(tried, self), changes, jobs=jobs) as fates:
                for change, fate in zip(changes, fates, strict=True):
                    report.verdicts.append(Verdict(change, fate))
                    progress(len(report.verdicts), len(changes))
        except KeyboardInterrupt:
            report.interrupted = True
        report.untried = len(changes) - len(report.verdicts)
        return report

    def passes(self, tests: Tests) -> bool:
        """Whether these tests pass without a change, though others do not run before them."""
        if tests not in self.passing:
            with tempfile.TemporaryDirectory() as directory:
                run = self.run(Job(tests=tests), Path(directory))
            self.passing[tests] = run.outcome is not None and not run.outcome.failed
        return self.passing[tests]


def tried(runs: Mutating, change: Change) -> Fate:
    """Run the tests that take what is changed, or all if these fail also without the change."""
    if not change.tests:
        return "untaken"
    every = bool(change.tests & {"", EVERY})
    for tests in (None,) if every else (change.tests, None):
        with tempfile.TemporaryDirectory() as directory:
            run = runs.run(Job(change.mutant, change.subject.name, tests), Path(directory))
        has_failed = run.outcome is None or bool(run.outcome.failed)
        if not has_failed or tests is None or runs.passes(tests):
            break
    if run.is_late:
        return "timeout"
    if has_failed:
        return "noticed"
    return "survived" if run.is_applied else "unapplied"


def chosen(changes: Iterable[Change], limit: int | None, seed: int) -> list[Change]:
    """Return all changes, or so many at random, in order."""
    every = list(changes)
    if limit is None or limit >= len(every):
        return every
    numbers = random.Random(seed).sample(range(len(every)), limit)
    return [every[number] for number in sorted(numbers)]


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and those that it started."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()
