"""Assigns firings to walks: the firings of one machine on one object follow one another."""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fsm.coverage.instrumentation.buffer import Book, Trail
    from fsm.coverage.instrumentation.identifying import Known

Key = tuple[int, int]


class Trails:
    """The walks that go on, by machine and object. A walk ends with its object, or as its machine is changed."""

    def __init__(self, books: Sequence[Book]) -> None:
        self.books = books
        self._trails: dict[Key, tuple[object, Trail]] = {}
        self._gone: deque[Key] = deque()

    def of(self, machine: Any, subject: object, known: Known) -> Trail:
        """The walk of this object on this machine."""
        while self._gone:
            self._end(self._gone.popleft())
        key = (id(machine), id(subject))
        held, trail = self._trails.get(key, (None, None))
        if trail is None or trail.subject != known.subject or _meant(held) is not subject:
            self._end(key)
            trail = known.trail(key)
            self._trails[key] = (self._until_gone(key, subject), trail)
        return trail

    def end(self, machine: Any, subject: object) -> None:
        """The walk of this object is over."""
        self._end((id(machine), id(subject)))

    def end_all(self) -> None:
        """All walks are over."""
        for key in list(self._trails):
            self._end(key)

    def _until_gone(self, key: Key, subject: object) -> object:
        """The object, held so that we learn when it is gone; or so that it stays, and no other can take its id."""
        try:
            return weakref.ref(subject, lambda _: self._gone.append(key))
        except TypeError:
            return subject

    def _end(self, key: Key) -> None:
        _, trail = self._trails.pop(key, (None, None))
        if trail is not None:
            for book in self.books:
                book.ended(trail)


def _meant(held: object) -> object:
    """The object that is held, weakly or not."""
    return held() if isinstance(held, weakref.ref) else held
