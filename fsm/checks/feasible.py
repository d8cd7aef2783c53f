"""Decides whether transitions can fire one after another, by a backward search of any length.

The search carries the needs of the firings back. A fact that a firing does not change is also
needed before it. A fact that the firing sets as needed is needed no longer. A fact that it sets to
another value ends this way. When nothing is needed any more, a run may come there, as far as can be
proved. The number of needs is finite, so the search ends.

It assumes that the machine is driven by a TurnController, or that anybody may trigger it; then
nothing is known from one event to the next. A run begins in the initial state, or in a state where
runs were seen to begin.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from itertools import count

from fsm.adapters.building import TOGETHER
from fsm.checks.changes import Changes
from fsm.model import Fact, Model, Term, Transition
from fsm.model.graph import Arc, Graph
from fsm.model.model import per_model
from fsm.model.reachability import reachable_from
from fsm.model.solving import assign, ways_to_fail

Need = frozenset[tuple[str, bool]]
"""Facts, each with the value that it must have."""
Obligation = tuple[Arc, Need]
"""A transition that must fire, and what must hold before it does."""
MOST = 4_000
"""At most this many needs are examined. What requires more counts as possible."""


@dataclass(frozen=True, slots=True, eq=False)
class Tried:
    """A transition that is tried in a state: `holds` is true, and none of the guards `fails` is."""

    arc: Arc
    holds: tuple[Term, ...]
    fails: tuple[tuple[Term, ...], ...] = ()


class RowsTried:
    """The transitions for one event in one state. Those that ask for different facts of one group
    exclude each other. Only the group that most of them ask for is looked at.
    """

    def __init__(self, model: Model, rows: Sequence[Transition]) -> None:
        self.rows = rows
        asked = [
            {model.fact(term.fact).group: term.fact for term in row.guard if term.value}
            for row in rows
        ]
        groups = Counter(group for facts in asked for group in facts if group).most_common(1)
        self._asked = [facts.get(groups[0][0], "") if groups else "" for facts in asked]
        self._numbers = {id(row): number for number, row in enumerate(rows)}
        self._asking: dict[str, list[int]] = {"": []}
        for number, fact in enumerate(self._asked):
            self._asking.setdefault(fact, []).append(number)

    def above(self, row: Transition) -> list[Transition]:
        """Return the transitions that are tried before this one and do not exclude it."""
        number = self._numbers[id(row)]
        return [self.rows[other] for other in self._beside(number) if other < number]

    def pairs(self) -> Iterator[tuple[Transition, Transition]]:
        """Yield each two transitions that do not exclude each other, in their order."""
        for number, row in enumerate(self.rows):
            yield from ((row, self.rows[other]) for other in self._beside(number) if other > number)

    def _beside(self, number: int) -> Iterable[int]:
        fact = self._asked[number]
        return sorted((*self._asking[fact], *self._asking[""])) if fact else range(len(self.rows))


class Feasible:
    """What the runs of one machine can do, as far as it is not proved impossible."""

    def __init__(self, graph: Graph) -> None:
        self.graph, self.changes = graph, Changes(graph)
        self._groups = {f.name: f.group for f in graph.model.facts if f.group}
        self._fires: dict[Arc, Tried] = {}
        self._rows: dict[tuple[str, str], RowsTried] = {}
        self._possible = defaultdict[Arc, list[Need]](list)
        self._impossible = defaultdict[Arc, list[Need]](list)
        self._way: dict[Arc, Arc] = {}  # what fired before, on the last way found: tried first
        self._before_event: dict[tuple[str, str], list[Arc]] = {}
        self._arcs = frozenset(graph.arcs)

    # one firing -----------------------------------------------------------------------------------

    def fires(self, arc: Arc) -> Tried:
        """Return what must hold for this transition to fire: its guard, and none above it. Those
        that ask for another fact of a group fail anyway.
        """
        if arc not in self._fires:
            place = arc.at, arc.row.event
            if place not in self._rows:
                self._rows[place] = RowsTried(self.graph.model, self.graph.model.rows(*place))
            above = [] if self._together(arc) else self._rows[place].above(arc.row)
            self._fires[arc] = Tried(arc, arc.row.guard, tuple(row.guard for row in above))
        return self._fires[arc]

    def above(self, arc: Arc) -> tuple[tuple[Term, ...], ...]:
        """Return the guards of the transitions that are tried before this one."""
        rows = () if self._together(arc) else self.graph.model.above(arc.row, arc.at)
        return tuple(row.guard for row in rows)

    def _together(self, arc: Arc) -> bool:
        """Say whether all transitions of the event fire, and not just the first one that can."""
        return arc.row.event == TOGETHER and not self.graph.played

    def opens(self, arc: Arc) -> bool:
        """Say whether it can be the first transition of a run."""
        graph, event, at = self.graph, arc.row.event, self.graph.model.state(arc.at)
        signal = graph.played and event in graph.signals and event not in at.words
        return not signal or graph.leaves_between(event, at) or at.kind == "window"

    # several --------------------------------------------------------------------------------------

    @cached_property
    def live(self) -> frozenset[Arc]:
        """The transitions that some run may take."""
        self._arcs = frozenset(arc for arc in self._arcs if self._comes(arc))
        self._before_event = {}
        reached = self._states()
        while True:
            arcs = [arc for arc in self.graph.arcs if arc in self._arcs and arc.at in reached]
            live = (arc for arc in arcs if self.possible((self.fires(arc),)))
            self._arcs, before = frozenset(live), reached
            self._before_event, reached = {}, self._states()
            if reached == before:
                return self._arcs
            self._possible.clear()
            self._impossible.clear()

    def _comes(self, arc: Arc) -> bool:
        """Say whether its event can come in its state, after some transition or first of all."""
        graph, event, at = self.graph, arc.row.event, arc.at
        if at in graph.begins and self.opens(arc):
            return True
        return bool(self._predecessors(at, event))

    @cached_property
    def reached(self) -> frozenset[str]:
        """The states that some run may reach."""
        assert self.live is not None
        return self._states()

    def _states(self) -> frozenset[str]:
        leaving, arcs, begins = self.graph.leaving, self._arcs, self.graph.begins
        return frozenset(
            reachable_from(begins, lambda at: (arc.to for arc in leaving[at] if arc in arcs))
        )

    def possible(self, sequence: Sequence[Tried]) -> bool:
        """Say whether a run may take this sequence. True unless it is proved impossible."""
        first = sequence[0].arc
        return any(self._reach(first, need) for need in self.needs(sequence))

    def joins(self, first: Arc, second: Arc) -> bool:
        """Say whether a run may take the second transition right after the first."""
        both = {first, second} <= self.live
        return both and self.possible((self.fires(first), self.fires(second)))

    def needs(self, sequence: Sequence[Tried]) -> set[Need]:
        """Return what may hold before a sequence so that it can be taken. There is nothing if it
        contradicts itself.
        """
        needs, after = {frozenset[tuple[str, bool]]()}, None
        for tried in reversed(sequence):
            arc = tried.arc
            if after is not None:
                if arc.to != after.at or not self.graph.heard(after.row.event, after.at, arc):
                    return set()
                earlier = [self._before(need, arc, after.row.event) for need in needs]
                needs = {need for need in earlier if need is not None}
            needs = _weakest({whole for need in needs for whole in self._with(need, tried)})
            after = arc
        first = sequence[0].arc
        return needs if self.graph.heard(first.row.event, first.at, None) else set()

    def _reach(self, arc: Arc, need: Need) -> bool:
        """Say whether some run comes to where this transition fires with this need."""
        came: dict[Obligation, Obligation | None] = {(arc, need): None}
        examined = defaultdict[Arc, list[Need]](list)
        number = count()
        todo = [(False, 0, next(number), (arc, need))]
        while todo:
            here = heappop(todo)[-1]
            if len(came) > MOST or self._is_possible(*here):
                self._note_way(here, came)
                return True
            arc, need = here
            if any(weaker <= need for weaker in (*self._impossible[arc], *examined[arc])):
                continue
            examined[arc].append(need)
            for fresh in self._earlier(arc, need):
                if fresh not in came:
                    came[fresh] = here
                    elsewhere = self._way.get(arc) is not fresh[0]
                    heappush(todo, (elsewhere, len(fresh[1]), next(number), fresh))
        for arc, needs in examined.items():
            self._impossible[arc] += needs
        return False

    def _note_way(self, here: Obligation, came: Mapping[Obligation, Obligation | None]) -> None:
        """Note that a run comes here, and then to everything to which `came` leads from here."""
        after: Obligation | None = here
        while after is not None:
            before, after = after, came[after]
            self._possible[before[0]].append(before[1])
            if after is not None:
                self._way[after[0]] = before[0]

    def _is_possible(self, arc: Arc, need: Need) -> bool:
        """Say whether a run may begin here, or is known to come here with this need or more."""
        return self._begins(arc, need) or any(need <= more for more in self._possible[arc])

    def _begins(self, arc: Arc, need: Need) -> bool:
        """Say whether a run may begin with this transition. Without a need, any run comes there."""
        graph = self.graph
        if not need or arc.at not in graph.begins or not self.opens(arc):
            return not need
        return not any(value and self._false_at_first(graph.model.fact(f)) for f, value in need)

    def _false_at_first(self, fact: Fact) -> bool:
        """Say whether this fact is false whenever a run begins. A window can begin anywhere in the
        turn.
        """
        graph = self.graph
        if graph.model is not graph.whole or fact.timing != "latched":
            return False
        return fact.owner != "game" or graph.silent(graph.model.initial)

    def _earlier(self, arc: Arc, need: Need) -> Iterator[Obligation]:
        """Yield the transitions that may have fired before, each with its need."""
        event = arc.row.event
        for before in self._predecessors(arc.at, event):
            earlier = self._before(need, before, event)
            if earlier is not None:
                yield from ((before, one) for one in self._with(earlier, self.fires(before)))

    def _predecessors(self, at: str, event: str) -> list[Arc]:
        """Return the transitions after which this event can come in this state."""
        if (at, event) not in self._before_event:
            self._before_event[at, event] = [
                arc
                for arc in self.graph.arriving[at]
                if arc in self._arcs and self.graph.heard(event, at, arc)
            ]
        return self._before_event[at, event]

    def _before(self, need: Need, before: Arc, event: str) -> Need | None:
        """Return the need before this firing, or None if the firing contradicts it."""
        earlier = []
        for name, value in need:
            change = self.changes.change(self.graph.model.fact(name), before, event)
            if change == "same" or (change == "up" and not value):
                earlier.append((name, value))
            elif change in ("true", "false") and (change == "true") is not value:
                return None
        return frozenset(earlier)

    def _with(self, need: Need, tried: Tried) -> Iterator[Need]:
        """Yield each need that includes this one and lets the transition fire."""
        if not (tried.holds or tried.fails):
            yield need
            return
        values = dict(need)
        if not all(assign(values, term) for term in tried.holds):
            return
        asked = {term.fact for guard in (tried.holds, *tried.fails) for term in guard}
        groups = {self._groups[name] for name in asked if name in self._groups}
        for found in ways_to_fail(values, tried.fails, assign):
            if not any(self._breaks(group, found) for group in groups):
                yield frozenset(found.items())

    def _breaks(self, group: str, values: dict[str, bool]) -> bool:
        """Say whether not exactly one fact of a group can hold."""
        held = [values.get(name) for name, of in self._groups.items() if of == group]
        return held.count(True) > 1 or held.count(False) == len(held)


def _weakest(needs: set[Need]) -> set[Need]:
    """Leave out needs that include another one."""
    return {need for need in needs if not any(other < need for other in needs)}


@per_model
def feasible_of(graph: Graph) -> Feasible:
    """Return what the runs of this machine can do."""
    return Feasible(graph)
