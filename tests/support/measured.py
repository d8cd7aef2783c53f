"""What a program takes of its machines, as the JSON of `fsm cover report` tells it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from click.testing import Result

from fsm.coverage import collecting
from support.commandline import command


@dataclass(frozen=True)
class Measured:
    """One machine of a report. `items` has the targets of each criterion."""

    name: str
    items: dict[str, list[dict[str, Any]]]

    def taken(self, criterion: str = "transitions") -> dict[str, int]:
        """How often each target was taken."""
        return {i["id"]: i["taken"] for i in self.items[criterion] if i["taken"]}

    def impossible(self, criterion: str = "transitions") -> dict[str, str]:
        """Why each of these targets cannot be taken."""
        return {i["id"]: i["impossible"] for i in self.items[criterion] if "impossible" in i}

    def missing(self, criterion: str = "transitions") -> set[str]:
        """What a run may take and none did."""
        left = {i["id"] for i in self.items[criterion] if not i["taken"] and "allowed" not in i}
        return left - self.impossible(criterion).keys()

    def count(self, criterion: str = "transitions") -> str:
        """The count as in "2 of 3"."""
        taken = len(self.taken(criterion))
        return f"{taken} of {taken + len(self.missing(criterion))}"


def place(file: str, mark: str) -> str:
    """Where a file has this comment at the end of a line, as reports say it."""
    lines = Path(file).read_text("utf-8").splitlines()
    [number] = [n for n, line in enumerate(lines, 1) if line.endswith(f"  # {mark}")]
    return f"{Path(file).relative_to(Path.cwd()).as_posix()}:{number}"


def cover(*words: object) -> Result:
    """Run `fsm cover` with these words."""
    return command("cover", *words)


def reported(data: Path, *criteria: str) -> list[Measured]:
    """The machines of the report on this data."""
    words = [
        word for name in criteria or ("states", "transitions") for word in ("--criteria", name)
    ]
    with TemporaryDirectory() as folder:
        file = Path(folder, "report.json")
        done = cover("report", data, *words, "--report", f"json:{file}")
        assert done.exit_code == 0, done.output
        machines = json.loads(file.read_text("utf-8"))["machines"]
    return [
        Measured(m["name"], {each["criterion"]: each["items"] for each in m["criteria"]})
        for m in machines
    ]


def measured(run: Callable[[], object], *criteria: str) -> list[Measured]:
    """The machines that this run used, measured by these criteria (states and transitions)."""
    with TemporaryDirectory() as folder:
        with collecting(folder):
            run()
        return reported(Path(folder), *criteria) if any(Path(folder).iterdir()) else []
