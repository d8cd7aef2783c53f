"""The Machine: a Model as a `transitions.Machine`.

The machine is flat: turn, phases and steps are not states of it. A transition whose source is
composite is added for every state inside. Callbacks for entering a turn, phase or step are added to
the states with which it begins.

In a game (`TurnController(model, players, machine=machine)`) the Model decides which transition
fires, and the machine carries it out on its first object, with the callbacks and conditions that
users added.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Self

import transitions

from fsm.adapters.callbacks import name_of
from fsm.compiled import CompiledMachine, CompiledTransition
from fsm.engine.refusals import Refusal, refusal_of
from fsm.engine.requesting import position_of
from fsm.engine.requests import Position
from fsm.engine.semantics import Fired
from fsm.errors import AnswerError, FsmError
from fsm.model import Fact, Model, Term, Transition
from fsm.model.model import per_model
from fsm.state.arguments import check_primitives
from fsm.state.primitives import ACTIONS, holds
from fsm.state.run import Run


@dataclass(slots=True)
class Firing:
    """What one event does to a run: the transition that fired, and the facts that its guards read.

    `due` is the firing that a game has decided on, if it has. `carry_out` then performs it. `tried`
    says whether the conditions of its transition have been asked.
    """

    machine: Machine
    run: Run
    transition: Transition | None = None
    guards: dict[str, bool] = field(default_factory=dict)
    due: Fired | None = None
    carry_out: Callable[[], None] | None = None
    tried: bool = False


_under_way: ContextVar[Firing | None] = ContextVar("fsm_firing", default=None)


class ModelTransition(CompiledTransition):
    """A transition of the library that knows the Model's transition."""

    row: Transition | None = None


class Subject:
    """What a machine without an object of its own drives in a game."""


