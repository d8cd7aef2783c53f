"""Comparison of two coverage recordings: what was taken in only one of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from fsm.coverage.data import Data
from fsm.coverage.simple import literal_id

Kind = Literal["transition", "pair", "literal", "refusal"]


@dataclass(frozen=True, slots=True, order=True)
class Taken:
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
    return Difference(
        tuple(sorted(old - new)), tuple(sorted(new - old)), tuple(_notes(before, after))
    )


def taken_in(data: Data) -> Iterator[Taken]:
    """Yield all that was taken. The same may be yielded several times."""
    for subject, seen in data.seen.items():
        for machine, _, (id, _) in seen.firings:
            yield Taken(subject.name, machine, "transition", id)
        for machine, _, ((first, _), (second, _)) in seen.pairs:
            yield Taken(subject.name, machine, "pair", f"{first} ; {second}")
        for machine, _, literal in seen.literals:
            yield Taken(subject.name, machine, "literal", literal_id(*literal))
        for machine, _, (state, event) in seen.refused:
            yield Taken(subject.name, machine, "refusal", f"{event} in {state}")


def _notes(before: Data, after: Data) -> Iterator[str]:
    prints = (_fingerprints(before), _fingerprints(after))
    for name in sorted(prints[0].keys() | prints[1].keys()):
        if not all(name in each for each in prints):
            yield f"{name} was recorded only {'before' if name in prints[0] else 'after'}"
        elif prints[0][name] != prints[1][name]:
            yield f"{name} has changed in between: its transitions are compared by their ids"


def _fingerprints(data: Data) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for subject in data.seen:
        found.setdefault(subject.name, set()).add(subject.fingerprint)
    return found


MOST = 5
"""At most this many lost targets are named."""


def lost_from(path: str, found: Difference) -> Iterator[str]:
    """Yield a problem of several lines if anything was lost."""
    if found.lost:
        head = f"{path}: {len(found.lost)} of what it lists is no longer taken"
        lost = [f"{one.subject}: {one.kind} {one.id}" for one in found.lost[:MOST]]
        rest = [f"and {len(found.lost) - MOST} more"] if len(found.lost) > MOST else []
        yield "\n    ".join([head, *lost, *rest])


def notes_on(path: str, found: Difference) -> Iterator[str]:
    """Yield what has changed and what was gained, and how to update the file."""
    yield from (f"{path}: {note}" for note in found.notes)
    if found.gained:
        yield f"{path}: {len(found.gained)} more is taken than it lists"
    if found.gained or found.notes:
        yield f"{path}: 'fsm cover combine -o {path}' brings it up to date"
