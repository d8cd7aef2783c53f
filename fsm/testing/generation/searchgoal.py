"""Keeps the missing targets of a criterion, says which of them a step takes, and which arcs lead to
them.

One mechanism serves all criteria. Steps of a run take a target
(`fsm.testing.generation.measuring`), and a search is guided by arcs, any of which takes it
(`fsm.testing.generation.targetarcs`). A target without such arcs is taken only by chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from fsm.coverage import Target, targets
from fsm.coverage.target import Key
from fsm.model.graph import Arc
from fsm.testing.generation.abstractgraph import AbstractGraph
from fsm.testing.generation.history import NeededExtra, needed_extra, opening_of
from fsm.testing.generation.measuring import TakenBy, targets_taken
from fsm.testing.generation.searchnode import AnswerStep
from fsm.testing.generation.targetarcs import finder

KEPT = 60_000
"""For this many steps, the targets that they take are cached."""
UNMET = 6
"""The distance, in answers, that is added while a needed extra is not open, so that opening it is
progress.
"""
FAR = 50
"""A target that needs something more often than this within a turn is not searched for."""


@dataclass
class SearchGoal:
    """The targets of one criterion, and which of them are not yet taken."""

    abstract: AbstractGraph
    criterion: str
    targets: Mapping[Key, Target]
    arcs: Mapping[Key, tuple[Arc, ...]]
    targets_of: TakenBy
    open: dict[Key, None]
    _known: dict[Key, tuple[ArcGoal, ...]] = field(default_factory=dict)
    _cache: dict[int, tuple[AnswerStep, set[Key]]] = field(default_factory=dict)

    def taken_by(self, step: AnswerStep) -> set[Key]:
        """Return the targets that a step takes, including those taken before."""
        known = self._cache.get(id(step))
        if known is None or known[0] is not step:
            if len(self._cache) > KEPT:
                self._cache.clear()
            known = self._cache[id(step)] = (
                step,
                {key for key in self.targets_of(step) if key in self.targets},
            )
        return known[1]

    def newly_taken_by(self, step: AnswerStep) -> list[Key]:
        """Return the open targets that a step takes."""
        return [key for key in dict.fromkeys(self.targets_of(step)) if key in self.open]

    def only(self, keys: Iterable[Key]) -> SearchGoal:
        """Return a goal of these targets only, in the order of all targets."""
        wanted = frozenset(keys)
        known = {key: target for key, target in self.targets.items() if key in wanted}
        arcs = {key: self.arcs[key] for key in known}
        open = dict.fromkeys(known)
        return SearchGoal(
            self.abstract, self.criterion, known, arcs, self.targets_of, open, self._known
        )

    def mark_taken(self, keys: Iterable[Key]) -> None:
        """Note that these targets are taken."""
        for key in keys:
            self.open.pop(key, None)

    # arcs of open targets -------------------------------------------------------------------------

    def arc_goals(self) -> Iterator[ArcGoal]:
        """Yield the arcs of all open targets."""
        for key in self.open:
            yield from self._arc_goals(key)

    def _arc_goals(self, key: Key) -> tuple[ArcGoal, ...]:
        if key not in self._known:
            self._known[key] = tuple(arc_goal(self.abstract, key, arc) for arc in self.arcs[key])
        return self._known[key]


@dataclass(frozen=True, slots=True, eq=False)
class ArcGoal:
    """An arc as a goal: its cost, the extra that it needs, the cost of opening that, and all
    firings from there on.
    """

    key: Key
    arc: Arc
    cost: int
    need: NeededExtra | None
    opening: int
    way: tuple[Arc, ...]


def arc_goal(abstract: AbstractGraph, key: Key, arc: Arc) -> ArcGoal:
    """Return an arc with all that a search must know of it."""
    need = needed_extra(abstract, arc)
    opening, way = opening_of(abstract, need, arc) if need is not None else (0, ())
    unmet = UNMET if need is not None else 0
    return ArcGoal(key, arc, abstract.cost(arc), need, unmet + opening, (*way, arc))


def search_goal(abstract: AbstractGraph, criterion: str) -> SearchGoal:
    """Return a goal of all targets that are not proved infeasible.

    Raises CoverageError if paths cannot be made for the criterion.
    """
    find = finder(criterion)
    every = targets(abstract.model, criterion)
    asked = {t.key: t for t in every if not t.infeasible}
    arcs = {key: tuple(find(abstract.graphs[t.machine], t)) for key, t in asked.items()}
    open = dict.fromkeys(key for key in asked if not why_far(abstract, arcs[key]))
    return SearchGoal(
        abstract, criterion, asked, arcs, targets_taken(abstract, criterion, arcs), open
    )


def why_far(abstract: AbstractGraph, arcs: Iterable[Arc]) -> str:
    """Say why these arcs are too far away to be searched for, or return "". They may still be
    taken by chance.
    """
    whys = [_counted(abstract, arc) for arc in arcs]
    return whys[0] if whys and all(whys) else ""


def _counted(abstract: AbstractGraph, arc: Arc) -> str:
    for term in arc.row.guard:
        fact = abstract.graph_of(arc).model.fact(term.fact)
        if term.value and fact.test[:1] == ("tallied",) and int(fact.test[-1]) > FAR:
            return f"it takes {fact.test[-1]} times the same ({fact.doc}), more than is looked for"
    return ""
