"""Comparison of coverage recordings, and baselines: what was taken in only one of them.

A baseline is a small text file of what the tests took, kept with the project. What is in it must
not be lost. The first line has the format and the kinds that are listed, and each further line one
thing that was taken, sorted:

    ["fsm-coverage-baseline-1", "literal", "transition"]
    ["Door", "Door", "transition", "shut -> open on push"]

Lines may be repeated and in any order, so two branches that both add lines can be merged by keeping
all lines.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, get_args

import msgspec

from fsm.coverage.criteria import literal_id
from fsm.coverage.data import Data, model_in
from fsm.errors import CoverageError, suggest
from fsm.files import read_text

FORMAT = "fsm-coverage-baseline-1"
Kind = Literal["transition", "pair", "literal"]
KINDS: dict[str, Kind] = {f"{kind}s": kind for kind in get_args(Kind)}
"""The kind of thing that each criterion counts, for the criteria that can be in a baseline."""
DEFAULT = ("transitions", "literals")
MOST = 5
"""At most this many lost targets are named."""


class Taken(NamedTuple):
    """One thing that was taken, with the name of its subject and its machine."""

    subject: str
    machine: str
    kind: Kind
    id: str


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference between two recordings.

    Attributes
    ----------
    lost
        What was taken only in the first recording, sorted.
    gained
        What was taken only in the second recording, sorted.
    notes
        The machines that do not have any more what was taken in the first, one sentence each.
    """

    lost: tuple[Taken, ...]
    gained: tuple[Taken, ...]
    notes: tuple[str, ...] = ()


def difference(before: Data, after: Data) -> Difference:
    """Compare two recordings by names and ids. The model may have changed between them.

    Parameters
    ----------
    before
        The first recording.
    after
        The second recording.

    Returns
    -------
    Difference
        What the second recording lost and gained. Pairs and literals are named as by the criteria
        "pairs" and "literals".
    """
    return Baseline.of(before, KINDS).compare(after)


def _taken_in(data: Data, kinds: Collection[str]) -> set[Taken]:
    """Return all that was taken."""
    found = set[Taken]()
    for subject, seen in data.seen.items():
        name = subject.name
        for machine, _, id, _, vector in seen.taken:
            terms, failing = id.rpartition(" [")[2].removesuffix("]").split(", "), vector.find("0")
            if failing < 0:
                found.add(Taken(name, machine, "transition", id))
            for number in range(len(vector)) if failing < 0 else (failing,):
                literal = literal_id(id, terms[number], failing < 0)
                found.add(Taken(name, machine, "literal", literal))
        for machine, _, first, _, second, _ in seen.pairs:
            found.add(Taken(name, machine, "pair", f"{first} ; {second}"))
    return {one for one in found if one.kind in kinds}


# baselines ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Baseline:
    """What was taken, of these kinds. `path` is the file, or ""."""

    kinds: frozenset[str]
    taken: frozenset[Taken]
    path: str = ""

    @classmethod
    def of(cls, data: Data, criteria: Iterable[str] = DEFAULT) -> Baseline:
        """Return the baseline of recorded data. Raises CoverageError if a criterion cannot be in a
        baseline.
        """
        kinds = set[str]()
        for criterion in criteria:
            if criterion not in KINDS:
                text = f"criterion {criterion!r} cannot be in a baseline{suggest(criterion, KINDS)}"
                raise CoverageError(text)
            kinds.add(KINDS[criterion])
        return cls(frozenset(kinds), frozenset(_taken_in(data, kinds)))

    @property
    def text(self) -> str:
        """The text of the file."""
        rows: list[object] = [[FORMAT, *sorted(self.kinds)], *sorted(self.taken)]
        return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)

    def compare(self, data: Data) -> Difference:
        """Say what the data lost against the baseline and what it gained.

        What is no longer in a machine is not lost: a note says so. Nothing is noted of a machine
        that was not recorded, because all that it took is lost.
        """
        now, known = _taken_in(data, self.kinds), _rows_in(data)
        lost, gone = list[Taken](), Counter[str]()
        for one in sorted(self.taken - now):
            rows = known.get(one.subject)
            if rows is None or rows.issuperset(one.id.partition(" where ")[0].split(" ; ")):
                lost.append(one)
            else:
                gone[one.subject] += 1
        notes = []
        for name, count in gone.items():
            notes.append(f"{name} has changed: {count} of what was taken is not in it any more")
        return Difference(tuple(lost), tuple(sorted(now - self.taken)), tuple(notes))

    def problem(self, found: Difference) -> list[str]:
        """Return a problem of several lines if anything was lost, or none."""
        if not found.lost:
            return []
        lines = [f"{self.path}: {len(found.lost)} of what it lists is no longer taken"]
        lines += [f"{one.subject}: {one.kind} {one.id}" for one in found.lost[:MOST]]
        lines += [f"and {len(found.lost) - MOST} more"] if len(found.lost) > MOST else []
        return ["\n    ".join(lines)]

    def notes(self, found: Difference) -> Iterator[str]:
        """Yield what has changed and what was gained, and how to update the file."""
        yield from (f"{self.path}: {note}" for note in found.notes)
        if found.gained:
            yield f"{self.path}: {len(found.gained)} more is taken than it lists"
        if found.gained or found.notes:
            yield f"{self.path}: 'fsm cover combine -o {self.path}' brings it up to date"


def read_baseline(path: str | Path, name: str = "") -> Baseline:
    """Read a baseline file, which messages call by its name. Raises CoverageError, naming the file
    and the line.
    """
    try:
        head, *lines = read_text(path).splitlines() or [""]
    except FileNotFoundError:
        hint = "there is no such file: 'fsm cover combine -o FILE.jsonl' writes one"
        raise CoverageError(f"{path}: {hint}") from None
    except (OSError, ValueError) as error:
        raise CoverageError(f"{path}: {getattr(error, 'strerror', '') or error}") from None
    try:
        format, *kinds = msgspec.json.decode(head, type=list[str])
        is_baseline = format == FORMAT and {*kinds} <= {*KINDS.values()}
    except ValueError:
        is_baseline = False
    if not is_baseline:
        begins = json.dumps([FORMAT, "transition"])
        raise CoverageError(f"{path}: line 1: a baseline begins with {begins}")
    taken = set[Taken]()
    for number, line in enumerate(lines, 2):
        try:
            taken |= {msgspec.json.decode(line, type=Taken)} if line.strip() else set()
        except (ValueError, RecursionError):
            text = f"{path}: line {number}: this is not a line of a baseline; write [machine, its part, kind, id]"
            raise CoverageError(text) from None
    return Baseline(frozenset(kinds), frozenset(taken), name or str(path))


def _rows_in(data: Data) -> dict[str, set[str]]:
    """Return the ids of all transitions of each recorded machine, by its name."""
    found: dict[str, set[str]] = {}
    for subject in data.seen:
        model = model_in(data, subject)
        for machine in model.machines.values() if model is not None else ():
            rows = {row.id for row in machine.transitions}
            found.setdefault(subject.name, set()).update(rows)
    return found
