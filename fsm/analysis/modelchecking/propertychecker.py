"""Checks properties on an explored graph, all at once. Each is an automaton of two states, stored as bits of integers.

A safety property is idle or armed. It is violated if it is armed and a forbidden event occurs. A response property is
idle or pending. It is violated by a cycle of the graph on which it stays pending although nothing else happens.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple

from fsm.analysis.modelchecking.eventmatching import EventMatcher
from fsm.analysis.modelchecking.exploration import BEYOND, Explorer, GivenOrder, Label, TurnEdge
from fsm.analysis.modelchecking.stepping import ObservedFiring
from fsm.analysis.modelchecking.windows import WindowAnswer, WindowGraph
from fsm.rulesets.properties import AnyEvent, Property, PropertyEvent, Response, Safe

WINDOW_KINDS = frozenset({"priority", "acts", "passes", "resolves", "checks"})


class AutomataChange(NamedTuple):
    """What a label does to all automata, as bit masks.

    `idle` and `arms`: from idle, these are idle or armed afterwards. `rests` and `stays`: from armed, these are idle or
    armed afterwards. `breaks` and `broken`: from idle or from armed, these are violated. `seen`: these see their arming
    event.
    """

    idle: int
    arms: int
    rests: int
    stays: int
    breaks: int
    broken: int
    seen: int


class AutomataReach(NamedTuple):
    """For which properties a node can be reached while they are idle, and while they are armed."""

    idle: int
    armed: int


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
        self.within = self._mask(lambda p: any(e.kind in WINDOW_KINDS for e in _events(p)))
        self.broken = self.arms = 0
        self._changes: dict[int, AutomataChange] = {}
        self._seen: dict[ObservedFiring | GivenOrder, tuple[int, int, int]] = {}
        self._through: dict[tuple[int, int, AutomataReach], dict[int, AutomataReach]] = {}
        self._inner: dict[tuple[int, int, int], AutomataChange] = {}
        self._joined: dict[Label, AutomataChange] = {}
        self.reached: dict[int, AutomataReach] = {}

    def verdicts(self) -> list[Verdict]:
        """Return the verdicts in the order in which the properties are stated."""
        self._spread()
        self._check_responses()
        found = []
        for stated in self.stated:
            own = [i for i, p in enumerate(self.properties) if p.name.partition("[")[0] == stated.name]
            broken = any(self.broken >> i & 1 for i in own)
            found.append(Verdict(stated, not broken, any(self.arms >> i & 1 for i in own)))
        return found

    def violated(self) -> list[Property]:
        """Return the violated properties. A property of all steps is listed for each step that violates it."""
        return [p for i, p in enumerate(self.properties) if self.broken >> i & 1]

    # safety ---------------------------------------------------------------------------------------------

    def _spread(self) -> None:
        """Compute at each node in which states the automata can be, until nothing new is found."""
        start = self.arms = self._mask(lambda p: isinstance(p.form, Safe) and p.form.start)
        queue: deque[int] = deque()
        waiting: set[int] = set()
        for edge in self.explorer.starts:
            self._arrive(edge, AutomataReach(self.all & ~start, start), queue, waiting)
        while queue:
            node = queue.popleft()
            waiting.discard(node)
            reach = self.reached[node]
            out = self._leaving(node, reach)
            for edge in self.explorer.edges[node]:
                self._arrive(edge, reach if edge.exit is None else out[id(edge.exit)], queue, waiting)

    def _arrive(self, edge: TurnEdge, reach: AutomataReach, queue: deque[int], waiting: set[int]) -> None:
        after = self._after(reach, self.change(edge.label))
        old = self.reached.get(edge.to)
        if old is not None:
            after = AutomataReach(after.idle | old.idle, after.armed | old.armed)
        if after != old:
            self.reached[edge.to] = after
            if edge.to != BEYOND and edge.to not in waiting:
                waiting.add(edge.to)
                queue.append(edge.to)

    def _after(self, reach: AutomataReach, change: AutomataChange) -> AutomataReach:
        idle, armed = reach
        self.broken |= idle & change.breaks | armed & change.broken
        now = idle & change.arms | armed & change.stays
        self.arms |= change.seen
        return AutomataReach(idle & change.idle | armed & change.rests, now)

    def _leaving(self, node: int, reach: AutomataReach) -> dict[int, AutomataReach]:
        """Return what holds at each exit of the window at this node, by the identity of the exit."""
        number, entry = self.explorer.nodes[node]
        windows = self.explorer.turn_nodes[number].windows
        if entry < 0 or windows is None:
            return {}
        own = AutomataReach(reach.idle & self.within, reach.armed & self.within)
        key = (id(windows), entry, own)
        if key not in self._through:
            self._through[key] = self._inside(windows, entry, own)
        rest = ~self.within
        return {
            exit: AutomataReach(reach.idle & rest | inner.idle, reach.armed & rest | inner.armed)
            for exit, inner in self._through[key].items()
        }

    def _inside(self, windows: WindowGraph, entry: int, reach: AutomataReach) -> dict[int, AutomataReach]:
        found = {entry: reach}
        todo = deque([entry])
        while todo:
            at = todo.popleft()
            for move in windows.nodes[at].inner:
                after = self._after(found[at], self._of(move.seen))
                old = found.get(move.target, AutomataReach(0, 0))
                new = AutomataReach(after.idle | old.idle, after.armed | old.armed)
                if new != old or move.target not in found:
                    found[move.target] = new
                    todo.append(move.target)
        positions = windows.exits_from(entry).positions
        return {
            exit: AutomataReach(_union(found[at].idle for at in ats), _union(found[at].armed for at in ats))
            for exit, ats in positions.items()
        }

    # responses --------------------------------------------------------------------------------------------

    def _check_responses(self) -> None:
        """Check the responses. One is violated by a cycle of quiet moves on which it is pending."""
        bits = [1 << i for i, p in enumerate(self.properties) if isinstance(p.form, Response)]
        inside = any(map(_has_quiet_cycle, self.explorer.windows))
        for bit in bits:
            pending = [node for node, reach in self.reached.items() if node != BEYOND and reach.armed & bit]
            onward = {
                node: {e.to for e in self._quiet_edges(node) if self.change(e.label).stays & bit} for node in pending
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

    def of_inner(self, inner: WindowAnswer | None) -> AutomataChange:
        """Return what an answer inside a window does to the automata."""
        return self._of(inner.seen if inner is not None else ())

    # observations ---------------------------------------------------------------------------------------------

    def change(self, label: int) -> AutomataChange:
        """Return what this label does to the automata."""
        if label not in self._changes:
            self._changes[label] = self._of(self.explorer.labels[label])
        return self._changes[label]

    def _of(self, label: Label) -> AutomataChange:
        if label not in self._joined:
            self._joined[label] = self._made(label)
        return self._joined[label]

    def _made(self, label: Label) -> AutomataChange:
        # zero, one: idle or armed now, from idle; rests, stays: idle or armed now, from armed
        zero, one, rests, stays = self.all, 0, 0, self.all
        breaks = broken = armed = 0
        for seen in label:
            arm, no, until = self.masks(seen)
            armed |= arm
            if not arm | no | until:
                continue
            one, zero = one | zero & arm, zero & ~arm
            stays, rests = stays | rests & arm, rests & ~arm
            breaks, broken = breaks | one & no & ~until, broken | stays & no & ~until
            zero, one = zero | one & until, one & ~until & ~no
            rests, stays = rests | stays & until, stays & ~until & ~no
        return AutomataChange(zero, one, rests, stays, breaks, broken, armed)

    def masks(self, seen: ObservedFiring | GivenOrder) -> tuple[int, int, int]:
        """Return which properties a firing arms, which forbid it while they are armed, and which it brings to rest."""
        if seen not in self._seen:
            forms = [p.form for p in self.properties]
            self._seen[seen] = (
                self._matching([f.arm if isinstance(f, Safe) else f.event for f in forms], seen),
                self._matching([f.no if isinstance(f, Safe) else AnyEvent() for f in forms], seen),
                self._matching([f.until if isinstance(f, Safe) else f.by for f in forms], seen),
            )
        return self._seen[seen]

    def _matching(self, events: Sequence[AnyEvent], seen: ObservedFiring | GivenOrder) -> int:
        return sum(1 << i for i, e in enumerate(events) if self.matcher.matches_any(e, seen))

    def _mask(self, wanted: Callable[[Property], bool]) -> int:
        return sum(1 << i for i, p in enumerate(self.properties) if wanted(p))


def _events(property: Property) -> tuple[PropertyEvent, ...]:
    form = property.form
    parts = (form.arm, form.no, form.until) if isinstance(form, Safe) else (form.event, form.by)
    return tuple(event for events in parts for event in events.any)


def _union(masks: Iterable[int]) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found


def _has_quiet_cycle(windows: WindowGraph) -> bool:
    """Say whether a window has a cycle of quiet moves."""
    return not _acyclic(
        {at: {move.target for move in node.inner if move.quiet} for at, node in enumerate(windows.nodes)}
    )


def _acyclic(onward: Mapping[int, set[int]]) -> bool:
    """Say whether this graph has no cycle."""
    try:
        tuple(TopologicalSorter(onward).static_order())
    except CycleError:
        return False
    return True
