"""Wraps functions for a while, and restores them afterwards."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any

_NONE = object()


class Patches:
    """The attributes that were replaced, so that they can be restored."""

    def __init__(self) -> None:
        self._replaced: list[tuple[Any, str, object]] = []

    def wrap(self, owner: Any, name: str, wrapper: Callable[[Any], Any]) -> None:
        """Replace an attribute by its wrapped value, with the name and docstring of the original."""
        original = getattr(owner, name)
        self.put(owner, name, update_wrapper(wrapper(original), original))

    def put(self, owner: Any, name: str, value: Any) -> None:
        """Replace an attribute."""
        self._replaced.append((owner, name, vars(owner).get(name, _NONE)))
        setattr(owner, name, value)

    def undo(self) -> None:
        """Restore all attributes, the last one first."""
        while self._replaced:
            owner, name, before = self._replaced.pop()
            if before is _NONE:
                delattr(owner, name)
            else:
                setattr(owner, name, before)
