"""Checks properties on an explored graph, all at once: each is an automaton of two states, and a
bit of whole numbers.

A safety property is idle or armed. It is broken if it is armed and something forbidden happens. A
response is idle or armed, too. It is broken by a cycle of the graph on which it stays armed
although nothing else happens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import NamedTuple

from fsm.checks.exploration import BEYOND, Explorer
from fsm.checks.observing import WINDOW_KINDS, Seen, means
from fsm.checks.windows import Edge, Window
from fsm.rulesets.properties import Property, PropertyEvent

IDLE, ARMED, BROKEN = range(3)
"""The states of an automaton."""


class Change(NamedTuple):
    """What a label does to all automata, as masks.

    `idle` and `arms`: from idle, these are idle or armed afterwards. `rests` and `stays`: from
    armed, these are. `breaks` and `broken`: from idle or from armed, these are broken. `seen`: the
    case of these comes up.
    """

    idle: int
    arms: int
    rests: int
    stays: int
    breaks: int
    broken: int
    seen: int


@dataclass(slots=True, eq=False)
class Reach:
    """Which automata can be idle, and which armed, where a game has come to. There is one for each
    pair. `after` has what it becomes by labels.
    """

    idle: int
    armed: int
    after: dict[int, Reach] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether the property holds. `armed` says whether its case ever came up."""

    property: Property
    holds: bool
    armed: bool


