"""Recorded coverage, which is counts: how each guard came out, and what followed what.

A vector says how a guard was evaluated: "110" if its third condition failed after two that held,
"111" if all held. So a transition fired if there is no 0 in its vector. All criteria but pairs are
read off these counts. Two records are added to one another.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct

from fsm.model import Model
from fsm.model.model import per_model

Step = tuple[str, str]
"""The id of a transition, and the state in which it fires."""
TABLES = "taken", "pairs"


@dataclass(slots=True)
class Seen:
    """What was recorded of one subject.

    The keys of the counts begin with the name of the machine and the context (test).

    Attributes
    ----------
    taken
        How often a guard came out so: transition, state, vector.
    pairs
        How often two firings followed one another in one game or on one object: transition and
        state, twice. They belong to the context of the second one.
    starts
        The states into which objects were put.
    """

    taken: Counter[tuple[str, str, str, str, str]] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str, str, str, str, str]] = field(default_factory=Counter)
    starts: set[str] = field(default_factory=set)

    @property
    def tables(self) -> Iterator[tuple[str, Counter[Any]]]:
        """The counts by name, as files name them."""
        return ((name, getattr(self, name)) for name in TABLES)

    @property
    def firings(self) -> int:
        """The number of firings."""
        return sum(count for key, count in self.taken.items() if "0" not in key[-1])

    def update(self, other: Seen) -> None:
        """Add what was recorded elsewhere."""
        for name, counts in self.tables:
            counts.update(getattr(other, name))
        self.starts |= other.starts


@dataclass(slots=True)
class Data:
    """Recorded coverage of any number of models.

    Attributes
    ----------
    seen
        What was recorded, by subject.
    notes
        Problems with the data, one sentence each.
    models
        The Models of the subjects.
    """

    seen: dict[Subject, Seen] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    models: dict[Subject, Model] = field(default_factory=dict, compare=False)

    def of(self, subject: Subject) -> Seen:
        """Return the record of a subject. It is created if it does not exist, and you may add to
        it.

        Parameters
        ----------
        subject
            The subject.

        Returns
        -------
        Seen
            The record.
        """
        found = self.seen.get(subject)
        if found is None:
            found = self.seen[subject] = Seen()
        return found

    def update(self, other: Data) -> None:
        """Add what was recorded elsewhere. Of several Models of a machine, the one with most
        transitions is kept.

        Parameters
        ----------
        other
            The other data.
        """
        for subject, seen in other.seen.items():
            self.of(subject).update(seen)
        for subject, model in other.models.items():
            self.models[subject] = fuller(self.models.get(subject, model), model)
        self.notes += [note for note in other.notes if note not in self.notes]

    @property
    def firings(self) -> int:
        """The number of recorded firings."""
        return sum(seen.firings for seen in self.seen.values())


def fuller(first: Model, then: Model) -> Model:
    """Return the Model by which a machine is measured that changed, or that begins in several
    states: the one with most transitions, or else that begins in the state listed first.
    """
    return first if _fullness(first) >= _fullness(then) else then


def _fullness(model: Model) -> tuple[int, int]:
    states = [state.id for state in model.states]
    return len(model.transitions), -states.index(model.initial)


# subjects -----------------------------------------------------------------------------------------


class Subject(Struct, frozen=True, order=True):
    """Identifies the model to which recorded data belongs.

    A plain machine is identified by its definition and the place where it was made. Neither its
    initial state nor what it drives nor its callbacks matter: an object restored from a database is
    driven by the same machine as a new one. The definition is that of its first event, so a machine
    that changes later stays the same subject.

    Attributes
    ----------
    name
        The name of the model with its options: `name?option=value`. For a plain machine, the class
        of the object that it drives, or its own class.
    fingerprint
        The fingerprint of the model.
    place
        Where a plain machine was made, `file:line`, or "" if it was made before the collection
        began.
    """

    name: str
    fingerprint: str
    place: str = ""

    @property
    def label(self) -> str:
        """The name and the place, as reports show them."""
        return f"{self.name} ({self.place})" if self.place else self.name


@per_model
def subject_of(model: Model) -> Subject:
    """Return the subject under which data of a model is recorded.

    Parameters
    ----------
    model
        The Model.

    Returns
    -------
    Subject
        The name with the options, `name?option=value`, and the fingerprint.
    """
    options = "&".join(f"{name}={value}" for name, value in sorted(model.options.items()))
    fingerprint = model.fingerprint if model.played else _fingerprint(model)
    return Subject(f"{model.name}?{options}" if options else model.name, fingerprint)


def _fingerprint(model: Model) -> str:
    """Return a hash of the states and transitions of a plain machine.

    It leaves out names, docs and callbacks, and the states to which only a start leads.
    """
    entered = {row.target for row in model.transitions}
    states = [state for state in model.states if not state.stand_in or state.id in entered]
    known = {state.id for state in states}
    said: list[object] = [*sorted(model.options.items())]
    said += [[s.id, s.kind, s.label, s.parent, s.role, s.rule] for s in states]
    for row in model.transitions:
        if row.source in known:
            said.append([row.id, row.source, str(row.target), row.event, row.layer, row.rule])
    return hashlib.sha256(repr(said).encode()).hexdigest()[:16]
