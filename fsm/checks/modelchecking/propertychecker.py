"""Checks properties on an explored graph, all at once. Each is an automaton of two states, stored
as bits of integers.

A safety property is idle or armed. It is violated if it is armed and a forbidden event occurs. A
response property is idle or pending. It is violated by a cycle of the graph on which it stays
pending although nothing else happens.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import NamedTuple

from fsm.checks.modelchecking.eventmatching import EventMatcher
from fsm.checks.modelchecking.exploration import BEYOND, Explorer, TurnEdge
from fsm.checks.modelchecking.labels import GivenOrder, Label
from fsm.checks.modelchecking.stepping import ObservedFiring
from fsm.checks.modelchecking.windows import WindowGraph
from fsm.rulesets.properties import AnyEvent, Property, PropertyEvent, Response, Safe

WINDOW_KINDS = frozenset({"priority", "acts", "passes", "resolves", "checks"})


class AutomataChange(NamedTuple):
    """What a label does to all automata, as bit masks.

    `idle` and `arms`: from idle, these are idle or armed afterwards. `rests` and `stays`: from
    armed, these are idle or armed afterwards. `breaks` and `broken`: from idle or from armed, these
    are violated. `seen`: these see their arming event.
    """

    idle: int
    arms: int
    rests: int
    stays: int
    breaks: int
    broken: int
    seen: int


@dataclass(frozen=True, slots=True, eq=False)
class AutomataReach:
    """For which properties a node can be reached while they are idle, and while they are armed.

    There is one for each pair of values. `after` has what it becomes by labels, as far as that is
    known.
    """

    idle: int
    armed: int
    after: dict[int, AutomataReach] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the property holds. `armed` says whether its case ever occurred."""

    property: Property
    holds: bool
    armed: bool


