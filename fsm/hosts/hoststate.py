"""The state of a host, which is kept beside the answers of a game so that both go back together."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from copy import deepcopy
from functools import partial
from typing import Any

import msgspec

from fsm.errors import HostError
from fsm.hosts.driving import unwrapped

_REMEDY = "give the host the methods save() and load(saved)"


class HostState:
    """Takes the state of a host, and puts it back.

    The state is a list: what each host that wraps another saves, the outermost first, and then what
    the host inside saves. If that one has no methods `save()` and `load(saved)`, its attributes are
    its state.

    Parameters
    ----------
    host
        The host, or None if there is no state.
    shared
        Objects that an attribute may refer to, and that are not copied.
    """

    def __init__(self, host: Any, shared: Iterable[object] = ()) -> None:
        self.given = host
        wrappers, inside = unwrapped(host)
        self._parts = [(wrapper.save, wrapper.load) for wrapper in wrappers]
        self._name = type(inside).__name__
        if inside is not None:
            lacks = [name for name in ("save", "load") if not hasattr(inside, name)]
            if len(lacks) == 1 or (lacks and not hasattr(inside, "__dict__")):
                raise HostError(
                    f"{self._name} has no {lacks[0]}: write both save() and load(saved), or an "
                    f"object with attributes and neither of the two",
                    kind="missing-method",
                    place=f"{self._name}.{lacks[0]}",
                )
            if lacks:
                values = vars(inside)
                self._parts.append((lambda: values, partial(_put, values)))
            else:
                self._parts.append((inside.save, inside.load))
        self._shared = {id(one): one for one in (host, inside, *shared)}

    def now(self) -> list[Any]:
        """Return the state of the host. Later changes of the host may change it."""
        return [save() for save, _ in self._parts]

    def take(self) -> list[Any]:
        """Return the state of the host now. Later changes of the host do not change it."""
        return self._copied(self.now()) if self._parts else []

    def put(self, taken: Any) -> None:
        """Give the host the state that was taken."""
        self.check(taken)
        if self._parts:
            for (_, load), saved in zip(self._parts, self._copied(taken), strict=True):
                load(saved)

    def check(self, taken: object) -> None:
        """Raise HostError if this cannot be the state of the host. Without a host, any can be."""
        fits = isinstance(taken, list) and len(taken) == len(self._parts)
        if self._parts and not fits:
            raise HostError(
                f"this is not the state of a {type(self.given).__name__}: give the host with whose "
                f"state the game was kept"
            )

    def _copied(self, state: list[Any]) -> list[Any]:
        try:
            return deepcopy(state, dict(self._shared))
        except Exception as error:
            raise HostError(f"{self._name} cannot be copied ({error}); {_REMEDY}") from error

    def encoded(self, state: list[Any], before: bytes = b"") -> bytes:
        """Return a state as JSON. It is checked only if it is not the same as before.

        Raises HostError if it is not made of plain JSON values. The message names the attribute.
        """
        return _plain_json(state, self._name, before)


def _put(values: dict[str, Any], saved: dict[str, Any]) -> None:
    """Give an object the attributes that were saved, and no others."""
    values.clear()
    values.update(saved)


def _plain_json(value: object, place: str, before: bytes = b"") -> bytes:
    """Return a value as JSON that gives it back as it is."""
    with suppress(TypeError, ValueError, OverflowError, RecursionError):
        text = msgspec.json.encode(value)
        if text == before or msgspec.json.decode(text) == value:
            return text
    with suppress(RecursionError):
        if isinstance(value, dict):
            for key, part in value.items():
                _plain_json(part, f"{place}.{key}")
        for part in value if isinstance(value, list) else ():
            _plain_json(part, place)
    raise HostError(f"{place} cannot be written as JSON; {_REMEDY} of plain JSON values")
