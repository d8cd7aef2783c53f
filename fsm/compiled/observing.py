"""Parts of a definition that say when they change, so that code generated from them is dropped in
time.

Nothing is compared when an event is triggered: a change is rare, a trigger is not.
"""

from __future__ import annotations

import weakref
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterator
from typing import Any, Protocol, SupportsIndex, TypeVar

Part = TypeVar("Part", bound=type)


class Observer(Protocol):
    """What is told of a change; kept weakly."""

    def definition_changed(self) -> None:
        """Something the code was generated from is not as it was."""


class Forgotten:
    """Mixin for what is no part of a pickled or copied state: it comes back empty."""

    def __reduce__(self) -> tuple[type, tuple[()]]:
        return type(self), ()


class Observers(Forgotten, list["weakref.ref[Observer]"]):
    """Who is to be told of the next change."""


class Observed:
    """Mixin for a part of a definition."""

    _observers: Observers | None = None
    _watched: tuple[
        str, ...
    ] = ()  # attributes that tell when they are set, once somebody wants to know

    def _observe(self, observer: Observer) -> None:
        """Tell `observer` of the next change; once told, it has to ask again."""
        observers = self._observers
        if observers is None:
            observers = self._observers = Observers()
            if self._watched:
                self.__class__ = _watching(type(self))
        for known in observers:
            if known() is observer:
                return
        observers.append(weakref.ref(observer))

    def _changed(self) -> None:
        told, self._observers = self._observers or (), None
        for known in told:
            observer = known()
            if observer is not None:
                observer.definition_changed()


def _telling(method: Callable[..., Any]) -> Callable[..., Any]:
    """The method of a container, telling of the change afterwards, also when it raised."""

    def told(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return method(self, *args, **kwargs)
        finally:
            if self._observers:
                self._changed()

    told.__name__ = method.__name__
    return told


def _tells(*names: str) -> Callable[[Part], Part]:
    """Class decorator: these inherited methods change the container."""

    def decorate(cls: Part) -> Part:
        for name in names:
            setattr(cls, name, _telling(getattr(cls, name)))
        return cls

    return decorate


_LIST_METHODS = (
    *("append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse"),
    *("__setitem__", "__delitem__", "__iadd__", "__imul__"),
)


class ObservedList(Observed, list[Any]):
    """A list of callbacks, conditions or transitions; it stands for a plain list, and a change of
    either is of both.

    Whoever handed in the original may still hold it; what is done to it behind our back is noticed
    when the machine next reads its definition. A copy, or what is pickled, stands for a copy of the
    original.
    """

    _origin: list[Any]

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        return handed, (self._origin,)

    def _observe(self, observer: Observer) -> None:
        self._catch_up()
        super()._observe(observer)

    def __iter__(self) -> Iterator[Any]:
        self._catch_up()
        return super().__iter__()

    def _catch_up(self) -> None:
        if self != self._origin:
            list.__setitem__(self, slice(None), self._origin)
            self._changed()


def _for_both(method: Callable[..., Any]) -> Callable[..., Any]:
    """The method of a list, done to an ObservedList and its original."""

    def done(self: ObservedList, *args: Any, **kwargs: Any) -> Any:
        self._catch_up()
        try:
            return method(self, *args, **kwargs)
        finally:
            self._origin[:] = self.copy()
            self._changed()

    return done


for _name in _LIST_METHODS:
    setattr(ObservedList, _name, _for_both(getattr(list, _name)))

_HANDED: weakref.WeakValueDictionary[int, ObservedList] = weakref.WeakValueDictionary()


def handed(value: Any) -> Any:
    """A list handed in from outside, as the same observed list wherever it is handed to; anything
    else as it is.
    """
    if type(value) is not list:
        return value
    known = _HANDED.get(id(value))
    if known is None:
        known = ObservedList(value)
        known._origin = value
        _HANDED[id(value)] = known
    return known


@_tells(
    "__setitem__",
    "__delitem__",
    "pop",
    "popitem",
    "clear",
    "update",
    "setdefault",
    "move_to_end",
    "__ior__",
)
class ObservedStates(Observed, OrderedDict[Any, Any]):
    """A machine's states by name."""


@_tells("__setitem__", "__delitem__", "pop", "popitem", "clear", "update", "setdefault", "__ior__")
class ObservedRows(Observed, defaultdict[Any, Any]):
    """An event's transitions by the name of their source, each list observed."""

    def __missing__(self, source: object) -> Any:
        self[source] = rows = handed([])
        return rows


def observed(value: Any) -> Any:
    """A plain list or dictionary as an observed one; anything else as it is."""
    kind = type(value)
    if kind is list:
        return handed(value)
    if kind is OrderedDict:
        return ObservedStates(value)
    if kind is defaultdict:
        return ObservedRows(None, {source: observed(rows) for source, rows in value.items()})
    return value


def observe(owner: Any, slot: str, observer: Observer) -> Any:
    """The container in this attribute, which from now on tells the observer of a change, if it can."""
    found = observed(owner.__dict__.get(slot))
    if isinstance(found, Observed):
        owner.__dict__[slot] = found
        found._observe(observer)
    return found


class _Setting:
    """An attribute that tells when it is set. Without `__get__`, reading it costs what it always
    does.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __set__(self, owner: Any, value: object) -> None:
        owner.__dict__[self.name] = value
        if owner._observers:
            owner._changed()


def settings(*names: str) -> Callable[[Part], Part]:
    """Class decorator: setting one of these attributes of an Observed changes the definition."""

    def decorate(cls: Part) -> Part:
        for name in names:
            setattr(cls, name, _Setting(name))
        return cls

    return decorate


def _watching(kind: Any) -> Any:
    """The class, with its watched attributes telling; what is not yet observed need not pay for
    that.
    """
    if kind.__dict__.get("_watching") is None:
        kind._watching = _subclass(kind)
        kind._watching._watching = kind._watching
    return kind._watching


def _subclass(kind: Any) -> Any:
    """A subclass that looks like the class, and is pickled and copied as it."""

    def reduced(self: Any, protocol: SupportsIndex) -> Any:
        make, args, *rest = kind.__reduce_ex__(self, protocol)
        if args and args[0] is type(self):
            make, args = _new, (kind, *args[1:])
        return (make, args, *rest)

    looks = {name: getattr(kind, name) for name in ("__doc__", "__module__", "__qualname__")}
    watched = {name: _Setting(name) for name in kind._watched}
    return type(kind)(
        kind.__name__, (kind,), {**looks, **watched, "__slots__": (), "__reduce_ex__": reduced}
    )


def _new(kind: Any, *args: Any) -> Any:
    """An object of this class, as pickle and copy make one."""
    return kind.__new__(kind, *args)
