"""Wraps functions for a while, and restores them afterwards."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Any

_NONE = object()


class Patches:
    """What has been replaced, so that it can be put back."""

    def __init__(self) -> None:
        self._replaced: list[tuple[Any, str, object]] = []

    def wrap(self, owner: Any, name: str, wrapper: Callable[[Any], Any]) -> None:
        """Replace an attribute by what `wrapper` makes of it, which looks like it to who asks."""
        original = getattr(owner, name)
        self.put(owner, name, update_wrapper(wrapper(original), original))

    def put(self, owner: Any, name: str, value: Any) -> None:
        """Replace an attribute."""
        self._replaced.append((owner, name, vars(owner).get(name, _NONE)))
        setattr(owner, name, value)

    def undo(self) -> None:
        """Put everything back, the last first."""
        while self._replaced:
            owner, name, before = self._replaced.pop()
            if before is _NONE:
                delattr(owner, name)
            else:
                setattr(owner, name, before)
