"""Following transitions through states that are not drawn, up to the places where the ways end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from fsm.model import Model, Transition
from fsm.model.reachability import reachable_from

Ends = Mapping[str, frozenset[str]]
"""Where the transitions of each state lead in the end, by state."""


def by_ends(model: Model) -> tuple[dict[str, list[Transition]], dict[str, list[Transition]]]:
    """The transitions out of each state and into each state, in the model's order."""
    out: dict[str, list[Transition]] = {}
    into: dict[str, list[Transition]] = {}
    for row in model.transitions:
        out.setdefault(row.source, []).append(row)
        into.setdefault(row.target or "", []).append(row)
    return out, into


def followed(
    first: Iterable[Transition], onward: Callable[[str], Iterable[Transition]]
) -> list[Transition]:
    """These transitions and all that come after them; `onward` has those of a state, none where a
    way ends.
    """
    return list(reachable_from(first, lambda row: onward(row.target or "")))


def ends_of(rows: Sequence[Transition], ends: Callable[[Transition, Ends], frozenset[str]]) -> Ends:
    """Where the sources of these transitions lead; `ends` says it of one transition, given what is
    known so far.
    """
    found: dict[str, frozenset[str]] = {row.source: frozenset() for row in rows}
    changed = True
    while changed:
        changed = False
        for row in rows:
            more = found[row.source] | ends(row, found)
            changed |= more != found[row.source]
            found[row.source] = more
    return found
