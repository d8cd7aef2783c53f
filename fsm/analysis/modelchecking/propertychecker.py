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

from fsm.analysis.modelchecking.eventmatching import Reader
from fsm.analysis.modelchecking.exploration import BEYOND, AnswerLog, Edge, Explorer, Label
from fsm.analysis.modelchecking.stepping import Seen
from fsm.analysis.modelchecking.windows import Inner, Windows
from fsm.rulesets.properties import Event, Events, Property, Response, Safe

WITHIN = frozenset({"priority", "acts", "passes", "resolves", "checks"})


class Change(NamedTuple):
    """What a label does to the automata: who of the idle stays so or is armed, who of the armed; and who is broken.

    `seen`: whose arming event comes up.
    """

    idle: int
    arms: int
    rests: int
    stays: int
    breaks: int
    broken: int
    seen: int


class Reach(NamedTuple):
    """For which properties a place can be reached while they are idle, and while they are armed."""

    idle: int
    armed: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """Does the property hold? `armed`: did its case ever come up?"""

    property: Property
    holds: bool
    armed: bool


class Judge:
    """Judges the properties of one explored model. `verdicts` does it."""

    def __init__(self, explorer: Explorer, properties: Sequence[Property]) -> None:
        self.explorer = explorer
        names = tuple(dict.fromkeys(s.name for s in explorer.model.of_kind("step")))
        self.stated = tuple(properties)
        self.properties = [one for stated in properties for one in stated.of(names)]
        self.reader = Reader(explorer.model, explorer.menu)
        self.all = (1 << len(self.properties)) - 1
        self.within = self._mask(lambda p: any(e.kind in WITHIN for e in _events(p)))
        self.broken = self.arms = 0
        self._changes: dict[int, Change] = {}
        self._seen: dict[Seen | AnswerLog, tuple[int, int, int]] = {}
        self._through: dict[tuple[int, int, Reach], dict[int, Reach]] = {}
        self._inner: dict[tuple[int, int, int], Change] = {}
        self._joined: dict[Label, Change] = {}
        self.reached: dict[int, Reach] = {}

    def verdicts(self) -> list[Verdict]:
        """What holds and what does not, in the order stated."""
        self._spread()
        self._respond()
        found = []
        for stated in self.stated:
            own = [i for i, p in enumerate(self.properties) if p.name.partition("[")[0] == stated.name]
            broken = any(self.broken >> i & 1 for i in own)
            found.append(Verdict(stated, not broken, any(self.arms >> i & 1 for i in own)))
        return found

    def violated(self) -> list[Property]:
        """The properties that are broken, each step's by itself."""
        return [p for i, p in enumerate(self.properties) if self.broken >> i & 1]

    # safety ---------------------------------------------------------------------------------------------

    def _spread(self) -> None:
        """Which automata can be in which state where: as far as anything new comes of it."""
        start = self.arms = self._mask(lambda p: isinstance(p.form, Safe) and p.form.start)
        queue: deque[int] = deque()
        waiting: set[int] = set()
        for edge in self.explorer.starts:
            self._arrive(edge, Reach(self.all & ~start, start), queue, waiting)
        while queue:
            node = queue.popleft()
            waiting.discard(node)
            reach = self.reached[node]
            out = self._leaving(node, reach)
            for edge in self.explorer.edges[node]:
                self._arrive(edge, reach if edge.exit is None else out[id(edge.exit)], queue, waiting)

    def _arrive(self, edge: Edge, reach: Reach, queue: deque[int], waiting: set[int]) -> None:
        after = self._after(reach, self.change(edge.label))
        old = self.reached.get(edge.to)
        if old is not None:
            after = Reach(after.idle | old.idle, after.armed | old.armed)
        if after != old:
            self.reached[edge.to] = after
            if edge.to != BEYOND and edge.to not in waiting:
                waiting.add(edge.to)
                queue.append(edge.to)

    def _after(self, reach: Reach, change: Change) -> Reach:
        idle, armed = reach
        self.broken |= idle & change.breaks | armed & change.broken
        now = idle & change.arms | armed & change.stays
        self.arms |= change.seen
        return Reach(idle & change.idle | armed & change.rests, now)

    def _leaving(self, node: int, reach: Reach) -> dict[int, Reach]:
        """What holds at each exit of the window at this node, by the identity of the exit."""
        number, entry = self.explorer.nodes[node]
        windows = self.explorer.places[number].windows
        if entry < 0 or windows is None:
            return {}
        own = Reach(reach.idle & self.within, reach.armed & self.within)
        key = (id(windows), entry, own)
        if key not in self._through:
            self._through[key] = self._inside(windows, entry, own)
        rest = ~self.within
        return {
            exit: Reach(reach.idle & rest | inner.idle, reach.armed & rest | inner.armed)
            for exit, inner in self._through[key].items()
        }

    def _inside(self, windows: Windows, entry: int, reach: Reach) -> dict[int, Reach]:
        found = {entry: reach}
        todo = deque([entry])
        while todo:
            at = todo.popleft()
            for move in windows.nodes[at].inner:
                after = self._after(found[at], self._of(move.seen))
                old = found.get(move.target, Reach(0, 0))
                new = Reach(after.idle | old.idle, after.armed | old.armed)
                if new != old or move.target not in found:
                    found[move.target] = new
                    todo.append(move.target)
        places = windows.ways_out(entry).places
        return {
            exit: Reach(_either(found[at].idle for at in ats), _either(found[at].armed for at in ats))
            for exit, ats in places.items()
        }

    # responses --------------------------------------------------------------------------------------------

    def _respond(self) -> None:
        """A response is broken by a cycle on which it is pending, and nothing happens but what was on its way."""
        bits = [1 << i for i, p in enumerate(self.properties) if isinstance(p.form, Response)]
        inside = any(map(_goes_round, self.explorer.windows))
        for bit in bits:
            pending = [node for node, reach in self.reached.items() if node != BEYOND and reach.armed & bit]
            onward = {
                node: {e.to for e in self._quiet_edges(node) if self.change(e.label).stays & bit} for node in pending
            }
            if (inside and self.arms & bit) or not _ends(onward):
                self.broken |= bit

    def _quiet_edges(self, node: int) -> Iterator[Edge]:
        """The edges on which nothing happens from this node on but what was on its way."""
        number, entry = self.explorer.nodes[node]
        windows = self.explorer.places[number].windows
        for edge in self.explorer.edges[node]:
            if edge.quiet and (
                edge.exit is None
                or windows is None
                or any(
                    windows.reached(entry, quietly=True) >> at & 1
                    for at in windows.ways_out(entry).places[id(edge.exit)]
                )
            ):
                yield edge

    def of_inner(self, inner: Inner | None) -> Change:
        """What an answer inside a window does to them."""
        return self._of(inner.seen if inner is not None else ())

    # what is seen ---------------------------------------------------------------------------------------------

    def change(self, label: int) -> Change:
        """What this label does to the automata."""
        if label not in self._changes:
            self._changes[label] = self._of(self.explorer.labels[label])
        return self._changes[label]

    def _of(self, label: Label) -> Change:
        if label not in self._joined:
            self._joined[label] = self._made(label)
        return self._joined[label]

    def _made(self, label: Label) -> Change:
        # from idle: still idle, armed; from armed: idle, armed
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
        return Change(zero, one, rests, stays, breaks, broken, armed)

    def masks(self, seen: Seen | AnswerLog) -> tuple[int, int, int]:
        """Which properties a firing arms, which must not see it while armed, and which it brings to rest."""
        if seen not in self._seen:
            forms = [p.form for p in self.properties]
            self._seen[seen] = (
                self._matching([f.arm if isinstance(f, Safe) else f.event for f in forms], seen),
                self._matching([f.no if isinstance(f, Safe) else Events() for f in forms], seen),
                self._matching([f.until if isinstance(f, Safe) else f.by for f in forms], seen),
            )
        return self._seen[seen]

    def _matching(self, events: Sequence[Events], seen: Seen | AnswerLog) -> int:
        return sum(1 << i for i, e in enumerate(events) if self.reader.any(e, seen))

    def _mask(self, wanted: Callable[[Property], bool]) -> int:
        return sum(1 << i for i, p in enumerate(self.properties) if wanted(p))


def _events(property: Property) -> tuple[Event, ...]:
    form = property.form
    parts = (form.arm, form.no, form.until) if isinstance(form, Safe) else (form.event, form.by)
    return tuple(event for events in parts for event in events.any)


def _either(masks: Iterable[int]) -> int:
    found = 0
    for mask in masks:
        found |= mask
    return found


def _goes_round(windows: Windows) -> bool:
    """Is there a way round inside a window, on which nothing happens but what was on its way?"""
    return not _ends({at: {move.target for move in node.inner if move.quiet} for at, node in enumerate(windows.nodes)})


def _ends(onward: Mapping[int, set[int]]) -> bool:
    """Is there no way round in this graph?"""
    try:
        tuple(TopologicalSorter(onward).static_order())
    except CycleError:
        return False
    return True
