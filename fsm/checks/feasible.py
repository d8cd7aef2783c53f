"""What the runs of one machine can do, as far as it is not proved impossible, and why not.

What is known of the facts is carried forward from where runs begin. A transition adds that its
guard holds, that those above it fail, and what it latches. What a game tells is known until the
next request, and what is latched until something may change it. What is computed is asked anew.
Where several transitions lead to one place, only what is known after all of them counts as known.

It is assumed that a TurnController drives the machine, or that anybody may trigger it. Then nothing
is known from one event to the next. A run begins in the initial state, or in a state where runs
were seen to begin.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from heapq import heappop, heappush
from itertools import count, pairwise, starmap
from typing import NamedTuple

from fsm.adapters.reading import TOGETHER
from fsm.checks.facts import Guard, Known, Solver, changes, lasting, solver_of
from fsm.model import Term, Transition
from fsm.model.graph import Arc, Graph
from fsm.model.model import per_model

Place = tuple[str, str]
"""A state, and an event that can come in it."""
SKIP = 50
"""A transition that skips, adds, jumps or needs conditions counts as much as so many others."""


class Tried(NamedTuple):
    """A transition that is tried in a state: `holds` is true, and none of the guards `fails` is."""

    arc: Arc
    holds: tuple[Term, ...]
    fails: tuple[Guard, ...] = ()


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

    # `_elsewhere` is what may change while a run stays: in the window of a turn, or in the turn
    # around a window. `_never` are facts that no transition latches, though one should.

    def __init__(self, graph: Graph) -> None:
        self.graph: Graph = graph
        self.solver: Solver = solver_of(graph.model)
        self.fires: Callable[..., Tried] = cache(self._fires)
        self._facts = {fact.name: fact for fact in graph.model.facts}
        self._scopes = lasting(graph.model)
        window = graph.whole.window.transitions if graph.whole.window is not None else ()
        staying = [row for row in graph.whole.transitions if row.target is None]
        self._elsewhere = self._changed_by(window if graph.model is graph.whole else staying)
        self._never = dict[str, bool]()
        changed = self._changed_by((*graph.whole.transitions, *window))
        for name in self._scopes:
            if self._facts[name].owner != "game" and (name, True) not in changed:
                self._never[name] = False
        self._known: dict[Place, Known] = {}
        self._came: dict[Place, Arc | None] = {}
        self.live: dict[Arc, int] = {}
        self._explore()
        self.reached: frozenset[str] = graph.begins.union(arc.to for arc in self.live)

    def _changed_by(self, rows: Iterable[Transition]) -> set[tuple[str, bool]]:
        """Return the facts that these transitions latch or clear, with the values."""
        return set[tuple[str, bool]]().union(*(changes(row, self._scopes).items() for row in rows))

    def _explore(self) -> None:
        """Find the transitions that can be taken, the easiest ways first."""
        arcs = defaultdict[Place, list[Arc]](list)
        for arc in self.graph.arcs:
            arcs[arc.at, arc.row.event].append(arc)
        numbers = count()
        todo = list[tuple[int, int, Place, Known, Arc | None]]()
        for at in self.graph.begins:
            todo += [(0, next(numbers), place, self._never, None) for place in self._next(at, None)]
        while todo:
            cost, _, place, known, before = heappop(todo)
            old = self._known.get(place)
            known = known if old is None else dict(known.items() & old.items())
            if known == old:
                continue
            self._known[place] = known
            self._came.setdefault(place, before)
            for arc in arcs[place]:
                fired = self.solver.implied(known, *self.fires(arc)[1:])
                if fired is None:
                    continue
                special = arc.row.layer != "core" or self.conditions(arc)
                further = cost + (SKIP if special else 1)
                self.live.setdefault(arc, further)
                after = self._after(fired, arc)
                for then in self._next(arc.to, arc):
                    heappush(todo, (further, next(numbers), then, after, arc))

    def _next(self, at: str, before: Arc | None) -> list[Place]:
        """Return the places where a run can go on in a state after this transition, or as it
        begins. No answer comes before that, with which a signal could come.
        """
        graph = self.graph
        events = [e for e in graph.model.events_at(at) if graph.heard(e, at, before)]
        if before is None and graph.played:
            state = graph.model.state(at)
            events = [e for e in events if e in state.words or graph.leaves_between(e, state)]
        return [(at, event) for event in events]

    def _after(self, known: Known, arc: Arc) -> Known:
        """Return what is known after this transition, when the next event comes.

        If something is asked before, answers, orders, signals and windows may come between.
        """
        graph = self.graph
        if not graph.played:
            return {}
        interrupted = graph.answered(arc) or arc.row.event in graph.whole.signals
        asked = interrupted or not graph.silent(arc.to)
        after = {**known, **changes(arc.row, self._scopes)}
        if not asked:
            return {name: value for name, value in after.items() if not self._facts[name].test}
        return {name: value for name, value in after.items() if self._stays(name, value, arc.to)}

    def _stays(self, name: str, value: bool, at: str) -> bool:
        """Say whether a fact is as it was after what is asked in a state, or right before it."""
        fact = self._facts[name]
        if fact.timing != "latched" or (name, not value) in self._elsewhere:
            return False
        if fact.owner != "game" or self.graph.silent(at):
            return True
        return name not in self.graph.model.state(at).tells if fact.last else value

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
        excluded = self.solver.beside(holds)
        rows = self.graph.model.rows(arc.at, arc.row.event)
        guards = [row.guard for row in rows[: rows.index(arc.row)]]
        return Tried(arc, holds, tuple(guard for guard in guards if excluded.isdisjoint(guard)))

    def _may_come(self, sequence: Sequence[Tried]) -> bool:
        """Say whether a run may take a sequence."""
        first = sequence[0].arc
        known = self._known.get((first.at, first.row.event))
        if known is None:
            return False
        fired = self.solver.implied(known, *sequence[0][1:])
        for (before, _, _), (arc, holds, fails) in pairwise(sequence):
            heard = before.to == arc.at and self.graph.heard(arc.row.event, arc.at, before)
            if fired is None or not heard:
                return False
            fired = self.solver.implied(self._after(fired, before), holds, fails)
        return fired is not None

    def way_to(self, state: str) -> list[Arc]:
        """Return the easiest way into this state. It is empty if no run comes there."""
        into = [arc for arc in self.live if arc.to == state]
        last = min(into, key=self.live.__getitem__, default=None)
        way = list[Arc]()
        while last is not None:
            way.insert(0, last)
            last = self._came[last.at, last.row.event]
        return way

    def conditions(self, arc: Arc) -> str:
        """Return what must hold for an event of a plain machine to lead there, or ""."""
        needed = None if self.graph.played else self.solver.solve(*self.fires(arc)[1:])
        return " and ".join(starmap(Term, (needed or {}).items()))

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
        if any(map(self._may_come, sequences)):
            return ""
        if not sequences:
            return "no state is there in which it could be tried"
        for sequence in sequences:
            if all(tried.arc in self.live for tried in sequence):
                return self._why(sequence)
        return self._why(sequences[0])

    def _why(self, sequence: Sequence[Tried]) -> str:
        reasons = filter(None, map(self._why_never, sequence))
        first = sequence[0].arc
        last = sequence[-1].arc
        event = first.row.event
        comes = (first.at, event) in self._known
        if comes and first is not last:
            event = last.row.event
            comes = self.graph.heard(event, last.at, first)
        why = f"on every way into {first.at} the facts are such that it cannot happen"
        if not comes:
            why = f"{event!r} comes only after an answer, and none comes right before it"
        return next(reasons, why)

    def _why_never(self, tried: Tried) -> str:
        """Return why a transition is never taken so, whatever comes before it, or ""."""
        at = tried.arc.at
        event = tried.arc.row.event
        words = " and ".join(tried.holds) or "it is tried"
        if not self.graph.heard(event, at, None):
            return f"{event!r} never comes in {at}"
        if self.solver.solve(tried.holds) is None:
            return f"{words}: these contradict each other"
        if self.solver.solve(tried.holds, tried.fails) is None:
            return f"in {at} a row above is taken whenever {words}"
        unset = [term.fact for term in tried.holds if term.value and term.fact in self._never]
        if unset and at in self.reached:
            return f"no transition latches {unset[0]!r}, so that it never holds"
        return self.why_state(at)


@per_model
def feasible_of(graph: Graph) -> Feasible:
    """Return what the runs of this machine can do."""
    return Feasible(graph)
