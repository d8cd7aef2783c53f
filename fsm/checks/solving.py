"""A solver for guards: it finds facts under which some guards hold and others do not.

Guards are conjunctions of facts. Of the facts of one group, exactly one holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from fsm.model import Model, Term
from fsm.model.elements import guard_text
from fsm.model.model import per_model
from fsm.model.solving import ways_to_fail


class Solver:
    """Solves guards over the facts of one Model. `members` has the facts of each group."""

    def __init__(self, model: Model) -> None:
        self.members: dict[str, list[str]] = {}
        for fact in model.facts:
            self.members.setdefault(fact.group, []).append(fact.name)
        self._groups = {fact.name: fact.group for fact in model.facts if fact.group}

    def beside(self, guard: Iterable[Term]) -> set[str]:
        """Return the facts that fail if this guard holds: the others of its facts' groups."""
        asked = [term.fact for term in guard if term.value and term.fact in self._groups]
        others = {name for fact in asked for name in self.members[self._groups[fact]]}
        return others.difference(asked)

    def solve(
        self, holds: Iterable[Term], fails: Sequence[Sequence[Term]] = ()
    ) -> dict[str, bool] | None:
        """Return values of facts under which some terms hold and some guards fail, or None."""
        values: dict[str, bool] = {}
        if not all(self._set(values, term) for term in holds):
            return None
        return next(ways_to_fail(values, fails, self._set), None)

    def implied(
        self, known: Mapping[str, bool], holds: Iterable[Term], fails: Sequence[Sequence[Term]]
    ) -> dict[str, bool] | None:
        """Return what is known if these terms hold and these guards fail, or None if they cannot.

        A guard fails by a certain term if all its other terms are known to hold.
        """
        values = dict(known)
        if not all(self._set(values, term) for term in holds):
            return None
        if next(ways_to_fail(values, fails, self._set), None) is None:
            return None
        for guard in fails:
            unsure = [term for term in guard if values.get(term.fact) is not term.value]
            if len(unsure) == 1 and unsure[0].fact not in values:
                self._set(values, Term(unsure[0].fact, not unsure[0].value))
        return values

    def _set(self, values: dict[str, bool], term: Term) -> bool:
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


@per_model
def solver_of(model: Model) -> Solver:
    """Return the solver for the guards of a model."""
    return Solver(model)


def text(guard: Iterable[Term]) -> str:
    """Return a guard in words: "a, not b", or "otherwise"."""
    return guard_text(guard) or "otherwise"
