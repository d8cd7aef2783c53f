"""The Machine: a Model as an ordinary `transitions.Machine`, with the library's callbacks.

By itself, its conditions and actions are members of the object that it drives. With a game on it
(`TurnController(machine=...)`), they are those of the game: the library decides which transition
fires, and calls what users have added.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Self

import transitions

from fsm.engine.automaton import Automaton, Edge, Node, automaton_of
from fsm.engine.semantics import TURN, Fired, Row, Semantics, Told, semantics_of
from fsm.errors import AnswerError, FsmError, shown
from fsm.model import Model, Term, Transition
from fsm.state.run import Run


class Subject:
    """What the machine drives if nothing else is given."""


@dataclass(slots=True)
class _Due:
    """What is to fire in a game: the transition, and the facts that its guard reads."""

    row: Row
    run: Run
    read: dict[str, bool]
    done: bool = False


class Machine(transitions.Machine):
    """A machine of the `transitions` library. `from_model` makes it from a Model.

    Attributes
    ----------
    definition
        The Model that it was made from. For the machine of a window, this is the window's.
    window
        The machine of the window, or None if the Model has no window.
    run
        The run of the game: while it is answered, the run that the transitions change, otherwise
        where the game stands. It is None as long as no game runs on the machine.
    """

    definition: Model | None = None
    window: Machine | None = None
    run: Run | None = None
    due: _Due | None = None

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
            row = _row_of(transition)
            if row is not None:
                found[id(transition)] = row
        return found

    def stand(self, run: Run, state: str) -> None:
        """Put the object where a game stands. No callback is called."""
        self.run = run
        self.due = None
        driven = self.models[0]
        if getattr(driven, self.model_attribute) != state:
            self.set_state(state, driven)

    def carry_out(self, due: _Due, source: str, event: str) -> None:
        """Trigger an event.

        Raises AnswerError if anything else fires than the transition that is due.
        """
        self.stand(due.run, source)
        driven = self.models[0]
        row = due.row.transition
        self.due = due
        try:
            self.events[event].trigger(driven)
        finally:
            self.due = None
        if not due.done or getattr(driven, self.model_attribute) != (row.target or source):
            raise _refused(row)


# conditions and actions: values, so that a machine can be copied and pickled ----------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Holds:
    """A condition: a fact has the value that is wanted."""

    machine: Machine = field(repr=False)
    term: Term

    def __str__(self) -> str:
        return str(self.term)

    def __call__(self, *args: Any) -> bool:
        machine = self.machine
        name = self.term.fact
        if machine.due is not None:
            return machine.due.read.get(name) is self.term.value
        found: object = getattr(_driven(machine, args), name)
        return bool(found() if callable(found) else found) == self.term.value


@dataclass(frozen=True, slots=True, eq=False)
class _Performs:
    """What a transition does before the state changes: its actions."""

    machine: Machine = field(repr=False)
    row: Transition

    def __call__(self, *args: Any) -> None:
        due = self.machine.due
        if due is None or due.done:
            driven = _driven(self.machine, args)
            for action in self.row.actions:
                method: Callable[..., object] | None = getattr(driven, action.name, None)
                if method is not None:
                    method(*action.args)
            return
        if due.row.transition != self.row:
            raise _refused(due.row.transition)
        due.done = True
        for do in due.row.actions:
            do(due.run)


def _driven(machine: Machine, args: tuple[Any, ...]) -> object:
    """Return the object that the library drives. Callbacks of machines with `send_event` get it.

    Raises FsmError if that is the controller's.
    """
    if machine.run is not None:
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


def _row_of(transition: Any) -> Transition | None:
    """Return the Model's transition of one of the library's, or None if a user added it."""
    return next((each.row for each in transition.before if isinstance(each, _Performs)), None)


def _refused(row: Transition) -> AnswerError:
    """Return the error for a transition of the Model that does not fire."""
    return AnswerError(
        f"the machine does not fire {row.id!r}, which the rules fire next: a callback or condition "
        f"can refuse an answer, but it cannot lead elsewhere; nothing has changed"
    )


# games --------------------------------------------------------------------------------------------


class _Carried(Semantics):
    """The semantics of a Model whose transitions a machine carries out."""

    def __init__(self, model: Model, machine: Machine) -> None:
        vars(self).update(vars(semantics_of(model)))  # what was worked out from the model is shared
        self.machine = machine

    def fire(
        self, run: Run, machine: str, source: str, event: str, told: Told
    ) -> tuple[Row, dict[str, bool]]:
        """Have the machine fire the transition whose guard holds."""
        on = self.machine if machine == TURN else self.machine.window
        assert on is not None, "a model with a window has made a machine for it"
        row, read = self.first(run, machine, source, event, told)
        on.carry_out(_Due(row, run, read), source, event)
        return row, read


class _OnMachine(Automaton):
    """Games on a machine. No answer is remembered, so that each callback is called."""

    most_edges = 0

    def __init__(self, model: Model, machine: Machine) -> None:
        super().__init__(model, _Carried(model, machine))
        self.machine = machine

    def edge(self, run: Run, fired: Sequence[Fired] = ()) -> Edge:
        """Return the way to a run. The objects of the machine stand there now."""
        edge = super().edge(run, fired)
        self.stand(edge.node)
        return edge

    def stand(self, node: Node) -> None:
        """Put the objects of the machine where the game stands."""
        run = node.run
        window = self.machine.window
        self.machine.stand(run, run.state)
        if window is not None and window.definition is not None:
            window.stand(run, run.frame or window.definition.initial)

    def aside(self, node: Node) -> tuple[Automaton, Node]:
        """Return where a fork goes on: without the machine, so that it calls nothing."""
        plain = automaton_of(self.model)
        return plain, plain.edge(copy(node.run)).node


def on_machine(machine: object, model: Model) -> Automaton:
    """Return what runs games of a model on a machine.

    Raises FsmError if the machine was not made from this model.
    """
    made = "fsm.engine.Machine.from_model"
    if not isinstance(machine, Machine) or machine.definition is None:
        raise FsmError(f"machine must be made from a Model, by {made}, and is {shown(machine)}")
    if machine.definition.fingerprint != model.fingerprint:
        name = machine.definition.name
        text = f"the machine was made from another model ({name}) than the game's ({model.name})"
        raise FsmError(f"{text}: make it by {made}(model)")
    return _OnMachine(model, machine)
