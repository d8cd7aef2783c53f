"""A cache for what is computed from a Model or its Graph. A value is kept as long as the Model."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial, wraps
from typing import Concatenate, ParamSpec, Protocol, TypeVar

_P = ParamSpec("_P")
_V = TypeVar("_V")


class Keeper(Protocol):
    """Keeps values by keys: a Model or a Graph."""

    def kept(self, key: Hashable, make: Callable[[], _V], /) -> _V:
        """Return the value of a key, which is made once."""


_K = TypeVar("_K", bound=Keeper)


def per_model(function: Callable[Concatenate[_K, _P], _V]) -> Callable[Concatenate[_K, _P], _V]:
    """Decorate a function of a Model or a Graph, so that each of its values is computed once and
    kept with the Model.

    Further arguments must be hashable. Threads that call it at the same time may each compute the
    value, but all get the same one.
    """

    @wraps(function)
    def kept(model: _K, /, *args: _P.args, **kwargs: _P.kwargs) -> _V:
        if not args and not kwargs:
            return model.kept(function, partial(function, model))
        return model.kept(
            (function, args, *kwargs.items()), partial(function, model, *args, **kwargs)
        )

    return kept
