"""What the runs of one machine can do, as far as it is not proved impossible, and why not.

What is known of the facts is carried forward from where runs begin. A transition adds that its
guard holds and that those above it fail; then its actions, and what may happen before the next
event, set or change facts. At each place a few sets of known facts are kept apart. If there are
more, only what all of them have in common counts as known, so that the cost stays linear.

It is assumed that a TurnController drives the machine, or that anybody may trigger it. Then nothing
is known from one event to the next. A run begins in the initial state, or in a state where runs
were seen to begin.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from fsm.adapters.building import TOGETHER
from fsm.checks.changes import Changes
from fsm.checks.solving import solver_of
from fsm.model import Fact, Model, Term, Transition
from fsm.model.elements import guard_text
from fsm.model.graph import Arc, Graph
from fsm.model.model import per_model

Known = frozenset[tuple[str, bool]]
"""Facts, each with the value that it has."""
Place = tuple[str, str]
"""A state, and an event that can come in it."""
MOST = 16
"""At most this many sets of known facts are kept apart at a place. The bar "check" needs a bound:
hundreds of transitions lead to the hub of a large model, each with facts of its own.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Tried:
    """A transition that is tried in a state: `holds` is true, and none of the guards `fails` is."""

    arc: Arc
    holds: tuple[Term, ...]
    fails: tuple[tuple[Term, ...], ...] = ()


