"""A cache for what is computed from a Model. A value is kept as long as its Model."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeVar

from fsm.model.model import Model

_P = ParamSpec("_P")
_V = TypeVar("_V")


def per_model(function: Callable[Concatenate[Model, _P], _V]) -> Callable[Concatenate[Model, _P], _V]:
    """Decorate a function of a Model, so that each of its values is computed once and kept with the Model.

    Further arguments must be hashable. Threads that call it at the same time may each compute the value, but all get
    the same one.
    """

    @wraps(function)
    def kept(model: Model, /, *args: _P.args, **kwargs: _P.kwargs) -> _V:
        key = (function, args, *kwargs.items()) if args or kwargs else function
        return model.kept(key, lambda: function(model, *args, **kwargs))

    return kept
