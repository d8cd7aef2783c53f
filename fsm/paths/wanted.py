"""What is still to be taken of a criterion, and what of it a step takes.

A target is a set of chains: firings in a row, any of which takes it. That is enough for states, transitions, literals
and n-switch; round trips and prime paths are looked for in the whole walk (`fsm.paths.trips`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from fsm.coverage import CoverageError, Target, targets
from fsm.coverage.graph import Arc, Graph
from fsm.coverage.proving.chains import prover_of
from fsm.coverage.simple import literal_id
from fsm.coverage.target import Key
from fsm.coverage.watching.games import decided
from fsm.errors import suggest
from fsm.paths.ground import Ground
from fsm.paths.here import Step, last
from fsm.paths.history import Need, need_of, opened_by
from fsm.trace import Record

Chain = tuple[Arc, ...]
CRITERIA = ("states", "transitions", "literals", "pairs", "2-switch", "rules")


@dataclass
class Wanted:
    """The targets of one criterion that are not yet taken. `aside`: not headed for now, but taken where met."""

    ground: Ground
    criterion: str
    chains: Mapping[Key, tuple[Chain, ...]]
    open: dict[Key, None]
    aside: set[Key] = field(default_factory=set)
    _index: dict[tuple[int, ...], list[Key]] = field(default_factory=dict)
    _known: dict[Key, tuple[Head, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for key in self.open:
            if not self.by_guards:
                for chain in self.chains[key]:
                    self._index.setdefault(tuple(map(id, chain)), []).append(key)
        self.length = max((len(chain) for chains in self.chains.values() for chain in chains), default=1)

    @property
    def by_guards(self) -> bool:
        """Is it literals that are wanted? Then which fired does not tell, but what the guards read."""
        return self.criterion == "literals"

    def taken(self, step: Step) -> list[Key]:
        """What a step takes that was not taken before."""
        found = self._literals(step.records) if self.by_guards else self._chains(step)
        return [key for key in dict.fromkeys(found) if key in self.open]

    def _literals(self, records: Iterable[Record]) -> Iterator[Key]:
        for r in records:
            for literal in decided(self.ground.model, r.machine, r.source, r.event, r.transition, r.guards):
                yield r.machine, literal_id(*literal)

    def _chains(self, step: Step) -> Iterator[Key]:
        for _, walk in step.walks:
            arcs = last(walk, self.length)
            for start in range(len(arcs)):
                yield from self._index.get(tuple(map(id, arcs[start:])), ())

    def only(self, keys: Iterable[Key]) -> Wanted:
        """These alone."""
        known = {key: self.chains[key] for key in keys if key in self.chains}
        return Wanted(self.ground, self.criterion, known, dict.fromkeys(known))

    def done(self, keys: Iterable[Key]) -> None:
        """These are taken."""
        for key in keys:
            self.open.pop(key, None)
            self.aside.discard(key)

    # where to go -----------------------------------------------------------------------------------

    def headed(self) -> Iterator[Head]:
        """What is headed for."""
        for key in self.open:
            if key not in self.aside:
                yield from self._heads(key)

    def _heads(self, key: Key) -> tuple[Head, ...]:
        if key not in self._known:
            self._known[key] = tuple(head_of(self.ground, key, chain) for chain in self.chains[key])
        return self._known[key]


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """A chain to head for: its cost, what it needs, what that costs, and the firings from there on."""

    key: Key
    chain: Chain
    cost: int
    need: Need | None
    opening: int
    arcs: tuple[Arc, ...]


def head_of(ground: Ground, key: Key, chain: Chain) -> Head:
    """The chain with all that a search must know of it."""
    need = need_of(ground, chain)
    opening, arcs = opened_by(ground, need.level, chain) if need is not None else (0, ())
    return Head(key, chain, sum(map(ground.cost, chain)), need, opening, (*arcs, *chain))


class Chains(Protocol):
    """How the chains of a target are found."""

    def __call__(self, graph: Graph, target: Target) -> Iterator[Chain]: ...


def wanted(ground: Ground, criterion: str) -> Wanted:
    """All of a criterion that is not proved infeasible. Raises CoverageError when paths cannot be made for it."""
    asked = [t for t in targets(ground.model, criterion) if not t.infeasible]
    find = _finder(criterion)
    chains = {t.key: tuple(find(ground.graphs[t.machine], t)) for t in asked}
    return Wanted(ground, criterion, chains, dict.fromkeys(chains))


def _finder(criterion: str) -> Chains:
    if criterion == "pairs" or criterion.endswith("-switch"):
        return _switches
    known: dict[str, Chains] = {
        "states": _states,
        "transitions": _transitions,
        "literals": _literals,
        "rules": _rules,
    }
    if criterion not in known:
        raise CoverageError(f"paths for {criterion!r} cannot be generated{suggest(criterion, known)}")
    return known[criterion]


def _live(graph: Graph, arcs: Iterable[Arc]) -> Iterator[Chain]:
    live = prover_of(graph).live
    return ((arc,) for arc in arcs if arc in live)


def _transitions(graph: Graph, target: Target) -> Iterator[Chain]:
    return _live(graph, graph.of_row[target.id])


def _states(graph: Graph, target: Target) -> Iterator[Chain]:
    """Into a state; from outside where it is a phase or step. A state in which a run begins is left."""
    inside = {s.id for s in graph.model.leaves if target.id in {x.id for x in graph.model.path(s.id)}}
    alone = inside == {target.id}
    entering = (a for a in graph.arcs if a.row.target in inside and (alone or a.at not in inside))
    yield from _live(graph, entering)
    if graph.model.initial in inside:
        yield from _live(graph, graph.leaving[graph.model.initial])


def _literals(graph: Graph, target: Target) -> Iterator[Chain]:
    """The row itself, where it is to hold; where it is to fail, whatever stands below it."""
    for row, arcs in ((arc.row, graph.leaving[arc.at]) for arc in graph.arcs if target.id.startswith(arc.row.id)):
        for term in row.guard:
            if target.id == literal_id(row.id, str(term), True):
                yield from _live(graph, graph.of_row[row.id])
            elif target.id == literal_id(row.id, str(term), False):
                below = [a for a in arcs if a.row.event == row.event]
                later = [n for n, a in enumerate(below) if a.row is row]
                yield from _live(graph, below[later[0] + 1 :])


def _rules(graph: Graph, target: Target) -> Iterator[Chain]:
    def cites(rule: str) -> bool:
        return target.id in map(str.strip, rule.split(","))

    model = graph.model
    facts = {f.name for f in model.facts if cites(f.rule)}
    told = {s.id for s in model.leaves if facts & set(s.tells)}
    within = {s.id for s in model.leaves if s.id in told or any(cites(x.rule) for x in model.path(s.id))}
    for arc in graph.arcs:
        reads = any(term.fact in facts for term in arc.row.guard)
        acts = any(f in action.args for action in arc.row.actions for f in facts)
        if cites(arc.row.rule) or arc.to in within or arc.at in within or reads or acts:
            yield from _live(graph, (arc,))


def _switches(graph: Graph, target: Target) -> Iterator[Chain]:
    prover = prover_of(graph)
    ids = target.id.split(" ; ")
    chains: list[Chain] = [(arc,) for arc in graph.of_row[ids[0]]]
    for row in ids[1:]:
        chains = [(*chain, arc) for chain in chains for arc in graph.leaving[chain[-1].to] if arc.row.id == row]
    return (chain for chain in chains if prover.follow(chain))


__all__ = ["CRITERIA", "Chain", "Wanted", "wanted"]
