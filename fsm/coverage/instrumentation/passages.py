"""What firings add to the counts: worked out once for all games and objects that go the same way.

A walk is one game, or one object on one machine. Walks that stand alike share a Place, and what
fires there is a Passage, which is counted by its identity until it is written.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from fsm.coverage.data import FiringKey, Literal, Subject

MOST = 16_384
"""When this many passages are kept, all are forgotten. They are worked out again as they are met."""


class Firing(NamedTuple):
    """One firing.

    Attributes
    ----------
    machine
        The name of the machine.
    step
        The id of the transition, and the state in which it fired.
    literals
        The literals that decided.
    ends
        The name of a machine whose next firing follows no other one, or "".
    target
        The state to which a plain machine goes.
    """

    machine: str
    step: FiringKey
    literals: tuple[Literal, ...] = ()
    ends: str = ""
    target: str = ""


class Place:
    """Where walks stand: the subject, the state in which they began, and what fired last, by machine.

    `start` is "" for a game. `passages` finds what begins here by the identity of what fired.
    """

    __slots__ = ("last", "passages", "start", "subject")
    subject: Subject
    start: str
    last: dict[str, FiringKey]

    def __init__(self, subject: Subject, start: str, last: dict[str, FiringKey]) -> None:
        self.subject, self.start, self.last = subject, start, last
        self.passages: dict[int, Passage] = {}


class Passage:
    """What fired together in a walk: where from, where to, and what it adds to which counter.

    `fired` keeps alive what it is found by.
    """

    __slots__ = ("added", "after", "before", "fired", "steps")
    before: Place
    after: Place
    fired: object
    steps: tuple[tuple[str, FiringKey], ...]
    added: tuple[tuple[str, str, Any], ...]

    def __init__(
        self,
        before: Place,
        after: Place,
        fired: object,
        steps: tuple[tuple[str, FiringKey], ...],
        added: tuple[tuple[str, str, Any], ...],
    ) -> None:
        self.before, self.after, self.fired = before, after, fired
        self.steps, self.added = steps, added


class Places:
    """All places, and the passages between them."""

    def __init__(self) -> None:
        self._places: dict[object, Place] = {}
        self._made = 0

    def of(
        self, subject: Subject, start: str = "", last: dict[str, FiringKey] | None = None
    ) -> Place:
        """Return the place of walks where this fired last, or where nothing has fired."""
        key = subject, start, *(last or {}).items()
        if key not in self._places:
            self._places[key] = Place(subject, start, last or {})
        return self._places[key]

    def passage(self, before: Place, fired: object, firings: Iterable[Firing]) -> Passage:
        """Return what firings are at a place. It is found again by the identity of `fired`."""
        last, added = dict(before.last), list[tuple[str, str, Any]]()
        steps = list[tuple[str, FiringKey]]()
        for machine, step, literals, ends, _ in firings:
            added.append(("firings", machine, step))
            if machine in last:
                added.append(("pairs", machine, (last[machine], step)))
            added.extend(("literals", machine, literal) for literal in literals)
            steps.append((machine, step))
            last[machine] = step
            last.pop(ends, None)
        after = self.of(before.subject, before.start, dict(sorted(last.items())))
        passage = Passage(before, after, fired, tuple(steps), tuple(added))
        self._made += 1
        if self._made > MOST:
            self._made = 0
            for place in self._places.values():
                place.passages.clear()
        before.passages[id(fired)] = passage
        return passage


class Walk:
    """One game, or one object on one machine, and where it stands.

    `of` has the id() of the game, or of the machine and of the object, for listeners. `stands` is
    the state to which the last transition led an object.
    """

    __slots__ = ("of", "place", "stands")
    place: Place
    of: tuple[int, ...]
    stands: str

    def __init__(self, place: Place, of: tuple[int, ...] = ()) -> None:
        self.place, self.of, self.stands = place, of, ""


class Walks:
    """The walks of objects on machines. A walk ends with its object, or when `end` is called."""

    def __init__(self) -> None:
        self._walks: dict[tuple[int, int], tuple[Callable[[], object], Subject, Walk]] = {}

    def of(
        self, machine: object, driven: object, subject: Subject, begin: Callable[[], Place]
    ) -> Walk:
        """Return the walk of this object on this machine, or begin one.

        Another machine may have the id of one that is gone. It has a subject object of its own.
        """
        key = id(machine), id(driven)
        held = self._walks.get(key)
        if held is not None and held[0]() is driven and held[1] is subject:
            return held[2]
        walk = Walk(begin(), key)
        self._walks[key] = self._until_gone(key, driven), subject, walk
        return walk

    def end(self, machine: object, driven: object) -> None:
        """End the walk of this object."""
        self._walks.pop((id(machine), id(driven)), None)

    def clear(self) -> None:
        """End all walks."""
        self._walks.clear()

    def _until_gone(self, key: tuple[int, int], driven: object) -> Callable[[], object]:
        """Return a weak reference that ends the walk with the object.

        If there can be none, return a function that keeps the object, so that no other object gets
        its id.
        """
        try:
            return weakref.ref(driven, lambda _: self._walks.pop(key, None))
        except TypeError:
            return lambda: driven
