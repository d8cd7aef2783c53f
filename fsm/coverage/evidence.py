"""Selects the recorded data of one machine of a model by the ids of its transitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

from fsm.adapters.building import itself
from fsm.coverage.data import COUNTED, Data, FiringKey, Literal, Refused, Seen, Subject, subject_of
from fsm.model import Model
from fsm.model.graph import Arc, Graph, graphs_of


@dataclass
class Evidence:
    """The recorded data of one machine.

    Attributes
    ----------
    graph
        The machine.
    firings
        How often each arc was taken, by context.
    pairs
        How often two arcs followed one another, by the context of the second one.
    literals, refused
        What decided, and what was refused, by context.
    starts
        The states into which objects were put.
    lost
        The ids of the transitions that were taken and are not in the machine any more.
    """

    graph: Graph
    firings: Counter[tuple[Arc, str]] = field(default_factory=Counter)
    pairs: Counter[tuple[Arc, Arc, str]] = field(default_factory=Counter)
    literals: Counter[tuple[str, Literal]] = field(default_factory=Counter)
    refused: Counter[tuple[str, Refused]] = field(default_factory=Counter)
    starts: set[str] = field(default_factory=set)
    lost: set[str] = field(default_factory=set)

    def add(self, seen: Seen) -> None:
        """Add the recorded data of this machine, as far as the model knows it."""
        arcs = {(arc.row.id, arc.at): arc for arc in self.graph.arcs}
        if not self.graph.played:
            arcs |= {(arc.row.id, arc.at): arc for arc in self._by_themselves(seen, arcs)}
        self.starts |= seen.starts
        for (machine, context, step), count in seen.firings.items():
            if not self._has(machine):
                continue
            if step in arcs:
                self.firings[arcs[step], context] += count
            else:
                self.lost.add(step[0])
        for (machine, context, (first, second)), count in seen.pairs.items():
            before, after = arcs.get(first), arcs.get(second)
            if self._has(machine) and before and after and before.to == after.at:
                self.pairs[before, after, context] += count
        for (machine, context, literal), count in seen.literals.items():
            if self._has(machine):
                self.literals[context, literal] += count
        for (machine, context, refused), count in seen.refused.items():
            if self._has(machine):
                self.refused[context, refused] += count

    def update(self, other: Evidence) -> None:
        """Add other data of the same machine."""
        for name in COUNTED:
            getattr(self, name).update(getattr(other, name))
        self.starts |= other.starts

    def _has(self, machine: str) -> bool:
        """Whether this is the machine's name in the data. A plain machine is alone, whatever its
        objects are called.
        """
        return not self.graph.played or machine == self.graph.name

    def _by_themselves(self, seen: Seen, known: Collection[FiringKey]) -> Iterator[Arc]:
        """Yield the rows of composite states that fired while the object was in none of the inner
        states.

        The Model has a state for that only if a transition leads there, but a run may also start
        there.
        """
        rows = {row.id: row for row in self.graph.model.transitions}
        for id, at in {step for machine, _, step in seen.firings if self._has(machine)}:
            if (
                (id, at) not in known
                and id in rows
                and at in (rows[id].source, itself(rows[id].source))
            ):
                yield Arc(rows[id], at)

    def contexts(self, row: str) -> Iterable[str]:
        """Return the contexts in which literals of this transition decided."""
        return self._contexts.get(row, ())

    @cached_property
    def _contexts(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for context, (row, _, _) in self.literals:
            found.setdefault(row, set()).add(context)
        return found

    @property
    def recorded(self) -> bool:
        """Whether anything was recorded of this machine."""
        return bool(self.firings or self.literals or self.refused or self.starts)

    @cached_property
    def begun(self) -> Counter[tuple[str, str]]:
        """How many runs began in each state, by context: firings that follow no other one."""
        first = Counter(self.firings)
        for (_, arc, context), count in self.pairs.items():
            first[arc, context] -= count
        found = Counter[tuple[str, str]]()
        for (arc, context), count in first.items():
            found[arc.at, context] += count
        return +found

    @property
    def put_into(self) -> set[str]:
        """The states other than the initial one in which runs of a plain machine began."""
        if self.graph.played:
            return set()
        begun = {state for state, _ in self.begun} | self.starts
        return begun & {state.id for state in self.graph.model.leaves} - {self.graph.model.initial}


def evidence_of(model: Model, data: Data) -> tuple[tuple[Evidence, ...], tuple[str, ...]]:
    """Return the data of each machine of a model, and notes on it, for instance that the model has
    changed since.
    """
    own, notes = subject_of(model), list(data.notes)
    found = tuple(Evidence(graph) for graph in graphs_of(model))
    subjects = subjects_for(model, data)
    for subject in subjects:
        seen = data.seen[subject]
        fresh = tuple(Evidence(each.graph) for each in found)
        for old, new in zip(found, fresh, strict=True):
            new.add(seen)
            old.update(new)
        if own.fingerprint not in _fingerprints(data, subject):
            notes.append(_changed(own, subject, sum(len(new.lost) for new in fresh)))
    if not subjects:
        notes.append(_nothing(own, data))
    starts = frozenset(state for evidence in found for state in evidence.put_into)
    graphs = graphs_of(model, starts=starts)
    return tuple(
        replace(each, graph=graph) for each, graph in zip(found, graphs, strict=True)
    ), tuple(notes)


def subjects_for(model: Model, data: Data) -> tuple[Subject, ...]:
    """Return the subjects of the data that this model measures: those of its name.

    Plain machines of one name may have nothing to do with each other. So if some have the model's
    definition, it is these, whatever their name.
    """
    own = subject_of(model)
    named = tuple(s for s in data.seen if own.name in (s.name, data.models.get(s, {}).get("name")))
    if graphs_of(model)[0].played:
        return tuple(subject for subject in named if subject.name == own.name)
    same = tuple(
        subject for subject in data.seen if own.fingerprint in _fingerprints(data, subject)
    )
    return tuple(subject for subject in same if subject in named) or same or named


def _fingerprints(data: Data, subject: Subject) -> Iterator[str]:
    """Yield the fingerprint of a subject, and that of its Model as it grew."""
    yield subject.fingerprint
    if subject in data.models:
        yield subject_of(Model.from_json(data.models[subject])).fingerprint


def _changed(own: Subject, old: Subject, lost: int) -> str:
    gone = (
        f"{lost} of the transitions taken are not in it any more"
        if lost
        else "all that were taken are still in it"
    )
    return f"{own.name} has changed since ({old.fingerprint} then, {own.fingerprint} now): {gone}"


def _nothing(own: Subject, data: Data) -> str:
    others = ", ".join(sorted({subject.name for subject in data.seen})) or "nothing at all"
    return f"nothing was recorded of {own.name}; recorded: {others}"
