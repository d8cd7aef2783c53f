"""The state of a host, which is kept beside the answers of a game so that both go back together."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from math import isfinite
from typing import Any

import msgspec

from fsm.errors import HostError, shown
from fsm.hosts.driving import unwrapped

_REMEDY = "give the host the methods save() and load(saved)"


class HostState:
    """Takes the state of a host, and puts it back.

    A host may have methods `save()` and `load(saved)`. If it has neither, its attributes are
    copied. `load` must put back all that `save` returns. Of a host that wraps another, the state is
    that of the host inside, with the stops.

    Parameters
    ----------
    host
        The host, or None if there is no state.
    shared
        Objects that an attribute may refer to, and that are not copied.
    """

    def __init__(self, host: Any, shared: Iterable[object] = ()) -> None:
        self.given = host
        self._wrappers, self._host = unwrapped(host)
        self._name = type(self._host).__name__
        saves = hasattr(self._host, "save")
        if saves != hasattr(self._host, "load"):
            has, lacks = ("save", "load(saved)") if saves else ("load", "save()")
            raise HostError(
                f"{self._name} has {has} but not {lacks}, so that its state cannot go back; write "
                f"both, or neither",
                kind="missing-method",
                place=f"{self._name}.{lacks}",
            )
        if host is not None and not saves:
            self._host = _Attributes(self._host, (host, *shared))

    def take(self) -> Any:
        """Return the state of the host now. Later changes of the host do not change it."""
        if self.given is None:
            return None
        wrapping = [wrapper.save() for wrapper in self._wrappers]
        return {"host": self._host.save(), "wrapping": wrapping}

    def put(self, taken: Any) -> None:
        """Give the host the state that was taken."""
        if self.given is None:
            return
        if not self._fits(taken):
            raise HostError(
                f"this is not the state of a {type(self.given).__name__}: give the host with whose "
                f"state the game was kept"
            )
        for wrapper, kept in zip(self._wrappers, taken["wrapping"], strict=True):
            wrapper.load(kept)
        saved = taken["host"]
        if _not_plain(saved, ""):
            self._host.load(saved)
            return
        self._host.load(deepcopy(saved))
        now = self._host.save()
        if now != saved:
            raise HostError(
                f"after {self._name}.load(saved), save() returns {shown(now)}, not {shown(saved)}: "
                f"let load put back all that save returns",
                kind="state-mismatch",
                place=f"{self._name}.load",
                found=now,
            )

    def _fits(self, taken: Any) -> bool:
        if not isinstance(taken, dict) or taken.keys() != {"host", "wrapping"}:
            return False
        own = isinstance(taken["host"], dict) or not isinstance(self._host, _Attributes)
        return own and len(taken["wrapping"]) == len(self._wrappers)

    def plain(self, taken: Any) -> Any:
        """Return the state if it is made of plain JSON values, else raise HostError."""
        wrong = _not_plain(taken["host"], "") if taken is not None else ""
        if wrong:
            raise HostError(
                f"{self._name}{wrong} cannot be written as JSON; {_REMEDY} of plain JSON values"
            )
        return taken

    def encoded(self, before: bytes) -> bytes:
        """Return the state now as JSON. It is checked only if it is not the same as before.

        Raises HostError if it is not made of plain JSON values. The message names the attribute.
        """
        now = self.take()
        try:
            text = msgspec.json.encode(now)
        except (TypeError, ValueError, OverflowError, RecursionError) as error:
            self.plain(now)
            raise HostError(f"{self._name} cannot be written as JSON ({error})") from None
        if text != before:
            self.plain(now)
        return text


class _Attributes:
    """Saves and loads the attributes of a host that has no such methods."""

    def __init__(self, host: object, shared: Iterable[object]) -> None:
        self._name = type(host).__name__
        if not hasattr(host, "__dict__"):
            raise HostError(f"{self._name} has no attributes that can be copied; {_REMEDY}")
        self._values = vars(host)
        self._shared = {id(one): one for one in (host, *shared)}

    def save(self) -> dict[str, Any]:
        """Return deep copies. What several attributes share, their copies share."""
        copied, memo = {}, dict(self._shared)
        for name, value in self._values.items():
            try:
                copied[name] = deepcopy(value, memo)
            except Exception as error:
                raise HostError(
                    f"{self._name}.{name} cannot be copied ({error}); {_REMEDY}"
                ) from error
        return copied

    def load(self, saved: dict[str, Any]) -> None:
        """Put copies in place of the attributes."""
        values = deepcopy(saved, dict(self._shared))
        self._values.clear()
        self._values.update(values)


def _not_plain(value: Any, place: str) -> str:
    """Return the place of a value that JSON cannot hold, or would give back as another one."""
    kind = value.__class__
    if value is None or kind in (bool, int, str) or (kind is float and isfinite(value)):
        return ""
    if kind is list:
        parts = {f"[{number}]": one for number, one in enumerate(value)}
    elif kind is dict and {*map(type, value)} <= {str}:
        parts = {f".{key}": one for key, one in value.items()}
    else:
        return f"{place} ({kind.__name__})"
    wrong = (_not_plain(one, place + name) for name, one in parts.items())
    return next(filter(None, wrong), "")
