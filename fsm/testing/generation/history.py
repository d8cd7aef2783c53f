"""Finds what must happen before a sequence of firings whose guards look back, for instance that an extra is under way.

A return leads only to where the turn was interrupted, and what fires at the end of an extra fires in no other. So a
search goes first to the place where the extra is opened, and to the sequence itself only when the extra is open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from fsm.model.graph import Arc
from fsm.state.agenda import Agenda
from fsm.testing.generation.abstractgraph import GraphNode, Ground, Guess, Test

LEVELS = ("phase", "step")
LEAVING = ("more_sides_than", "candidate_left", "active_left", "holder_left", "active_sits_last", "starter_active")
"""Tests whose result may change after a player has left the game."""


@dataclass(frozen=True, slots=True)
class Need:
    """An extra of this level is under way, and leads back to this state."""

    level: str
    state: str


def tests_of(ground: Ground, arcs: Iterable[Arc]) -> Iterator[Test]:
    """The tests that must hold for these arcs."""
    return _tests(ground, arcs, (True,))


def every_test(ground: Ground, arcs: Iterable[Arc]) -> Iterator[Test]:
    """The tests that must hold, or must not."""
    return _tests(ground, arcs, (True, False))


def _tests(ground: Ground, arcs: Iterable[Arc], values: tuple[bool, ...]) -> Iterator[Test]:
    for arc in arcs:
        model = ground.graph_of(arc).model
        for term in arc.row.guard:
            test = model.fact(term.fact).test
            if test and term.value in values:
                yield test


def need_of(ground: Ground, chain: Iterable[Arc]) -> Need | None:
    """What a chain needs, if anything."""
    for name, *args in tests_of(ground, chain):
        if name == "returns_to" and args[0] in LEVELS:
            return Need(args[0], args[1])
    return None


def met(agenda: Agenda) -> Iterator[Need]:
    """The needs that are met now."""
    for level, stack in (("phase", agenda.returns_phase), ("step", agenda.returns_step)):
        if stack:
            yield Need(level, stack[-1].state)


def hub(ground: Ground, level: str) -> str:
    """The state in which the extras of a level are chosen; "" when the model has none."""
    for graph in ground.graphs.values():
        for arc in graph.arcs:
            if any(test[:2] == ("candidate_is", level) for test in tests_of(ground, (arc,))):
                return arc.at
    return ""


def opened_by(ground: Ground, need: Need, chain: tuple[Arc, ...]) -> tuple[int, tuple[Arc, ...]]:
    """From where a needed extra is chosen to the chain: what it costs, and the firings on the way."""

    def far() -> dict[GraphNode, Guess]:
        return ground.distances((spot, 0, None) for spot in ground.spots(chain[0]))

    level, choosing = need.level, hub(ground, need.level)
    table = ground.model.kept(("far", ground.machine[id(chain[0])], chain[0].at, chain[0].row.event), far)
    place = GraphNode(choosing, "", level == "phase", level == "step")
    leaving = (arc for graph in ground.graphs.values() for arc in graph.leaving.get(need.state, ()))
    into = tuple(arc for arc in leaving if arc.to == choosing)
    return (table[place].cost, (*into, *on_the_way(table, place))) if place in table else (0, into)


def way_out(ground: Ground, level: str) -> dict[GraphNode, Guess]:
    """How far it is to the end of an extra, from where its return is read."""

    def far() -> dict[GraphNode, Guess]:
        ends = [a for a in ground.arcs.values() if need_of(ground, (a,)) is not None]
        ends = [a for a in ends if need_of(ground, (a,)).level == level]  # type: ignore[union-attr]
        return ground.distances((spot, 0, None) for a in ends for spot in ground.spots(a))

    return ground.model.kept(("way out", level), far)


def on_the_way(table: dict[GraphNode, Guess], spot: GraphNode, answers: int = 10_000) -> Iterator[Arc]:
    """The firings on the way that a table of distances tells, as far as the next so many answers."""
    for _ in range(len(table)):
        guess = table.get(spot)
        if guess is None or guess.edge is None:
            return
        answers -= guess.edge.cost
        if answers < 0:
            return
        yield guess.edge.arc
        spot = guess.edge.end
