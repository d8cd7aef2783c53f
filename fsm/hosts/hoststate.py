"""The state of a host, kept beside the answers of a game so that both go back together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

from fsm.errors import HostError, shown
from fsm.hosts.responding import WrappingHost


class HostState:
    """Takes the state of a host, and puts it back.

    A host may have methods `save()` and `load(saved)`. If it has neither, its attributes are
    copied. `load` must put back all that `save` returns.

    Parameters
    ----------
    host
        The host, or None if there is no state.
    shared
        Objects that an attribute may refer to, and that are not copied.
    """

    def __init__(self, host: Any, shared: Iterable[object] = ()) -> None:
        if isinstance(
            host, WrappingHost
        ):  # a copy of it would have a copy of the host that it wraps
            raise HostError(
                f"the state is not in {_name(host)}, but in the host that it wraps: give that one"
            )
        self.host = host
        self._own = not hasattr(host, "save")
        if hasattr(host, "load") == self._own:
            has, lacks = ("load", "save()") if self._own else ("save", "load(saved)")
            raise HostError(
                f"{_name(host)} has {has} but not {lacks}, so that its state cannot go back; write both, or neither",
                kind="missing-method",
                place=f"{_name(host)}.{lacks}",
            )
        self._shared = {id(one): one for one in (host, *shared)}
        if self._own and host is not None and not hasattr(host, "__dict__"):
            raise HostError(f"{_name(host)} has no attributes that can be copied; {_REMEDY}")

    def take(self) -> Any:
        """Return the state of the host now. Later changes of the host do not change it."""
        if self.host is None:
            return None
        return self._copied(vars(self.host)) if self._own else self.host.save()

    def put(self, saved: Any) -> None:
        """Give the host the state that was taken."""
        if self.host is None:
            return
        if not self._own:
            self.host.load(deepcopy(saved) if _is_plain(saved) else saved)
            self._check(saved)
            return
        values = self._copied(saved)
        vars(self.host).clear()
        vars(self.host).update(values)

    def _check(self, saved: Any) -> None:
        """Check that the host has what was put back, as far as plain values can be compared."""
        if not _is_plain(saved):
            return
        now = self.host.save()
        if now != saved:
            raise HostError(
                f"after {_name(self.host)}.load(saved), save() returns {shown(now)}, not {shown(saved)}: "
                f"let load put back all that save returns",
                kind="state-mismatch",
                place=f"{_name(self.host)}.load",
                found=now,
            )

    def plain(self, saved: Any) -> Any:
        """Return the state if it is made of plain JSON values.

        Raises
        ------
        HostError
            If it is not. The message names the attribute.
        """
        wrong = _not_plain(saved, "")
        if wrong:
            raise HostError(
                f"{_name(self.host)}{wrong} cannot be written as JSON; {_REMEDY} of plain JSON values"
            )
        return saved

    def _copied(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return deep copies of attributes. What several attributes share, their copies share."""
        copied, memo = {}, dict(self._shared)
        for name, value in values.items():
            try:
                copied[name] = deepcopy(value, memo)
            except Exception as error:
                raise HostError(
                    f"{_name(self.host)}.{name} cannot be copied ({error}); {_REMEDY}"
                ) from error
        return copied


_REMEDY = "give the host the methods save() and load(saved)"


def _name(host: object) -> str:
    return type(host).__name__


def _is_plain(value: Any) -> bool:
    return not _not_plain(value, "")


def _not_plain(value: Any, place: str) -> str:
    """Return the place of a value that JSON cannot hold, or would give back as another one, or ""."""
    if value is None or value.__class__ in (bool, int, float, str):
        return ""
    if value.__class__ is list:
        return next(
            filter(None, (_not_plain(one, f"{place}[{n}]") for n, one in enumerate(value))), ""
        )
    if value.__class__ is dict and all(key.__class__ is str for key in value):
        return next(
            filter(None, (_not_plain(one, f"{place}.{key}") for key, one in value.items())), ""
        )
    return f"{place} ({type(value).__name__})"
