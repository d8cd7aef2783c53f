"""Instruments every machine of the `transitions` library in the process, of any class, without a
change to user code.

Only during a collection, these functions are wrapped: `__init__`, `remove_transition` and
`set_state` of machines, `execute` of transitions, `check` of conditions, and the place where an
event is found to be invalid. A frozen machine leaves everything to the library meanwhile. A transition counts as taken after the state is set (even if a later
callback raises), an internal one after its last callback. Two things are not seen: transitions
whose class overrides `execute` without calling the method of the library, and questions asked with
`may_...`.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from fsm.coverage.data import Literal, Subject
from fsm.coverage.instrumentation.identifying import ReadMachine, ReadMachines
from fsm.coverage.instrumentation.passages import Place, Places, Walk, Walks
from fsm.coverage.instrumentation.patching import Patches
from fsm.engine import freezing

if TYPE_CHECKING:
    from fsm.coverage.instrumentation.buffer import Buffer


class Attempt:
    """A transition that is being executed, the results of its conditions, and whether it was
    recorded as taken.
    """

    __slots__ = ("at", "checked", "event_data", "noted", "transition")

    def __init__(self, transition: Any, event_data: Any) -> None:
        self.transition, self.event_data = transition, event_data
        self.at: object = getattr(event_data.model, event_data.machine.model_attribute, None)
        self.checked: dict[int, bool] = {}
        self.noted = False

    def is_of(self, attempt: Attempt) -> bool:
        """Say whether another attempt is this one, as in a call of super()."""
        return self.transition is attempt.transition and self.event_data is attempt.event_data


_under_way: ContextVar[Attempt | None] = ContextVar("fsm_coverage_attempt", default=None)


class LibraryInstrument:
    """Instruments the library and records into `buffers`."""

    def __init__(self, buffers: Sequence[Buffer]) -> None:
        self.buffers, self.machines, self.patches = buffers, ReadMachines(self._changed), Patches()
        self.walks, self.places = Walks(), Places()

    def watch(self) -> None:
        """Begin to record."""
        from transitions import core
        from transitions.extensions import asyncio, nesting

        wrap = self.patches.wrap
        self.patches.put(freezing, "by_library", True)
        wrap(core.Machine, "__init__", self._makes)
        for kind in (core.Machine, nesting.HierarchicalMachine):
            wrap(kind, "remove_transition", self._removes)
        wrap(core.Transition, "execute", self._executes)
        wrap(asyncio.AsyncTransition, "execute", self._executes_later)
        wrap(core.Condition, "check", self._checks)
        wrap(asyncio.AsyncCondition, "check", self._checks_later)
        wrap(core.Machine, "set_state", self._sets)
        wrap(nesting.HierarchicalMachine, "set_state", self._sets)
        wrap(core.Event, "_is_valid_source", self._is_valid)
        wrap(nesting.HierarchicalMachine, "_check_event_result", self._has_result)

    def stop(self) -> None:
        """Stop recording."""
        self.patches.undo()
        self.walks.clear()

    # machines -------------------------------------------------------------------------------------

    def _makes(self, original: Any) -> Any:
        def __init__(machine: Any, *args: Any, **kwargs: Any) -> None:
            original(machine, *args, **kwargs)
            self.machines.made(machine, inspect.currentframe())

        return __init__

    def _removes(self, original: Any) -> Any:
        def remove_transition(machine: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(machine, *args, **kwargs)
            if self.machines.known_before(machine) is not None:
                self.machines.again(machine)
            return result

        return remove_transition

    def _changed(self, subject: Subject) -> None:
        for buffer in self.buffers:
            buffer.changed(subject)

    # transitions ----------------------------------------------------------------------------------

    def _executes(self, original: Any) -> Any:
        def execute(transition: Any, event_data: Any) -> Any:
            attempt, outer = Attempt(transition, event_data), _under_way.get()
            if outer is not None and outer.is_of(attempt):
                return original(transition, event_data)
            token = _under_way.set(attempt)
            try:
                done = original(transition, event_data)
            finally:
                _under_way.reset(token)
            if not attempt.noted:
                self._ended(attempt, done)
            return done

        return execute

    def _executes_later(self, original: Any) -> Any:
        async def execute(transition: Any, event_data: Any) -> Any:
            attempt, outer = Attempt(transition, event_data), _under_way.get()
            if outer is not None and outer.is_of(attempt):
                return await original(transition, event_data)
            token = _under_way.set(attempt)
            try:
                done = await original(transition, event_data)
            finally:
                _under_way.reset(token)
            if not attempt.noted:
                self._ended(attempt, done)
            return done

        return execute

    def _ended(self, attempt: Attempt, done: object) -> None:
        """Record what became of an attempt that has not been recorded."""
        if done:
            self._fired(attempt)
        else:
            self._failed(attempt)

    def _fired(self, attempt: Attempt) -> None:
        """Record the transition as taken."""
        attempt.noted = True
        machine, model = attempt.event_data.machine, attempt.event_data.model
        known = self.machines.known(machine)
        firings = known.taken(attempt.transition, attempt.at) if known is not None else None
        if firings is None:
            row = self.machines.row(machine, attempt.transition)
            known = self.machines.known(machine)
            if known is None:
                return
            if row is None:  # the transition is not in the Model, so the walk is interrupted
                self.walks.end(machine, model)
                self._put(machine, model, known)
                return
            firings = known.firings(attempt.transition, row, attempt.at)
        assert known is not None
        walk = self._walk(machine, model, known)
        place = walk.place
        passage = place.passages.get(id(firings))
        if passage is None:
            passage = self.places.passage(place, firings, firings)
        walk.place = passage.after
        for buffer in self.buffers:
            buffer.took(walk, passage)

    def _walk(self, machine: Any, model: object, known: ReadMachine) -> Walk:
        return self.walks.of(machine, model, known.subject, lambda: self._begins(known))

    def _begins(self, known: ReadMachine) -> Place:
        return self.places.of(known.subject, known.model.initial)

    def _put(self, machine: Any, model: object, known: ReadMachine) -> None:
        """Record that an object was put into a state by no transition of the Model."""
        state = self.machines.leaf(machine, known, getattr(model, machine.model_attribute, None))
        for buffer in self.buffers:
            buffer.began(known.subject, state)

    def _failed(self, attempt: Attempt) -> None:
        """Record that a condition failed. The first one that fails decides."""
        conditions = attempt.transition.conditions
        number = next(
            (n for n, c in enumerate(conditions) if attempt.checked.get(id(c)) is False), None
        )
        machine = attempt.event_data.machine
        row, known = self.machines.row(machine, attempt.transition), self.machines.known(machine)
        if row is None or known is None or number is None or number >= len(row.guard):
            return
        literal: Literal = (row.id, str(row.guard[number]), False)
        for buffer in self.buffers:
            walk = self._walk(machine, attempt.event_data.model, known)
            buffer.decided(walk, known.name, (literal,))

    # conditions, states, invalid events -----------------------------------------------------------

    def _checks(self, original: Any) -> Any:
        def check(condition: Any, event_data: Any) -> Any:
            found = original(condition, event_data)
            _checked(condition, event_data, found)
            return found

        return check

    def _checks_later(self, original: Any) -> Any:
        async def check(condition: Any, event_data: Any) -> Any:
            found = await original(condition, event_data)
            _checked(condition, event_data, found)
            return found

        return check

    def _sets(self, original: Any) -> Any:
        def set_state(machine: Any, state: Any, model: Any = None) -> Any:
            result = original(machine, state, model)
            attempt = _under_way.get()
            if attempt is not None and model is attempt.event_data.model:
                if not attempt.noted:
                    self._fired(attempt)
            elif (known := self.machines.known_before(machine)) is not None:
                for each in machine.models if model is None else [model]:
                    self._put(machine, each, known)
            return result

        return set_state

    def _is_valid(self, original: Any) -> Any:
        def is_valid_source(event: Any, state: Any) -> Any:
            valid = False
            try:
                valid = original(event, state)
            finally:
                if not valid and state.name not in event.transitions:
                    self._refused(event.machine, None, state.name, event.name)
            return valid

        return is_valid_source

    def _has_result(self, original: Any) -> Any:
        def check_event_result(machine: Any, result: Any, model: Any, trigger: str) -> Any:
            if result is None and machine.has_trigger(trigger):
                self._refused(machine, model, getattr(model, machine.model_attribute), trigger)
            return original(machine, result, model, trigger)

        return check_event_result

    def _refused(self, machine: Any, model: object, state: object, event: str) -> None:
        known = self.machines.known(machine)
        if known is not None:
            leaf = self.machines.leaf(machine, known, state)
            walk = Walk(self._begins(known), (id(machine), id(model)))
            for buffer in self.buffers:
                buffer.refused(walk, known.name, (leaf, event))


def _checked(condition: Any, event_data: Any, found: object) -> None:
    attempt = _under_way.get()
    if attempt is not None and attempt.event_data is event_data:
        attempt.checked[id(condition)] = bool(found)
