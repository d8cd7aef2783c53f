"""Decides whether a run can come to a sequence of firings, by a backward search of any length.

The search carries the needs of the sequence back, firing by firing. A fact that a firing does not change is also needed
before it. A fact that the firing sets as needed is needed no longer. A fact that it sets to another value ends this
path. When nothing is needed any more, a run may come there, as far as can be proved. The number of needs is finite, so
the search ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING

from fsm.analysis.feasibility.knowing import FALSE_AT_FIRST, Together
from fsm.analysis.feasibility.linking import Link
from fsm.analysis.feasibility.stacks import LEVELS, Stack
from fsm.model import Fact, Term
from fsm.model.graph import Arc

if TYPE_CHECKING:
    from fsm.analysis.feasibility.chains import Prover, Try

Need = frozenset[tuple[str, bool]]
"""Facts, each with the value that it must have."""
Obligation = tuple[Arc, Need]
"""A transition that must fire, and what must hold before it does."""
MOST = 4_000
"""At most this many needs are examined. A sequence that requires more counts as possible."""


@dataclass
class History:
    """Looks for ways into chains of one machine, along the arcs that are `live`."""

    prover: Prover
    live: frozenset[Arc]
    _known: dict[Obligation, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        graph, links = self.prover.graph, self.prover.links
        self.model = graph.model
        self.together = Together(self.model.facts)
        self.groups = {f.name: f.group for f in self.model.facts if f.group}
        self.stacks = tuple(Stack(graph, links, level, self.live) for level in LEVELS)

    def possible(self, chain: Sequence[Try]) -> bool:
        """May a run take this chain, as far as can be proved?"""
        needs = set(self._with(frozenset(), chain[-1]))
        for before, after in zip(reversed(chain[:-1]), reversed(chain), strict=False):
            stack = self._popping(before.arc)
            if stack and not any(self._goes_on(stack, before.arc, need) for need in needs):
                return False
            earlier = (self._carried(need, before.arc, after.arc.row.event) for need in needs)
            needs = {whole for need in earlier if need is not None for whole in self._with(need, before)}
        return any(self._reached(chain[0].arc, need) for need in needs)

    def _reached(self, arc: Arc, need: Need) -> bool:
        """Is there a way to where this arc fires with this need?"""
        came: dict[Obligation, Obligation | None] = {(arc, need): None}
        number = count()
        todo = [(len(need), next(number), (arc, need))]  # what needs least comes first
        while todo:
            here = heappop(todo)[-1]
            if len(came) > MOST or self._known.get(here, self._begins(*here)):
                self._known.update(dict.fromkeys(_way(here, came), True))
                return True
            for fresh in self._earlier(*here) if here not in self._known else ():
                if fresh not in came:
                    came[fresh] = here
                    heappush(todo, (len(fresh[1]), next(number), fresh))
        self._known.update(dict.fromkeys(came, False))
        return False

    def _begins(self, arc: Arc, need: Need) -> bool:
        if not need or arc.at not in self.prover.graph.begins or not self.prover.opens(arc):
            return not need
        return not any(value and self._false_at_first(self.model.fact(name)) for name, value in need)

    def _false_at_first(self, fact: Fact) -> bool:
        """Does a run certainly begin with this fact false? (A window begins wherever the turn stands.)"""
        graph = self.prover.graph
        if graph.model is not graph.whole:
            return False
        if fact.timing == "latched":
            return fact.owner != "game" or graph.silent(self.model.initial)
        return fact.test[:1] in FALSE_AT_FIRST or fact.test[:2] in FALSE_AT_FIRST

    def _earlier(self, arc: Arc, need: Need) -> Iterator[Obligation]:
        """What may have fired before, each with what it needs.

        What goes on comes after what was interrupted there, too: that is looked at, unless nothing is known of it.
        """
        graph = self.prover.graph
        for before in (a for a in graph.arriving[arc.at] if a in self.live and graph.heard(arc.row.event, arc.at, a)):
            earlier, stack = self._carried(need, before, arc.row.event), self._popping(before)
            if earlier is not None and stack and self._known_more(stack, before, need, earlier):
                yield from self._resumed(stack, before, need)
            elif earlier is not None:
                yield from ((before, whole) for whole in self._with(earlier, self.prover.fires(before)))

    def _resumed(self, stack: Stack, pop: Arc, need: Need) -> Iterator[Obligation]:
        """What may have interrupted where this one goes on, each with what it needs."""
        for push in stack.before(pop):
            earlier = self._interrupted(stack, push, pop, need)
            if earlier is not None:
                yield from ((push, whole) for whole in self._with(earlier, self.prover.fires(push)))

    def _interrupted(self, stack: Stack, push: Arc, pop: Arc, need: Need) -> Need | None:
        return _kept((name, value, stack.link(self.model.fact(name), push, pop)) for name, value in need)

    def _known_more(self, stack: Stack, pop: Arc, need: Need, other: Need) -> bool:
        found = [self._interrupted(stack, push, pop, need) for push in stack.before(pop)]
        return not other or all(each is None or each for each in found)

    def _goes_on(self, stack: Stack, pop: Arc, need: Need) -> bool:
        """Is there a way to something that interrupted, such that there is this need where it goes on?"""
        return any(self._reached(*place) for place in self._resumed(stack, pop, need))

    def _popping(self, arc: Arc) -> Stack | None:
        return next((stack for stack in self.stacks if arc in stack.pops), None)

    def _carried(self, need: Need, before: Arc, event: str) -> Need | None:
        """The need before this firing; None when the firing makes it otherwise."""
        link = self.prover.links.link
        return _kept((name, value, link(self.model.fact(name), before, event)) for name, value in need)

    def _with(self, need: Need, tried: Try) -> Iterator[Need]:
        """The ways to have this need and what the row asks for, too."""
        values = dict(need)
        if not _added(values, tried.holds):
            return
        asked = {term.fact for guard in (tried.holds, *tried.fails) for term in guard}
        for found in _failing(values, tried.fails):
            if not self.together.refuse(found) and not self._no_group(found, asked):
                yield frozenset(found.items())

    def _no_group(self, values: dict[str, bool], asked: set[str]) -> bool:
        """Of a group of facts that are asked for here, exactly one holds."""
        for group in {self.groups[name] for name in asked if name in self.groups}:
            members = [name for name, of in self.groups.items() if of == group]
            held = [values.get(name) for name in members]
            if held.count(True) > 1 or held.count(False) == len(held):
                return True
        return False


def _way(place: Obligation, came: Mapping[Obligation, Obligation | None]) -> Iterator[Obligation]:
    """The places from here to the one that the search began with."""
    here: Obligation | None = place
    while here is not None:
        yield here
        here = came[here]


def _kept(links: Iterable[tuple[str, bool, Link]]) -> Need | None:
    """What of a need was needed before, too; None when it was made otherwise."""
    found = []
    for name, value, link in links:
        if link == "same" or (link == "up" and not value):
            found.append((name, value))
        elif link in ("true", "false") and (link == "true") is not value:
            return None
    return frozenset(found)


def _added(values: dict[str, bool], terms: Sequence[Term]) -> bool:
    """Add what these need; False when it is needed otherwise already."""
    return all(values.setdefault(term.fact, term.value) is term.value for term in terms)


def _failing(values: dict[str, bool], guards: Sequence[Sequence[Term]]) -> Iterator[dict[str, bool]]:
    """The ways for all these guards to fail."""
    if not guards:
        yield values
        return
    first, *rest = guards
    if any(values.get(term.fact, term.value) is not term.value for term in first):
        yield from _failing(values, rest)
        return
    for term in first:
        if term.fact not in values:
            yield from _failing({**values, term.fact: not term.value}, rest)