class Machine(CompiledMachine):
    """A `transitions.Machine` whose triggers run generated code. `from_model` makes one from a
    Model.

    The constructor is that of the library. `CompiledMachine` says what the library's own code still
    does.

    Attributes
    ----------
    definition
        The Model from which the machine was made, or None.
    run
        The run of the game that the machine was last given to, or None.
    by_name
        Whether the guards are read from the machine's object by name. Such a machine cannot run a
        game.
    """

    transition_cls: Any = ModelTransition
    definition: Model | None = None
    run: Run | None = None
    by_name = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Let a subclass that is also another machine of the library, as a GraphMachine, use its
        transitions.
        """
        super().__init_subclass__(**kwargs)
        kinds = (vars(base).get("transition_cls") for base in cls.__mro__)
        others = (
            kind for kind in kinds if kind is not None and not issubclass(ModelTransition, kind)
        )
        cls.transition_cls = next(others, cls.transition_cls)

    @classmethod
    def from_model(
        cls, model: Model, subject: object = None, *, attribute: str = "state", **settings: Any
    ) -> Self:
        """Return the machine of a Model.

        Parameters
        ----------
        model
            The model.
        subject
            An object of your own that the machine drives, as in the library. It gets a method for
            each event. Its methods with the names of callbacks are called, also `on_enter_` with
            the name of a phase or step. Outside of a game, its attributes or methods with the names
            of facts are the guards, and its methods with the names of actions are called.
        attribute
            The name of the attribute in which the subject keeps its state.
        **settings
            Other arguments of the library's constructor, for instance `queued` or
            `after_state_change`. `send_event` is true by default, so callbacks get the library's
            EventData. It is false by default if the library can read all guards from the subject by
            name.

        Returns
        -------
        Machine
            The machine.

        Raises
        ------
        ModelError
            If the model names a primitive that does not exist.
        FsmError
            If this is a class of hierarchical or asynchronous machines.
        """
        check_primitives(model)
        _check_kind(cls)
        by_name = subject is not None and not settings.get("send_event") and _named(model)
        machine = cls(
            model=None,
            states=[{"name": s.id, "final": s.kind == "final"} for s in model.leaves],
            initial=model.initial,
            **{
                "auto_transitions": False,
                "send_event": not by_name,
                "name": model.name,
                **settings,
            },
            model_attribute=attribute,
        )
        machine.definition, machine.by_name = model, by_name
        callbacks = (
            _by_name if by_name else partial(_reading, machine, {f.name: f for f in model.facts})
        )
        for leaf in model.leaves:
            for event in model.events:
                for row in model.rows(leaf.id, event.name):
                    machine.add_transition(event.name, leaf.id, row.target, **callbacks(row))
                    made: Any = machine.events[event.name].transitions[leaf.id][-1]
                    made.row, made.rule = row, row.rule
        if subject is not None:
            machine.add_model(subject)
        return machine

    def __getstate__(self) -> dict[str, Any]:
        """Return what is copied and pickled. The copy runs no game."""
        state: Any = super().__getstate__()
        return {name: value for name, value in state.items() if name != "run"}

    # callbacks for phases and steps ---------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        place = name.removeprefix("on_enter_")
        if place != name and self.definition is not None and place not in self.states:
            found = self.definition.beginnings(place)
            if found:
                return partial(self._on_enter, found)
        return super().__getattr__(name)

    def _on_enter(self, states: Iterable[str], callback: str | Callable[..., Any]) -> None:
        for state in states:
            self.states[state].add_callback("enter", callback)

    def _add_model_to_state(self, state: transitions.State, model: object) -> None:
        super()._add_model_to_state(state, model)
        for place in (
            _places(self.definition).get(state.name, ()) if self.definition is not None else ()
        ):
            method = f"on_enter_{place}"
            if inspect.ismethod(getattr(model, method, None)) and method not in state.on_enter:
                state.add_callback("enter", method)

    # in a game ------------------------------------------------------------------------------------

    @cached_property
    def window(self) -> Self | None:
        """The machine of the model's window, or None if the model has none.

        It is made when it is first asked for. From then on, games run their windows on it.
        """
        model = self.definition.window if self.definition is not None else None
        if model is None:
            return None
        return type(self).from_model(model, send_event=self.send_event, queued=self.has_queue)

    @property
    def position(self) -> Position:
        """Where the game stands that runs on this machine. In a callback, this is where the
        transition leads.

        Raises
        ------
        FsmError
            If no game was started with this machine.
        """
        if self.run is None:
            raise FsmError("no game runs on this machine: give it to a TurnController")
        return position_of(self.run)

    def subject(self) -> Any:
        """Return the object that the machine drives in a game: its first one. If it has none, it
        gets one.
        """
        if not self.models:
            self.add_model(Subject())
        return self.models[0]

    def show(self, run: Run, state: str) -> None:
        """Put the object where a run stands. No callback is called.

        Parameters
        ----------
        run
            The run of a game. From now on, `position` tells where it stands.
        state
            The id of the state.
        """
        subject, self.run = self.subject(), run
        if getattr(subject, self.model_attribute) == state:
            return
        self.set_state(state, subject)
        if hasattr(
            self, "model_graphs"
        ):  # a GraphMachine draws by itself what its transitions do, and only that
            subject.get_graph(force_new=True)

    def carry_out(self, run: Run, fired: Fired, perform: Callable[[], None]) -> None:
        """Fire a transition that a game has decided on, with the callbacks of the library.

        Parameters
        ----------
        run
            The run of the game.
        fired
            The firing.
        perform
            Does to the run what the firing does. It is called before the object's state changes.

        Raises
        ------
        AnswerError
            If the machine does not fire this transition, for instance because of a condition that a
            user added.
        """
        self.show(run, fired.source)
        subject, firing = self.subject(), Firing(self, run, None, fired.guards, fired, perform)
        token = _under_way.set(firing)
        try:
            self.events[fired.event].trigger(subject)
        finally:
            _under_way.reset(token)
        if firing.transition is None or getattr(subject, self.model_attribute) != fired.target:
            raise _refused(self, fired)

    # outside of a game ----------------------------------------------------------------------------

    def fire(self, run: Run, event: str) -> Firing | None:
        """Fire an event for a run, which stands in place of the machine's object. No game is
        needed.

        Parameters
        ----------
        run
            The run. It is changed.
        event
            The name of the event.

        Returns
        -------
        Firing or None
            What happened, or None if the state has no transition for the event or no guard holds.
        """
        assert self.definition is not None, "fire() is for machines made from a Model"
        if not self.definition.rows(getattr(run, self.model_attribute), event):
            return None
        firing = Firing(self, run)
        token = _under_way.set(firing)
        try:
            self.events[event].trigger(run)
        finally:
            _under_way.reset(token)
        return firing if firing.transition is not None else None

    def explain(self, run: Run, event: str) -> Refusal | None:
        """Say why an event cannot fire for a run now.

        Parameters
        ----------
        run
            The run. It is not changed.
        event
            The name of the event.

        Returns
        -------
        Refusal or None
            The reasons, or None if the event can fire. An event that would change nothing has a
            Refusal too.
        """
        assert self.definition is not None, "explain() is for machines made from a Model"
        return refusal_of(self.definition, run, getattr(run, self.model_attribute), event)


def _check_kind(kind: type[Machine]) -> None:
    """Raise FsmError if machines of this class cannot be made from a Model."""
    why = (
        "asynchronous, and games never wait"
        if inspect.iscoroutinefunction(kind.event_cls.trigger)
        else ""
    )
    why = (
        "hierarchical, and the machine of a Model is flat"
        if hasattr(kind.state_cls, "separator")
        else why
    )
    if why:
        raise FsmError(
            f"{kind.__name__} is {why}: derive it from another class of the library, as GraphMachine"
        )


@per_model
def _places(model: Model) -> Mapping[str, list[str]]:
    """Return the names of the turn, phases and steps that begin with each state."""
    found: dict[str, list[str]] = {}
    leaves = {state.id for state in model.leaves}
    for place in dict.fromkeys(
        name for state in model.states if state.composite for name in (state.id, state.name)
    ):
        for first in model.beginnings(place) if place not in leaves else ():
            found.setdefault(first, []).append(place)
    return found


@dataclass(frozen=True, slots=True)
class _Part:
    """A callback of a transition that stands for a part of the Model's transition."""

    machine: Machine = field(repr=False, compare=False)

    def firing(self) -> Firing | None:
        """Return the firing of this machine that is under way, or None if the machine is used
        outside of a game.
        """
        firing = _under_way.get()
        return firing if firing is not None and firing.machine is self.machine else None


