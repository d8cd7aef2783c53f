"""Assigns firings to walks: the firings of one machine on one object follow one another."""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fsm.coverage.data import OpenWalk
    from fsm.coverage.instrumentation.buffer import Buffer
    from fsm.coverage.instrumentation.identifying import ReadMachine

Key = tuple[int, int]


class OpenWalks:
    """The open walks, by machine and object. A walk ends with its object or when its machine
    changes.
    """

    def __init__(self, buffers: Sequence[Buffer]) -> None:
        self.buffers = buffers
        self._walks: dict[Key, tuple[Callable[[], object], OpenWalk]] = {}
        self._gone: deque[Key] = deque()

    def of(self, machine: Any, subject: object, known: ReadMachine) -> OpenWalk:
        """Return the open walk of this object on this machine."""
        while self._gone:
            self._end(self._gone.popleft())
        key = (id(machine), id(subject))
        held = self._walks.get(key)
        if held is not None and held[0]() is subject and held[1].subject is known.subject:
            return held[1]
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

    def _until_gone(self, key: Key, subject: object) -> Callable[[], object]:
        """Return a weak reference that reports the end of the object.

        If there can be none, return a function that keeps the object, so that no other object gets
        its id.
        """
        try:
            return weakref.ref(subject, lambda _: self._gone.append(key))
        except TypeError:
            return lambda: subject

    def _end(self, key: Key) -> None:
        held = self._walks.pop(key, None)
        if held is not None:
            for buffer in self.buffers:
                buffer.ended(held[1])
