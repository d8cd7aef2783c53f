"""Selects the recorded data of one machine of a model by the ids of its transitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from fsm.adapters.building import itself
from fsm.coverage.data import Data, Seen
from fsm.coverage.subjects import Subject, subject_of
from fsm.model import Model, Term, Transition
from fsm.model.graph import Graph, graphs_of


@dataclass
class Evidence:
    """The recorded data of one machine, as far as its model knows it.

    Attributes
    ----------
    graph
        The machine.
    taken
        How often a guard came out so: transition, state, vector, context.
    pairs
        How often two firings followed one another: transition and state, twice, and the context.
    starts
        The states into which objects were put.
    """

    graph: Graph
    taken: Counter[tuple[str, str, str, str]] = field(default_factory=Counter)
    pairs: Counter[tuple[str, str, str, str, str]] = field(default_factory=Counter)
    starts: set[str] = field(default_factory=set)

    def add(self, seen: Seen) -> set[str]:
        """Add the data of this machine. Return the transitions that it does not have any more."""
        lost = set[str]()
        for (machine, context, id, at, vector), count in seen.taken.items():
            if self._has(machine):
                if self._knows(id, at):
                    self.taken[id, at, vector, context] += count
                elif "0" not in vector:
                    lost.add(id)
        for (machine, context, first, at, then, where), count in seen.pairs.items():
            known = self._knows(first, at) and self._knows(then, where)
            if self._has(machine) and known and self.goal(first, at) == where:
                self.pairs[first, at, then, where, context] += count
        self.starts |= seen.starts
        return lost

    def _has(self, machine: str) -> bool:
        """Whether this is the machine's name in the data. A plain machine is alone, whatever its
        objects are called.
        """
        return not self.graph.played or machine == self.graph.name

    def _knows(self, id: str, at: str) -> bool:
        row = self.rows.get(id)
        return row is not None and row.source in self.paths.get(at, ())

    def goal(self, id: str, at: str) -> str:
        """Return the state to which a transition leads."""
        return self.rows[id].target or at

    @cached_property
    def rows(self) -> dict[str, Transition]:
        """The transitions of the machine."""
        return {row.id: row for row in self.graph.model.transitions}

    @cached_property
    def paths(self) -> dict[str, tuple[str, ...]]:
        """Each state with those around it. An object may be in a composite state by itself."""
        model = self.graph.model
        paths = {s.id: tuple(outer.id for outer in model.path(s.id)) for s in model.states}
        return {itself(id): path for id, path in paths.items()} | paths

    @property
    def firings(self) -> Iterator[tuple[str, str, str, int]]:
        """Each transition that fired, the state, the context, and how often."""
        for (id, at, vector, context), count in self.taken.items():
            if "0" not in vector:
                yield id, at, context, count

    @property
    def tried(self) -> set[tuple[str, str]]:
        """The states in which a guard failed, with the contexts."""
        return {(at, context) for _, at, vector, context in self.taken if "0" in vector}

    @property
    def literals(self) -> Iterator[tuple[Transition, Term, bool, str, int]]:
        """Each term of a guard that decided, whether it held, the context, and how often.

        All terms of a guard decide that its transition fires, and one that it does not.
        """
        for (id, _, vector, context), count in self.taken.items():
            row, failing = self.rows[id], vector.find("0")
            for term in row.guard if failing < 0 else row.guard[failing : failing + 1]:
                yield row, term, failing < 0, context, count

    @cached_property
    def begun(self) -> Counter[tuple[str, str]]:
        """How many runs began in each state, by context: firings that follow no other one."""
        found = Counter[tuple[str, str]]()
        for _, at, context, count in self.firings:
            found[at, context] += count
        for (_, _, _, where, context), count in self.pairs.items():
            found[where, context] -= count
        return +found

    @property
    def put_into(self) -> set[str]:
        """The states other than the initial one in which runs of a plain machine began."""
        if self.graph.played:
            return set()
        begun = {state for state, _ in self.begun} | self.starts
        return begun & {state.id for state in self.graph.model.leaves} - {self.graph.model.initial}


def evidence_of(model: Model, data: Data) -> tuple[list[Evidence], list[str]]:
    """Return the data of each machine of a model, and notes on it, for instance that the model has
    changed since.
    """
    own, notes = subject_of(model), list(data.notes)
    found = [Evidence(graph) for graph in graphs_of(model)]
    subjects = subjects_for(model, data)
    for subject in subjects:
        lost = [row for evidence in found for row in evidence.add(data.seen[subject])]
        if own.fingerprint not in _fingerprints(data, subject):
            notes.append(_changed(own, subject, len(lost)))
    if not subjects:
        others = ", ".join(sorted({subject.name for subject in data.seen})) or "nothing at all"
        notes.append(f"nothing was recorded of {own.name}; recorded: {others}")
    starts = frozenset(state for evidence in found for state in evidence.put_into)
    for evidence, graph in zip(found, graphs_of(model, starts=starts), strict=True):
        evidence.graph = graph
    return found, notes


def subjects_for(model: Model, data: Data) -> list[Subject]:
    """Return the subjects of the data that this model measures: those of its name.

    Plain machines of one name may have nothing to do with each other. So if some have the model's
    definition, it is these, whatever their name.
    """
    own = subject_of(model)
    if model.played:
        return [subject for subject in data.seen if subject.name == own.name]
    named, same = list[Subject](), list[Subject]()
    for subject in data.seen:
        stored = data.models.get(subject)
        if own.name == subject.name or (stored is not None and own.name == stored.name):
            named.append(subject)
        if own.fingerprint in _fingerprints(data, subject):
            same.append(subject)
    return [subject for subject in same if subject in named] or same or named


def _fingerprints(data: Data, subject: Subject) -> Iterator[str]:
    """Yield the fingerprint of a subject, and that of its Model as it grew."""
    yield subject.fingerprint
    if subject in data.models:
        yield subject_of(data.models[subject]).fingerprint


def _changed(own: Subject, old: Subject, lost: int) -> str:
    gone = "all that were taken are still in it"
    if lost:
        gone = f"{lost} of the transitions taken are not in it any more"
    return f"{own.name} has changed since ({old.fingerprint} then, {own.fingerprint} now): {gone}"
