"""Fast triggers for a finished flat machine of the `transitions` library.

At each trigger, the library works out anew what is to be called. A frozen machine has worked it out
once, for each state that its objects may be in.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import partial
from types import FunctionType, SimpleNamespace
from typing import Any, NamedTuple

import transitions

Call = Callable[..., Any]

by_library = False
"""Whether frozen machines leave everything to the library, as during a collection of coverage."""
WORKED_OUT = (
    *("callback", "callbacks", "resolve_callable", "set_state", "get_state", "_process"),
    *("trigger_event", "_trigger_event", "_set_state", "__getattribute__"),
)
"""The methods of the library that freezing stands for. A class with its own is not frozen."""


class _Row(NamedTuple):
    """What a transition does: `before` and `after` are called around the change to `value`.

    If the value is None, nothing changes.
    """

    conditions: Sequence[tuple[Call, bool]]
    before: Sequence[Call]
    value: Any
    after: Sequence[Call]


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
    their state; final states; `prepare`; a trigger that is called with arguments.

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
        for name, event in machine.events.items():
            rows = _rows(machine, event, model)
            slow: Any = getattr(model, name, None)
            if isinstance(getattr(slow, "__self__", None), _Trigger):
                slow = slow.__self__.slow
            is_librarys = isinstance(slow, partial) and slow.args and slow.args[0] is model
            if rows and is_librarys and _is_plain(model, machine.model_attribute):
                trigger = _Trigger(slow, vars(model), machine.model_attribute, rows)
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


def _is_plain(model: Any, attribute: str) -> bool:
    """Whether an object only keeps its state, in an attribute."""
    kind: Any = type(model)
    return (
        kind.__setattr__ is object.__setattr__
        and kind.__getattribute__ is object.__getattribute__
        and attribute in getattr(model, "__dict__", ())
        and not hasattr(inspect.getattr_static(kind, attribute, None), "__set__")
    )


# what triggers call -------------------------------------------------------------------------------


def _rows(machine: Any, event: Any, model: Any) -> dict[Any, Sequence[_Row]]:
    """Return what an event does to an object in each state in which it is fast, by its value."""
    rows = dict[Any, Sequence[_Row]]()
    for source, tried in event.transitions.items():
        found = [_row(machine, transition, model) for transition in tried]
        whole = [row for row in found if row is not None]
        if type(event) is transitions.Event and whole and len(whole) == len(found):
            rows[machine.get_state(source).value] = whole
    return rows


def _row(machine: Any, transition: Any, model: Any) -> _Row | None:
    """Return what a transition does to an object, or None if the library has to fire it."""
    if type(transition) is not transitions.Transition or transition.prepare:
        return None
    before = [*machine.before_state_change, *transition.before]
    value = None
    after = [*transition.after, *machine.after_state_change]
    if transition.dest:
        left = machine.get_state(transition.source)
        entered = machine.get_state(transition.dest)
        if {type(left), type(entered)} != {transitions.State} or entered.final:
            return None
        before = before + left.on_exit
        value = entered.value
        after = entered.on_enter + after
    called = partial(_called, machine, model)
    conditions = [(called(each.func), each.target) for each in transition.conditions]
    return _Row(conditions, [*map(called, before)], value, [*map(called, after)])


def _called(machine: Any, model: Any, callback: Any) -> Call:
    """Return what the library would call for a callback.

    A name is looked up at each call, unless it is that of an ordinary method.
    """
    if not isinstance(callback, str):
        return callback  # type: ignore[no-any-return]
    static = inspect.getattr_static(type(model), callback, None)
    if isinstance(static, FunctionType) and callback not in vars(model):
        return getattr(model, callback)  # type: ignore[no-any-return]
    asked = SimpleNamespace(model=model)
    return lambda: machine.resolve_callable(callback, asked)()


# triggers -----------------------------------------------------------------------------------------


class _Trigger:
    """The trigger of one object: `fire` stands in place of the library's, which is `slow`.

    A copy, also a pickled one, has nothing but the library's.
    """

    __slots__ = ("attribute", "slow", "steps", "values")

    def __init__(
        self, slow: Call, values: dict[str, Any], attribute: str, rows: dict[Any, Sequence[_Row]]
    ) -> None:
        self.slow = slow
        self.values = values
        self.attribute = attribute
        self.steps = {state: _step(values, attribute, tried) for state, tried in rows.items()}

    def __reduce__(self) -> tuple[Any, ...]:
        return _Trigger, (self.slow, {}, "", {})

    def fire(self, *args: Any, **kwargs: Any) -> Any:
        """Fire the event. In states where it does not fire, the library says what is wrong."""
        try:
            step = self.steps[self.values[self.attribute]]
        except KeyError:
            return self.slow(*args, **kwargs)
        if args or kwargs or by_library:
            return self.slow(*args, **kwargs)
        return step()


def _step(values: dict[str, Any], attribute: str, rows: Sequence[_Row]) -> Call:
    """Return the function that fires the first of these transitions whose conditions hold."""
    (conditions, before, value, after), *others = rows
    otherwise = _step(values, attribute, others) if others else bool
    condition, wanted = conditions[0] if len(conditions) == 1 else (_all_of(conditions), True)
    do_before = _together(before)
    do_after = _together(after)

    def step() -> Any:
        if condition is not None and condition() != wanted:
            return otherwise()
        if do_before is not None:
            do_before()
        if value is not None:
            values[attribute] = value
        if do_after is not None:
            do_after()
        return True

    return step


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
