"""How expectations look at what came of a scenario: at a turn, at a visit, at what is not there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fsm.runs.where import Where

if TYPE_CHECKING:
    from fsm.runs.visits import Visit
    from fsm.scenarios.player import Outcome

Entry = Mapping[str, Any]
Finding = tuple[str, object, object]
"""What was looked at, what was wanted there, and what there was."""
Checker = Callable[["Outcome", Entry], Iterator[Finding]]


class Nothing:
    """What there is where nothing is, such as a visit that did not take place."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def registers(checkers: dict[str, Checker]) -> Callable[[Checker], Checker]:
    """A decorator that enters a checker under its name."""

    def enter(checker: Checker) -> Checker:
        checkers[checker.__name__] = checker
        return checker

    return enter


def of_turn(outcome: Outcome, entry: Entry, pick: Callable[[int], object]) -> object:
    """What `pick` finds of the entry's turn, or that there is no such turn."""
    number = int(entry["turn"])
    return pick(number) if any(t.turn == number for t in outcome.turns) else Nothing("no such turn")


def where_of(entry: Entry, **more: Any) -> Where:
    """The visit that an entry names."""
    place = {**entry, **more}
    return Where(place["turn"], place["step"], place.get("iteration", 1))


def at_visit(outcome: Outcome, where: Where, pick: Callable[[Visit], object]) -> object:
    """What `pick` finds of a visit, or that there is no such visit."""
    visit = next((v for v in outcome.visits if v.where == where), None)
    return Nothing("no such visit") if visit is None else pick(visit)


def occurs(run: Sequence[str], inside: Sequence[str]) -> bool:
    """Does this contiguous run occur?"""
    return any(list(inside[i : i + len(run)]) == list(run) for i in range(len(inside) - len(run) + 1))
