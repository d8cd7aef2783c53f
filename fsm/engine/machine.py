"""Machines of the `transitions` library: a Model as an ordinary one, and finished ones made fast.

By itself, the conditions and actions of a Model's machine are members of the object that it drives.
With a game on it (`TurnController(machine=...)`), they are those of the game: the library decides
which transition fires, and calls what users have added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from types import FunctionType, SimpleNamespace
from typing import Any, Self

import transitions

from fsm.engine.semantics import TURN
from fsm.engine.trace import Answered, Record
from fsm.errors import AnswerError
from fsm.model import Model, Term, Transition
from fsm.state.run import Run

Call = Callable[..., Any]


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
        self.set_state(run.state, self.models[0])
        if self.window is not None:
            inside = run.frame or self.window.definition.initial
            self.window.set_state(inside, self.window.models[0])

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
        driven = self.models[0]
        self.set_state(record.source, driven)
        self.record = record
        self.performed = ""
        try:
            self.events[record.event].trigger(driven)
        finally:
            self.record = None
        is_there = getattr(driven, self.model_attribute) == record.target
        if self.performed != record.transition or not is_there:
            raise AnswerError(
                f"the machine does not fire {record.transition!r}, which the rules fire next: a "
                f"callback or condition can refuse an answer, but it cannot lead elsewhere; "
                f"nothing has changed"
            )


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
        if self.machine.record is not None:
            self.machine.performed = self.row.id
            return
        for action in self.row.actions:
            getattr(event.model, action.name, _nothing)(*action.args)


def _nothing(*args: str) -> None:
    """Stand for an action that the object does not have."""


# finished machines made fast ----------------------------------------------------------------------

by_library = False
"""Whether frozen machines leave everything to the library, as during a collection of coverage."""


def freeze(machine: transitions.Machine) -> tuple[str, ...]:
    """Make the triggers of the objects of a finished flat machine fast.

    At each trigger, the library works out anew what is to be called. A frozen machine has worked it
    out once. Its triggers call the same callbacks in the same order, lead to the same state and
    return the same. They do not see what is changed later: states, transitions, callbacks, and
    which methods of the object they are; then freeze the machine again. They do not write to the
    library's log. Objects that are added later, and copies, have the library's triggers.

    What is out of the ordinary stays with the library: classes of machines and states of one's own
    or of the library's extensions; machines that queue events, send EventData or have callbacks
    around events; objects that do more than keep their state; transitions that stay; `prepare`; a
    trigger that is called with arguments.

    Parameters
    ----------
    machine
        A machine of the library.

    Returns
    -------
    tuple of str
        The names of the triggers that are fast now, at least in some states.
    """
    frozen = dict[str, None]()
    for model in machine.models if _is_ordinary(machine) else ():
        kept = getattr(model, "__dict__", {})
        kind: Any = type(model)
        plain = kind.__setattr__ is object.__setattr__ and machine.model_attribute in kept
        for name, event in machine.events.items() if plain else ():
            slow = kept.get(name)
            slow = getattr(getattr(slow, "__self__", None), "slow", slow)
            steps = _steps(machine, event, model)
            if steps and isinstance(slow, partial):
                kept[name] = _Trigger(slow, kept, machine.model_attribute, steps).fire
                frozen[name] = None
    return tuple(frozen)


def _is_ordinary(machine: Any) -> bool:
    """Whether nothing but its transitions and states says what a trigger calls."""
    around = machine.prepare_event, machine.finalize_event, machine.on_exception, machine.on_final
    special = machine.send_event or machine.has_queue or any(around)
    return type(machine) is transitions.Machine and not special


@dataclass(slots=True, eq=False)
class _Trigger:
    """The trigger of one object: `fire` stands in place of the library's, which is `slow`.

    A copy, also a pickled one, has nothing but the library's.
    """

    slow: Call
    kept: dict[str, Any]
    attribute: str
    steps: dict[Any, Call]

    def __reduce__(self) -> tuple[Any, ...]:
        return _Trigger, (self.slow, {}, "", {})

    def fire(self, *args: Any, **kwargs: Any) -> Any:
        """Fire the event. In states where it does not fire, the library says what is wrong."""
        try:
            step = self.steps[self.kept[self.attribute]]
        except KeyError:
            return self.slow(*args, **kwargs)
        if by_library or args or kwargs:
            return self.slow(*args, **kwargs)
        return step()


def _steps(machine: Any, event: Any, model: Any) -> dict[Any, Call]:
    """Return what an event does to an object in each state in which it is fast, by its value."""
    steps = dict[Any, Call]()
    for source, tried in event.transitions.items():
        step: Call | None = bool  # which says that nothing has fired
        for transition in reversed(tried):
            step = step and _step(machine, transition, model, step)
        if step is not None:
            steps[machine.get_state(source).value] = step
    return steps


def _step(machine: Any, transition: Any, model: Any, otherwise: Call) -> Call | None:
    """Return the function that fires a transition if its conditions hold, and else calls another.

    It is None if the library has to fire it.
    """
    if not transition.dest or transition.prepare:
        return None
    left = machine.get_state(transition.source)
    entered = machine.get_state(transition.dest)
    if {type(left), type(entered)} != {transitions.State}:
        return None
    called = partial(_called, machine, model)
    conditions = [(called(each.func), each.target) for each in transition.conditions]
    condition, wanted = conditions[0] if len(conditions) == 1 else (_all_of(conditions), True)
    before = [*machine.before_state_change, *transition.before, *left.on_exit]
    after = [*entered.on_enter, *transition.after, *machine.after_state_change]
    do_before = _together([*map(called, before)])
    do_after = _together([*map(called, after)])
    kept = vars(model)
    attribute = machine.model_attribute
    value = entered.value

    def step() -> Any:
        if condition is not None and condition() != wanted:
            return otherwise()
        if do_before is not None:
            do_before()
        kept[attribute] = value
        if do_after is not None:
            do_after()
        return True

    return step


def _called(machine: Any, model: Any, callback: Any) -> Call:
    """Return what the library would call for a callback.

    A name is looked up at each call, unless it is that of an ordinary method.
    """
    if not isinstance(callback, str):
        return callback  # type: ignore[no-any-return]
    if isinstance(getattr(type(model), callback, None), FunctionType) and callback not in vars(
        model
    ):
        return getattr(model, callback)  # type: ignore[no-any-return]
    asked = SimpleNamespace(model=model)
    return lambda: machine.resolve_callable(callback, asked)()


def _together(calls: Sequence[Call]) -> Call | None:
    """Return one function that makes these calls, or None if there are none."""

    def each() -> None:
        for do in calls:
            do()

    return calls[0] if len(calls) == 1 else each if calls else None


def _all_of(conditions: Sequence[tuple[Call, bool]]) -> Call | None:
    """Return one function that says whether all of these hold, or None if there are none."""

    def hold() -> bool:
        return all(condition() == wanted for condition, wanted in conditions)

    return hold if conditions else None