@dataclass(frozen=True, slots=True)
class _Tries(_Part):
    """Makes sure, before the guard is read, that only the transition fires that the game has
    decided on.
    """

    row: Transition

    def __call__(self, *_: object) -> None:
        firing = self.firing()
        if firing is None or firing.due is None:
            return
        if firing.transition is not None:
            raise _by_hand(firing.due.event)
        if firing.tried:
            raise _refused(self.machine, firing.due)
        firing.tried = self.row is firing.due.row.transition


@dataclass(frozen=True, slots=True)
class _Holds(_Part):
    """Compares a fact of a run, or of any other object that has an attribute or method of its name,
    with a value.
    """

    fact: Fact
    value: bool

    def __str__(self) -> str:
        return str(Term(self.fact.name, self.value))

    def __call__(self, *args: Any) -> bool:
        firing, name = self.firing(), self.fact.name
        if firing is not None:
            if name not in firing.guards:
                firing.guards[name] = holds(firing.run, self.fact)
            return firing.guards[name] == self.value
        if self.machine.run is not None:
            return holds(self.machine.run, self.fact) == self.value
        found: object = getattr(_subject_of(args), name)
        return bool(found() if callable(found) else found) == self.value


@dataclass(frozen=True, slots=True)
class _Performs(_Part):
    """Performs the actions of a transition on a run, or calls the methods of their names of any
    other object.
    """

    row: Transition

    def __call__(self, *args: Any) -> None:
        firing = self.firing()
        if firing is None:
            if self.machine.run is not None:
                raise _by_hand(self.row.event)
            self._call(args)
            return
        firing.transition = self.row
        if firing.carry_out is not None:
            firing.carry_out()
            return
        for action in self.row.actions:
            ACTIONS[action.name].run(firing.run, *action.args)

    def _call(self, args: tuple[Any, ...]) -> None:
        for action in self.row.actions:
            method: Callable[..., object] | None = getattr(_subject_of(args), action.name, None)
            if method is not None:
                method(*action.args)


def _subject_of(args: tuple[Any, ...]) -> object:
    """Return the object that the library drives. Callbacks of machines with `send_event` get it."""
    if not args or not isinstance(args[0], transitions.EventData):
        raise FsmError(
            "a machine of a Model with send_event=False works only in a game: give it to a TurnController"
        )
    return args[0].model


def _refused(machine: Machine, fired: Fired) -> AnswerError:
    """Return the error for a transition that a game has decided on, and that the machine does not
    fire.
    """
    row, found = fired.row.transition, machine.events[fired.event].transitions.get(fired.source, ())
    asked = [c.func for t in found if getattr(t, "row", None) is row for c in t.conditions]
    added = ", ".join(name_of(func) for func in asked if not isinstance(func, _Holds))
    why = f"its conditions that were added: {added}" if added else "no condition was added to it"
    return AnswerError(
        f"the machine does not fire {row.id!r}, which the rules fire next ({why}); "
        f"a machine can refuse an answer, but it cannot lead elsewhere; nothing has changed"
    )


def _by_hand(event: str) -> FsmError:
    """Return the error for an event that a user fires on a machine that runs a game."""
    return FsmError(
        f"the TurnController fires the events of this machine, so {event!r} cannot be fired by hand: "
        f"answer the controller's request, with a signal if the turn is to go elsewhere"
    )


def _reading(machine: Machine, facts: Mapping[str, Fact], row: Transition) -> dict[str, Any]:
    """Return the callbacks of a transition: objects that know the run of the game, or get the
    library's EventData.
    """
    conditions = [_Holds(machine, facts[term.fact], term.value) for term in row.guard]
    return {
        "prepare": [_Tries(machine, row)],
        "conditions": conditions,
        "before": [_Performs(machine, row)],
    }


def _by_name(row: Transition) -> dict[str, Any]:
    """Return the callbacks of a transition as names of guards. The library calls them without
    EventData.
    """
    return {
        "conditions": [t.fact for t in row.guard if t.value],
        "unless": [t.fact for t in row.guard if not t.value],
    }


def _named(model: Model) -> bool:
    """Can the library call all guards by name?

    It cannot if there are actions, which may have arguments, or facts whose names are no
    identifiers.
    """
    rows = model.transitions
    return not any(row.actions for row in rows) and all(
        t.fact.isidentifier() for row in rows for t in row.guard
    )
