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

    conditions: tuple[tuple[Any, bool], ...]
    before: tuple[Any, ...]
    value: Any
    after: tuple[Any, ...]

    def calling(self, called: Callable[[Any], Call]) -> _Row:
        """Return the row with what is called for each of its callbacks."""
        conditions = [(called(condition), wanted) for condition, wanted in self.conditions]
        before = tuple(map(called, self.before))
        return _Row(tuple(conditions), before, self.value, tuple(map(called, self.after)))


_Rows = Sequence[_Row]


def freeze(machine: transitions.Machine) -> tuple[str, ...]:
    """Make the triggers of a machine's objects fast. Call it when the machine is finished.

    A frozen trigger calls the same callbacks in the same order, leads to the same state and returns
    the same as the library's. It does not see what is changed later: states, transitions,
    callbacks, and which methods of the object they are; then freeze the machine again. It does
    not write to the library's log. Objects that are added later, and copies, have the library's
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
            if _freeze(machine, model, name, rows):
                frozen[name] = None
    return tuple(frozen)


def _freeze(machine: Any, model: Any, name: str, rows: Mapping[Any, _Rows]) -> bool:
    """Make a trigger of an object fast. Say if it can be."""
    slow: Any = getattr(model, name, None)
    frozen = getattr(slow, "__self__", None)
    if isinstance(frozen, _Trigger):
        slow = frozen.slow
    is_own = isinstance(slow, partial) and slow.args and slow.args[0] is model
    if not is_own or not _is_plain(model, machine.model_attribute):
        return False
    called = partial(_resolved, machine, model)
    bound = {value: [row.calling(called) for row in found] for value, found in rows.items()}
    trigger = _Trigger(slow, vars(model), machine.model_attribute, bound)
    setattr(model, name, trigger.fire)
    return True


def _is_ordinary(machine: Any) -> bool:
    """Whether nothing but its transitions and states says what a trigger calls."""
    around = machine.prepare_event, machine.finalize_event, machine.on_exception, machine.on_final
    if machine.send_event or machine.has_queue or any(around):
        return False
    nested = isinstance(machine, HierarchicalMachine)
    kind = HierarchicalMachine if nested else transitions.Machine
    for name in WORKED_OUT:
        if getattr(type(machine), name, None) is not getattr(kind, name, None):
            return False
    return True


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


def _rows(machine: Any, found: Sequence[MachineState], name: str) -> dict[Any, _Rows]:
    """Return what an event does in each state in which it is fast, by the states' values."""
    rows = dict[Any, _Rows]()
    for place in found:
        value = place.id if isinstance(place.state.value, str) else place.state.value
        tried = [*_tried(machine, place.id, value, name)]
        whole = [row for row in tried if row is not None]
        if whole and len(whole) == len(tried):
            rows[value] = whole
    return rows


def _tried(machine: Any, state: str, value: Any, name: str) -> Iterator[_Row | None]:
    """Yield the transitions that an event tries in a state, in their order: inner ones first."""
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
                    yield _row(machine, event, transition, value)


def _row(machine: Any, event: Any, transition: Any, value: Any) -> _Row | None:
    """Return what a transition does in a state, or None if the library has to fire it."""
    if not {type(event), type(transition)} <= OF_LIBRARY or transition.prepare:
        return None
    leaves, enters, target = list[Any](), list[Any](), None
    if transition.dest:
        change = _nested_change if isinstance(machine, HierarchicalMachine) else _change
        leaves, enters, target = change(machine, transition, value)
        kinds = {type(state) for state in (*leaves, *enters)}
        final = any(state.final for state in enters)
        if target is None or final or not kinds <= OF_LIBRARY:
            return None
    before = [*machine.before_state_change, *transition.before]
    for state in leaves:
        before += state.on_exit
    after = list[Any]()
    for state in enters:
        after += state.on_enter
    after += [*transition.after, *machine.after_state_change]
    conditions = tuple((each.func, each.target) for each in transition.conditions)
    return _Row(conditions, tuple(before), target, tuple(after))


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


def _resolved(machine: Any, model: Any, callback: Any) -> Call:
    """Return what the library would call for a callback.

    A name is looked up at each call, unless it is that of an ordinary method.
    """
    if not isinstance(callback, str):
        found: Call = callback
        return found
    static = inspect.getattr_static(type(model), callback, None)
    if isinstance(static, FunctionType) and callback not in vars(model):
        method: Call = getattr(model, callback)
        return method
    asked = SimpleNamespace(model=model)
    return lambda *args, **kwargs: machine.resolve_callable(callback, asked)(*args, **kwargs)


# triggers -----------------------------------------------------------------------------------------


class _Trigger:
    """The trigger of one object: `fire` stands in place of the library's, which is `slow`.

    A copy, also a pickled one, has nothing but the library's.
    """

    __slots__ = ("attribute", "rows", "slow", "steps", "values")

    def __init__(
        self, slow: Call, values: dict[str, Any], attribute: str, rows: Mapping[Any, _Rows]
    ) -> None:
        self.slow, self.values, self.attribute, self.rows = slow, values, attribute, rows
        self.steps = {value: self._step(found) for value, found in rows.items()}

    def __reduce__(self) -> tuple[Any, ...]:
        return _Trigger, (self.slow, {}, "", {})

    def fire(self, *args: Any, **kwargs: Any) -> Any:
        """Fire the event. In states where it does not fire, the library says what is wrong."""
        try:
            state = self.values[self.attribute]
            step = self.steps[state]
        except (KeyError, TypeError):  # a list of states has no hash
            step = self.slow
        if step is self.slow or by_library:
            return self.slow(*args, **kwargs)
        if not args and not kwargs:
            return step()
        rows = [row.calling(lambda do: partial(do, *args, **kwargs)) for row in self.rows[state]]
        return self._fire(rows)

    def _step(self, rows: _Rows) -> Call:
        """Return the function that fires the first of these transitions whose conditions hold.

        Most transitions have at most one condition and one callback: these are twice as fast.
        """
        conditions, before, target, after = rows[0]
        if before or target is None or len(after) != 1 or len(conditions) > 1:
            return partial(self._fire, rows)
        values, attribute, do = self.values, self.attribute, after[0]

        def move() -> bool:
            values[attribute] = target
            do()
            return True

        if not conditions:
            return move
        condition, wanted = conditions[0]
        otherwise = self._step(rows[1:]) if rows[1:] else bool

        def decide() -> Any:
            return move() if condition() == wanted else otherwise()

        return decide

    def _fire(self, rows: _Rows) -> bool:
        for conditions, before, target, after in rows:
            for condition, wanted in conditions:
                if condition() != wanted:
                    break
            else:
                for do in before:
                    do()
                if target is not None:
                    self.values[self.attribute] = target
                for do in after:
                    do()
                return True
        return False
