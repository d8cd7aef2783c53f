"""The Machine: a Model as an ordinary `transitions.Machine`, with the library's callbacks.

By itself, its conditions and actions are members of the object that it drives. With a game on it
(`TurnController(machine=...)`), they are those of the game: the library decides which transition
fires, and calls what users have added.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Self

import transitions

from fsm.engine.records import Answered, Record
from fsm.engine.semantics import TURN, semantics_of
from fsm.errors import AnswerError, FsmError, shown
from fsm.model import Model, Term, Transition
from fsm.state.run import Run


class Subject:
    """What the machine drives if nothing else is given."""


class Machine(transitions.Machine):
    """A machine of the `transitions` library. `from_model` makes it from a Model.

    Attributes
    ----------
    definition
        The Model that it was made from. For the machine of a window, this is the window's.
    window
        The machine of the window, or None if the Model has no window.
    in_game
        Whether a game runs on the machine.
    record
        What fires in the game while callbacks are called, otherwise None.
    """

    definition: Model | None = None
    window: Machine | None = None
    record: Record | None = None
    in_game: bool = False
    performed: str = ""

    @classmethod
    def from_model(cls, model: Model, subject: Any = None, **settings: Any) -> Self:
        """Return the machine of a Model.

        Parameters
        ----------
        model
            The Model.
        subject
            The object that the machine drives. It gets a method for each event, and its callbacks
            are called: `on_enter_upkeep_begin` as the turn comes to that state. Without a game, the
            facts of the guards and the actions are members of it, too.
        **settings
            Arguments of the library's constructor. `send_event` is true and `auto_transitions` is
            false unless you say otherwise.

        Returns
        -------
        Machine
            The machine.

        Raises
        ------
        FsmError
            If this is a class of asynchronous or hierarchical machines.
        ModelError
            If the Model names an action or a test that does not exist.
        """
        is_nested = hasattr(cls.state_cls, "separator")
        if is_nested or inspect.iscoroutinefunction(cls.event_cls.trigger):
            kind = "hierarchical" if is_nested else "asynchronous"
            raise FsmError(f"{cls.__name__} is {kind}: derive it from another class of the library")
        semantics_of(model)  # which checks the names of actions and tests
        settings = {"auto_transitions": False, "send_event": True, "name": model.name, **settings}
        machine = cls._made(model, subject or Subject(), settings)
        if model.window is not None:
            machine.window = cls._made(model.window, Subject(), settings)
        return machine

    @classmethod
    def _made(cls, model: Model, subject: Any, settings: dict[str, Any]) -> Self:
        machine = cls.__new__(cls)
        machine.definition = model
        states = [{"name": s.id, "final": s.kind == "final"} for s in model.leaves]
        # a GraphMachine draws itself anew for each transition that is added later
        added = list[dict[str, Any]]()
        for state, event, rows in model.choices:
            for row in rows:
                conditions = [_Holds(machine, term) for term in row.guard]
                ends = {"trigger": event, "source": state.id, "dest": row.target}
                added.append({**ends, "conditions": conditions, "before": _Performs(machine, row)})
        cls.__init__(machine, subject, states, model.initial, added, **settings)
        return machine

    @property
    def rows(self) -> dict[int, Transition]:
        """The Model's transitions, by the id() of the library's transition."""
        found = dict[int, Transition]()
        for transition in self.get_transitions():
            for each in transition.before:
                if isinstance(each, _Performs):
                    found[id(transition)] = each.row
        return found

    def stand(self, run: Run) -> None:
        """Put the objects where a game stands. No callback is called."""
        self.put(run.state)
        if self.window is not None and self.window.definition is not None:
            self.window.put(run.frame or self.window.definition.initial)

    def put(self, state: str) -> None:
        """Put the object into a state of a game."""
        self.in_game = True
        driven = self.models[0]
        if getattr(driven, self.model_attribute) != state:
            self.set_state(state, driven)

    def hear(self, answered: Answered) -> None:
        """Follow a game through an answer."""
        self.follow(answered.records, answered.game.run)

    def follow(self, records: Iterable[Record], run: Run) -> None:
        """Let the library fire what has fired in a game, which now stands at this run.

        Raises AnswerError if it fires anything else.
        """
        for record in records:
            on = self if record.machine == TURN else self.window
            assert on is not None, "a model with a window has made a machine for it"
            on.carry_out(record)
        self.stand(run)

    def carry_out(self, record: Record) -> None:
        """Fire what has fired in a game."""
        self.put(record.source)
        driven = self.models[0]
        self.record = record
        self.performed = ""
        try:
            self.events[record.event].trigger(driven)
        finally:
            self.record = None
        if not self.performed or getattr(driven, self.model_attribute) != record.target:
            raise _refused(record.transition)


# conditions and actions: values, so that a machine can be copied and pickled ----------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Holds:
    """A condition: a fact has the value that is wanted."""

    machine: Machine = field(repr=False)
    term: Term

    def __str__(self) -> str:
        return str(self.term)

    def __call__(self, *args: Any) -> bool:
        name = self.term.fact
        record = self.machine.record
        if record is not None:
            return (name, self.term.value) in record.guards
        found: object = getattr(_driven(self.machine, args), name)
        return bool(found() if callable(found) else found) == self.term.value


@dataclass(frozen=True, slots=True, eq=False)
class _Performs:
    """What a transition does before the state changes: its actions."""

    machine: Machine = field(repr=False)
    row: Transition

    def __call__(self, *args: Any) -> None:
        machine = self.machine
        if machine.record is None or machine.performed:
            driven = _driven(machine, args)
            for action in self.row.actions:
                method: Callable[..., object] | None = getattr(driven, action.name, None)
                if method is not None:
                    method(*action.args)
            return
        if machine.record.transition != self.row.id:
            raise _refused(machine.record.transition)
        machine.performed = self.row.id


def _driven(machine: Machine, args: tuple[Any, ...]) -> object:
    """Return the object that the library drives. Callbacks of machines with `send_event` get it.

    Raises FsmError if that is the controller's.
    """
    if machine.in_game:
        raise FsmError(
            "the TurnController fires the events of this machine, so they cannot be fired by hand: "
            "answer the controller's request"
        )
    if not args or not isinstance(args[0], transitions.EventData):
        raise FsmError(
            "a machine of a Model with send_event=False works only in a game: give it to a "
            "TurnController"
        )
    return args[0].model


def _refused(transition: str) -> AnswerError:
    """Return the error for a transition of the Model that does not fire."""
    return AnswerError(
        f"the machine does not fire {transition!r}, which the rules fire next: a callback or "
        f"condition can refuse an answer, but it cannot lead elsewhere; nothing has changed"
    )


def check_machine(machine: object, model: Model) -> None:
    """Raise FsmError unless the machine was made from this model."""
    made_from = getattr(machine, "definition", None)
    if not isinstance(machine, Machine) or made_from != model:
        text = f"machine must be made from {model}, by fsm.engine.Machine.from_model(model)"
        raise FsmError(f"{text}, and not from {shown(made_from or machine)}")
