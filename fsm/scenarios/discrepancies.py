"""Helpers for expectations, which look up turns and visits in the outcome of a scenario."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fsm.runs.where import Where

if TYPE_CHECKING:
    from fsm.runs.visits import Visit
    from fsm.scenarios.outcome import Outcome

ExpectEntry = Mapping[str, Any]
Discrepancy = tuple[str, object, object]
"""What was checked, what was wanted, and what was found."""
Checker = Callable[["Outcome", ExpectEntry], Iterator[Discrepancy]]


class Missing:
    """Stands for something that is missing, such as a visit that did not take place."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def of_turn(outcome: Outcome, entry: ExpectEntry, pick: Callable[[int], object]) -> object:
    """Return what `pick` finds in the entry's turn, or that there is no such turn."""
    number = int(entry["turn"])
    return pick(number) if any(t.turn == number for t in outcome.turns) else Missing("no such turn")


def where_of(entry: ExpectEntry, **more: Any) -> Where:
    """Return the visit that an entry names."""
    place = {**entry, **more}
    return Where(place["turn"], place["step"], place.get("iteration", 1))


def at_visit(outcome: Outcome, where: Where, pick: Callable[[Visit], object]) -> object:
    """Return what `pick` finds in a visit, or that there is no such visit."""
    visit = next((v for v in outcome.visits if v.where == where), None)
    return Missing("no such visit") if visit is None else pick(visit)


def occurs(run: Sequence[str], inside: Sequence[str]) -> bool:
    """Say whether the words occur one after another."""
    return any(
        list(inside[i : i + len(run)]) == list(run) for i in range(len(inside) - len(run) + 1)
    )
