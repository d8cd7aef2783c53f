"""A `transitions.Machine` whose triggers run generated code."""

from __future__ import annotations

from enum import Enum
from typing import Any

from transitions import core

from fsm.compiled.case import NotCompiled
from fsm.compiled.codewriter import Writer
from fsm.compiled.events import CompiledEvent
from fsm.compiled.observing import Observed, settings
from fsm.compiled.parts import CompiledState, CompiledTransition
from fsm.compiled.tables import Tables

_LISTS = (
    "_before_state_change",
    "_after_state_change",
    "_prepare_event",
    "_finalize_event",
    "_on_exception",
    "_on_final",
)


@settings("states", "send_event", "model_attribute", "_queued", "_compiled", *_LISTS)
class CompiledMachine(Observed, core.Machine):
    """The library's Machine, compiled: each event in each state runs a function generated for it
    when first used.

    It does what the library does, in the library's order, and stays as changeable: a change of
    states, transitions, callbacks or settings drops the code, which is generated anew.
    `compiled=False`, also later as an attribute, selects the library's own code. `source` shows
    what is generated.

    Left to the library's own code:

    - `may_...`, adding, removing and asking for states, transitions and models;
    - everything, while the logger "transitions.core" is enabled for INFO;
    - an event in a state from which it has no transition (an error, or ignored), and a state
      unknown to the machine;
    - a transition to a state that the machine does not have, and its neighbours of the same event
      and state;
    - machines and events whose class or instance overrides how callbacks are called or states are
      set;
    - `enter` and `exit` of states, `execute` of transitions and `check` of conditions whose class
      is the library's own or overrides them: these are called by the generated code;
    - models that are lists; callbacks kept in anything but a list or a tuple.

    Differences: a change that a callback makes counts from the next trigger on, the running one
    ends as it began. A list of callbacks that was handed in and is changed behind the machine's
    back (or through a state of the library's own class that has it too) is noticed with the next
    change of the machine itself. A callback's name that is a method of the model's class is called
    as a method: something put on the model under this name that cannot be called is an error then,
    and no longer a value. A value of the state that equals one seen before is taken for it, as an
    Enum member that is also a string.
    """

    state_cls: type[core.State] = CompiledState
    transition_cls: Any = (
        CompiledTransition  # Any, so that a class may be this and another machine of the library
    )
    event_cls: Any = CompiledEvent
    writer_cls: type[Writer] = Writer
    """What writes the code; to be replaced like the library's classes."""

    def __init__(self, *args: Any, compiled: bool | None = None, **kwargs: Any) -> None:
        if compiled is not None:
            self.compiled = compiled
        super().__init__(*args, **kwargs)

    @property
    def compiled(self) -> bool:
        """Whether triggers run generated code; False selects the library's."""
        return bool(self.__dict__.get("_compiled", True))

    @compiled.setter
    def compiled(self, value: bool) -> None:
        self._compiled = value

    def source(
        self,
        event: str,
        state: Enum | str | None = None,
        *,
        model: object = None,
        arguments: bool = False,
    ) -> str:
        """Return the code that an event runs, as text.

        Parameters
        ----------
        event
            The name of the event.
        state
            The state. The default are all states, in their order.
        model
            A model for which the code runs, since callbacks are found on its class. The default is
            the machine's first model.
        arguments
            Whether to show the code for triggers that are called with arguments.

        Returns
        -------
        str
            The code.

        Raises
        ------
        KeyError
            If the event is unknown.
        ValueError
            If the state is unknown.
        """
        found = self.events[event]
        if model is None:
            model = self.models[0] if self.models else object()
        states = [self.get_state(state)] if state is not None else list(self.states.values())
        return "\n".join(self._source(found, each, type(model), arguments) for each in states)

    def _source(
        self, event: core.Event, state: core.State, model_class: type, arguments: bool
    ) -> str:
        try:
            if not isinstance(event, CompiledEvent):
                raise NotCompiled("the event is of a foreign class")
            return event.written(state, model_class, arguments).source
        except NotCompiled as reason:
            return f"# {event.name}, in {state.name}: left to the library, since {reason}\n"

    def _add_trigger_to_model(self, trigger: str, model: object) -> None:
        event = self.events[trigger]
        if not isinstance(event, CompiledEvent):
            super()._add_trigger_to_model(trigger, model)
            return
        self._checked_assignment(model, trigger, event.trigger_for(model))
        self._add_may_transition_func_for_trigger(trigger, model)

    def _tables_of_code(self) -> Tables:
        tables: Tables | None = self.__dict__.get("_tables")
        return self.__dict__.setdefault("_tables", Tables()) if tables is None else tables
