"""A machine as a graph of arcs: each row of the Model once for every state in which it can be tried."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from fsm.model import Model, State, Transition


@dataclass(frozen=True, slots=True, eq=False)
class Arc:
    """One row, tried in one state (a row whose source is a phase is tried in every state inside it).

    A graph makes each arc once: two arcs are equal when they are the same object.
    """

    row: Transition
    at: str

    @property
    def to(self) -> str:
        """The state it leads to; its own when the row says "nothing happens"."""
        return self.at if self.row.target is None else self.row.target


@dataclass(frozen=True)
class Graph:
    """One machine: its name in records and data, its model, and the model that it is played with.

    `starts`: states in which runs were seen to begin, besides the initial one: where an object was put into one.
    """

    name: str
    model: Model
    whole: Model
    starts: frozenset[str] = frozenset()

    @cached_property
    def begins(self) -> frozenset[str]:
        """The states in which a run may begin."""
        return self.starts | {self.model.initial}

    @cached_property
    def states(self) -> tuple[State, ...]:
        """The states that count: without those that only stand in for something that is no state of the machine."""
        return tuple(state for state in self.model.states if not state.stand_in)

    @cached_property
    def rows(self) -> tuple[Transition, ...]:
        """The transitions that count: without those that follow at once when several states are entered together."""
        return tuple(row for row in self.model.transitions if not self.model.state(row.source).stand_in)

    @cached_property
    def arcs(self) -> tuple[Arc, ...]:
        """All arcs, in the order of the model's transitions."""
        model = self.model
        found = [Arc(row, s.id) for s in model.leaves for e in model.events_at(s.id) for row in model.rows(s.id, e)]
        order = {row.id: number for number, row in enumerate(model.transitions)}
        return tuple(sorted(found, key=lambda arc: order[arc.row.id]))

    @cached_property
    def of_row(self) -> dict[str, tuple[Arc, ...]]:
        """The arcs of each row, by its id."""
        return {row.id: tuple(a for a in self.arcs if a.row is row) for row in self.model.transitions}

    @cached_property
    def leaving(self) -> dict[str, tuple[Arc, ...]]:
        """The arcs out of each state."""
        return {s.id: tuple(a for a in self.arcs if a.at == s.id) for s in self.model.leaves}

    @cached_property
    def arriving(self) -> dict[str, tuple[Arc, ...]]:
        """The arcs into each state."""
        return {s.id: tuple(a for a in self.arcs if a.to == s.id) for s in self.model.leaves}

    @cached_property
    def played(self) -> bool:
        """Does a TurnController play it (it has completions)? In any other machine every event may come at any time."""
        completions = {event.name for event in self.whole.events if event.completion}
        return any(row.event in completions for row in self.whole.transitions)

    @cached_property
    def signals(self) -> frozenset[str]:
        """The events that break the ordinary course of a turn."""
        return frozenset(self.whole.signals)

    def state(self, id: str) -> State:
        """The state of this id."""
        return self.model.state(id)

    def answered(self, arc: Arc) -> bool:
        """Does it fire by a player's or host's answer, so that a signal may come right after it?"""
        state = self.state(arc.at)
        return state.kind == "action" and arc.row.event in state.words

    def silent(self, id: str) -> bool:
        """Does a run pass this state without asking anybody?"""
        return self.played and self.state(id).kind in ("choice", "stage")

    def heard(self, event: str, at: str, before: Arc | None) -> bool:
        """Can this event come in this state, after that arc (None: whatever came before)?"""
        state = self.state(at)
        if not self.played or event in state.words:
            return True
        if event not in self.signals:
            return False
        return before is None or self.answered(before) or state.kind == "window"


def graphs_of(model: Model, *, starts: frozenset[str] = frozenset()) -> tuple[Graph, ...]:
    """The machines of a model: its own, and its window's. A machine that no TurnController plays has its own name.

    `starts`: as of graphs, for a machine that no TurnController plays.
    """
    return model.kept(("coverage graphs", starts), lambda: _make(model, starts))


def _make(model: Model, starts: frozenset[str]) -> tuple[Graph, ...]:
    turn = Graph("turn", model, model)
    if not turn.played:
        turn = Graph(model.name, model, model, starts)
    window = (Graph("window", model.window, model),) if model.window is not None else ()
    return (turn, *window)
