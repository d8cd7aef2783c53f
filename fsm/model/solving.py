"""Decides what can hold at once. A guard has few facts, so its solutions are listed one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

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


def assign(values: Values, term: Term) -> bool:
    """Set a term, from which nothing else follows. Return False if it has the other value."""
    return values.setdefault(term.fact, term.value) is term.value
