"""Keeps the missing targets of a criterion, says which of them a step takes, and which sequences
lead to them.

One mechanism serves all criteria. Steps of a run take a target
(`fsm.testing.generation.measuring`), and a search is guided by sequences of firings, any of which
takes it (`fsm.testing.generation.targetchains`). A target without such sequences is taken only by
chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from fsm.coverage import Target, targets
from fsm.coverage.target import Key
from fsm.model.graph import Arc
from fsm.testing.generation.abstractgraph import AbstractGraph
from fsm.testing.generation.history import NeededExtra, needed_extra, opening_of
from fsm.testing.generation.measuring import Chain, TakenBy, targets_taken
from fsm.testing.generation.searchnode import AnswerStep
from fsm.testing.generation.targetchains import finder

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
    chains: Mapping[Key, tuple[Chain, ...]]
    targets_of: TakenBy
    open: dict[Key, None]
    _known: dict[Key, tuple[ChainGoal, ...]] = field(default_factory=dict)
    _cache: dict[int, tuple[AnswerStep, set[Key]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.length = max(
            (len(chain) for chains in self.chains.values() for chain in chains), default=1
        )

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
        chains = {key: self.chains[key] for key in known}
        open = dict.fromkeys(known)
        return SearchGoal(
            self.abstract, self.criterion, known, chains, self.targets_of, open, self._known
        )

    def mark_taken(self, keys: Iterable[Key]) -> None:
        """Note that these targets are taken."""
        for key in keys:
            self.open.pop(key, None)

    # chains of open targets -----------------------------------------------------------------------

    def chain_goals(self) -> Iterator[ChainGoal]:
        """Yield the chains of all open targets."""
        for key in self.open:
            yield from self._chain_goals(key)

    def _chain_goals(self, key: Key) -> tuple[ChainGoal, ...]:
        if key not in self._known:
            self._known[key] = tuple(
                chain_goal(self.abstract, key, chain) for chain in self.chains[key]
            )
        return self._known[key]


@dataclass(frozen=True, slots=True, eq=False)
class ChainGoal:
    """A chain as a goal: its cost, the extra that it needs, the cost of opening that, and all
    firings from there on.
    """

    key: Key
    chain: Chain
    cost: int
    need: NeededExtra | None
    opening: int
    arcs: tuple[Arc, ...]


def chain_goal(abstract: AbstractGraph, key: Key, chain: Chain) -> ChainGoal:
    """Return a chain with all that a search must know of it."""
    need = needed_extra(abstract, chain)
    opening, arcs = opening_of(abstract, need, chain) if need is not None else (0, ())
    unmet = UNMET if need is not None else 0
    return ChainGoal(
        key, chain, sum(map(abstract.cost, chain)), need, unmet + opening, (*arcs, *chain)
    )


def search_goal(abstract: AbstractGraph, criterion: str) -> SearchGoal:
    """Return a goal of all targets that are not proved infeasible.

    Raises CoverageError if paths cannot be made for the criterion.
    """
    find = finder(criterion)
    every = targets(abstract.model, criterion)
    asked = {t.key: t for t in every if not t.infeasible}
    chains = {key: tuple(find(abstract.graphs[t.machine], t)) for key, t in asked.items()}
    open = dict.fromkeys(key for key in asked if not why_far(abstract, chains[key]))
    return SearchGoal(
        abstract, criterion, asked, chains, targets_taken(abstract, criterion, chains), open
    )


def why_far(abstract: AbstractGraph, chains: Iterable[Chain]) -> str:
    """Say why these chains are too far away to be searched for, or return "". They may still be
    taken by chance.
    """
    whys = [next(_counted(abstract, chain), "") for chain in chains]
    return whys[0] if whys and all(whys) else ""


def _counted(abstract: AbstractGraph, chain: Chain) -> Iterator[str]:
    for arc in chain:
        for term in arc.row.guard:
            fact = abstract.graph_of(arc).model.fact(term.fact)
            if term.value and fact.test[:1] == ("tallied",) and int(fact.test[-1]) > FAR:
                yield f"it takes {fact.test[-1]} times the same ({fact.doc}), more than is looked for"