class PropertyChecker:
    """Checks the properties of one explored model. `verdicts` does it."""

    def __init__(self, explorer: Explorer, properties: Sequence[Property]) -> None:
        self.explorer = explorer
        names = tuple(dict.fromkeys(s.name for s in explorer.model.of_kind("step")))
        self.stated = tuple(properties)
        self.properties = [one for stated in properties for one in stated.of(names)]
        self.matcher = EventMatcher(explorer.model, explorer.orders)
        self.all = (1 << len(self.properties)) - 1
        self.within = self._mask(
            lambda p: any(e.kind in WINDOW_KINDS for part in _parts(p) for e in part.any)
        )
        self.broken = self.arms = 0
        self._named = self._naming()
        self._changes: dict[int, AutomataChange] = {}
        self._seen: dict[ObservedFiring | GivenOrder, tuple[int, int, int]] = {}
        self._reaches: dict[tuple[int, int], AutomataReach] = {}
        self._through: dict[tuple[int, int, AutomataReach], dict[int, AutomataReach]] = {}
        self._out: dict[tuple[int, int, AutomataReach], dict[int, AutomataReach]] = {}
        self.reached: dict[int, AutomataReach] = {}

    def verdicts(self) -> list[Verdict]:
        """Return the verdicts in the order in which the properties are stated."""
        self._spread()
        self._check_responses()
        found = []
        for stated in self.stated:
            own = [
                i for i, p in enumerate(self.properties) if p.name.partition("[")[0] == stated.name
            ]
            broken = any(self.broken >> i & 1 for i in own)
            found.append(Verdict(stated, not broken, any(self.arms >> i & 1 for i in own)))
        return found

    def violated(self) -> list[Property]:
        """Return the violated properties. A property of all steps is listed for each step that
        violates it.
        """
        return [p for i, p in enumerate(self.properties) if self.broken >> i & 1]

    # safety ---------------------------------------------------------------------------------------

    def _spread(self) -> None:
        """Compute at each node in which states the automata can be, until nothing new is found.

        A node that comes before another one is looked at before it, so few are looked at again.
        """
        start = self.arms = self._mask(lambda p: isinstance(p.form, Safe) and p.form.start)
        starts, edges = self.explorer.starts, self.explorer.edges
        ranks = _ranks({edge.to for edge in starts}, lambda node: {edge.to for edge in edges[node]})
        todo, waiting = list[tuple[int, int]](), set[int]()
        first = self._reach(self.all & ~start, start)
        arrivals = [(edge, first) for edge in starts]
        while True:
            for edge, reach in arrivals:
                if (
                    self._grows(self.reached, edge.to, self._after(reach, edge.label))
                    and edge.to not in waiting
                ):
                    waiting.add(edge.to)
                    heappush(todo, (ranks[edge.to], edge.to))
            if not todo:
                return
            node = heappop(todo)[1]
            waiting.discard(node)
            reach = self.reached[node]
            out = self._leaving(node, reach)
            arrivals = [
                (edge, reach if edge.exit is None else out[id(edge.exit)]) for edge in edges[node]
            ]

    def _reach(self, idle: int, armed: int) -> AutomataReach:
        found = self._reaches.get((idle, armed))
        if found is None:
            found = self._reaches[idle, armed] = AutomataReach(idle, armed)
        return found

    def _grows(self, reached: dict[int, AutomataReach], at: int, more: AutomataReach) -> bool:
        """Add to what reaches a place, and say whether it was not all known."""
        old = reached.get(at)
        if old is more:
            return False
        now = more if old is None else self._reach(more.idle | old.idle, more.armed | old.armed)
        reached[at] = now
        return now is not old

    def _after(self, reach: AutomataReach, label: int) -> AutomataReach:
        after = reach.after.get(label)
        if after is None:
            idle, armed, change = reach.idle, reach.armed, self.change(label)
            self.broken |= idle & change.breaks | armed & change.broken
            self.arms |= change.seen
            after = reach.after[label] = self._reach(
                idle & change.idle | armed & change.rests, idle & change.arms | armed & change.stays
            )
        return after

    def _leaving(self, node: int, reach: AutomataReach) -> dict[int, AutomataReach]:
        """Return what holds at each exit of the window at this node, by the identity of the exit."""
        number, entry = self.explorer.nodes[node]
        windows = self.explorer.turn_nodes[number].windows
        if entry < 0 or windows is None:
            return {}
        key = (id(windows), entry, reach)
        found = self._out.get(key)
        if found is None:
            own, rest = (
                self._reach(reach.idle & self.within, reach.armed & self.within),
                ~self.within,
            )
            if (*key[:2], own) not in self._through:
                self._through[*key[:2], own] = self._inside(windows, entry, own)
            found = self._out[key] = {
                exit: self._reach(reach.idle & rest | inner.idle, reach.armed & rest | inner.armed)
                for exit, inner in self._through[*key[:2], own].items()
            }
        return found

    def _inside(
        self, windows: WindowGraph, entry: int, reach: AutomataReach
    ) -> dict[int, AutomataReach]:
        found = {entry: reach}
        todo = deque([entry])
        while todo:
            at = todo.popleft()
            for move in windows.nodes[at].inner:
                if self._grows(found, move.target, self._after(found[at], move.label)):
                    todo.append(move.target)
        positions = windows.exits_from(entry).positions
        return {
            exit: self._reach(
                _union(found[at].idle for at in ats), _union(found[at].armed for at in ats)
            )
            for exit, ats in positions.items()
        }

    # responses ------------------------------------------------------------------------------------

    def _check_responses(self) -> None:
        """Check the responses. One is violated by a cycle of quiet moves on which it is pending."""
        bits = [1 << i for i, p in enumerate(self.properties) if isinstance(p.form, Response)]
        inside = any(map(_has_quiet_cycle, self.explorer.windows))
        for bit in bits:
            pending = [
                node for node, reach in self.reached.items() if node != BEYOND and reach.armed & bit
            ]
            onward = {
                node: {e.to for e in self._quiet_edges(node) if self.change(e.label).stays & bit}
                for node in pending
            }
            if (inside and self.arms & bit) or not _acyclic(onward):
                self.broken |= bit

    def _quiet_edges(self, node: int) -> Iterator[TurnEdge]:
        """Yield the edges from this node that need only quiet moves."""
        number, entry = self.explorer.nodes[node]
        windows = self.explorer.turn_nodes[number].windows
        for edge in self.explorer.edges[node]:
            if edge.quiet and (
                edge.exit is None
                or windows is None
                or any(
                    windows.reached(entry, quietly=True) >> at & 1
                    for at in windows.exits_from(entry).positions[id(edge.exit)]
                )
            ):
                yield edge

    # observations ---------------------------------------------------------------------------------

    def change(self, label: int) -> AutomataChange:
        """Return what this label does to the automata."""
        if label not in self._changes:
            self._changes[label] = self._made(self.explorer.labels[label])
        return self._changes[label]

    def _made(self, label: Label) -> AutomataChange:
        # zero, one: idle or armed now, from idle; rests, stays: idle or armed now, from armed
        zero, one, rests, stays = self.all, 0, 0, self.all
        breaks = broken = armed = 0
        for seen in label:
            arm, no, until = self._masks(seen)
            armed |= arm
            if not arm | no | until:
                continue
            one, zero = one | zero & arm, zero & ~arm
            stays, rests = stays | rests & arm, rests & ~arm
            breaks, broken = breaks | one & no & ~until, broken | stays & no & ~until
            zero, one = zero | one & until, one & ~until & ~no
            rests, stays = rests | stays & until, stays & ~until & ~no
        return AutomataChange(zero, one, rests, stays, breaks, broken, armed)

    def _masks(self, seen: ObservedFiring | GivenOrder) -> tuple[int, int, int]:
        """Return which properties a firing arms, which forbid it while they are armed, and which it
        brings to rest.
        """
        found = self._seen.get(seen)
        if found is None:
            arm = no = until = 0
            for event, (arms, forbids, rests) in self._named.items():
                if self.matcher.matches(event, seen):
                    arm, no, until = arm | arms, no | forbids, until | rests
            found = self._seen[seen] = arm, no, until
        return found

    def _naming(self) -> dict[PropertyEvent, tuple[int, int, int]]:
        """Return for each event which properties name it: to arm them, to forbid it, and to bring
        them to rest.
        """
        found: dict[PropertyEvent, tuple[int, int, int]] = {}
        for number, property in enumerate(self.properties):
            for part, events in enumerate(_parts(property)):
                for event in events.any:
                    masks = [*found.get(event, (0, 0, 0))]
                    masks[part] |= 1 << number
                    found[event] = masks[0], masks[1], masks[2]
        return found

    def _mask(self, wanted: Callable[[Property], bool]) -> int:
        return sum(1 << i for i, p in enumerate(self.properties) if wanted(p))


