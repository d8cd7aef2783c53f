"""What a run of the user's tests is told to do, and what it answers: files in a directory of its
own.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from fsm.coverage.data import Subject
from fsm.testing.mutation.mutants import Mutant

VARIABLE = "FSM_MUTATION_JOB"
"""The environment names the directory of the job under this."""
DATA = "data"
"""In it, a covering run keeps what the tests take."""


@dataclass(frozen=True)
class Job:
    """One run: it records if `covering`, or changes the machines of `subject`.

    `tests` are the only ones to run, if it is not None. `each` are the mutants of some tests by
    name, instead of `mutant`.
    """

    covering: bool = False
    subject: Subject | None = None
    mutant: Mutant | None = None
    tests: tuple[str, ...] | None = None
    each: Mapping[str, Mutant] = field(default_factory=dict)

    def write(self, directory: Path) -> None:
        """Write the job for the process that runs it."""
        (directory / "job.json").write_text(json.dumps(asdict(self)), "utf-8")

    @classmethod
    def read(cls, directory: Path) -> Job:
        """Read the job."""
        data = json.loads((directory / "job.json").read_text("utf-8"))
        subject, mutant, tests = data["subject"], data["mutant"], data["tests"]
        return cls(
            data["covering"],
            Subject(**subject) if subject else None,
            Mutant(**mutant) if mutant else None,
            None if tests is None else tuple(tests),
            {name: Mutant(**one) for name, one in data["each"].items()},
        )


@dataclass
class Answer:
    """What came of a run: the tests and files that failed, and how many tests ran."""

    failed: list[str] = field(default_factory=list)
    ran: int = 0

    def write(self, directory: Path) -> None:
        """Write the answer."""
        (directory / "answer.json").write_text(json.dumps(asdict(self)), "utf-8")

    @classmethod
    def read(cls, directory: Path) -> Answer | None:
        """Read the answer. None if the process has ended without one."""
        file = directory / "answer.json"
        return cls(**json.loads(file.read_text("utf-8"))) if file.exists() else None


def note_applied(directory: Path) -> None:
    """Note that a machine was changed."""
    (directory / "applied").touch()


def was_applied(directory: Path) -> bool:
    """Whether any machine was changed."""
    return (directory / "applied").exists()


def write_definition(directory: Path, definition: dict[str, Any]) -> None:
    """Write one definition that the tests have used. The process that runs may be one of several."""
    file = directory / f"definition-{definition['fingerprint']}.json"
    file.write_text(json.dumps(definition), "utf-8")


def read_definitions(directory: Path) -> list[dict[str, Any]]:
    """Return the definitions that the tests have used."""
    return [
        json.loads(file.read_text("utf-8")) for file in sorted(directory.glob("definition-*.json"))
    ]


def write_fixtures(directory: Path, fixtures: dict[str, list[str]]) -> None:
    """Write which tests use a fixture that several tests share, by its name."""
    (directory / "fixtures.json").write_text(json.dumps(fixtures), "utf-8")


def read_fixtures(directory: Path) -> dict[str, list[str]]:
    """Return which tests use a fixture that several tests share, by its name."""
    file = directory / "fixtures.json"
    found: dict[str, list[str]] = json.loads(file.read_text("utf-8")) if file.exists() else {}
    return found
