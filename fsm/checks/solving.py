"""A solver for guards: it finds facts under which some guards hold and others do not.

Guards are conjunctions of facts. Of the facts of one group, exactly one holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from fsm.model import Fact, Model, Term
from fsm.model.elements import guard_text
from fsm.model.model import per_model

Values = dict[str, bool]


class Solver:
    """Solves guards over facts. `members` has the facts of each group."""

    def __init__(self, facts: Sequence[Fact] = ()) -> None:
        self.members: dict[str, list[str]] = {}
        for fact in facts:
            self.members.setdefault(fact.group, []).append(fact.name)
        self._groups = {fact.name: fact.group for fact in facts if fact.group}

    def beside(self, guard: Iterable[Term]) -> set[str]:
        """Return the facts that fail if this guard holds: the others of its facts' groups."""
        asked = [term.fact for term in guard if term.value and term.fact in self._groups]
        others = {name for fact in asked for name in self.members[self._groups[fact]]}
        return others.difference(asked)

    def solve(self, holds: Iterable[Term], fails: Sequence[Sequence[Term]] = ()) -> Values | None:
        """Return values of facts under which some terms hold and some guards fail, or None."""
        values = Values()
        if not all(self._set(values, term) for term in holds):
            return None
        return next(_ways_to_fail(values, fails, self._set), None)

    def implied(
        self, known: Mapping[str, bool], holds: Iterable[Term], fails: Sequence[Sequence[Term]]
    ) -> Values | None:
        """Return what is known if these terms hold and these guards fail, or None if they cannot.

        A guard fails by a certain term if all its other terms are known to hold.
        """
        values = dict(known)
        if not all(self._set(values, term) for term in holds):
            return None
        if next(_ways_to_fail(values, fails, self._set), None) is None:
            return None
        for guard in fails:
            unsure = [term for term in guard if values.get(term.fact) is not term.value]
            if len(unsure) == 1 and unsure[0].fact not in values:
                self._set(values, Term(unsure[0].fact, not unsure[0].value))
        return values

    def _set(self, values: Values, term: Term) -> bool:
        """Set the value of a term. Return False on a conflict, with it or in its group."""
        if term.fact in values:
            return values[term.fact] == term.value
        values[term.fact] = term.value
        group = self._groups.get(term.fact)
        if group is None:
            return True
        members = self.members[group]
        if term.value:
            return sum(values.get(name, False) for name in members) == 1
        return any(values.get(name, True) for name in reversed(members))


def _ways_to_fail(
    values: Values, guards: Sequence[Sequence[Term]], assign: Callable[[Values, Term], bool]
) -> Iterator[Values]:
    """Yield each way to make all these guards false: of each, one term gets the other value.

    A guard has few facts, so its solutions are listed one by one. `assign` sets a term and what
    follows from it, and returns False on a conflict.
    """
    todo = [(values, 0)]
    while todo:
        found, number = todo.pop()
        while number < len(guards) and _fails(guards[number], found):
            number += 1
        if number == len(guards):
            yield found
            continue
        for term in reversed(guards[number]):
            tried = dict(found)
            if term.fact not in found and assign(tried, Term(term.fact, not term.value)):
                todo.append((tried, number + 1))


def _fails(guard: Iterable[Term], values: Values) -> bool:
    return any(values.get(term.fact, term.value) is not term.value for term in guard)


@per_model
def solver_of(model: Model) -> Solver:
    """Return the solver for the guards of a model."""
    return Solver(model.facts)


def text(guard: Iterable[Term]) -> str:
    """Return a guard in words: "a, not b", or "otherwise"."""
    return guard_text(guard) or "otherwise"