class Judge:
    """Checks the properties of an explored model. `verdicts` does it.

    `properties` are those that are stated, one for each step if they are about every step.
    """

    def __init__(self, explorer: Explorer, properties: Sequence[Property]) -> None:
        self.explorer, self.stated = explorer, tuple(properties)
        steps = tuple(dict.fromkeys(step.name for step in explorer.model.of_kind("step")))
        self.properties = [one for stated in properties for one in stated.of(steps)]
        self._all = (1 << len(self.properties)) - 1
        self._start = self._within = self._broken = 0
        self._named: dict[PropertyEvent, list[int]] = {}
        for number, property in enumerate(self.properties):
            self._add(property, 1 << number)
        self._armed = self._start
        self._masks: dict[Seen, tuple[int, int, int]] = {}
        self._changes: dict[int, Change] = {}
        self._reaches: dict[tuple[int, int], Reach] = {}
        self._through: dict[tuple[Window, int, Reach], dict[int, Reach]] = {}
        self.reached: dict[int, Reach] = {}

    def _add(self, property: Property, bit: int) -> None:
        """Note which events a property names: to be armed, to be broken, and to come to rest."""
        form = property.form
        self._start |= bit * form.start
        for part, events in enumerate((form.arm, form.no, form.until)):
            for event in events:
                self._named.setdefault(event, [0, 0, 0])[part] |= bit
                if event.kind in WINDOW_KINDS:
                    self._within |= bit

    def verdicts(self) -> list[Verdict]:
        """Return the verdicts in the order in which the properties are stated."""
        self._spread()
        self._check_responses()
        found = []
        for stated in self.stated:
            bits = [1 << i for i, p in enumerate(self.properties) if _is_of(p, stated)]
            holds = not any(self._broken & bit for bit in bits)
            found.append(Verdict(stated, holds, any(self._armed & bit for bit in bits)))
        return found

    def violated(self) -> list[int]:
        """Return the numbers of the properties that do not hold."""
        return [i for i in range(len(self.properties)) if self._broken >> i & 1]

    # what is observed -----------------------------------------------------------------------------

    def after(self, number: int, state: int, label: int) -> int:
        """Return the state of the automaton of a property after a label."""
        change = self._change(label)
        if (change.broken if state == ARMED else change.breaks) >> number & 1:
            return BROKEN
        return (change.stays if state == ARMED else change.arms) >> number & 1

    def _change(self, label: int) -> Change:
        if label not in self._changes:
            self._changes[label] = self._changed_by(self.explorer.labels[label])
        return self._changes[label]

    def _changed_by(self, label: Iterable[Seen]) -> Change:
        idle, arms, rests, stays = self._all, 0, 0, self._all
        breaks = broken = seen = 0
        for one in label:
            arm, no, until = self._masks_of(one)
            seen |= arm
            arms, idle = arms | idle & arm, idle & ~arm
            stays, rests = stays | rests & arm, rests & ~arm
            breaks, broken = breaks | arms & no & ~until, broken | stays & no & ~until
            idle, arms = idle | arms & until, arms & ~until & ~no
            rests, stays = rests | stays & until, stays & ~until & ~no
        return Change(idle, arms, rests, stays, breaks, broken, seen)

    def _masks_of(self, seen: Seen) -> tuple[int, int, int]:
        """Return which properties an observation arms, which forbid it, and which it brings to
        rest.
        """
        if seen not in self._masks:
            arm = no = until = 0
            for event, masks in self._named.items():
                if means(self.explorer.model, event, seen):
                    arm, no, until = arm | masks[0], no | masks[1], until | masks[2]
            self._masks[seen] = arm, no, until
        return self._masks[seen]

    # safety ---------------------------------------------------------------------------------------

    def _spread(self) -> None:
        """Compute in which states the automata can be at each node. A node that comes before
        another one is looked at before it, so that few are looked at again.
        """
        edges, starts = self.explorer.edges, self.explorer.starts
        ranks = _ranks({edge.to for edge in starts}, lambda node: {e.to for e in edges[node]})
        first = self._reach(self._all & ~self._start, self._start)
        todo, waiting = list[tuple[int, int]](), set[int]()
        arrivals = [(edge, first) for edge in starts]
        while True:
            for edge, reach in arrivals:
                grows = self._grows(self.reached, edge.to, self._after(reach, edge.label))
                if grows and edge.to not in waiting:
                    waiting.add(edge.to)
                    heappush(todo, (ranks[edge.to], edge.to))
            if not todo:
                return
            node = heappop(todo)[1]
            waiting.discard(node)
            reach = self.reached[node]
            out = self._leaving(node, reach)
            arrivals = [(edge, reach if edge.exit < 0 else out[edge.exit]) for edge in edges[node]]

    def _reach(self, idle: int, armed: int) -> Reach:
        reach = self._reaches.get((idle, armed))
        if reach is None:
            reach = self._reaches[idle, armed] = Reach(idle, armed)
        return reach

    def _after(self, reach: Reach, label: int) -> Reach:
        after = reach.after.get(label)
        if after is None:
            idle, armed, change = reach.idle, reach.armed, self._change(label)
            self._broken |= idle & change.breaks | armed & change.broken
            self._armed |= change.seen
            after = reach.after[label] = self._reach(
                idle & change.idle | armed & change.rests, idle & change.arms | armed & change.stays
            )
        return after

    def _grows(self, reached: dict[int, Reach], at: int, more: Reach) -> bool:
        """Add to what reaches a place, and say whether it was not all known."""
        old = reached.get(at)
        if old is more:
            return False
        now = more if old is None else self._reach(more.idle | old.idle, more.armed | old.armed)
        reached[at] = now
        return now is not old

    def _leaving(self, node: int, reach: Reach) -> dict[int, Reach]:
        """Return what holds at each exit of the window of a node. Only properties about windows
        change inside.
        """
        turn, entry = self.explorer.nodes[node]
        window = turn.window
        if window is None:
            return {}
        key = (window, entry, reach)
        if key not in self._through:
            rest = ~self._within
            own = self._reach(reach.idle & self._within, reach.armed & self._within)
            if (window, entry, own) not in self._through:
                self._through[window, entry, own] = self._inside(window, entry, own)
            self._through[key] = {
                exit: self._reach(reach.idle & rest | inner.idle, reach.armed & rest | inner.armed)
                for exit, inner in self._through[window, entry, own].items()
            }
        return self._through[key]

    def _inside(self, window: Window, entry: int, reach: Reach) -> dict[int, Reach]:
        reached, todo = {entry: reach}, [entry]
        for at in todo:
            for edge in window.inner[at]:
                if self._grows(reached, edge.to, self._after(reached[at], edge.label)):
                    todo.append(edge.to)
        out = {}
        for exit, positions in window.ways_out(entry).items():
            idle = armed = 0
            for at in positions:
                idle, armed = idle | reached[at].idle, armed | reached[at].armed
            out[exit] = self._reach(idle, armed)
        return out

    # responses ------------------------------------------------------------------------------------

    def _check_responses(self) -> None:
        """Check that no cycle of quiet moves keeps a response armed."""
        inside = any(map(_goes_round, self.explorer.windows))
        for number, property in enumerate(self.properties):
            bit = 1 << number
            if property.form.no:
                continue
            if (inside and self._armed & bit) or _has_cycle(self._quietly(bit)):
                self._broken |= bit

    def _quietly(self, bit: int) -> dict[int, set[int]]:
        """Return the nodes at which a response is armed, and those to which quiet moves lead on."""
        onward = {}
        for node, reach in self.reached.items():
            if node != BEYOND and reach.armed & bit:
                edges = self._quiet_edges(node)
                onward[node] = {e.to for e in edges if self._change(e.label).stays & bit}
        return onward

    def _quiet_edges(self, node: int) -> Iterator[Edge]:
        turn, entry = self.explorer.nodes[node]
        window = turn.window
        for edge in self.explorer.edges[node]:
            if edge.quiet and window is None:
                yield edge
            elif edge.quiet and window is not None:
                reached = window.reached(entry, quietly=True)
                if any(reached >> at & 1 for at in window.ways_out(entry)[edge.exit]):
                    yield edge


def _is_of(property: Property, stated: Property) -> bool:
    return property.name.partition("[")[0] == stated.name


def _goes_round(window: Window) -> bool:
    """Say whether a window has a cycle of quiet moves."""
    quiet = ({edge.to for edge in edges if edge.quiet} for edges in window.inner)
    return _has_cycle(dict(enumerate(quiet)))


def _has_cycle(onward: Mapping[int, set[int]]) -> bool:
    ranks = _ranks(onward, lambda node: onward.get(node, set()))
    return any(ranks[node] >= ranks[to] for node, targets in onward.items() for to in targets)


def _ranks(starts: Iterable[int], targets: Callable[[int], set[int]]) -> dict[int, int]:
    """Number the nodes that can be reached. Only on a cycle does a node have a target with no
    higher number than its own.
    """
    ranks, seen, todo = dict[int, int](), set[int](), [*starts]
    while todo:
        node = todo.pop()
        if node < 0:
            ranks[~node] = -len(ranks)
        elif node not in seen:
            seen.add(node)
            todo.append(~node)  # it comes back once all its targets have their numbers
            todo += targets(node) - seen
    return ranks
