"""What the runs of one machine can do, as far as it is not proved impossible, and why not.

What is known of the facts is carried forward from where runs begin. A transition adds that its
guard holds and that those above it fail. Then its actions, and what may happen before the next
event, change facts. Where several transitions lead to one place, only what is known after all of
them counts as known.

It is assumed that a TurnController drives the machine, or that anybody may trigger it. Then nothing
is known from one event to the next. A run begins in the initial state, or in a state where runs
were seen to begin.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from heapq import heappop, heappush
from itertools import count, pairwise
from typing import NamedTuple

from fsm.adapters.building import TOGETHER
from fsm.checks.solving import solver_of
from fsm.model import Fact, Term
from fsm.model.elements import guard_text
from fsm.model.graph import Arc, Graph
from fsm.model.model import per_model
from fsm.state.primitives import ACTIONS, TESTS

Known = Mapping[str, bool]
"""Facts whose values are known."""
Place = tuple[str, str]
"""A state, and an event that can come in it."""


class Tried(NamedTuple):
    """A transition that is tried in a state: `holds` is true, and none of the guards `fails` is."""

    arc: Arc
    holds: tuple[Term, ...]
    fails: tuple[tuple[Term, ...], ...] = ()


class Feasible:
    """What the runs of one machine can do. A reason is a sentence.

    Attributes
    ----------
    live
        The transitions that some run may take, each with the cost of the easiest way there. That is
        one of ordinary transitions, even if there is a shorter one with skips or extras.
    reached
        The states that some run may reach.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph: Graph = graph
        self._solver = solver_of(graph.model)
        self.fires: Callable[..., Tried] = cache(self._fires)
        self._facts = {fact.name: fact for fact in graph.model.facts}
        others = [row for row in graph.whole.transitions if row.target is None]
        if graph.model is graph.whole:
            others = list(graph.whole.window.transitions) if graph.whole.window is not None else []
        self._elsewhere = {str(action) for row in others for action in row.actions}
        self._known: dict[Place, Known] = {}
        self._came: dict[Place, Arc | None] = {}
        self.live: dict[Arc, int] = {}
        self._explore()
        self._actions = self._elsewhere.union(*(arc.row.actions for arc in self.live))
        self.reached: frozenset[str] = graph.begins.union(arc.to for arc in self.live)

    def _explore(self) -> None:
        """Find the transitions that can be taken, the easiest ways first."""
        arcs = defaultdict[str, dict[str, list[Arc]]](dict)
        for arc in self.graph.arcs:
            arcs[arc.at].setdefault(arc.row.event, []).append(arc)
        numbers = count()
        todo = list[tuple[int, int, Place, Known, Arc | None]]()
        for at in self.graph.begins:
            events = (event for event in arcs[at] if self._begins_with(event, at))
            todo += [(0, next(numbers), (at, event), self._at_first(), None) for event in events]
        while todo:
            cost, _, place, known, before = heappop(todo)
            if place in self._known:
                known = dict(known.items() & self._known[place].items())
                if known == self._known[place]:
                    continue
            self._known[place] = known
            self._came.setdefault(place, before)
            for arc in arcs[place[0]][place[1]]:
                fired = self._solver.implied(known, *self.fires(arc)[1:])
                if fired is None:
                    continue
                further = cost + (1 if arc.row.layer == "core" else 50)
                self.live.setdefault(arc, further)
                after = self._after(fired, arc)
                heard = [event for event in arcs[arc.to] if self.graph.heard(event, arc.to, arc)]
                for event in heard:
                    heappush(todo, (further, next(numbers), (arc.to, event), after, arc))

    def _begins_with(self, event: str, at: str) -> bool:
        """Say whether a run can begin in this state with this event. No answer comes before it."""
        graph = self.graph
        state = self.graph.model.state(at)
        if not graph.heard(event, at, None):
            return False
        ordinary = not graph.played or event in state.words
        return ordinary or state.kind == "window" or graph.leaves_between(event, state)

    def _at_first(self) -> Known:
        """Return what is known as a game begins. A window can begin anywhere in the turn."""
        graph = self.graph
        known = dict[str, bool]()
        asked = not graph.silent(graph.model.initial)
        for name, fact in self._facts.items() if graph.model is graph.whole else ():
            if fact.timing == "latched" and not (asked and fact.owner == "game"):
                known[name] = False
        return known

    def _after(self, known: Known, arc: Arc) -> Known:
        """Return what is known after this transition, when the next event comes."""
        graph = self.graph
        if not graph.played:
            return {}
        after = dict(known)
        written = {"state" if graph.model is graph.whole else "frame"}
        for action in arc.row.actions:
            written |= ACTIONS[action.name].touches(action.args)
            if action.name == "latch":
                after[action.args[0]] = True
            elif action.name == "clear":
                cleared = [name for name, f in self._facts.items() if f.scope == action.args[0]]
                after |= dict.fromkeys(cleared, False)
        waits = not graph.silent(arc.to)
        signalled = graph.answered(arc) or arc.row.event in graph.signals
        facts = self._facts
        if waits or signalled:
            after = {n: value for n, value in after.items() if self._stays(facts[n], value, arc)}
        for name in [*after]:
            test = facts[name].test
            if test and not written.isdisjoint(TESTS[test[0]].touches(test[1:])):
                del after[name]
        return after

    def _stays(self, fact: Fact, value: bool, before: Arc) -> bool:
        """Say whether a fact is as it was, whatever answers, orders, signals and windows come
        between this transition and the next one.
        """
        silent = self.graph.silent(before.to)
        if fact.timing != "latched":
            return silent and fact.owner == "game"
        if (f"clear({fact.scope})" if value else f"latch({fact.name})") in self._elsewhere:
            return False
        if silent or fact.owner != "game":
            return True
        if fact.last:
            return fact.name not in self.graph.model.state(before.to).tells
        return value

    # questions ------------------------------------------------------------------------------------

    def _fires(self, arc: Arc, failing: int | None = None) -> Tried:
        """Return what must hold for this transition to fire: its guard, and none above it. Or the
        literal with this number must fail, and those before it hold.

        Rows above that ask for other facts of a group fail anyway.
        """
        holds = arc.row.guard
        if failing is not None:
            term = holds[failing]
            holds = (*holds[:failing], Term(term.fact, not term.value))
        if arc.row.event == TOGETHER and not self.graph.played:  # all fire, not just the first
            return Tried(arc, holds)
        excluded = self._solver.beside(holds)
        guards = [row.guard for row in self.graph.model.above(arc.row, arc.at)]
        return Tried(arc, holds, tuple(guard for guard in guards if excluded.isdisjoint(guard)))

    def follow(self, sequence: Sequence[Tried], known: Known) -> bool:
        """Say whether a sequence may come where this is known."""
        fired = self._solver.implied(known, *sequence[0][1:])
        for (before, _, _), (arc, holds, fails) in pairwise(sequence):
            heard = before.to == arc.at and self.graph.heard(arc.row.event, arc.at, before)
            if fired is None or not heard:
                return False
            fired = self._solver.implied(self._after(fired, before), holds, fails)
        return fired is not None

    def way_to(self, states: Iterable[str]) -> list[Arc]:
        """Return the easiest way into one of these states. It is empty if no run comes there."""
        wanted = set(states)
        way = list[Arc]()
        last = min(
            (a for a in self.live if a.to in wanted), key=self.live.__getitem__, default=None
        )
        while last is not None:
            way.insert(0, last)
            last = self._came[last.at, last.row.event]
        return way

    def _never_latched(self, fact: str) -> bool:
        """Say whether a fact is latched by no transition that can be taken, though one should."""
        found = self._facts[fact]
        latches = found.timing == "latched" and found.owner == "controller"
        return latches and f"latch({fact})" not in self._actions

    # reasons --------------------------------------------------------------------------------------

    def why_state(self, state: str) -> str:
        """Return why no run reaches this state, or "" if one may."""
        return "" if state in self.reached else f"no row that can fire leads to {state}"

    def why_row(self, arcs: Iterable[Arc], failing: int | None = None) -> str:
        """Return why the transition fires in none of these states, or "" if it may.

        With `failing`, return why the literal of its guard with this number (the first is 0) never
        decides by failing.
        """
        return self._why_none([(self.fires(arc, failing),) for arc in arcs])

    def why_pairs(self, pairs: Iterable[tuple[Arc, Arc]]) -> str:
        """Return why no run takes two transitions in a row, or "" if one may."""
        return self._why_none([(self.fires(first), self.fires(then)) for first, then in pairs])

    def _why_none(self, sequences: Sequence[tuple[Tried, ...]]) -> str:
        for sequence in sequences:
            known = self._known.get((sequence[0].arc.at, sequence[0].arc.row.event))
            if known is not None and self.follow(sequence, known):
                return ""
        if not sequences:
            return "no state is there in which it could be tried"
        live = (s for s in sequences if all(tried.arc in self.live for tried in s))
        return self._why(next(live, sequences[0]))

    def _why(self, sequence: Sequence[Tried]) -> str:
        for arc, holds, fails in sequence:
            event = arc.row.event
            words = guard_text(holds, " and ") or "it is tried"
            if not self.graph.heard(event, arc.at, None):
                return f"{event!r} never comes in {arc.at}"
            if self._solver.solve(holds) is None:
                return f"{words}: these contradict each other"
            if self._solver.solve(holds, fails) is None:
                return f"in {arc.at} a row above is taken whenever {words}"
            if arc.at not in self.reached:
                return self.why_state(arc.at)
            unset = [term.fact for term in holds if term.value and self._never_latched(term.fact)]
            if unset:
                return f"no transition latches {unset[0]!r}, so that it never holds"
        first = sequence[0].arc
        last = sequence[-1].arc
        known = (first.at, first.row.event) in self._known
        if known and (first is last or self.graph.heard(last.row.event, last.at, first)):
            return f"on every way into {first.at} the facts are such that it cannot happen"
        event = last.row.event if known else first.row.event
        return f"{event!r} comes only after an answer, and none comes right before it"


@per_model
def feasible_of(graph: Graph) -> Feasible:
    """Return what the runs of this machine can do."""
    return Feasible(graph)
