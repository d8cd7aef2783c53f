"""The events and transitions of a machine of the `transitions` library, as the library's own
objects.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from itertools import chain
from typing import Any


def transitions_of(machine: Any) -> Iterator[Any]:
    """Yield every transition of a machine, those inside of states as well."""
    for event in events_of(machine):
        yield from chain.from_iterable(event.transitions.values())


def events_of(machine: Any) -> Iterator[Any]:
    """Yield every event of a machine, those inside of states as well."""
    yield from machine.events.values()
    waiting = list(machine.states.values())
    while waiting:
        state = waiting.pop()
        yield from getattr(state, "events", {}).values()
        waiting += getattr(state, "states", {}).values()


def is_async(machine: Any) -> bool:
    """Say whether the triggers of a machine must be awaited."""
    return inspect.iscoroutinefunction(type(machine).callbacks)
