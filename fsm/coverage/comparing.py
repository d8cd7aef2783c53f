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
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple, get_args

import msgspec

from fsm.coverage.criteria import literal_id
from fsm.coverage.data import Data, model_in
from fsm.errors import CoverageError, suggest
from fsm.files import read_text

FORMAT = "fsm-coverage-baseline-1"
Kind = Literal["transition", "pair", "literal", "refusal"]
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

    @property
    def needs(self) -> set[str]:
        """The transitions or the state without which this cannot be taken."""
        if self.kind == "literal":
            return {self.id.rpartition(" where ")[0]}
        return (
            {self.id.rpartition(" in ")[2]} if self.kind == "refusal" else {*self.id.split(" ; ")}
        )


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
        The subjects that are recorded in only one of them, or that have changed, one sentence each.
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
        What the second recording lost and gained. Pairs, literals and refusals are named as by the
        criteria "pairs", "literals" and "refusals".
    """
    old, new = set(taken_in(before)), set(taken_in(after))
    lost, gained = tuple(sorted(old - new)), tuple(sorted(new - old))
    return Difference(lost, gained, tuple(_notes(before, after)))


def taken_in(data: Data) -> Iterator[Taken]:
    """Yield all that was taken. The same may be yielded several times."""
    for subject, seen in data.seen.items():
        name = subject.name
        for machine, _, id, _, vector in seen.taken:
            terms, failing = id.rpartition(" [")[2].removesuffix("]").split(", "), vector.find("0")
            if failing < 0:
                yield Taken(name, machine, "transition", id)
            for number in range(len(vector)) if failing < 0 else (failing,):
                literal = literal_id(id, terms[number], failing < 0)
                yield Taken(name, machine, "literal", literal)
        for machine, _, first, _, second, _ in seen.pairs:
            yield Taken(name, machine, "pair", f"{first} ; {second}")
        for machine, _, state, event in seen.refused:
            yield Taken(name, machine, "refusal", f"{event} in {state}")


def _notes(before: Data, after: Data) -> Iterator[str]:
    old, new = _fingerprints(before), _fingerprints(after)
    for name in sorted(old.keys() | new.keys()):
        if name not in old or name not in new:
            yield f"{name} was recorded only {'before' if name in old else 'after'}"
        elif old[name] != new[name]:
            yield f"{name} has changed in between: its transitions are compared by their ids"


def _fingerprints(data: Data) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for subject in data.seen:
        found.setdefault(subject.name, set()).add(subject.fingerprint)
    return found


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
        return cls(frozenset(kinds), frozenset(t for t in taken_in(data) if t.kind in kinds))

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
        now = {one for one in taken_in(data) if one.kind in self.kinds}
        known, missing = _ids_in(data), self.taken - now
        gone = {t for t in missing if t.subject in known and not t.needs <= known[t.subject]}
        notes = []
        for name, count in sorted(Counter(one.subject for one in gone).items()):
            lines = f"{count} lines of the baseline name" if count != 1 else "1 line of it names"
            notes.append(f"{name} has changed: {lines} what is not in it any more")
        gained = tuple(sorted(now - self.taken))
        return Difference(tuple(sorted(missing - gone)), gained, tuple(notes))

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


def is_baseline(path: str | Path) -> bool:
    """Say whether this file begins as a baseline does."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(len(FORMAT) + 2) == f'["{FORMAT}'
    except OSError:
        return False


def _ids_in(data: Data) -> dict[str, set[str]]:
    """Return the ids of all transitions and states of each recorded machine, by its name."""
    found: dict[str, set[str]] = {}
    for subject in data.seen:
        model = model_in(data, subject)
        for machine in model.machines.values() if model is not None else ():
            ids = found.setdefault(subject.name, set())
            ids |= {row.id for row in machine.transitions}
            ids |= {state.id for state in machine.states}
    return found
