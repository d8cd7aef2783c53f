"""Selects the recorded data of one machine of a model by the ids of its transitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from fsm.adapters.building import itself
from fsm.coverage.data import Data, Seen, Step
from fsm.coverage.subjects import Subject, subject_of
from fsm.model import Model, Term, Transition
from fsm.model.graph import Arc, Graph, graphs_of


@dataclass
class Evidence:
    """The recorded data of one machine, as far as its model knows it.

    Attributes
    ----------
    graph
        The machine.
    firings
        How often each arc was taken, by context.
    pairs
        How often two arcs followed one another, by the context of the second one.
    vectors
        How often the guard of a transition came out so, by context.
    refused
        How often an event was refused in a state, by context.
    tried
        The states in which an object was tried in vain, and the contexts.
    starts
        The states into which objects were put.
    """

    graph: Graph
    firings: Counter[tuple[Arc, str]] = field(default_factory=Counter)
    pairs: Counter[tuple[Arc, Arc, str]] = field(default_factory=Counter)
    vectors: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    refused: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    tried: set[tuple[str, str]] = field(default_factory=set)
    starts: set[str] = field(default_factory=set)

    def add(self, seen: Seen) -> set[str]:
        """Add the data of this machine. Return the transitions that it does not have any more."""
        lost = set[str]()
        for (machine, context, row, at, vector), count in seen.taken.items():
            if not self._has(machine):
                continue
            self.vectors[row, vector, context] += count
            arc = self._arc((row, at))
            if "0" in vector:
                self.tried.add((at, context))
            elif arc is None:
                lost.add(row)
            else:
                self.firings[arc, context] += count
        for (machine, context, *steps), count in seen.pairs.items():
            first, then = self._arc((steps[0], steps[1])), self._arc((steps[2], steps[3]))
            if self._has(machine) and first and then and first.to == then.at:
                self.pairs[first, then, context] += count
        for (machine, context, at, event), count in seen.refused.items():
            if self._has(machine):
                self.refused[at, event, context] += count
                self.tried.add((at, context))
        self.starts |= seen.starts
        return lost

    def _has(self, machine: str) -> bool:
        """Whether this is the machine's name in the data. A plain machine is alone, whatever its
        objects are called.
        """
        return not self.graph.played or machine == self.graph.name

    @cached_property
    def _arcs(self) -> dict[Step, Arc]:
        return {(arc.row.id, arc.at): arc for arc in self.graph.arcs}

    @cached_property
    def rows(self) -> dict[str, Transition]:
        """The transitions of the machine."""
        return {row.id: row for row in self.graph.model.transitions}

    def _arc(self, step: Step) -> Arc | None:
        """Return the arc of a firing.

        A row of a composite state may have fired while an object was in none of the inner states.
        The Model has a state for that only if a transition leads there, but a run may also start
        there.
        """
        row, at = self.rows.get(step[0]), step[1]
        arc = self._arcs.get(step)
        if arc is not None or row is None or self.graph.played:
            return arc
        if at in (row.source, itself(row.source)):
            self._arcs[step] = Arc(row, at)
        return self._arcs.get(step)

    @property
    def literals(self) -> Iterator[tuple[Transition, Term, bool, str, int]]:
        """Each term of a guard that decided, whether it held, the context, and how often.

        All terms of a guard decide that its transition fires, and one that it does not.
        """
        for (id, vector, context), count in self.vectors.items():
            row, failing = self.rows.get(id), vector.find("0")
            if row is not None:
                for term in row.guard if failing < 0 else row.guard[failing : failing + 1]:
                    yield row, term, failing < 0, context, count

    @property
    def recorded(self) -> bool:
        """Whether anything was recorded of this machine."""
        return bool(self.vectors or self.refused or self.starts)

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
