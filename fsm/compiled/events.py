"""Events whose triggers run generated code."""

from __future__ import annotations

from collections.abc import Callable
from enum import EnumMeta
from functools import partial
from typing import Any

from transitions import core

from fsm.compiled.case import Case, NotCompiled, Written, overridden
from fsm.compiled.codewriter import Writer
from fsm.compiled.observing import Observed, observe, settings
from fsm.compiled.queueing import Waiting
from fsm.compiled.tables import ClassTables, EventTables
from fsm.compiled.triggering import INFO, LEVELS, Trigger

MACHINE_HOOKS = (
    "callback",
    "callbacks",
    "get_model_state",
    "get_state",
    "resolve_callable",
    "set_state",
    "_process",
)
EVENT_HOOKS = ("_is_valid_source", "_process", "_trigger")


@settings("transitions")
class CompiledEvent(Observed, core.Event):
    """The library's event; triggering it runs generated code."""

    machine: core.Machine

    def __init__(self, name: str, machine: core.Machine) -> None:
        super().__init__(name, machine)
        self._tables = EventTables()

    def trigger(self, model: object, *args: Any, **kwargs: Any) -> bool:
        """Trigger the event on a model. Returns whether a transition fired, or was queued."""
        try:
            told = LEVELS[INFO]
            tables = self._tables[type(model)]
            value = getattr(model, tables.attribute)
            run = tables.general[value] if args or kwargs else tables.plain[value]
        except (KeyError, AttributeError):
            return self._missed(model, args, kwargs)
        if told:
            return self.by_library(model, *args, **kwargs)
        return run(model, args, kwargs) if args or kwargs else run(model)

    def _missed(
        self, model: object, args: tuple[Any, ...], kwargs: dict[str, Any], front: bool = True
    ) -> bool:
        """Trigger the event, or do it when its turn in the queue has come, generating the function
        if need be.
        """
        if core._LOGGER.isEnabledFor(INFO):
            by_library = self.by_library if front else self.under_way_by_library
            return by_library(model, *args, **kwargs)
        tables = self.tables_for(type(model))
        value = getattr(model, tables.attribute)
        if args or kwargs:
            return tables.tables[True, front].run(value)(model, args, kwargs)
        return tables.tables[False, front].run(value)(model)

    def by_library(self, model: object, *args: Any, **kwargs: Any) -> bool:
        """Trigger the event as the library does.

        Parameters
        ----------
        model
            The model.
        *args
            The arguments of the trigger.
        **kwargs
            Its keyword arguments.

        Returns
        -------
        bool
            Whether a transition fired, or was queued.
        """
        return core.Event.trigger(self, model, *args, **kwargs)

    def under_way_by_library(self, model: object, *args: Any, **kwargs: Any) -> bool:
        """Process an event whose turn in the queue has come, as the library does.

        Parameters
        ----------
        model
            The model.
        *args
            The arguments of the trigger.
        **kwargs
            Its keyword arguments.

        Returns
        -------
        bool
            Whether a transition fired, or was queued.
        """
        return self._trigger(core.EventData(None, self, self.machine, model, args, kwargs))

    def waited(self, waiting: Waiting) -> bool:
        """Process an event that had to wait in the queue.

        Parameters
        ----------
        waiting
            The event, its model and its arguments.

        Returns
        -------
        bool
            Whether a transition fired, or was queued.
        """
        return self._missed(waiting.model, waiting.args, waiting.kwargs, front=False)

    def trigger_for(self, model: object) -> Callable[..., bool]:
        """Return what a model gets under the name of this event.

        Parameters
        ----------
        model
            The model.

        Returns
        -------
        Callable
            The trigger.
        """
        special = (
            type(self).trigger is not CompiledEvent.trigger
            or self.machine.model_attribute != "state"
        )
        if special or self.name.startswith(
            "on_"
        ):  # a method called on_enter_... would become a callback
            return partial(self.trigger, model)
        return Trigger(model, self).fire

    def tables_for(self, model_class: type) -> ClassTables:
        """Return the generated functions for models of a class.

        Parameters
        ----------
        model_class
            The class.

        Returns
        -------
        ClassTables
            The functions, by state.
        """
        tables = self._tables.get(model_class)
        if tables is None or tables.attribute != self.machine.model_attribute:
            tables = self._tables[model_class] = ClassTables(self, model_class)
        return tables

    def written(self, state: core.State, model_class: type, arguments: bool) -> Written:
        """Return the source that is generated for a state.

        Parameters
        ----------
        state
            The state.
        model_class
            The class of the models.
        arguments
            Whether the triggers are called with arguments.

        Returns
        -------
        Written
            The source.

        Raises
        ------
        NotCompiled
            If the library's own code has to run here.
        """
        machine = self.machine
        observer = machine._tables_of_code()
        machine._observe(observer)
        if not machine.compiled:
            raise NotCompiled("the machine is not to be compiled")
        self._observe(observer)
        observe(machine, "states", observer)
        rows = observe(self, "transitions", observer).get(state.name)
        if isinstance(rows, Observed):
            rows._observe(observer)
        self._check(state, model_class)
        writer: Writer = machine.writer_cls(
            Case(machine, self, state, model_class, arguments), observer
        )
        return writer.written()

    def _check(self, state: core.State, model_class: type) -> None:
        if state.name not in self.transitions:
            raise NotCompiled(f"the event has no transition from {state.name!r}")
        if issubclass(model_class, list | tuple | EnumMeta):
            raise NotCompiled("the library takes a model that is a list for a list of models")
        for owner, kind, hooks in (
            (self.machine, core.Machine, MACHINE_HOOKS),
            (self, core.Event, EVENT_HOOKS),
        ):
            changed = next((hook for hook in hooks if overridden(owner, kind, hook)), None)
            if changed:
                raise NotCompiled(f"{type(owner).__name__}.{changed} is overridden")


CompiledEvent.__name__ = "Event"  # the library's repr() names the class
