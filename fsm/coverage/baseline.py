"""A baseline: a small text file of what the tests took, kept with the project. What is in it must
not be lost.

The first line has the format and the kinds that are listed, and each further line one thing that
was taken, sorted:

    ["fsm-coverage-baseline-1", "literal", "transition"]
    ["Door", "Door", "transition", "shut -> open on push"]

Lines may be repeated and in any order, so two branches that both add lines can be merged by keeping
all lines.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from fsm.coverage.comparing import Difference, Kind, Taken, taken_in
from fsm.coverage.data import Data
from fsm.coverage.recorded import model_in
from fsm.errors import CoverageError, ModelError, suggest
from fsm.files import parse_json, read_text
from fsm.model.graph import graphs_of

FORMAT = "fsm-coverage-baseline-1"
KINDS: dict[str, Kind] = {f"{kind}s": kind for kind in get_args(Kind)}
"""The kind of thing that each criterion counts, for the criteria that can be in a baseline."""
DEFAULT = ("transitions", "literals")


@dataclass(frozen=True, slots=True)
class Baseline:
    """What was taken, of these kinds."""

    kinds: frozenset[Kind]
    taken: frozenset[Taken]

    @classmethod
    def of(cls, data: Data, criteria: Iterable[str] = DEFAULT) -> Baseline:
        """Return the baseline of recorded data. Raises CoverageError if a criterion cannot be in a
        baseline.
        """
        kinds = frozenset(map(_kind, criteria))
        return cls(kinds, frozenset(one for one in taken_in(data) if one.kind in kinds))

    @property
    def text(self) -> str:
        """The text of the file."""
        rows = [
            [FORMAT, *sorted(self.kinds)],
            *([t.subject, t.machine, t.kind, t.id] for t in sorted(self.taken)),
        ]
        return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)

    def compare(self, data: Data) -> Difference:
        """Say what the data lost against the baseline and what it gained.

        What is no longer in a machine is not lost: a note says so. Nothing is noted of a machine
        that was not recorded, because all that it took is lost.
        """
        now = {one for one in taken_in(data) if one.kind in self.kinds}
        known = _parts(data)
        missing = self.taken - now
        gone = {
            one
            for one in missing
            if one.subject in known and not _parts_of(one) <= known[one.subject]
        }
        notes = [
            f"{name} has changed: {count} lines of the baseline name what is not in it any more"
            for name, count in sorted(Counter(one.subject for one in gone).items())
        ]
        return Difference(
            tuple(sorted(missing - gone)), tuple(sorted(now - self.taken)), tuple(notes)
        )


def read_baseline(path: str | Path) -> Baseline:
    """Read a baseline file. Raises CoverageError, naming the file and the line."""
    try:
        head, *lines = read_text(path).splitlines() or [""]
    except OSError as error:
        hint = (
            ": 'fsm cover combine -o FILE.jsonl' writes one"
            if isinstance(error, FileNotFoundError)
            else ""
        )
        raise CoverageError(f"{path}: {error.strerror or error}{hint}") from None
    except ValueError as error:
        raise CoverageError(f"{path}: {error}") from None
    format, *kinds = _row(path, 1, head)
    if format != FORMAT or not set(kinds) <= set(KINDS.values()):
        raise CoverageError(
            f"{path}: line 1: a baseline begins with {json.dumps([FORMAT, 'transition'])}"
        )
    rows = (
        (number, _row(path, number, line)) for number, line in enumerate(lines, 2) if line.strip()
    )
    return Baseline(frozenset(kinds), frozenset(_taken(path, number, row) for number, row in rows))


def is_baseline(path: str | Path) -> bool:
    """Say whether this file begins as a baseline does."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(len(FORMAT) + 2) == f'["{FORMAT}'
    except OSError:
        return False


def _kind(criterion: str) -> Kind:
    if criterion not in KINDS:
        raise CoverageError(
            f"criterion {criterion!r} cannot be in a baseline{suggest(criterion, KINDS)}"
        )
    return KINDS[criterion]


def _row(path: str | Path, number: int, line: str) -> list[Any]:
    try:
        row = parse_json(line)
    except ValueError:
        row = None
    if not isinstance(row, list) or not row or not all(isinstance(text, str) for text in row):
        raise CoverageError(f"{path}: line {number}: this is not a line of a baseline")
    return row


def _taken(path: str | Path, number: int, row: list[Any]) -> Taken:
    if len(row) != 4 or row[2] not in KINDS.values():
        raise CoverageError(f"{path}: line {number}: write [machine, its part, kind, id]")
    return Taken(*row)


def _parts_of(one: Taken) -> set[str]:
    """Return the transitions that this needs, or the state."""
    if one.kind == "literal":
        return {one.id.rpartition(" where ")[0]}
    return {one.id.rpartition(" in ")[2]} if one.kind == "refusal" else set(one.id.split(" ; "))


def _parts(data: Data) -> dict[str, set[str]]:
    """Return the ids of all transitions and states of each recorded machine, by its name."""
    found: dict[str, set[str]] = {}
    for subject in data.seen:
        try:
            model = model_in(data, subject)
        except ModelError:
            model = None
        if model is not None:
            for graph in graphs_of(model):
                ids = {row.id for row in graph.model.transitions} | {
                    state.id for state in graph.model.states
                }
                found.setdefault(subject.name, set()).update(ids)
    return found