def _parts(property: Property) -> tuple[AnyEvent, AnyEvent, AnyEvent]:
    """Return what arms a property, what it forbids, and what brings it to rest."""
    form = property.form
    return (
        (form.arm, form.no, form.until)
        if isinstance(form, Safe)
        else (form.event, AnyEvent(), form.by)
    )


def _union(masks: Iterable[int]) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found


def _has_quiet_cycle(windows: WindowGraph) -> bool:
    """Say whether a window has a cycle of quiet moves."""
    return not _acyclic(
        {
            at: {move.target for move in node.inner if move.quiet}
            for at, node in enumerate(windows.nodes)
        }
    )


def _acyclic(onward: Mapping[int, set[int]]) -> bool:
    """Say whether this graph has no cycle."""
    ranks = _ranks(onward, lambda node: onward.get(node, set()))
    return all(ranks[node] < ranks[to] for node, targets in onward.items() for to in targets)


def _ranks(starts: Iterable[int], targets: Callable[[int], set[int]]) -> dict[int, int]:
    """Number the nodes that can be reached. Only on a cycle has a node a target with a lower number
    than its own.
    """
    ranks, seen = dict[int, int](), set[int]()
    todo = [*starts]
    while todo:
        node = todo.pop()
        if node < 0:
            ranks[~node] = -len(ranks)
        elif node not in seen:
            seen.add(node)
            todo.append(~node)  # it comes back once all its targets have their numbers
            todo += targets(node) - seen
    return ranks
