"""Transitions that are tried in a state, with the guards that must hold and those that must not."""

from __future__ import annotations

from dataclasses import dataclass, field

from fsm.adapters.building import TOGETHER
from fsm.analysis.feasibility.factchanges import FactChanges
from fsm.model import Term
from fsm.model.graph import Arc, Graph


@dataclass(frozen=True, slots=True, eq=False)
class TriedTransition:
    """A transition that is tried in a state: `holds` is true, and none of the guards `fails` is."""

    arc: Arc
    holds: tuple[Term, ...]
    fails: tuple[tuple[Term, ...], ...]


@dataclass
class Firings:
    """What must hold for each transition of one machine to fire, and what each of them changes."""

    graph: Graph
    _fires: dict[Arc, TriedTransition] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.changes = FactChanges(self.graph)

    def fires(self, arc: Arc) -> TriedTransition:
        """Return the conditions for this transition to fire: its guard holds, and no guard of a row above it."""
        if arc not in self._fires:
            self._fires[arc] = TriedTransition(arc, arc.row.guard, self.above(arc))
        return self._fires[arc]

    def above(self, arc: Arc) -> tuple[tuple[Term, ...], ...]:
        """Return the guards of the rows that are tried before this one."""
        if arc.row.event == TOGETHER and not self.graph.played:
            return ()  # all of these fire, not just the first one that can
        return tuple(row.guard for row in self.graph.model.above(arc.row, arc.at))

    def opens(self, arc: Arc) -> bool:
        """Say whether it can be the first transition of a run."""
        graph, event, at = self.graph, arc.row.event, self.graph.state(arc.at)
        signal = graph.played and event in graph.signals and event not in at.words
        return not signal or graph.leaves_between(event, at) or at.kind == "window"
