"""The Machine: a Model as an ordinary `transitions.Machine`, with the library's callbacks.

By itself, its conditions and actions are members of the object that it drives. With a game on it
(`TurnController(machine=...)`), they are those of the game: the library decides which transition
fires, and calls what users have added.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Self

import transitions

from fsm.engine.semantics import TURN
from fsm.engine.trace import Answered, Record
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
    record
        What fires in the game while callbacks are called, otherwise None.
    """

    definition: Model
    window: Machine | None = None
    record: Record | None = None
    performed: bool = False

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
            Arguments of the library's constructor, but for `send_event`, which is true.
            `auto_transitions` is false unless you say otherwise.

        Returns
        -------
        Machine
            The machine.
        """
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
        given = {"auto_transitions": False, "name": model.name, **settings}
        driven = subject or Subject()
        cls.__init__(machine, driven, states, model.initial, added, send_event=True, **given)
        if model.window is not None:
            machine.window = cls.from_model(model.window, **settings)
        return machine

    def stand(self, run: Run) -> None:
        """Put the objects where a game stands. No callback is called."""
        self.put(run.state)
        if self.window is not None:
            self.window.put(run.frame or self.window.definition.initial)

    def put(self, state: str) -> None:
        """Put the object into a state of a game."""
        self.set_state(state, self.models[0])

    def hear(self, answered: Answered) -> None:
        """Follow a game through an answer."""
        self.follow(answered.records, answered.game.run)

    def follow(self, records: Iterable[Record], run: Run) -> None:
        """Let the library fire what has fired in a game, which now stands at this run.

        Raises AnswerError if it fires anything else.
        """
        for record in records:
            on = self if record.machine == TURN or self.window is None else self.window
            on.carry_out(record)
        self.stand(run)

    def carry_out(self, record: Record) -> None:
        """Fire what has fired in a game."""
        self.put(record.source)
        driven = self.models[0]
        self.record = record
        self.performed = False
        try:
            self.events[record.event].trigger(driven)
        finally:
            self.record = None
        if not self.performed or getattr(driven, self.model_attribute) != record.target:
            raise _refused(record.transition)


# conditions and actions: values, so that a machine can be copied and pickled ----------------------


@dataclass(eq=False, repr=False)
class _Holds:
    """A condition: a fact has the value that is wanted."""

    machine: Machine
    term: Term

    def __str__(self) -> str:
        return str(self.term)

    def __call__(self, event: transitions.EventData) -> bool:
        name = self.term.fact
        if self.machine.record is not None:
            return (name, self.term.value) in self.machine.record.guards
        found: object = getattr(event.model, name)
        return bool(found() if callable(found) else found) == self.term.value


@dataclass(eq=False, repr=False)
class _Performs:
    """What a transition does before the state changes: its actions."""

    machine: Machine
    row: Transition

    def __call__(self, event: transitions.EventData) -> None:
        machine = self.machine
        if machine.record is None:
            for action in self.row.actions:
                getattr(event.model, action.name, _nothing)(*action.args)
        elif machine.record.transition == self.row.id:
            machine.performed = True
        else:
            raise _refused(machine.record.transition)


def _nothing(*args: str) -> None:
    """Stand for an action that the object does not have."""


def _refused(transition: str) -> AnswerError:
    """Return the error for a transition of the Model that does not fire."""
    return AnswerError(
        f"the machine does not fire {transition!r}, which the rules fire next: a callback or "
        f"condition can refuse an answer, but it cannot lead elsewhere; nothing has changed"
    )


def check_machine(machine: object, model: Model) -> None:
    """Raise FsmError unless the machine was made from this model."""
    made_from = getattr(machine, "definition", machine)
    if made_from != model:
        text = f"machine must be made from {model}, by fsm.engine.Machine.from_model(model)"
        raise FsmError(f"{text}, and not from {shown(made_from)}")
