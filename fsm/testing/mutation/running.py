"""Runs the user's tests: once to see what they take, then against every mutant, those tests that
take it.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path

from fsm.coverage.data import Data, Subject
from fsm.coverage.files import combine
from fsm.errors import FsmError
from fsm.model import Model
from fsm.parallel import spread
from fsm.testing.mutation.jobs import (
    DATA,
    VARIABLE,
    Answer,
    Job,
    read_definitions,
    read_fixtures,
    was_applied,
)
from fsm.testing.mutation.mutants import Mutant
from fsm.testing.mutation.plugin import SHARED
from fsm.testing.mutation.results import Definition, Fate, Outcome, Verdict

PLUGIN = "fsm.testing.mutation.plugin"
LEAST, SLOWER = 10.0, 5.0
"""Without a limit of the user's, a run may take so many seconds, or so many times those of the
covering run.
"""
Progress = Callable[[int, int], None]
Tests = frozenset[str] | None
"""The node ids of some tests. None stands for all that the user's arguments select."""


@dataclass
class TestRun:
    """What came of one run of pytest. `answer` is None if the process did not end in time, or not
    by itself.
    """

    answer: Answer | None
    applied: bool
    seconds: float
    timeout: bool
    output: str


TestRun.__test__ = False  # type: ignore[attr-defined]


@dataclass(frozen=True, slots=True)
class Trial:
    """One mutant to try: the tests that take what it changes, and those that use the machine at
    all.
    """

    subject: Subject
    mutant: Mutant
    taking: frozenset[str]
    using: frozenset[str]


@dataclass(frozen=True, slots=True)
class Tried:
    """What became of one mutant, as in a `Verdict`."""

    fate: Fate
    by: str = ""
    tests: int = 0


@dataclass
class Mutating:
    """The runs of the user's tests with these arguments of pytest, in this folder."""

    arguments: Sequence[str]
    timeout: float = 0.0
    folder: str = field(default_factory=os.getcwd)
    _good: dict[Tests, bool] = field(default_factory=dict)

    # the covering run -----------------------------------------------------------------------------

    def cover(self, directory: Path) -> Covered:
        """Run all tests without a change. Raises FsmError if they do not pass."""
        limit, self.timeout = self.timeout, 0.0  # it takes as long as it takes
        run = self.run(Job(covering=True), directory, stop_early=False)
        self.timeout = limit
        where = " ".join(["pytest", *self.arguments])
        if run.answer is None:
            raise FsmError(
                f"{where} has not ended by itself, without any change: {_last_line(run.output)}"
            )
        if run.answer.failed:
            first, *others = run.answer.failed
            more = f" and {len(others)} more" if others else ""
            raise FsmError(
                f"{where} fails without any change: {first}{more}; a mutation run needs tests that pass"
            )
        if not run.answer.ran:
            raise FsmError(f"{where} runs no tests: {_last_line(run.output)}")
        return Covered(directory, run.seconds)

    # one run --------------------------------------------------------------------------------------

    def run(
        self, job: Job, directory: Path, *, stop_early: bool = True, arguments: Sequence[str] = ()
    ) -> TestRun:
        """Run pytest for one job in a process of its own."""
        directory.mkdir(parents=True, exist_ok=True)
        job.write(directory)
        words = [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            PLUGIN,
            "-o",
            f"cache_dir={directory / 'cache'}",
        ]
        words += ["-x"] * stop_early + list(arguments or self.arguments)
        began, late = time.monotonic(), False
        with open(directory / "output", "wb") as output:
            process = subprocess.Popen(
                words,
                stdout=output,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                cwd=self.folder,
                env={**os.environ, VARIABLE: str(directory)},
                start_new_session=True,
            )
            try:
                process.wait(self.timeout or None)
            except subprocess.TimeoutExpired:
                late = True
            finally:
                _kill(process)
        text = (directory / "output").read_text("utf-8", "replace")
        answer = None if late else Answer.read(directory)
        return TestRun(answer, was_applied(directory), time.monotonic() - began, late, text)

    # all runs -------------------------------------------------------------------------------------

    def against(
        self,
        todo: Sequence[tuple[Definition, Mutant]],
        covered: Covered,
        progress: Progress,
        *,
        jobs: int = 1,
        cluster: str = "",
    ) -> Outcome:
        """Run the tests against these mutants. An interrupt ends it with what is known."""
        outcome = Outcome(tuple({id(definition): definition for definition, _ in todo}.values()))
        self.timeout = self.timeout or max(LEAST, SLOWER * covered.seconds)
        trials = (
            Trial(
                definition.subject,
                mutant,
                covered.taking(definition, mutant),
                covered.using(definition),
            )
            for definition, mutant in todo
        )
        try:
            progress(0, len(todo))
            with spread(partial(tried, self), trials, jobs=jobs, cluster=cluster) as results:
                for (definition, mutant), one in zip(todo, results, strict=True):
                    outcome.verdicts.append(
                        Verdict(definition, mutant, one.fate, one.by, one.tests)
                    )
                    progress(len(outcome.verdicts), len(todo))
        except KeyboardInterrupt:
            outcome.interrupted = True
        outcome.untried = len(todo) - len(outcome.verdicts)
        return outcome

    def passes(self, tests: Tests) -> bool:
        """Whether these tests pass without a change, though others do not run before them."""
        if tests is None:
            return True
        if tests not in self._good:
            with tempfile.TemporaryDirectory() as temporary:
                run = self.run(Job(tests=_listed(tests)), Path(temporary))
            self._good[tests] = run.answer is not None and not run.answer.failed
        return self._good[tests]


