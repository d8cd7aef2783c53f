"""Decides whether several transitions can fire one after another, by solving over all facts that
they read.

A sequence counts as possible unless it is proved impossible. The proofs assume the following. The
machine is driven by a TurnController, or it is one that anybody may trigger; then nothing is known
from one event to the next. A run begins in the initial state or in a state where runs were seen to
begin. A condition that is read twice for one event has the same value both times.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice

from fsm.checks.feasibility.backwardsearch import BackwardSearch
from fsm.checks.feasibility.effects import reads
from fsm.checks.feasibility.factchanges import FactChanges
from fsm.checks.feasibility.firings import Firings, TriedTransition
from fsm.model import Fact, Term
from fsm.model.graph import Arc, Graph
from fsm.model.model import per_model
from fsm.model.reachability import reachable_from
from fsm.model.solving import Clause, satisfiable

LONGEST = 4
"""A sequence is extended backwards to this many firings, by at least one, to see whether there is a
path to it.
"""


@dataclass
class Prover(Firings):
    """Proves which sequences of transitions of one machine no run can take."""

    _cache: dict[tuple[TriedTransition, ...], bool] = field(default_factory=dict)
    _joins: dict[tuple[Arc, Arc], bool] = field(default_factory=dict)
    _live: frozenset[Arc] | None = None

    @cached_property
    def live(self) -> frozenset[Arc]:
        """The transitions that some run may take. All others are proved never to fire or never to
        be reached.
        """
        self._live = frozenset(a for a in self.graph.arcs if self.fits((self.fires(a),)))
        while True:
            reached = self._reached(self._live)
            now = frozenset(
                a
                for a in self._live
                if a.at in reached and self._entered((self.fires(a),), LONGEST - 1)
            )
            if now == self._live:
                return now
            self._live = now

    def _reached(self, arcs: frozenset[Arc]) -> frozenset[str]:
        leaving = self.graph.leaving
        return frozenset(
            reachable_from(
                self.graph.begins, lambda at: (arc.to for arc in leaving[at] if arc in arcs)
            )
        )

    @cached_property
    def reached(self) -> frozenset[str]:
        """The states that some run may reach."""
        return self._reached(self.live)

    def possible(self, sequence: Sequence[TriedTransition]) -> bool:
        """Say whether a run may take this sequence. True unless it is proved impossible."""
        if (
            not all(t.arc in self.live for t in sequence[:-1])
            or sequence[-1].arc.at not in self.reached
        ):
            return False
        return self._entered(sequence, max(1, LONGEST - len(sequence))) and self.history.possible(
            sequence
        )

    @cached_property
    def history(self) -> BackwardSearch:
        return BackwardSearch(self, self.live)

    def joins(self, first: Arc, second: Arc) -> bool:
        """Say whether a run may take the second transition right after the first."""
        key = (first, second)
        if key not in self._joins:
            self._joins[key] = second in self.live and self.possible(
                [self.fires(first), self.fires(second)]
            )
        return self._joins[key]

    def _entered(self, sequence: Sequence[TriedTransition], back: int) -> bool:
        """Say whether the guards of the sequence are consistent and something may lead into it."""
        first = sequence[0].arc
        if not self.fits(tuple(sequence)):
            return False
        if not back or (first.at in self.graph.begins and self.opens(first)):
            return True
        ways = (a for a in self.graph.arriving[first.at] if self._live is None or a in self._live)
        heard = (a for a in ways if self.graph.heard(first.row.event, first.at, a))
        return any(self._entered((self.fires(a), *sequence), back - 1) for a in heard)

    def fits(self, sequence: tuple[TriedTransition, ...]) -> bool:
        """Say whether some facts satisfy the whole sequence, and whether each event can come when
        it must.
        """
        if sequence not in self._cache:
            self._cache[sequence] = self._follows(sequence) and satisfiable(
                FactVariables(self.graph, self.changes, sequence).clauses()
            )
        return self._cache[sequence]

    def _follows(self, sequence: tuple[TriedTransition, ...]) -> bool:
        if self._cache.get(sequence[1:]):
            sequence = sequence[:2]  # the others follow one another
        befores = (None, *(t.arc for t in sequence))
        return all(
            self.graph.heard(t.arc.row.event, t.arc.at, before)
            and (before is None or before.to == t.arc.at)
            for before, t in zip(befores, sequence, strict=False)
        )


@dataclass
class FactVariables:
    """Encodes the facts that a sequence reads as variables. A fact that stays the same is one
    variable.
    """

    graph: Graph
    changes: FactChanges
    sequence: tuple[TriedTransition, ...]
    loose: frozenset[str] = frozenset()
    _variables: dict[tuple[str, int], int] = field(default_factory=dict)
    _made: int = 0
    _extra: list[Clause] = field(default_factory=list)
    _chosen: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def clauses(self) -> list[Clause]:
        """Return the clauses that must hold for the sequence to be taken."""
        found: list[Clause] = []
        for number, tried in enumerate(self.sequence):
            if not (tried.holds or tried.fails):
                continue
            found += [(self._literal(term, number),) for term in tried.holds]
            found += [
                tuple(-self._literal(term, number) for term in guard) for guard in tried.fails
            ]
            names = {term.fact for guard in (tried.holds, *tried.fails) for term in guard}
            found += [c for group in self._groups(names) for c in self._one_of(group, number)]
        return found + self._extra

    def _literal(self, term: Term, number: int) -> int:
        variable = self._variable(term.fact, number)
        return variable if term.value else -variable

    def _variable(self, name: str, number: int) -> int:
        key = (name, number)
        if key not in self._variables:
            self._variables[key] = self._changed_variable(name, number) if number else self._fresh()
        return self._variables[key]

    def _fresh(self) -> int:
        self._made += 1
        return self._made

    def _changed_variable(self, name: str, number: int) -> int:
        before, event = self.sequence[number - 1].arc, self.sequence[number].arc.row.event
        change = self.changes.change(self.graph.model.fact(name), before, event)
        if name in self.loose or change == "any":
            return self._fresh()
        if change == "same":
            return self._variable(name, number - 1)
        variable = self._fresh()
        if change == "up":
            self._extra.append((-self._variable(name, number - 1), variable))
        else:
            self._extra.append((variable if change == "true" else -variable,))
        return variable

    def _groups(self, names: set[str]) -> Iterator[tuple[str, ...]]:
        for group in sorted({self.graph.model.fact(name).group for name in names} - {""}):
            if group not in self._chosen:
                self._chosen[group] = _alike_of(self.graph)[group].some(self._told_apart)
            yield self._chosen[group]

    @cached_property
    def _told_apart(self) -> frozenset[str]:
        """The facts that the sequence reads, and the words that its actions name."""
        guards = (guard for tried in self.sequence for guard in (tried.holds, *tried.fails))
        named = (
            word
            for tried in self.sequence
            for action in tried.arc.row.actions
            for word in action.args
        )
        return frozenset((*(term.fact for guard in guards for term in guard), *named, *self.loose))

    def _one_of(self, group: tuple[str, ...], number: int) -> Iterator[Clause]:
        variables = [self._variable(name, number) for name in group]
        yield tuple(variables)
        yield from ((-a, -b) for i, a in enumerate(variables) for b in variables[:i])


class AlikeFacts:
    """The facts of one group, by what can change them. Facts that nothing tells apart change alike."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self.alike: dict[object, list[str]] = {}
        self.about: dict[str, list[str]] = {}
        for fact in facts:
            kind: object = (fact.owner, fact.test[:1], fact.test[1:-1], reads(fact.test))
            self.alike.setdefault(fact.name if fact.timing == "latched" else kind, []).append(
                fact.name
            )
            for word in {fact.name, *fact.test[-1:]}:
                self.about.setdefault(word, []).append(fact.name)

    def some(self, told_apart: Iterable[str]) -> tuple[str, ...]:
        """Return the facts that these names and words tell apart, and two of the others of each
        kind.

        Two stand for any number of them: of the facts of a group, exactly one holds.
        """
        chosen = {name: None for word in told_apart for name in self.about.get(word, ())}
        for names in self.alike.values():
            chosen.update(dict.fromkeys(islice((name for name in names if name not in chosen), 2)))
        return tuple(chosen)


@per_model
def _alike_of(graph: Graph) -> dict[str, AlikeFacts]:
    facts: dict[str, list[Fact]] = {}
    for fact in graph.model.facts:
        facts.setdefault(fact.group, []).append(fact)
    return {group: AlikeFacts(some) for group, some in facts.items() if group}


@per_model
def prover_of(graph: Graph) -> Prover:
    """Return the prover of this machine. There is one for each machine."""
    return Prover(graph)
