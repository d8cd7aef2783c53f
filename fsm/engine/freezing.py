"""Fast triggers for a finished flat machine of the `transitions` library.

At each trigger, the library works out anew what is to be called. A frozen machine has worked it out
once, for each state that its objects may be in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from types import FunctionType, SimpleNamespace
from typing import Any

import transitions

Call = Callable[..., Any]

by_library = False
"""Whether frozen machines leave everything to the library, as during a collection of coverage."""
WORKED_OUT = (
    *("callback", "callbacks", "resolve_callable", "set_state", "get_state", "_process"),
    *("trigger_event", "_trigger_event", "_set_state", "__getattribute__"),
)
"""The methods of the library that freezing stands for. A class with its own is not frozen."""


def freeze(machine: transitions.Machine) -> tuple[str, ...]:
    """Make the triggers of a machine's objects fast. Call it when the machine is finished.

    A frozen trigger calls the same callbacks in the same order, leads to the same state and returns
    the same as the library's. It does not see what is changed later: states, transitions,
    callbacks, and which methods of the object they are; then freeze the machine again. It does not
    write to the library's log. Objects that are added later, and copies, have the library's
    triggers.

    What is out of the ordinary stays with the library: hierarchical machines, and those that queue
    events, send EventData or have callbacks around events; classes of machines, events, states and
    transitions of one's own, and those that lock, draw or wait; objects that do more than keep
    their state; final states; transitions that stay; `prepare`; a trigger that is called with
    arguments.

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
                trigger = _Trigger(slow, kept, machine.model_attribute, steps)
                setattr(model, name, trigger.fire)
                frozen[name] = None
    return tuple(frozen)


def _is_ordinary(machine: Any) -> bool:
    """Whether nothing but its transitions and states says what a trigger calls."""
    around = machine.prepare_event, machine.finalize_event, machine.on_exception, machine.on_final
    if machine.send_event or machine.has_queue or any(around):
        return False
    of_library = transitions.Machine
    kind = type(machine)
    return all(getattr(kind, n, None) is getattr(of_library, n, None) for n in WORKED_OUT)


class _Trigger:
    """The trigger of one object: `fire` stands in place of the library's, which is `slow`.

    A copy, also a pickled one, has nothing but the library's.
    """

    __slots__ = ("attribute", "kept", "slow", "steps")

    def __init__(
        self, slow: Call, kept: dict[str, Any], attribute: str, steps: dict[Any, Call]
    ) -> None:
        self.slow = slow
        self.kept = kept
        self.attribute = attribute
        self.steps = steps

    def __reduce__(self) -> tuple[Any, ...]:
        return _Trigger, (self.slow, {}, "", {})

    def fire(self, *args: Any, **kwargs: Any) -> Any:
        """Fire the event. In states where it does not fire, the library says what is wrong."""
        try:
            step = self.steps[self.kept[self.attribute]]
        except KeyError:
            return self.slow(*args, **kwargs)
        if args or kwargs or by_library:
            return self.slow(*args, **kwargs)
        return step()


# what triggers call -------------------------------------------------------------------------------


def _steps(machine: Any, event: Any, model: Any) -> dict[Any, Call]:
    """Return what an event does to an object in each state in which it is fast, by its value."""
    steps = dict[Any, Call]()
    for source, tried in event.transitions.items() if type(event) is transitions.Event else ():
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
    ordinary = type(transition) is transitions.Transition and transition.dest
    if not ordinary or transition.prepare:
        return None
    left = machine.get_state(transition.source)
    entered = machine.get_state(transition.dest)
    if {type(left), type(entered)} != {transitions.State} or entered.final:
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
