"""Comparison of coverage recordings, and baselines: what was taken in only one of them.

A baseline is a small text file of what the tests took, kept with the project. What is in it must
not be lost. The first line has the format, and each further line one thing that was taken, sorted:

    ["fsm-coverage-baseline-2"]
    ["Door", "Door", "shut -> open on push"]
    ["Door", "Door", "shut -> open on push [paid] where paid fails"]

Lines may be repeated and in any order, so two branches that both add lines can be merged by keeping
all lines.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import msgspec

from fsm.coverage.criteria import literal_id
from fsm.coverage.data import Data
from fsm.errors import CoverageError
from fsm.files import read_text

FORMAT = "fsm-coverage-baseline-2"
HEAD = json.dumps([FORMAT])


class Taken(NamedTuple):
    """One thing that was taken: the name of its subject, its machine, and the id of a transition,
    or of a condition that failed.
    """

    subject: str
    machine: str
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


def taken_in(data: Data) -> frozenset[Taken]:
    """Return what was taken: transitions, and conditions that failed."""
    return frozenset(_taken_in(data))


def _taken_in(data: Data) -> Iterator[Taken]:
    for subject, seen in data.seen.items():
        for machine, _, id, _, vector in seen.taken:
            if "0" in vector:
                terms = id.rpartition(" [")[2].removesuffix("]").split(", ")
                id = literal_id(id, terms[vector.index("0")], False)
            yield Taken(subject.name, machine, id)


def difference(before: Data | frozenset[Taken], after: Data) -> Difference:
    """Compare two recordings by names and ids.

    The model may have changed between them. What is no longer in a machine is not lost: a note says
    so. Nothing is noted of a machine that was not recorded, because all that it took is lost.

    Parameters
    ----------
    before
        The first recording, or what a baseline lists.
    after
        The second recording.

    Returns
    -------
    Difference
        What the second recording lost and gained: transitions, and conditions that failed.
    """
    old, now = taken_in(before) if isinstance(before, Data) else before, taken_in(after)
    known, lost, gone = _rows_in(after), list[Taken](), Counter[str]()
    for one in sorted(old - now):
        rows = known.get(one.subject)
        if rows is None or one.id.partition(" where ")[0] in rows:
            lost.append(one)
        else:
            gone[one.subject] += 1
    notes = list[str]()
    for name, count in gone.items():
        notes.append(f"{name} has changed: {count} of what was taken is not in it any more")
    return Difference(tuple(lost), tuple(sorted(now - old)), tuple(notes))


def _rows_in(data: Data) -> dict[str, set[str]]:
    """Return the ids of all transitions of each recorded machine, by its name."""
    found: dict[str, set[str]] = {}
    for subject, model in data.models.items():
        for machine in model.machines.values():
            rows = {row.id for row in machine.transitions}
            found.setdefault(subject.name, set()).update(rows)
    return found


# files --------------------------------------------------------------------------------------------


def baseline_text(taken: frozenset[Taken]) -> str:
    """Return the text of a baseline."""
    lines = [json.dumps(one, ensure_ascii=False) for one in sorted(taken)]
    return "".join(f"{line}\n" for line in (HEAD, *lines))


def read_baseline(path: str | Path) -> frozenset[Taken]:
    """Read a baseline. Raises CoverageError, naming the file and the line."""
    try:
        head, *lines = read_text(path).splitlines() or [""]
    except FileNotFoundError:
        hint = "there is no such file: 'fsm cover combine -o FILE.jsonl' writes one"
        raise CoverageError(f"{path}: {hint}") from None
    except (OSError, ValueError) as error:
        raise CoverageError(f"{path}: {getattr(error, 'strerror', '') or error}") from None
    if head != HEAD:
        raise CoverageError(f"{path}: line 1: a baseline begins with {HEAD}")
    taken = set[Taken]()
    for number, line in enumerate(lines, 2):
        try:
            taken |= {msgspec.json.decode(line, type=Taken)} if line.strip() else set()
        except (ValueError, RecursionError):
            text = "this is not a line of a baseline; write [machine, its part, id]"
            raise CoverageError(f"{path}: line {number}: {text}") from None
    return frozenset(taken)
