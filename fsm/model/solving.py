"""Decides what can hold at once. Checks, proofs of infeasibility and the search back from a target
use it.

A question about a guard has few facts, so its solutions are listed one by one. A question about
clauses has some dozen
variables: it is decided by the procedure of Davis, Logemann and Loveland, "A machine program for
theorem-proving" (1962). A literal is the number of a variable, negative for "not". A clause is a
tuple of literals, one of which must hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from fsm.model import Term

Clause = tuple[int, ...]
Values = dict[str, bool]


def ways_to_fail(
    values: Values, guards: Sequence[Sequence[Term]], assign: Callable[[Values, Term], bool]
) -> Iterator[Values]:
    """Yield each way to make all these guards false.

    Parameters
    ----------
    values
        The values of facts that are given.
    guards
        The guards. Of each, one term gets the other value.
    assign
        Sets a term and what follows from it. Returns False on a conflict.
    """
    if not guards:
        yield values
        return
    first, *rest = guards
    if any(values.get(term.fact, term.value) is not term.value for term in first):
        yield from ways_to_fail(values, rest, assign)
        return
    for term in first:
        tried = dict(values)
        if term.fact not in values and assign(tried, Term(term.fact, not term.value)):
            yield from ways_to_fail(tried, rest, assign)


def assign(values: Values, term: Term) -> bool:
    """Set a term, from which nothing else follows. Return False if it has the other value."""
    return values.setdefault(term.fact, term.value) is term.value


def satisfiable(clauses: Iterable[Clause]) -> bool:
    """Say whether all clauses can hold at once."""
    left = _propagated(list(clauses))
    if left is None:
        return False
    if not left:
        return True
    literal = left[0][0]
    return satisfiable([*left, (literal,)]) or satisfiable([*left, (-literal,)])


def _propagated(clauses: list[Clause]) -> list[Clause] | None:
    """Return what is undecided once every forced literal is set, or None if that is impossible."""
    while True:
        forced = {clause[0] for clause in clauses if len(clause) == 1}
        if not forced:
            return clauses if () not in clauses else None
        if any(-literal in forced for literal in forced):
            return None
        rest = [c for c in clauses if forced.isdisjoint(c)]
        clauses = [tuple(x for x in c if -x not in forced) for c in rest]
        if () in clauses:
            return None
