"""Decides what can hold at once. A guard has few facts, so its solutions are listed one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from fsm.model import Term

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
