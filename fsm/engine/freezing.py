"""Fast triggers for a finished machine of the `transitions` library.

At each trigger, the library works out anew what is to be called. A frozen machine has worked it out
once, for each state that its objects may be in.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from types import FunctionType, SimpleNamespace
from typing import Any, NamedTuple

import transitions
from transitions.extensions import HierarchicalMachine, nesting

from fsm.adapters.reading import MachineState, places

Call = Callable[..., Any]

by_library = False
"""Whether frozen machines leave everything to the library, as during a collection of coverage."""
WORKED_OUT = (
    *("callback", "callbacks", "resolve_callable", "set_state", "get_state", "_process"),
    *("trigger_event", "_trigger_event", "_set_state", "__getattribute__"),
)
"""The methods of the library that freezing stands for. A class with its own is not frozen."""
OF_LIBRARY = {
    *(transitions.Event, transitions.Transition, transitions.State),
    *(nesting.NestedEvent, nesting.NestedTransition, nesting.NestedState),
}
"""The classes of events, transitions and states that do only what freezing has worked out."""


class _Row(NamedTuple):
    """What a transition does: `before` and `after` are called around the change to `value`.

    If the value is None, nothing changes.
    """

    conditions: Sequence[tuple[Any, bool]]
    before: Sequence[Any]
    value: Any
    after: Sequence[Any]

    def calling(self, called: Callable[[Any], Call]) -> _Row:
        """Return the row with what is called for each of its callbacks."""
        conditions = [(called(condition), wanted) for condition, wanted in self.conditions]
        return _Row(conditions, [*map(called, self.before)], self.value, [*map(called, self.after)])


def freeze(machine: transitions.Machine) -> tuple[str, ...]:
    """Make the triggers of a machine's objects fast. Call it when the machine is finished.

    A frozen trigger calls the same callbacks in the same order, leads to the same state and returns
    the same as the library's. It does not see what is changed later: states, transitions,
    callbacks, and which methods of the object they are; then freeze the machine again. It does not
    write to the library's log. Objects that are added later, and copies, have the library's
    triggers.

    What is out of the ordinary stays with the library: machines that queue events, send EventData
    or have callbacks around events; classes of machines, events, states and transitions of one's
    own, and those that lock, draw or wait; objects that do more than keep their state; several
    states at a time; final states; `prepare`.

    Parameters
    ----------
    machine
        A machine of the library, also a hierarchical one.

    Returns
    -------
    tuple of str
        The names of the triggers that are fast now, at least in some states.
    """
    if not _is_ordinary(machine):
        return ()
    found = places(machine)
    names = dict.fromkeys(machine.events)
    for place in found:
        names |= dict.fromkeys(getattr(place.state, "events", {}))
    frozen = dict[str, None]()
    for name in names:
        rows = _rows(machine, found, name)
        for model in machine.models if rows else ():
            slow: Any = getattr(model, name, None)
            if isinstance(getattr(slow, "__self__", None), _Trigger):
                slow = slow.__self__.slow
            is_librarys = isinstance(slow, partial) and slow.args and slow.args[0] is model
            if is_librarys and _is_plain(model, machine.model_attribute):
                bound = _bound(machine, model, rows)
                trigger = _Trigger(slow, vars(model), machine.model_attribute, bound)
                setattr(model, name, trigger.fire)
                frozen[name] = None
    return tuple(frozen)


def _is_ordinary(machine: Any) -> bool:
    """Whether nothing but its transitions and states says what a trigger calls."""
    around = machine.prepare_event, machine.finalize_event, machine.on_exception, machine.on_final
    if machine.send_event or machine.has_queue or any(around):
        return False
    nested = isinstance(machine, HierarchicalMachine)
    kind = HierarchicalMachine if nested else transitions.Machine
    own = [n for n in WORKED_OUT if getattr(type(machine), n, None) is not getattr(kind, n, None)]
    return not own


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


def _rows(machine: Any, found: Sequence[MachineState], name: str) -> dict[Any, list[_Row]]:
    """Return what an event does in each state in which it is fast, by the states' values."""
    rows = dict[Any, list[_Row]]()
    for place in found:
        value = place.id if isinstance(place.state.value, str) else place.state.value
        tried = [*_tried(machine, place.id, value, name)]
        whole = [row for row in tried if row is not None]
        if whole and len(whole) == len(tried):
            rows[value] = whole
    return rows


def _tried(machine: Any, state: str, value: Any, name: str) -> Iterator[_Row | None]:
    """Yield the transitions that an event tries in a state, in their order: inner ones first.

    It is None for one that the library has to fire.
    """
    separator = getattr(machine.state_cls, "separator", "")
    path = state.split(separator) if separator else [state]
    for depth in reversed(range(len(path))):
        with ExitStack() as scopes:
            for outer in path[:depth]:
                scopes.enter_context(machine(outer))
            event = machine.events.get(name)
            if event is None:
                continue
            for end in range(len(path), depth, -1):
                source = separator.join(path[depth:end])
                for transition in event.transitions.get(source, ()):
                    is_plain = {type(event), type(transition)} <= OF_LIBRARY
                    plain = is_plain and not transition.prepare
                    yield _row(machine, transition, value) if plain else None