class Way(NamedTuple):
    """A way that a run may take: its last transition, its cost, and the way before that."""

    arc: Arc
    cost: int
    before: Way | None


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
    """What the runs of one machine can do. A reason is a sentence.

    Attributes
    ----------
    live
        The transitions that some run may take.
    reached
        The states that some run may reach.
    ways
        The easiest way to each transition that some run may take, with the transition itself.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph: Graph = graph
        self._changes = Changes(graph)
        self._solver = solver_of(graph.model)
        self._latched = [fact for fact in graph.model.facts if fact.timing == "latched"]
        self._arcs = defaultdict[str, dict[str, list[Arc]]](dict)
        for arc in graph.arcs:
            self._arcs[arc.at].setdefault(arc.row.event, []).append(arc)
        self._rows: dict[Place, RowsTried] = {}
        self._tried: dict[Arc, Tried] = {}
        self._known = defaultdict[Place, list[Known]](list)
        self._todo: list[tuple[int, int, Place, Known, Way | None]] = []
        self._number = count()
        self.ways: dict[Arc, Way] = {}
        self._explore()
        self.live: frozenset[Arc] = frozenset(self.ways)
        self.reached: frozenset[str] = graph.begins | {arc.to for arc in self.live}

    # questions ------------------------------------------------------------------------------------

    def fires(self, arc: Arc) -> Tried:
        """Return what must hold for this transition to fire: its guard, and none above it. Those
        that ask for another fact of a group fail anyway.
        """
        if arc not in self._tried:
            place = arc.at, arc.row.event
            if place not in self._rows:
                self._rows[place] = RowsTried(self.graph.model, self.graph.model.rows(*place))
            above = [] if self._together(arc) else self._rows[place].above(arc.row)
            self._tried[arc] = Tried(arc, arc.row.guard, tuple(row.guard for row in above))
        return self._tried[arc]

    def possible(self, sequence: Sequence[Tried]) -> bool:
        """Say whether a run may take this sequence. True unless it is proved impossible."""
        first = sequence[0].arc
        return self._follow(self._known[first.at, first.row.event], sequence)

    def fits(self, sequence: Sequence[Tried]) -> bool:
        """Say whether a sequence agrees with itself, whatever was before it."""
        first = sequence[0].arc
        heard = self.graph.heard(first.row.event, first.at, None)
        return heard and self._follow([frozenset()], sequence)

    def _follow(self, known: Iterable[Known], sequence: Sequence[Tried]) -> bool:
        before: Arc | None = None
        for tried in sequence:
            at, event = tried.arc.at, tried.arc.row.event
            if before is not None:
                if before.to != at or not self.graph.heard(event, at, before):
                    return False
                known = {self._after(facts, before) for facts in known}
            known = {found for facts in known for found in self._firing(facts, tried)}
            before = tried.arc
        return bool(known)

    # reasons --------------------------------------------------------------------------------------

    def why_state(self, state: str) -> str:
        """Return why no run reaches this state, or "" if one may."""
        return "" if state in self.reached else f"no row that can fire leads to {state}"

    def why_row(self, arcs: Sequence[Arc]) -> str:
        """Return why the transition fires in none of these states, or "" if it may."""
        if any(arc in self.live for arc in arcs):
            return ""
        return self._why_none([(self.fires(arc),) for arc in arcs])

    def why_literal(self, arcs: Sequence[Arc], number: int, *, held: bool) -> str:
        """Return why this literal of a guard (the first is 0) never decides by holding, or by
        failing, or "" if it may.
        """
        sequences = list[tuple[Tried, ...]]()
        for arc in arcs:
            tried, guard = self.fires(arc), arc.row.guard
            if not held:
                fails = Term(guard[number].fact, not guard[number].value)
                above = () if self._together(arc) else self.graph.model.above(arc.row, arc.at)
                guards = tuple(row.guard for row in above)
                tried = Tried(arc, (*guard[:number], fails), guards)
            sequences.append((tried,))
        return self._why_none(sequences)

    def why_pairs(self, pairs: Sequence[tuple[Arc, Arc]]) -> str:
        """Return why no run takes two transitions in a row, or "" if one may."""
        sequences = [(self.fires(first), self.fires(second)) for first, second in pairs]
        if any(map(self.possible, sequences)):
            return ""
        for pair, sequence in zip(pairs, sequences, strict=True):
            if self.live.issuperset(pair):
                return self._why(sequence)
        return self._why(sequences[0])

    def _why_none(self, sequences: Sequence[tuple[Tried, ...]]) -> str:
        for sequence in sequences:
            if sequence[0].arc.at in self.reached and self.possible(sequence):
                return ""
        none = "no state is there in which it could be tried"
        return self._why(sequences[0]) if sequences else none

    def _why(self, sequence: Sequence[Tried]) -> str:
        for tried in sequence:
            alone = self._why_alone(tried)
            if alone:
                return alone
        first, last = sequence[0].arc, sequence[-1].arc
        if not self.fits(sequence):
            if not self.graph.heard(last.row.event, last.at, sequence[-2].arc):
                return (
                    f"{last.row.event!r} comes only after an answer, and this is passed without one"
                )
            return "the facts that they read exclude each other"
        if not self._known[first.at, first.row.event]:
            return _after_no_answer(first)
        return f"on every way into {first.at} the facts are such that it cannot happen"

    def _why_alone(self, tried: Tried) -> str:
        """Return why nothing of this kind happens, whatever is before it."""
        graph, arc = self.graph, tried.arc
        event, at, words = arc.row.event, arc.at, guard_text(tried.holds, " and ") or "it is tried"
        if not graph.heard(event, at, None):
            return f"{event!r} never comes in {at}"
        if not self.fits([Tried(arc, tried.holds)]):
            return f"{words}: these contradict each other"
        if not self.fits([tried]):
            return f"in {at} a row above is taken whenever {words}"
        if at not in self.reached:
            return self.why_state(at)
        if not any(graph.heard(event, at, before) for before in graph.arriving[at]):
            return _after_no_answer(arc)
        return ""

    # the search -----------------------------------------------------------------------------------

    def _explore(self) -> None:
        """Find the transitions that can be taken, the easiest ways first."""
        facts = self.graph.model.facts
        first = frozenset((fact.name, False) for fact in facts if self._false_at_first(fact))
        for at in self.graph.begins:
            for event in self._arcs[at]:
                if self._opens(event, at):
                    self._add(0, (at, event), first, None)
        while self._todo:
            cost, _, (at, event), given, before = heappop(self._todo)
            known = self._noted((at, event), given)
            if known is None:
                continue
            for arc in self._arcs[at][event]:
                firing = self._firing(known, self.fires(arc))
                if firing:
                    way = Way(arc, cost + _cost(arc), before)
                    if arc not in self.ways or way.cost < self.ways[arc].cost:
                        self.ways[arc] = way
                    self._carry_on(way, firing)

    def _carry_on(self, way: Way, known: Iterable[Known]) -> None:
        arc = way.arc
        after = [self._after(facts, arc) for facts in known]
        for event in self._arcs[arc.to]:
            for facts in after if self.graph.heard(event, arc.to, arc) else ():
                self._add(way.cost, (arc.to, event), facts, way)

    def _add(self, cost: int, place: Place, facts: Known, way: Way | None) -> None:
        if not self._is_known(place, facts):
            heappush(self._todo, (cost, next(self._number), place, facts, way))

    def _is_known(self, place: Place, facts: Known) -> bool:
        """Say whether that is said with fewer facts already."""
        return any(fewer <= facts for fewer in self._known[place])

    def _noted(self, place: Place, facts: Known) -> Known | None:
        """Note what may be known at a place, and return it, unless it is known already."""
        if self._is_known(place, facts):
            return None
        known = self._known[place]
        if len(known) == MOST:
            facts = facts.intersection(*known)
        self._known[place] = [more for more in known if not facts <= more]
        self._known[place].append(facts)
        return facts

    def _opens(self, event: str, at: str) -> bool:
        """Say whether a run that begins in this state can begin with this event."""
        graph, state = self.graph, self.graph.model.state(at)
        if not graph.heard(event, at, None):
            return False
        signal = graph.played and event not in state.words
        return not signal or graph.leaves_between(event, state) or state.kind == "window"

    def _false_at_first(self, fact: Fact) -> bool:
        """Say whether this fact is false whenever a run begins. A window can begin anywhere in the
        turn.
        """
        graph = self.graph
        if graph.model is not graph.whole or fact.timing != "latched":
            return False
        return fact.owner != "game" or graph.silent(graph.model.initial)

    # one transition -------------------------------------------------------------------------------

    def _firing(self, known: Known, tried: Tried) -> set[Known]:
        """Return what is known when the transition fires. There is nothing if it cannot fire."""
        if not (tried.holds or tried.fails):
            return {known}
        solutions = self._solver.solutions(dict(known), tried.holds, tried.fails)
        return {frozenset(found.items()) for found in solutions}

    def _after(self, known: Known, arc: Arc) -> Known:
        """Return what is known after this transition, when the next event comes."""
        after = list[tuple[str, bool]]()
        for name, value in known:
            change = self._changes.change(self.graph.model.fact(name), arc)
            if change == "same" or (change == "up" and value):
                after.append((name, value))
        for fact in self._latched:
            change = self._changes.change(fact, arc)
            if change in ("true", "false"):
                after.append((fact.name, change == "true"))
        return frozenset(after)

    def _together(self, arc: Arc) -> bool:
        """Say whether all transitions of the event fire, and not just the first one that can."""
        return arc.row.event == TOGETHER and not self.graph.played


def _after_no_answer(arc: Arc) -> str:
    return f"{arc.row.event!r} comes only after an answer, and no answer leads to {arc.at}"


def _cost(arc: Arc) -> int:
    """Prefer a longer way of ordinary transitions to a shorter one with skips or extras. It is
    easier to follow.
    """
    return 1 if arc.row.layer == "core" else 50


@per_model
def feasible_of(graph: Graph) -> Feasible:
    """Return what the runs of this machine can do."""
    return Feasible(graph)
