"""Decides whether a run can come to a sequence of firings, by a backward search of any length.

The search carries the needs of the sequence back, firing by firing. A fact that a firing does not
change is also needed before it. A fact that the firing sets as needed is needed no longer. A fact
that it sets to another value ends this path. When nothing is needed any more, a run may come there,
as far as can be proved. The number of needs is finite, so the search ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count

from fsm.checks.feasibility.effects import reads
from fsm.checks.feasibility.factchanges import LEFT, FactChange
from fsm.checks.feasibility.firings import Firings, TriedTransition
from fsm.checks.feasibility.stacks import LEVELS, ReturnStack
from fsm.checks.feasibility.testresults import ContradictoryResults
from fsm.model import Fact
from fsm.model.graph import Arc
from fsm.model.solving import assign, ways_to_fail
from fsm.state.primitives import TESTS, Fields

Need = frozenset[tuple[str, bool]]
"""Facts, each with the value that it must have."""
Obligation = tuple[Arc, Need]
"""A transition that must fire, and what must hold before it does."""
MOST = 4_000
"""At most this many needs are examined. A sequence that requires more counts as possible."""


@dataclass
class BackwardSearch:
    """Searches backwards for paths into sequences of one machine, along the transitions in `live`."""

    firings: Firings
    live: frozenset[Arc]
    _cache: dict[Obligation, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        graph, changes = self.firings.graph, self.firings.changes
        self.model = graph.model
        self.contradictory = ContradictoryResults(self.model.facts)
        self.groups = {f.name: f.group for f in self.model.facts if f.group}
        self.stacks = tuple(ReturnStack(graph, changes, level, self.live) for level in LEVELS)

    def possible(self, sequence: Sequence[TriedTransition]) -> bool:
        """Say whether a run may take this sequence. True unless it is proved impossible."""
        needs = set(self._with(frozenset(), sequence[-1]))
        for before, after in zip(reversed(sequence[:-1]), reversed(sequence), strict=False):
            stack = self._popping(before.arc)
            if stack and not any(self._resumable(stack, before.arc, need) for need in needs):
                return False
            earlier = (self._need_before(need, before.arc, after.arc.row.event) for need in needs)
            needs = {
                whole for need in earlier if need is not None for whole in self._with(need, before)
            }
        return any(self._reached(sequence[0].arc, need) for need in needs)

    def _reached(self, arc: Arc, need: Need) -> bool:
        """Say whether some path leads to where this transition fires with this need."""
        came: dict[Obligation, Obligation | None] = {(arc, need): None}
        number = count()
        todo = [
            (len(need), next(number), (arc, need))
        ]  # the obligation with the fewest facts comes first
        while todo:
            here = heappop(todo)[-1]
            if len(came) > MOST or self._cache.get(here, self._begins(*here)):
                self._cache.update(dict.fromkeys(_obligations_back(here, came), True))
                return True
            for fresh in self._earlier(*here) if here not in self._cache else ():
                if fresh not in came:
                    came[fresh] = here
                    heappush(todo, (len(fresh[1]), next(number), fresh))
        self._cache.update(dict.fromkeys(came, False))
        return False

    def _begins(self, arc: Arc, need: Need) -> bool:
        if not need or arc.at not in self.firings.graph.begins or not self.firings.opens(arc):
            return not need
        left = LEFT if arc.row.event == self.firings.graph.whole.leaving else frozenset[str]()
        return not any(
            value and self._false_at_first(self.model.fact(name), left) for name, value in need
        )

    def _false_at_first(self, fact: Fact, changed: Fields) -> bool:
        """Say whether this fact is false whenever a run begins. A window can begin anywhere in the
        turn.

        The fields in `changed` have changed since.
        """
        graph = self.firings.graph
        if graph.model is not graph.whole or (
            fact.test and not reads(fact.test).isdisjoint(changed)
        ):
            return False
        if fact.timing == "latched":
            return fact.owner != "game" or graph.silent(self.model.initial)
        test = TESTS.get(fact.test[0]) if fact.test else None
        return test is not None and test.is_false_at_start(fact.test[1:])

    def _earlier(self, arc: Arc, need: Need) -> Iterator[Obligation]:
        """Yield the transitions that may have fired before, each with its need.

        A transition that resumes also follows the one that interrupted. That one is used if more is
        known of the need there.
        """
        graph = self.firings.graph
        for before in (
            a
            for a in graph.arriving[arc.at]
            if a in self.live and graph.heard(arc.row.event, arc.at, a)
        ):
            earlier, stack = self._need_before(need, before, arc.row.event), self._popping(before)
            if earlier is not None and stack and self._known_more(stack, before, need, earlier):
                yield from self._resumed(stack, before, need)
            elif earlier is not None:
                yield from (
                    (before, whole) for whole in self._with(earlier, self.firings.fires(before))
                )

    def _resumed(self, stack: ReturnStack, pop: Arc, need: Need) -> Iterator[Obligation]:
        """Yield the transitions that may have interrupted what this one resumes, each with its
        need.
        """
        for push in stack.before(pop):
            earlier = self._interrupted(stack, push, pop, need)
            if earlier is not None:
                yield from (
                    (push, whole) for whole in self._with(earlier, self.firings.fires(push))
                )

    def _interrupted(self, stack: ReturnStack, push: Arc, pop: Arc, need: Need) -> Need | None:
        return _needed_before(
            (name, value, stack.change(self.model.fact(name), push, pop)) for name, value in need
        )

    def _known_more(self, stack: ReturnStack, pop: Arc, need: Need, other: Need) -> bool:
        found = [self._interrupted(stack, push, pop, need) for push in stack.before(pop)]
        return not other or all(each is None or each for each in found)

    def _resumable(self, stack: ReturnStack, pop: Arc, need: Need) -> bool:
        """Say whether something that interrupted can be reached so that this need holds on
        resuming.
        """
        return any(self._reached(*obligation) for obligation in self._resumed(stack, pop, need))

    def _popping(self, arc: Arc) -> ReturnStack | None:
        return next((stack for stack in self.stacks if arc in stack.pops), None)

    def _need_before(self, need: Need, before: Arc, event: str) -> Need | None:
        """Return the need before this firing, or None if the firing contradicts it."""
        change = self.firings.changes.change
        return _needed_before(
            (name, value, change(self.model.fact(name), before, event)) for name, value in need
        )

    def _with(self, need: Need, tried: TriedTransition) -> Iterator[Need]:
        """Yield each need that includes this one and lets the transition fire."""
        values = dict(need)
        if not all(assign(values, term) for term in tried.holds):
            return
        asked = {term.fact for guard in (tried.holds, *tried.fails) for term in guard}
        for found in ways_to_fail(values, tried.fails, assign):
            if not self.contradictory.impossible(found) and not self._no_group(found, asked):
                yield frozenset(found.items())

    def _no_group(self, values: dict[str, bool], asked: set[str]) -> bool:
        """Say whether the values break the rule that exactly one fact of each group that is read
        holds.
        """
        for group in {self.groups[name] for name in asked if name in self.groups}:
            members = [name for name, of in self.groups.items() if of == group]
            held = [values.get(name) for name in members]
            if held.count(True) > 1 or held.count(False) == len(held):
                return True
        return False


def _obligations_back(
    obligation: Obligation, came: Mapping[Obligation, Obligation | None]
) -> Iterator[Obligation]:
    """Yield the obligations from this one back to the one with which the search began."""
    here: Obligation | None = obligation
    while here is not None:
        yield here
        here = came[here]


def _needed_before(changes: Iterable[tuple[str, bool, FactChange]]) -> Need | None:
    """Return the part of a need that must have held before, or None if a fact was set to the other
    value.
    """
    found = []
    for name, value, change in changes:
        if change == "same" or (change == "up" and not value):
            found.append((name, value))
        elif change in ("true", "false") and (change == "true") is not value:
            return None
    return frozenset(found)
