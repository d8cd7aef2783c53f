"""Recorded coverage by test: how often transitions fired, followed one another, were decided and
refused.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from fsm.adapters.building import TOGETHER
from fsm.coverage.growing import is_ordered, together
from fsm.model import Model
from fsm.model.graph import graphs_of
from fsm.model.model import per_model

Entry = list[Any]
"""One line of a data file: see `fsm.coverage.entries`."""
COUNTED = "firings", "pairs", "literals", "refused"
FiringKey = tuple[str, str]
"""The id of a transition, and the state in which it fired."""
PairKey = tuple[FiringKey, FiringKey]
Literal = tuple[str, str, bool]
"""The id of a transition, a term of its guard, and whether the term held when it decided."""
Refused = tuple[str, str]
"""A state, and an event that was tried there and is not possible there."""


@dataclass(frozen=True, slots=True, order=True)
class Subject:
    """Identifies the model to which recorded data belongs.

    A plain machine is identified by its definition and the place where it was made. Neither its
    initial state nor what it drives nor its callbacks matter: an object restored from a database is
    driven by the same machine as a new one. The definition is that with which it was made, so a
    machine that changes later stays the same subject.

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
    grows
        Whether a plain machine was made without transitions. Then the fingerprint is that of its
        first use.
    """

    name: str
    fingerprint: str
    place: str = ""
    grows: bool = False

    @property
    def label(self) -> str:
        """The name and the place, as reports show them."""
        return f"{self.name} ({self.place})" if self.place else self.name


@dataclass(slots=True)
class Seen:
    """What was recorded of one subject, as counts: two records are added to one another.

    The keys of the counters begin with the name of the machine and the context (test).

    Attributes
    ----------
    firings
        How often each transition fired in each state.
    pairs
        How often two firings followed one another in one game or on one object. They belong to
        the context of the second one.
    literals
        How often each literal decided.
    refused
        How often an event was tried where it is not possible.
    starts
        The initial states of the machines, and the states into which objects were put.
    """

    firings: Counter[tuple[str, str, FiringKey]] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str, PairKey]] = field(default_factory=Counter)
    literals: Counter[tuple[str, str, Literal]] = field(default_factory=Counter)
    refused: Counter[tuple[str, str, Refused]] = field(default_factory=Counter)
    starts: set[str] = field(default_factory=set)

    @property
    def counters(self) -> dict[str, Counter[Any]]:
        """The counters by name, as files name them."""
        return {name: getattr(self, name) for name in COUNTED}

    def update(self, other: Seen) -> None:
        """Add what was recorded elsewhere."""
        for name, counter in self.counters.items():
            counter.update(getattr(other, name))
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
        The Models, as JSON, of those subjects that are not built-in rulesets. See `model_in`.
    unordered
        The plain machines whose transitions changed so that their order in the Model says nothing.
    """

    seen: dict[Subject, Seen] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    models: dict[Subject, dict[str, Any]] = field(default_factory=dict, compare=False)
    unordered: set[Subject] = field(default_factory=set, compare=False)

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
        return self.seen.setdefault(subject, Seen())

    def update(self, other: Data) -> None:
        """Add what was recorded elsewhere.

        Parameters
        ----------
        other
            The other data.
        """
        for subject, seen in other.seen.items():
            self.of(subject).update(seen)
        for subject, model in other.models.items():
            self.add_model(subject, model)
        self.unordered |= other.unordered
        self.notes += [note for note in other.notes if note not in self.notes]

    def add_model(self, subject: Subject, model: dict[str, Any]) -> None:
        """Add a Model of a subject. A machine that changed has several, which are put together.

        Parameters
        ----------
        subject
            The subject.
        model
            The Model as JSON.
        """
        known = self.models.setdefault(subject, model)
        if known != model:
            first, then = Model.from_json(known), Model.from_json(model)
            if subject_of(first).fingerprint != subject_of(then).fingerprint:
                both = together(first, then)
                self.models[subject] = both.to_json()
                if not is_ordered(both):
                    self.unordered.add(subject)

    @property
    def firings(self) -> int:
        """The number of recorded firings."""
        return sum(seen.firings.total() for seen in self.seen.values())

    @property
    def contexts(self) -> tuple[str, ...]:
        """The contexts (tests) in which something was recorded, sorted."""
        found = set[str]()
        for seen in self.seen.values():
            for counter in seen.counters.values():
                found.update(context for _, context, _ in counter)
        return tuple(sorted(found))


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
    definition = model if graphs_of(model)[0].played else _definition(model)
    return Subject(f"{model.name}?{options}" if options else model.name, definition.fingerprint)


def _definition(model: Model) -> Model:
    """Return the model without what depends on where a machine starts, what it drives and what it
    calls.

    Its first state is the initial one. States that only a start leads to are left out, and so are
    names, docs and
    callbacks: the library adds those that the driven object defines.
    """
    entered = {row.target for row in model.transitions}
    states = tuple(replace(s, doc="") for s in model.states if not s.stand_in or s.id in entered)
    known = {s.id for s in states}
    rows = tuple(
        replace(row, actions=(), doc="") for row in model.transitions if row.source in known
    )
    fired = {row.event for row in rows}
    events = tuple(event for event in model.events if event.name != TOGETHER or TOGETHER in fired)
    first = next((s.id for s in states if not s.composite), model.initial)
    facts = tuple(replace(fact, doc="") for fact in model.facts)
    return replace(
        model,
        name="machine",
        title="",
        initial=first,
        states=states,
        transitions=rows,
        events=events,
        facts=facts,
    )
