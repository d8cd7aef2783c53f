"""Checks properties on an explored graph, all at once: each is an automaton of two states, and a
bit of whole numbers.

An automaton is idle or armed. A safety property is broken if it is armed and something forbidden
happens. A response is broken by a cycle of the graph on which it stays armed although nothing else
happens.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from heapq import heappop, heappush
from typing import NamedTuple

from fsm.checks.exploration import START, Explorer
from fsm.checks.observing import Seen, means
from fsm.checks.stepping import Edge, Window
from fsm.rulesets.properties import Property, PropertyEvent

IDLE, ARMED, BROKEN = range(3)
"""The states of an automaton."""


class Reach(NamedTuple):
    """Which automata can be idle, and which armed, where a game has come to."""

    idle: int
    armed: int

    def joined(self, other: Reach | None) -> Reach:
        """Return what either of them has."""
        if other is None:
            return self
        return Reach(self.idle | other.idle, self.armed | other.armed)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the property holds. `armed` says whether its case ever came up."""

    property: Property
    holds: bool
    armed: bool


class Judge:
    """Checks the properties of an explored model. `verdicts` does it.

    `properties` are those that are stated. `first` has those that are armed at the start.
    """

    def __init__(self, explorer: Explorer, properties: Sequence[Property]) -> None:
        self.explorer = explorer
        self.properties = tuple(properties)
        self.first = self._broken = self._armed = 0
        self._named: dict[PropertyEvent, list[int]] = {}
        for number, property in enumerate(self.properties):
            self._add(property, 1 << number)
        self._meant = cache(self._find_meant)
        self._through_window = cache(self._find_through_window)
        self._reach_after = cache(self._find_reach_after)
        self.state_after = cache(self._find_state_after)
        self.reached: dict[int, Reach] = {}

    def _add(self, property: Property, bit: int) -> None:
        """Note which events a property names: to be armed, to be broken, and to come to rest."""
        form = property.form
        self.first |= bit * form.start
        for part, events in enumerate((form.arm, form.no, form.until)):
            for event in events:
                self._named.setdefault(event, [0, 0, 0])[part] |= bit

    def verdicts(self) -> list[Verdict]:
        """Return the verdicts in the order in which the properties are stated."""
        self._spread()
        self._check_responses()
        armed = self._armed | self.first
        found = []
        for number, property in enumerate(self.properties):
            holds, was_armed = not self._broken >> number & 1, bool(armed >> number & 1)
            found.append(Verdict(property, holds, was_armed))
        return found

    # what is observed -----------------------------------------------------------------------------

    def _find_state_after(self, number: int, state: int, label: int) -> int:
        """Return the state of the automaton of a property after a label."""
        bit = 1 << number
        idle = bit * (state == IDLE)
        armed = bit * (state == ARMED)
        _, armed, broken = self._run(idle, armed, self.explorer.stepper.labels[label])
        return BROKEN if broken & bit else ARMED if armed & bit else IDLE

    def _run(self, idle: int, armed: int, label: Iterable[Seen]) -> tuple[int, int, int]:
        """Return which automata are idle, armed and broken after this is observed."""
        broken = 0
        for seen in label:
            arm, no, until = self._meant(seen)
            armed |= idle & arm
            broken |= armed & no & ~until
            idle = idle & ~arm | armed & until
            armed &= ~(until | no)
        return idle, armed, broken

    def _find_meant(self, seen: Seen) -> list[int]:
        """Return which properties an observation arms, which forbid it, and which it brings to
        rest.
        """
        found = [0, 0, 0]
        for event, masks in self._named.items():
            if means(event, seen):
                found = [mask | more for mask, more in zip(found, masks, strict=True)]
        self._armed |= found[0]
        return found

    # safety ---------------------------------------------------------------------------------------

    def _spread(self) -> None:
        """Compute in which states the automata can be at each node. Nodes are looked at by their
        numbers. Few edges lead back, so that few nodes are looked at again.
        """
        every = (1 << len(self.properties)) - 1
        self.reached[START] = Reach(every & ~self.first, self.first)
        todo = [START]
        waiting = set[int]()
        while todo:
            node = heappop(todo)
            waiting.discard(node)
            reach = self.reached[node]
            turn, entry = self.explorer.nodes[node]
            out = self._through_window(turn.window, entry, reach) if turn.window is not None else {}
            for edge in self.explorer.edges[node]:
                after = self._reach_after(out.get(edge.exit, reach), edge.label)
                if _grows(self.reached, edge.to, after) and edge.to not in waiting:
                    waiting.add(edge.to)
                    heappush(todo, edge.to)

    def _find_reach_after(self, reach: Reach, label: int) -> Reach:
        idle, armed, broken = self._run(*reach, self.explorer.stepper.labels[label])
        self._broken |= broken
        return Reach(idle, armed)

    def _find_through_window(self, window: Window, entry: int, reach: Reach) -> dict[int, Reach]:
        """Return what holds at each exit of a window."""
        reached = {entry: reach}
        todo = [entry]
        for at in todo:
            for edge in window.inner[at]:
                if _grows(reached, edge.to, self._reach_after(reached[at], edge.label)):
                    todo.append(edge.to)
        out = dict[int, Reach]()
        for exit, positions in window.ways_out(entry).items():
            for at in positions:
                _grows(out, exit, reached[at])
        return out

    # responses ------------------------------------------------------------------------------------

    def _check_responses(self) -> None:
        """Check that no cycle of quiet moves keeps a response armed."""
        inside = any(map(_goes_round, self.explorer.windows.values()))
        for number, property in enumerate(self.properties):
            bit = 1 << number
            if property.form.no:
                continue
            if (inside and self._armed & bit) or _has_cycle(self._quietly(number)):
                self._broken |= bit

    def _quietly(self, number: int) -> dict[int, set[int]]:
        """Return the nodes at which a response is armed, and those to which quiet moves lead on."""
        onward = dict[int, set[int]]()
        for node, reach in self.reached.items():
            if reach.armed >> number & 1:
                onward[node] = set()
                for edge in self.explorer.edges[node]:
                    stays = edge.quiet and self.state_after(number, ARMED, edge.label) == ARMED
                    if stays and self._comes_quietly(node, edge):
                        onward[node].add(edge.to)
        return onward

    def _comes_quietly(self, node: int, edge: Edge) -> bool:
        """Say whether quiet moves in its window lead to an edge."""
        turn, entry = self.explorer.nodes[node]
        if turn.window is None:
            return True
        quietly = turn.window.reached(entry, quietly=True)
        return not quietly.isdisjoint(turn.window.ways_out(entry)[edge.exit])


def _grows(reached: dict[int, Reach], at: int, more: Reach) -> bool:
    """Add to what reaches a place, and say whether it was not all known."""
    old = reached.get(at)
    if more == old:
        return False
    reached[at] = more.joined(old)
    return reached[at] != old


def _goes_round(window: Window) -> bool:
    """Say whether a window has a cycle of quiet moves."""
    onward = dict[int, set[int]]()
    for at, edges in enumerate(window.inner):
        onward[at] = {edge.to for edge in edges if edge.quiet}
    return _has_cycle(onward)


def _has_cycle(onward: Mapping[int, set[int]]) -> bool:
    try:
        TopologicalSorter(onward).prepare()
    except CycleError:
        return True
    return False
