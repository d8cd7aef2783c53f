"""Computes the least distance from a wait point to the nearest target, and what is asked on the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fsm.state.agenda import Return
from fsm.testing.generation.abstractgraph import MODES, GraphNode, Ground, Guess, Test
from fsm.testing.generation.history import LEAVING, Need, every_test, hub, met, on_the_way, tests_of, way_out
from fsm.testing.generation.searchnode import Here, last
from fsm.testing.generation.wanted import Head, Wanted

FAR = 10_000
SOON = 4
"""Orders and signals are tried when what they may open is at most this many answers away."""
Distances = dict[GraphNode, Guess]


class Heading:
    """The distances to all that is headed for, as things stand when a search begins."""

    def __init__(self, wanted: Wanted) -> None:
        self.wanted, self.ground = wanted, wanted.ground
        self.heads = tuple(wanted.headed())
        self.needing: dict[Need, list[Head]] = {}
        for head in self.heads:
            if head.need is not None:
                self.needing.setdefault(head.need, []).append(head)
        self.table: Distances = self.ground.distances(self._seeds())
        self.once_met: dict[Need, Distances] = {}
        self.begun = self._begun()

    def _seeds(self) -> Iterator[tuple[GraphNode, int, object]]:
        for head in self.heads:
            if head.need is None or not hub(self.ground, head.need.level):
                yield from _at_chain(self.ground, head)
            else:
                for mode in MODES:
                    yield GraphNode(head.need.state, "", *mode), head.opening + head.cost, head

    def _begun(self) -> dict[tuple[int, ...], tuple[int, Head]]:
        """By the firings done of a chain: what is left of it."""
        found: dict[tuple[int, ...], tuple[int, Head]] = {}
        for head in self.heads:
            for end in range(1, len(head.chain)):
                cost = sum(map(self.ground.cost, head.chain[end:]))
                done = tuple(map(id, head.chain[:end]))
                if done not in found or cost < found[done][0]:
                    found[done] = (cost, head)
        return found

    def guess(self, here: Here) -> Guess:
        """How far it is at least, and to what."""
        run = here.controller.run
        best, passed = Guess(FAR, None), int(bool(run.frame and run.passed))
        for cost, spot, table in self._ways(here):
            found = table.get(spot)
            if found is not None and cost + found.cost < best.cost:
                best = Guess(cost + found.cost, found.key, found.edge)
        best = Guess(max(best.cost - passed, 1), best.key, best.edge)
        return self._going_on(here, best)

    def _going_on(self, here: Here, best: Guess) -> Guess:
        length = self.wanted.length - 1
        for walk in (here.turn, here.window) if length else ():
            arcs = last(walk, length)
            for start in range(len(arcs)):
                left = self.begun.get(tuple(map(id, arcs[start:])))
                if left is not None and max(left[0], 1) < best.cost:
                    best = Guess(max(left[0], 1), left[1])
        return best

    def _ways(self, here: Here) -> Iterator[tuple[int, GraphNode, Distances]]:
        """Where to look up how far it is: from here, and from where the extras under way lead back to."""
        spot, cost = here.spot, 0
        for table in self._tables(here):
            yield 0, spot, table
        agenda = here.controller.agenda
        for level, stack in (("step", agenda.returns_step), ("phase", agenda.returns_phase)):
            if stack:
                out = way_out(self.ground, level).get(spot)
                if out is None:
                    return
                cost += out.cost
                spot = _back(spot, level, stack)
                yield cost, spot, self.table

    def _tables(self, here: Here) -> Iterator[Distances]:
        yield self.table
        for need in met(here.controller.agenda):
            if need in self.needing:
                if need not in self.once_met:
                    seeds = (seed for head in self.needing[need] for seed in _at_chain(self.ground, head))
                    self.once_met[need] = self.ground.distances(seeds)
                yield self.once_met[need]

    def due(self, guess: Guess) -> frozenset[str]:
        """The events that, as guessed, come next."""
        arcs = [guess.edge.arc] if guess.edge is not None else []
        if guess.cost <= 1 and isinstance(guess.key, Head):
            arcs += guess.key.chain
        return frozenset(arc.row.event for arc in arcs)

    def asked(self, here: Here, guess: Guess) -> Asked:
        """What bears on the way, as guessed, to what is headed for."""
        if not isinstance(guess.key, Head):
            return Asked()
        arcs = list(guess.key.arcs) if guess.cost <= guess.key.cost + guess.key.opening + SOON else []
        for cost, spot, table in self._ways(here):
            if spot in table and table[spot].key is guess.key and cost < SOON:
                arcs += on_the_way(table, spot, SOON - cost)
        tests = frozenset(tests_of(self.ground, arcs))
        leaves = any(test[0] in LEAVING for test in every_test(self.ground, arcs))
        events = frozenset(arc.row.event for arc in arcs) | ({"player_left"} if leaves else set())
        return Asked(tests, events, frozenset(t.fact for arc in arcs for t in arc.row.guard))


@dataclass(frozen=True, slots=True)
class Asked:
    """The tests that must hold, the events that must come, and the facts that are read on a way."""

    tests: frozenset[Test] = frozenset()
    events: frozenset[str] = frozenset()
    facts: frozenset[str] = frozenset()


def _back(spot: GraphNode, level: str, stack: tuple[Return, ...]) -> GraphNode:
    phase, step = (spot.phase, len(stack) > 1) if level == "step" else (len(stack) > 1, spot.step)
    return GraphNode(stack[-1].state, "", phase, step)


def _at_chain(ground: Ground, head: Head) -> Iterator[tuple[GraphNode, int, object]]:
    for spot in ground.spots(head.chain[0]):
        yield spot, head.cost, head


def _cost(guess: Guess) -> int:
    return guess.cost
