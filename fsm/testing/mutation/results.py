"""The outcome of a mutation run, and how it is written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from fsm.coverage.data import Subject
from fsm.model import Model
from fsm.testing.mutation.mutants import Mutant

Fate = Literal["noticed", "timeout", "survived", "untaken", "unapplied"]
"""Noticed by a failure or by not ending; survived the tests that take it; taken by no test; or
never changed anything, for instance because the machine runs in a process of its own."""


@dataclass(frozen=True, slots=True)
class Definition:
    """One definition that the tests use: its Model, where a machine of it was made, and its
    mutants.

    `same` are those that make no difference. `untried` is how many were left out by a limit or an
    interrupt.
    """

    subject: Subject
    model: Model
    made: str
    mutants: tuple[Mutant, ...]
    same: tuple[Mutant, ...]

    def __str__(self) -> str:
        return f"{self.subject.name} ({self.made})" if self.made else self.subject.name


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one mutant. `by` is a test that failed; `tests` is how many ran against it."""

    definition: Definition
    mutant: Mutant
    fate: Fate
    by: str = ""
    tests: int = 0

    @property
    def lives(self) -> bool:
        """Whether no test has noticed it."""
        return self.fate in ("survived", "untaken")

    def __str__(self) -> str:
        if self.fate == "untaken":
            return f"{self.mutant.text}: no test takes it"
        return f"{self.mutant.text}: {self.tests} test{'s take' if self.tests != 1 else ' takes'} it, and none fails"


@dataclass
class Outcome:
    """The result of a mutation run.

    Attributes
    ----------
    definitions
        The definitions whose mutants were tried.
    verdicts
        What became of each mutant that was tried, in order.
    untried
        How many were left out by a limit, or because the run was interrupted.
    tests
        The test for each survivor, by the text of its mutant, if tests were written.
    notes
        Remarks, one sentence each.
    """

    definitions: tuple[Definition, ...]
    verdicts: list[Verdict] = field(default_factory=list)
    untried: int = 0
    interrupted: bool = False
    tests: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @property
    def survivors(self) -> tuple[Verdict, ...]:
        """The mutants that no test has noticed."""
        return tuple(verdict for verdict in self.verdicts if verdict.lives)

    @property
    def score(self) -> float:
        """The share of the tried mutants that were noticed, from 0 to 1. It is 1.0 if none could be
        tried.
        """
        noticed = sum(verdict.fate in ("noticed", "timeout") for verdict in self.verdicts)
        tried = noticed + len(self.survivors)
        return noticed / tried if tried else 1.0

    def lines(self) -> Iterator[str]:
        """Yield the report, line by line."""
        for definition in self.definitions:
            verdicts = [verdict for verdict in self.verdicts if verdict.definition is definition]
            yield f"{definition}: {_counted(verdicts, definition)}"
            for verdict in verdicts:
                if verdict.lives:
                    yield f"  survived: {verdict}"
                if verdict.lives and verdict.mutant.text in self.tests:
                    yield f"    noticed by {self.tests[verdict.mutant.text]}"
                if verdict.fate == "unapplied":
                    yield f"  not tried: {verdict.mutant.text}: the tests run no such machine in their own process"
        yield from self.notes
        left = f", {self.untried} not tried" if self.untried else ""
        yield f"score: {self.score:.0%} of {len(self.verdicts)} changes noticed{left}"

    def to_json(self) -> dict[str, Any]:
        """Return the outcome as data."""
        return {
            "score": round(self.score, 4),
            "untried": self.untried,
            "interrupted": self.interrupted,
            "notes": self.notes,
            "machines": [
                {
                    "name": one.subject.name,
                    "fingerprint": one.subject.fingerprint,
                    "made": one.made,
                    "same": [mutant.text for mutant in one.same],
                    "mutants": [self._verdict(v) for v in self.verdicts if v.definition is one],
                }
                for one in self.definitions
            ],
        }

    def _verdict(self, verdict: Verdict) -> dict[str, Any]:
        data = {"kind": verdict.mutant.kind, "text": verdict.mutant.text, "fate": verdict.fate}
        data |= {"transition": verdict.mutant.row} if verdict.mutant.row else {}
        data |= {"noticed_by": verdict.by} if verdict.by else {}
        written = self.tests.get(verdict.mutant.text)
        return {
            **data,
            "tests": verdict.tests,
            **({"test": written} if written and verdict.lives else {}),
        }


def _counted(verdicts: Sequence[Verdict], definition: Definition) -> str:
    fates = [verdict.fate for verdict in verdicts]
    words = [
        f"{len(verdicts)} changes",
        f"{fates.count('noticed') + fates.count('timeout')} noticed",
        f"{sum(verdict.lives for verdict in verdicts)} survived",
    ]
    if fates.count("timeout"):
        words[1] += f" ({fates.count('timeout')} by not ending)"
    if definition.same:
        words.append(f"{len(definition.same)} more make no difference")
    return ", ".join(words)
