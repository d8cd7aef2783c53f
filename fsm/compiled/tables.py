"""The functions generated for a machine, and when they are generated: at the first trigger after a
change.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable
from typing import Any, Protocol

from transitions import core

from fsm.compiled.case import NotCompiled, Written, overridden
from fsm.compiled.observing import Forgotten
from fsm.compiled.queueing import Waiting, queueing
from fsm.compiled.sharing import function_of

Run = Callable[..., bool]


class TriggeredEvent(Protocol):
    """What triggers and functions need of their event. `fsm.compiled.CompiledEvent` has the
    docstrings.
    """

    machine: Any

    def trigger(self, model: object, *args: Any, **kwargs: Any) -> bool: ...
    def by_library(self, model: object, *args: Any, **kwargs: Any) -> bool: ...

    def under_way_by_library(self, model: object, *args: Any, **kwargs: Any) -> bool: ...

    def waited(self, waiting: Waiting) -> bool: ...

    def tables_for(self, model_class: type) -> ClassTables: ...

    def written(self, state: core.State, model_class: type, arguments: bool) -> Written: ...


_every: weakref.WeakSet[Tables] = weakref.WeakSet()
_registering = threading.Lock()


def forget_code() -> None:
    """Have every compiled machine of the process generate its code anew."""
    with _registering:
        every = list(_every)
    for tables in every:
        tables.definition_changed()


class Tables(Forgotten):
    """All tables of a machine; told of changes of its definition, it empties them."""

    def __init__(self) -> None:
        self._tables: weakref.WeakSet[EventFunctions] = weakref.WeakSet()
        with _registering:
            _every.add(self)

    def add(self, table: EventFunctions) -> None:
        """One more table to be emptied."""
        self._tables.add(table)

    def definition_changed(self) -> None:
        """Drop the code; it is generated anew when next needed."""
        for table in list(self._tables):
            table.runs.clear()


class EventFunctions:
    """The functions of one event for one class of models, by the value of the model's state.

    `arguments`: they take model, args and kwargs; otherwise the model alone.
    `front`: a machine that queues is to queue here; otherwise the event is under way.
    """

    __slots__ = ("__weakref__", "arguments", "event", "front", "model_class", "runs")

    def __init__(
        self, event: TriggeredEvent, model_class: type, arguments: bool, front: bool
    ) -> None:
        self.runs: dict[Any, Run] = {}
        self.event: TriggeredEvent = event
        self.model_class: type = model_class
        self.arguments: bool = arguments
        self.front: bool = front

    def run(self, value: Any) -> Run:
        """The function for this value of the state. What the library is to refuse is left to it,
        and not kept.
        """
        try:
            return self.runs[value]
        except KeyError:
            machine = self.event.machine
        tables = machine._tables_of_code()
        tables.add(self)
        machine._observe(tables)
        queued = self.front and machine.has_queue
        if self.front and (
            overridden(machine, core.Machine, "_process")
            or (machine._transition_queue and not queued)
        ):
            return self._by_library
        try:
            state = machine.get_state(value)
        except ValueError:
            return self._by_library
        self.runs[value] = run = self._queued() if queued else self._generated(state)
        return run

    def _generated(self, state: core.State) -> Run:
        try:
            written = self.event.written(state, self.model_class, self.arguments)
        except NotCompiled:
            return self._by_library
        return function_of(written.source, written.name, written.names)

    def _by_library(
        self, model: object, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> bool:
        if self.front:
            return self.event.by_library(model, *args, **(kwargs or {}))
        return self.event.under_way_by_library(model, *args, **(kwargs or {}))

    def _queued(self) -> Run:
        event = self.event
        tables = event.tables_for(self.model_class)
        table, attribute = tables.tables[self.arguments, False], tables.attribute

        def run(model: Any, *given: Any) -> bool:
            value = getattr(model, attribute)
            try:
                function = table.runs[value]
            except KeyError:
                function = table.run(value)
            return function(model, *given)

        return queueing(event.machine, run, event.waited)


class ClassTables:
    """The tables of one event for one class of models, which keep their state in `attribute`."""

    __slots__ = ("attribute", "general", "plain", "tables")

    def __init__(self, event: TriggeredEvent, model_class: type) -> None:
        self.attribute: str = event.machine.model_attribute
        ways = [(arguments, front) for arguments in (False, True) for front in (False, True)]
        self.tables: dict[tuple[bool, bool], EventFunctions] = {
            way: EventFunctions(event, model_class, *way) for way in ways
        }
        self.plain: dict[Any, Run] = self.tables[False, True].runs
        self.general: dict[Any, Run] = self.tables[True, True].runs


class EventTables(Forgotten, dict[type, ClassTables]):
    """The tables of one event by class of model."""
