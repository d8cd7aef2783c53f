"""A machine as a graph. An arc is a transition in one state in which it can be tried."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from fsm.model import Model, State, Transition
from fsm.model.model import per_model

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True, eq=False)
class Arc:
    """One transition in one state. A transition whose source is a phase has an arc for every state
    inside it.

    A graph makes each arc once: two arcs are equal only if they are the same object.
    """

    row: Transition
    at: str

    @property
    def to(self) -> str:
        """The state that the arc leads to. It is the arc's own state if the transition says
        "nothing happens".
        """
        return self.at if self.row.target is None else self.row.target


@dataclass(frozen=True)
class Graph:
    """One machine as a graph.

    Attributes
    ----------
    name
        The name of the machine in records and data.
    model
        The model of the machine.
    whole
        The model with which it is played.
    starts
        States in which runs began, besides the initial one. A user's object may have been put into
        such a state.
    """

    name: str
    model: Model
    whole: Model
    starts: frozenset[str] = frozenset()

    @cached_property
    def begins(self) -> frozenset[str]:
        """The states in which a run can begin."""
        return self.starts | {self.model.initial}

    @cached_property
    def states(self) -> tuple[State, ...]:
        """The states to count, without states of the Model that the machine does not have."""
        return tuple(state for state in self.model.states if not state.stand_in)

    @cached_property
    def rows(self) -> tuple[Transition, ...]:
        """The transitions to count.

        Transitions that follow at once when several states are entered together are left out.
        """
        return tuple(
            row for row in self.model.transitions if not self.model.state(row.source).stand_in
        )

    @cached_property
    def arcs(self) -> tuple[Arc, ...]:
        """All arcs, in the order of the model's transitions."""
        found = list[Arc]()
        for state, _, rows in self.model.choices:
            found += [Arc(row, state.id) for row in rows]
        order = {row.id: number for number, row in enumerate(self.model.transitions)}
        return tuple(sorted(found, key=lambda arc: order[arc.row.id]))

    @cached_property
    def of_row(self) -> Mapping[str, Sequence[Arc]]:
        """The arcs of each transition, by its id."""
        return _grouped((arc.row.id, arc) for arc in self.arcs)

    @cached_property
    def leaving(self) -> Mapping[str, Sequence[Arc]]:
        """The arcs out of each state."""
        return _grouped((arc.at, arc) for arc in self.arcs)

    @property
    def played(self) -> bool:
        """Whether a TurnController plays this machine."""
        return self.whole.played

    @property
    def kept(self) -> dict[Hashable, Any]:
        """What was computed from this machine once. It is kept as long as its model."""
        return self.whole.kept.setdefault((self.name, self.starts), {})  # type: ignore[no-any-return]

    def answered(self, arc: Arc) -> bool:
        """Does this arc fire by an answer of a player or host? A signal can come right after such
        an arc.
        """
        state = self.model.state(arc.at)
        return state.kind == "action" and arc.row.event in state.words

    def silent(self, id: str) -> bool:
        """Does a run pass this state without a request?"""
        return self.played and self.model.state(id).kind in ("choice", "stage")

    def heard(self, event: str, at: str, before: Arc | None) -> bool:
        """Can this event come in this state after this arc? With None, the arc before does not
        matter.
        """
        state = self.model.state(at)
        if not self.played or event in state.words:
            return True
        if event not in self.whole.signals:
            return False
        if before is None or state.kind == "window" or self.leaves_between(event, state):
            return True
        interrupted = before.row.event in self.whole.signals
        return interrupted or self.answered(before)

    def leaves_between(self, event: str, state: State) -> bool:
        """Is this a player who leaves between two answers, while the run waits in this state?"""
        return event == self.whole.leaving and state.kind == "action"


def _grouped(arcs: Iterable[tuple[str, Arc]]) -> Mapping[str, Sequence[Arc]]:
    """Return the arcs by what each comes with. For anything else there are none."""
    found = defaultdict[str, list[Arc]](list)
    for key, arc in arcs:
        found[key].append(arc)
    return found


def graphs_of(model: Model, starts: frozenset[str] = frozenset()) -> tuple[Graph, ...]:
    """Return the graphs of a model: its own, and that of its window.

    Parameters
    ----------
    model
        The model. If no TurnController plays it, its graph has the name of the model, else "turn".
    starts
        The states in which runs began, for a machine that no TurnController plays.
    """
    return _graphs(model, starts)  # the same graphs, with `starts` left out or not


@per_model
def _graphs(model: Model, starts: frozenset[str]) -> tuple[Graph, ...]:
    own = Graph("turn" if model.played else model.name, model, model, starts)
    return (own,) if model.window is None else (own, Graph("window", model.window, model))


def size_of(model: Model) -> tuple[int, int]:
    """Return the number of states and of transitions to count, with those of the window."""
    graphs = graphs_of(model)
    return sum(len(graph.states) for graph in graphs), sum(len(graph.rows) for graph in graphs)


def reachable_from(start: Iterable[_T], onward: Callable[[_T], Iterable[_T]]) -> Set[_T]:
    """Return everything that can be reached, breadth first.

    Parameters
    ----------
    start
        Where to begin. It is reached too.
    onward
        Returns what follows directly.

    Returns
    -------
    Set
        What is reached. It is iterated in the order in which it was found.
    """
    found = dict.fromkeys(start)
    queue = list(found)
    for here in queue:
        for there in onward(here):
            if there not in found:
                found[there] = None
                queue.append(there)
    return found.keys()