def tried(runs: Mutating, trial: Trial) -> Tried:
    """Run the tests that can notice a mutant against it."""
    if not trial.taking:
        return Tried("untaken")
    for some in (trial.taking, trial.using, None):
        with tempfile.TemporaryDirectory() as temporary:
            run = runs.run(
                Job(subject=trial.subject, mutant=trial.mutant, tests=_listed(some)),
                Path(temporary),
            )
        failed = run.answer is None or bool(run.answer.failed)
        if not failed or runs.passes(some):
            break
    count = len(some) if some is not None else 0
    if run.timeout:
        return Tried("timeout", tests=count)
    if failed:
        return Tried("noticed", run.answer.failed[0] if run.answer else "the process ended", count)
    return Tried("survived" if run.applied else "unapplied", tests=count)


@dataclass
class Covered:
    """What the tests take: the directory of the covering run, and how many seconds it took."""

    directory: Path
    seconds: float

    @cached_property
    def data(self) -> Data:
        """What was recorded."""
        return combine([self.directory / DATA])

    @cached_property
    def definitions(self) -> tuple[Definition, ...]:
        """The definitions that the tests use. Of a machine that grows, this is the last."""
        every = [
            Definition(
                Subject(one["name"], one["fingerprint"]),
                Model.from_json(one["model"]),
                one["made"],
                tuple(Mutant(**mutant) for mutant in one["mutants"]),
                tuple(Mutant(**mutant) for mutant in one["same"]),
            )
            for one in read_definitions(self.directory)
        ]
        return tuple(one for one in every if not any(_grows(one, other) for other in every))

    @cached_property
    def _fixtures(self) -> dict[str, list[str]]:
        return read_fixtures(self.directory)

    def using(self, definition: Definition) -> frozenset[str]:
        """Return the tests that use machines of this definition."""
        ids = {row.id for row in definition.model.transitions}
        states = {state.id for state in definition.model.leaves}
        contexts = {context for context, id, _ in self._taken if id in ids}
        contexts |= {context for context, id in self._decided if id in ids}
        contexts |= {
            context
            for seen in self.data.seen.values()
            for _, context, (at, _) in seen.refused
            if at in states
        }
        return self._tests(contexts)

    def taking(self, definition: Definition, mutant: Mutant) -> frozenset[str]:
        """Return the tests that can notice a mutant: those that try what it changes.

        A transition of another machine that is written alike counts as well: then some tests run in
        vain.
        """
        if mutant.row:
            contexts = {context for context, id, _ in self._taken if id == mutant.row}
            return self._tests(
                contexts | {context for context, id in self._decided if id == mutant.row}
            )
        if mutant.callbacks not in ("on_enter", "on_exit"):
            return self.using(definition)
        rows = {row.id: row for row in definition.model.transitions}
        contexts = set[str]()
        for context, id, at in self._taken:
            state = (
                at if mutant.callbacks == "on_exit" else rows[id].target or "" if id in rows else ""
            )
            if _within(definition.model, state, mutant.state):
                contexts.add(context)
        return self._tests(contexts)

    @cached_property
    def _taken(self) -> set[tuple[str, str, str]]:
        """Context, transition and state of everything that was taken."""
        return {
            (context, id, at)
            for seen in self.data.seen.values()
            for _, context, (id, at) in seen.firings
        }

    @cached_property
    def _decided(self) -> set[tuple[str, str]]:
        """Context and transition wherever a condition decided."""
        return {
            (context, id)
            for seen in self.data.seen.values()
            for _, context, (id, _, _) in seen.literals
        }

    def _tests(self, contexts: Iterable[str]) -> frozenset[str]:
        found: set[str] = set()
        for context in contexts:
            name = context.removeprefix(SHARED)
            found.update(
                self._fixtures.get(name, ()) if name != context else [context] * bool(context)
            )
        return frozenset(found)


def _grows(one: Definition, other: Definition) -> bool:
    """Whether one is an earlier stage of the other."""
    rows, others = ({row.id for row in each.model.transitions} for each in (one, other))
    return one.made == other.made and one.subject.name == other.subject.name and rows < others


def _within(model: Model, state: str, outer: str) -> bool:
    """Whether a state is the outer one, or inside it."""
    known = {one.id: one.parent for one in model.states}
    while state:
        if state == outer:
            return True
        state = known.get(state, "")
    return False


def chosen(
    definitions: Collection[Definition], limit: int, seed: int
) -> list[tuple[Definition, Mutant]]:
    """Return the mutants to try: all, or so many at random, in order."""
    every = [(definition, mutant) for definition in definitions for mutant in definition.mutants]
    if not limit or limit >= len(every):
        return every
    return [
        every[number] for number in sorted(random.Random(seed).sample(range(len(every)), limit))
    ]


def _listed(tests: Tests) -> tuple[str, ...] | None:
    return None if tests is None else tuple(sorted(tests))


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and those that it started."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


def _last_line(output: str) -> str:
    lines = [line for line in output.splitlines() if line.strip()]
    return lines[-1].strip("= ") if lines else "it says nothing"
