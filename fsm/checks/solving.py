"""A solver for guards: it finds facts under which some guards hold and others do not.

Guards are conjunctions of facts. Of the facts of one group, exactly one holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fsm.model import Model, Term
from fsm.model.elements import guard_text
from fsm.model.model import per_model
from fsm.model.solving import ways_to_fail


def solve(
    model: Model, holds: Iterable[Term], fails: Iterable[Sequence[Term]]
) -> dict[str, bool] | None:
    """Find values of facts under which some terms hold and some guards fail.

    Parameters
    ----------
    model
        The Model whose facts are used. Of the facts of one group, exactly one holds.
    holds
        Terms that must all hold.
    fails
        Guards that must each fail.

    Returns
    -------
    dict or None
        The values of the facts that matter, by name, or None if there is no solution.
    """
    values: dict[str, bool] = {}
    if not all(_set(model, values, term) for term in holds):
        return None
    found = ways_to_fail(values, list(fails), lambda values, term: _set(model, values, term))
    return next(found, None)


def text(guard: Iterable[Term]) -> str:
    """Return a guard in words: "a, not b", or "otherwise"."""
    return guard_text(guard) or "otherwise"


def members(model: Model, group: str) -> tuple[str, ...]:
    """Return the facts of a group. Exactly one of them holds."""
    return _groups(model)[group]


@per_model
def _groups(model: Model) -> dict[str, tuple[str, ...]]:
    groups = dict.fromkeys(fact.group for fact in model.facts)
    return {
        group: tuple(f.name for f in model.facts if f.group == group) if group else ()
        for group in groups
    }


def _set(model: Model, values: dict[str, bool], term: Term) -> bool:
    """Set the value of a term, and what follows in its group. Return False on a conflict."""
    if term.fact in values:
        return values[term.fact] == term.value
    values[term.fact] = term.value
    group = members(model, model.fact(term.fact).group)
    if term.value:
        return all(_set(model, values, Term(other, False)) for other in group if other != term.fact)
    return not group or any(values.get(other, True) for other in group)
