"""A machine that queues: an event that comes while another is under way waits for it. The library's
rules, in short.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from transitions import core


class Waiting:
    """An event in the queue; the library finds those of a model it removes by `model`."""

    __slots__ = ("args", "kwargs", "model")

    def __init__(self, model: object, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.model: object = model
        self.args: tuple[Any, ...] = args
        self.kwargs: dict[str, Any] = kwargs


def queueing(
    machine: core.Machine, run: Callable[..., object], later: Callable[[Waiting], bool]
) -> Callable[..., bool]:
    """A function that does `run` at once when nothing is under way, then what came meanwhile; or
    has it wait.

    `run` takes what the function is called with: the model, or model, args and kwargs; `later` is
    what to do with an event that waited.
    """

    def queued(
        model: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> bool:
        queue = machine._transition_queue
        queue.append(partial(later, Waiting(model, args, kwargs or {})) if queue else _under_way)
        if len(queue) > 1:
            return True
        try:
            run(model) if kwargs is None else run(model, args, kwargs)
            machine._transition_queue.popleft()
            while machine._transition_queue:
                machine._transition_queue[0]()
                machine._transition_queue.popleft()
        except BaseException:
            machine._transition_queue.clear()
            raise
        return True

    return queued


def _under_way() -> bool:
    """Stands in the queue for the event that is being done."""
    return True
