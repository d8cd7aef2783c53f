"""What stands on a model under the name of an event.

A trigger is a bound method of a small object that knows its model and the functions generated so
far: of the ways measured (a partial of a function, a closure, a chain of ifs in one function) none
was faster by a tenth, and this one can be pickled and copied.
"""

from __future__ import annotations

import logging
from typing import Any

from transitions import core

from fsm.compiled.tables import Run, TriggeredEvent

# What the library's logger knows about its level; logging empties it whenever a level is changed
# anywhere.
LEVELS: dict[int, bool] = getattr(core._LOGGER, "_cache", {})
INFO = logging.INFO
_NONE_YET: dict[Any, Run] = {}


class Trigger:
    """What a model's `advance` is made of, for models that keep their state in `state`.

    Without arguments it looks into the functions itself; all else is the event's.
    """

    __slots__ = ("event", "model", "runs")

    def __init__(self, model: object, event: TriggeredEvent) -> None:
        self.model: Any = model
        self.event = event
        self.runs = _NONE_YET

    def fire(self, *args: Any, **kwargs: Any) -> bool:
        """Trigger the event. Returns whether a transition fired, or was queued."""
        model = self.model
        if args or kwargs:
            return self.event.trigger(model, *args, **kwargs)
        try:
            told = LEVELS[INFO]
            run = self.runs[model.state]
        except KeyError:
            return self._missed()
        return self.event.by_library(model) if told else run(model)

    def _missed(self) -> bool:
        """Trigger the event; the function is found here the next time."""
        tables = self.event.tables_for(type(self.model))
        self.runs = tables.plain if tables.attribute == "state" else _NONE_YET
        return self.event.trigger(self.model)

    def __reduce__(self) -> tuple[Any, ...]:
        return _unfinished, (type(self),), (self.model, self.event)

    def __setstate__(self, state: tuple[object, TriggeredEvent]) -> None:
        self.__init__(*state)  # type: ignore[misc]


def _unfinished(kind: type[Trigger]) -> Trigger:
    """A trigger whose model and event are still to come: they refer to it."""
    return kind.__new__(kind)