def _row(machine: Any, transition: Any, value: Any) -> _Row | None:
    """Return what a transition does in a state, or None if the library has to fire it."""
    leaves, enters, target = list[Any](), list[Any](), None
    if transition.dest:
        change = _nested_change if isinstance(machine, HierarchicalMachine) else _change
        leaves, enters, target = change(machine, transition, value)
        kinds = {type(state) for state in (*leaves, *enters)}
        if target is None or not kinds <= OF_LIBRARY or any(state.final for state in enters):
            return None
    conditions = [(each.func, each.target) for each in transition.conditions]
    before = [*machine.before_state_change, *transition.before]
    after = [*transition.after, *machine.after_state_change]
    leaving = [do for state in leaves for do in state.on_exit]
    entering = [do for state in enters for do in state.on_enter]
    return _Row(conditions, before + leaving, target, entering + after)


_Change = tuple[list[Any], list[Any], Any]
"""The states that a transition leaves, those that it enters, and the value after it."""


def _change(machine: Any, transition: Any, value: Any) -> _Change:
    entered = machine.get_state(transition.dest)
    return [machine.get_state(transition.source)], [entered], entered.value


def _nested_change(machine: Any, transition: Any, value: Any) -> _Change:
    """Return what changes, as the library works it out in this scope.

    The value is None if it leads to several states at a time.
    """
    asked: Any = SimpleNamespace(
        machine=machine, model=SimpleNamespace(**{machine.model_attribute: value})
    )
    resolve: Any = transition._resolve_transition  # noqa: SLF001 -- nothing public says it
    tree, leaving, entering = resolve(asked)
    leaves = [each.func.__self__ for each in leaving]
    enters = [each.func.__self__ for each in entering]
    path = list[str]()
    while len(tree) == 1:
        [(name, tree)] = tree.items()
        path.append(name)
    if tree:
        return leaves, enters, None
    after = machine.get_state(path).value
    target = machine.state_cls.separator.join(path) if isinstance(after, str) else after
    return leaves, enters, target


def _bound(
    machine: Any, model: Any, rows: Mapping[Any, Sequence[_Row]]
) -> dict[Any, Sequence[_Row]]:
    """Return the rows with what the library would call for their callbacks."""

    def called(callback: Any) -> Call:
        if not isinstance(callback, str):
            return callback  # type: ignore[no-any-return]
        static = inspect.getattr_static(type(model), callback, None)
        if isinstance(static, FunctionType) and callback not in vars(model):
            return getattr(model, callback)  # type: ignore[no-any-return]
        asked = SimpleNamespace(model=model)  # else it is looked up at each call
        return lambda *args, **kwargs: machine.resolve_callable(callback, asked)(*args, **kwargs)

    return {state: [row.calling(called) for row in tried] for state, tried in rows.items()}


# triggers -----------------------------------------------------------------------------------------


class _Trigger:
    """The trigger of one object: `fire` stands in place of the library's, which is `slow`.

    A copy, also a pickled one, has nothing but the library's.
    """

    __slots__ = ("attribute", "rows", "slow", "steps", "values")

    def __init__(
        self, slow: Call, values: dict[str, Any], attribute: str, rows: Mapping[Any, Sequence[_Row]]
    ) -> None:
        self.slow, self.values, self.attribute, self.rows = slow, values, attribute, rows
        self.steps = {state: _step(values, attribute, tried) for state, tried in rows.items()}

    def __reduce__(self) -> tuple[Any, ...]:
        return _Trigger, (self.slow, {}, "", {})

    def fire(self, *args: Any, **kwargs: Any) -> Any:
        """Fire the event. In states where it does not fire, the library says what is wrong."""
        try:
            step = self.steps[self.values[self.attribute]]
        except (KeyError, TypeError):  # a list of states has no hash
            return self.slow(*args, **kwargs)
        if args or kwargs or by_library:
            return self._fire_with(args, kwargs)
        return step()

    def _fire_with(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if by_library:
            return self.slow(*args, **kwargs)
        tried = self.rows[self.values[self.attribute]]
        given = [row.calling(lambda do: partial(do, *args, **kwargs)) for row in tried]
        return _step(self.values, self.attribute, given)()


def _step(values: dict[str, Any], attribute: str, rows: Sequence[_Row]) -> Call:
    """Return the function that fires the first of these transitions whose conditions hold."""
    (conditions, before, target, after), *others = rows
    otherwise = _step(values, attribute, others) if others else bool
    condition, wanted = conditions[0] if len(conditions) == 1 else (_all_of(conditions), True)
    do_before, do_after = _together(before), _together(after)

    def step() -> Any:
        if condition is not None and condition() != wanted:
            return otherwise()
        if do_before is not None:
            do_before()
        if target is not None:
            values[attribute] = target
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
