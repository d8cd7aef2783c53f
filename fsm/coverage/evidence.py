"""Selects the recorded data of one machine of a model by the ids of its transitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from fsm.adapters.reading import itself
from fsm.coverage.data import Data, Seen, Subject, subject_of
from fsm.model import Model, Term
from fsm.model.graph import Graph, graphs_of
from fsm.model.model import per_model


class Evidence:
    """The recorded data of one machine, as far as its model knows it.

    Attributes
    ----------
    graph
        The machine.
    rows
        Its transitions by their ids.
    paths
        Each state with those around it. An object may be in a composite state by itself.
    taken
        How often a guard came out so: transition, state, vector, context.
    pairs
        How often two firings followed one another: transition and state, twice, and the context.
    starts
        The states into which objects were put.
    """

    def __init__(self, graph: Graph, seen: Seen) -> None:
        model = graph.model
        self.graph, self.starts = graph, seen.starts
        self.rows = {row.id: row for row in model.transitions}
        self.paths = _paths_of(model)
        self.taken = Counter[tuple[str, str, str, str]]()
        self.pairs = Counter[tuple[str, str, str, str, str]]()
        for (machine, context, id, at, vector), count in seen.taken.items():
            if self._knows(machine, id, at):
                self.taken[id, at, vector, context] += count
        for (machine, context, first, at, then, where), count in seen.pairs.items():
            known = self._knows(machine, first, at) and self._knows(machine, then, where)
            if known and (self.rows[first].target or at) == where:
                self.pairs[first, at, then, where, context] += count

    def _knows(self, machine: str, id: str, at: str) -> bool:
        """Whether this machine has the transition in this state. A plain machine is alone, whatever
        its objects are called.
        """
        row = self.rows.get(id) if not self.graph.played or machine == self.graph.name else None
        return row is not None and row.source in self.paths.get(at, ())

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
    def literals(self) -> Iterator[tuple[str, Term, bool, str, int]]:
        """Each transition with a term of its guard that decided, whether it held, the context, and
        how often. All terms decide that a transition fires, and one that it does not.
        """
        for (id, _, vector, context), count in self.taken.items():
            guard, failing = self.rows[id].guard, vector.find("0")
            for term in guard if failing < 0 else guard[failing : failing + 1]:
                yield id, term, failing < 0, context, count

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
    def put_into(self) -> frozenset[str]:
        """The states other than the initial one in which a plain machine was, however it got
        there.
        """
        if self.graph.played:
            return frozenset()
        seen = {at for _, at, _, _ in self.taken} | self.starts
        leaves = {state.id for state in self.graph.model.leaves}
        return frozenset(seen & leaves - {self.graph.model.initial})


@per_model
def _paths_of(model: Model) -> dict[str, tuple[str, ...]]:
    found = dict[str, tuple[str, ...]]()
    for state in model.states:
        path = tuple(outer.id for outer in model.path(state.id))
        found.setdefault(itself(state.id), path)
        found[state.id] = path
    return found


def evidence_of(model: Model, data: Data) -> tuple[list[Evidence], list[str]]:
    """Return the data of each machine of a model, and notes on it, for instance that the model has
    changed since.
    """
    own, subjects, seen = subject_of(model), subjects_for(model, data), Seen()
    for subject in subjects:
        seen.update(data.seen[subject])
    found, notes = [Evidence(graph, seen) for graph in graphs_of(model)], [*data.notes]
    known = set[str]().union(*(evidence.rows for evidence in found))
    lost = {id for _, _, id, _, vector in seen.taken if "0" not in vector} - known
    if lost:
        gone = f"{len(lost)} of the transitions taken are not in it any more"
        notes.append(f"{own.name} has changed since: {gone}")
    if not subjects:
        others = ", ".join(sorted({subject.name for subject in data.seen})) or "nothing at all"
        notes.append(f"nothing was recorded of {own.name}; recorded: {others}")
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
