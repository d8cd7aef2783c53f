"""Recorded coverage by test: which transitions fired in which order, which literals decided, and
what was refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from fsm.adapters.building import TOGETHER
from fsm.coverage.growing import is_ordered, together
from fsm.model import Model
from fsm.model.graph import graphs_of
from fsm.model.model import per_model

Entry = list[Any]
"""One line of a data file: see `fsm.coverage.datawriter`."""
FiringKey = tuple[str, str]
"""The id of a transition, and the state in which it fired."""
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


@dataclass(frozen=True, slots=True)
class Walk:
    """The firings of one machine in one game (or on one object), in order and without a gap.

    Attributes
    ----------
    machine
        The name of the machine.
    steps
        The id of each transition that fired, with the state in which it fired.
    contexts
        Pairs of the index of a step and the context (test) that applies from that step on. The
        first index is 0. The context is the name of a test, or "".
    """

    machine: str
    steps: tuple[FiringKey, ...]
    contexts: tuple[tuple[int, str], ...] = ((0, ""),)

    def stepping(self) -> Iterator[tuple[FiringKey, str]]:
        """Yield each step with its context."""
        return ((step, context) for context, steps in self.parts() for step in steps)

    def parts(self) -> Iterator[tuple[str, tuple[FiringKey, ...]]]:
        """Yield each context with the steps in it."""
        ends = [start for start, _ in self.contexts[1:]] + [len(self.steps)]
        for (start, context), end in zip(self.contexts, ends, strict=True):
            yield context, self.steps[start:end]


@dataclass(eq=False, slots=True)
class OpenWalk:
    """A walk that has not ended: the firings of one machine in one game or on one object.

    `of` has the id() of the game, or of the machine and of the object, for listeners. `start` is
    the initial state of the machine, or "" for a game.
    """

    subject: Subject
    machine: str
    of: tuple[int, ...] = ()
    start: str = ""


class Passage:
    """Firings of one walk that are recorded together, and the literals that decided them. It is
    recorded many times.

    Attributes
    ----------
    steps
        The firings, in order.
    literals
        The literals that decided. One may stand there several times.
    """

    __slots__ = ("literals", "steps")  # compared by identity, which is fast

    def __init__(self, steps: Iterable[FiringKey], literals: Iterable[Literal] = ()) -> None:
        self.steps, self.literals = tuple(steps), tuple(literals)


@dataclass(slots=True)
class Seen:
    """What was recorded of one subject.

    The keys of `literals` and `refused` begin with the machine and the context. `starts` has the
    initial states of the machines and the states into which objects were put.
    """

    walks: Counter[Walk] = field(default_factory=Counter)
    literals: Counter[tuple[str, str, Literal]] = field(default_factory=Counter)
    refused: Counter[tuple[str, str, Refused]] = field(default_factory=Counter)
    starts: set[str] = field(default_factory=set)

    def update(self, other: Seen) -> None:
        """Add what was recorded elsewhere."""
        self.walks.update(other.walks)
        self.literals.update(other.literals)
        self.refused.update(other.refused)
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
        return sum(
            len(walk.steps) * count
            for seen in self.seen.values()
            for walk, count in seen.walks.items()
        )

    @property
    def contexts(self) -> tuple[str, ...]:
        """The contexts (tests) in which something was recorded, sorted."""
        walks = {c for seen in self.seen.values() for walk in seen.walks for _, c in walk.contexts}
        others = {key[1] for seen in self.seen.values() for key in (*seen.literals, *seen.refused)}
        return tuple(sorted(walks | others))


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
    options = "&".join(f"{name}={value}" for name, value in model.options.items())
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
