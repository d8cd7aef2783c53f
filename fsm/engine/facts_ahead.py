"""Which facts of the game may be read before the next request.

A run goes on through silent states until it must ask something. Many states lead to the same silent
ones, so what may be read from a silent state on is computed once for a machine, and not again for
each state before it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from threading import Lock

from fsm.model import Fact, Model, Term, Transition
from fsm.model.model import per_model
from fsm.state.primitives import TESTS

_ELSEWHERE = frozenset(("turns", "candidate_turn", "left"))
"""Fields of the agenda that say nothing of phases and steps."""
_EXPLORING = Lock()
_Key = tuple[str, str, frozenset[Term]]
"""A state, an event that comes there, and what is known of latched facts."""


@per_model
def facts_after(
    model: Model, state: str, event: str, left_out: tuple[str, ...]
) -> tuple[tuple[str, ...], bool]:
    """Return the facts of the game that may be read before the next request, and whether a window
    may close.

    Transitions are left out whose guards contradict what is known of latched facts, or only hold if
    something is scheduled in these fields of the agenda.
    """
    start = _ahead(model, left_out).place((state, event, frozenset()))
    found: dict[str, None] = {}
    read, seen, todo = 0, set[_Place](), [start]
    while todo and read != start.ahead:
        here = todo.pop()
        if not here.ahead & ~read:
            continue  # from here on nothing new is read
        found.update(dict.fromkeys(here.told))
        read |= here.own
        fresh = [place for place in here.onward if place not in seen]
        seen.update(fresh)
        todo += fresh
    return tuple(found), start.closes


class _Place:
    """A state in which an event comes.

    Attributes
    ----------
    told, own
        The facts of the game that the guards of its transitions read, as names and as a bit for
        each.
    onward
        The silent states to which the transitions lead.
    ahead
        The bits of all facts of the game that may be read from here on.
    closes
        Whether a final state may be reached.
    number, low
        Its number while it is explored, and the lowest number that it leads back to.
    """

    __slots__ = ("ahead", "closes", "low", "number", "onward", "own", "told")

    def __init__(self, told: tuple[str, ...], own: int, closes: bool, number: int) -> None:
        self.told, self.own, self.ahead, self.closes = told, own, own, closes
        self.onward: list[_Place] = []
        self.number: int | None = number
        self.low = number


@dataclass
class _Ahead:
    """What may be read in one machine, without transitions that need something in these fields of
    the agenda.
    """

    model: Model
    left_out: tuple[str, ...]
    places: dict[_Key, _Place] = field(default_factory=dict)

    def __post_init__(self) -> None:
        facts = self.model.facts
        self.idle = {fact.name for fact in facts if _needs(fact, self.left_out)}
        told = (fact.name for fact in facts if fact.owner == "game" and fact.timing != "latched")
        self.told = {name: 1 << number for number, name in enumerate(told)}
        self.latched = {fact.name for fact in facts if fact.timing == "latched"}

    def place(self, key: _Key) -> _Place:
        """Return a place. All that comes after it is complete."""
        found = self.places.get(key)
        if found is not None and found.number is None:
            return found
        with _EXPLORING:
            return self.places.get(key) or self._explore(key)

    def _explore(self, start: _Key) -> _Place:
        """Make a place, and those after it. Places on a circle have the same ahead of them.

        The circles are found as by R. Tarjan, "Depth-first search and linear graph algorithms"
        (1972).
        """
        first, onward = self._made(start, 0)
        waiting, path = [first], [(first, iter(onward))]
        while path:
            here, todo = path[-1]
            key = next(todo, None)
            if key is None:
                path.pop()
                if path:
                    before = path[-1][0]
                    before.low = min(before.low, here.low)
                if here.low == here.number:
                    _complete(waiting, here)
                continue
            there = self.places.get(key)
            if there is None:
                there, onward = self._made(key, len(waiting))
                waiting.append(there)
                path.append((there, iter(onward)))
            elif there.number is not None:
                here.low = min(here.low, there.number)
            here.onward.append(there)
        return first

    def _made(self, key: _Key, number: int) -> tuple[_Place, Iterable[_Key]]:
        """Return a new place, and the keys of those to which its transitions lead."""
        state, event, known = key
        told, onward, closes = dict[str, None](), dict[_Key, None](), False
        for row in self.model.rows(state, event):
            if any(term.value and term.fact in self.idle for term in row.guard):
                continue
            if known and any(Term(term.fact, not term.value) in known for term in row.guard):
                continue
            told.update((term.fact, None) for term in row.guard if term.fact in self.told)
            target = self.model.state(row.target) if row.target is not None else None
            if target is None:
                continue
            closes = closes or target.kind == "final"
            if target.kind in ("choice", "stage"):
                onward[target.id, "done", self._known_after(row, known)] = None
        own = sum(map(self.told.__getitem__, told))
        place = self.places[key] = _Place(tuple(told), own, closes, number)
        return place, onward

    def _known_after(self, row: Transition, known: frozenset[Term]) -> frozenset[Term]:
        """Return what is known of latched facts after a transition: its guard, unless it changes
        such facts.
        """
        if any(action.name in ("latch", "clear") for action in row.actions):
            return frozenset()
        terms = [term for term in row.guard if term.fact in self.latched]
        return known.union(terms) if terms else known


@per_model
def _ahead(model: Model, left_out: tuple[str, ...]) -> _Ahead:
    return _Ahead(model, left_out)


def _complete(waiting: list[_Place], first: _Place) -> None:
    """Say of the places of a circle what is ahead of them. They are the last ones that wait, from
    this one on.
    """
    circle = list[_Place]()
    while not circle or circle[-1] is not first:
        circle.append(waiting.pop())
    ahead, closes = 0, False
    for place in circle:
        place.number = None
        ahead |= place.own
        closes = closes or place.closes
        for there in place.onward:
            ahead |= there.ahead
            closes = closes or there.closes
    for place in circle:
        place.ahead, place.closes = ahead, closes


def _needs(fact: Fact, fields: tuple[str, ...]) -> bool:
    """Say whether this is false as long as nothing is scheduled in these fields, nor a phase or
    step interrupted.
    """
    test = TESTS.get(fact.test[0]) if fact.test else None
    if test is None or not test.scheduled:
        return False
    read = test.fields_read(fact.test[1:]) or _ELSEWHERE
    kind = "skips" if "skips" in read else "extras"
    return kind in fields and _ELSEWHERE.isdisjoint(read)
