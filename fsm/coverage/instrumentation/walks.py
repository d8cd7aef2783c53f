"""Assigns firings to walks: the firings of one machine on one object follow one another."""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fsm.coverage.data import OpenWalk
    from fsm.coverage.instrumentation.buffer import Buffer
    from fsm.coverage.instrumentation.identifying import ReadMachine

Key = tuple[int, int]


class OpenWalks:
    """The open walks, by machine and object. A walk ends with its object or when its machine changes."""

    def __init__(self, buffers: Sequence[Buffer]) -> None:
        self.buffers = buffers
        self._walks: dict[Key, tuple[object, OpenWalk]] = {}
        self._gone: deque[Key] = deque()

    def of(self, machine: Any, subject: object, known: ReadMachine) -> OpenWalk:
        """Return the open walk of this object on this machine."""
        while self._gone:
            self._end(self._gone.popleft())
        key = (id(machine), id(subject))
        held, walk = self._walks.get(key, (None, None))
        if walk is None or walk.subject != known.subject or _meant(held) is not subject:
            self._end(key)
            walk = known.walk(key)
            self._walks[key] = (self._until_gone(key, subject), walk)
        return walk

    def end(self, machine: Any, subject: object) -> None:
        """End the walk of this object."""
        self._end((id(machine), id(subject)))

    def end_all(self) -> None:
        """End all walks."""
        for key in list(self._walks):
            self._end(key)

    def _until_gone(self, key: Key, subject: object) -> object:
        """Return a weak reference that reports the end of the object.

        If there can be none, return the object itself, so that it stays and no other object gets its id.
        """
        try:
            return weakref.ref(subject, lambda _: self._gone.append(key))
        except TypeError:
            return subject

    def _end(self, key: Key) -> None:
        _, walk = self._walks.pop(key, (None, None))
        if walk is not None:
            for buffer in self.buffers:
                buffer.ended(walk)


def _meant(held: object) -> object:
    """Return the object of a weak reference, or the object itself."""
    return held() if isinstance(held, weakref.ref) else held
