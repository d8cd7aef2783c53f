"""A solver for guards: it finds facts under which some guards hold and others do not.

Guards are conjunctions of facts. Of the facts of one group, exactly one holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

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

    def solve(
        self, holds: Iterable[Term], fails: Sequence[Sequence[Term]] = ()
    ) -> dict[str, bool] | None:
        """Return values of facts under which some terms hold and some guards fail, or None."""
        return next(self.solutions({}, holds, fails), None)

    def solutions(
        self, known: Mapping[str, bool], holds: Iterable[Term], fails: Sequence[Sequence[Term]]
    ) -> Iterator[dict[str, bool]]:
        """Yield every way in which these terms hold and these guards fail, if some values of facts
        are known.
        """
        values = dict(known)
        if all(self._set(values, term) for term in holds):
            yield from ways_to_fail(values, fails, self._set)

    def _set(self, values: dict[str, bool], term: Term) -> bool:
        """Set the value of a term. Return False on a conflict, with it or in its group."""
        if term.fact in values:
            return values[term.fact] == term.value
        values[term.fact] = term.value
        group = self._groups.get(term.fact)
        if group is None:
            return True
        held = [value for name, value in values.items() if self._groups.get(name) == group]
        return sum(held) == 1 or not (any(held) or len(held) == len(self.members[group]))


@per_model
def solver_of(model: Model) -> Solver:
    """Return the solver for the guards of a model."""
    return Solver(model)


def text(guard: Iterable[Term]) -> str:
    """Return a guard in words: "a, not b", or "otherwise"."""
    return guard_text(guard) or "otherwise"
