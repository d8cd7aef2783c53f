"""A small DPLL solver, which decides whether clauses can all be true. The questions have a few dozen variables.

A literal is the number of a variable, negative for "not". A clause is a tuple of literals, one of which must hold.
Davis, Logemann and Loveland, "A machine program for theorem-proving" (1962).
"""

from __future__ import annotations

from collections.abc import Iterable

Clause = tuple[int, ...]


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
