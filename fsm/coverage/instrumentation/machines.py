"""Instruments every machine of the `transitions` library in the process, of any class, without a
change to user code.

Only during a collection, these methods are wrapped: `__init__` and `remove_transition` of machines,
`_eval_conditions` and `_change_state` of transitions, and the place where an event is found to be
invalid. A frozen machine leaves everything to the library meanwhile. A transition counts as taken
when its state change begins, an internal one when its conditions hold. Questions asked with
`may_...` are not seen.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from fsm.coverage.data import Literal, Subject
from fsm.coverage.instrumentation.identifying import ReadMachine, ReadMachines
from fsm.coverage.instrumentation.passages import Place, Places, Walk, Walks
from fsm.coverage.instrumentation.patching import Patches
from fsm.engine import freezing

if TYPE_CHECKING:
    from fsm.coverage.instrumentation.buffer import Buffer


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
        wrap(core.Transition, "_eval_conditions", self._decides)
        wrap(asyncio.AsyncTransition, "_eval_conditions", self._decides_later)
        for transitions in (
            core.Transition,
            nesting.NestedTransition,
            asyncio.AsyncTransition,
            asyncio.NestedAsyncTransition,
        ):
            wrap(transitions, "_change_state", self._changes_state)
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

    def _decides(self, original: Any) -> Any:
        def _eval_conditions(transition: Any, event_data: Any) -> bool:
            for number, condition in enumerate(transition.conditions):
                if not condition.check(event_data):
                    self._failed(transition, event_data, number)
                    return False
            if not transition.dest:
                self._fired(transition, event_data)
            return True

        return _eval_conditions

    def _decides_later(self, original: Any) -> Any:
        async def _eval_conditions(transition: Any, event_data: Any) -> bool:
            checks = [partial(one.check, event_data) for one in transition.conditions]
            results = await event_data.machine.await_all(checks)
            if not all(results):
                self._failed(transition, event_data, [*map(bool, results)].index(False))
                return False
            if not transition.dest:
                self._fired(transition, event_data)
            return True

        return _eval_conditions

    def _changes_state(self, original: Any) -> Any:
        def _change_state(transition: Any, event_data: Any) -> Any:
            self._fired(transition, event_data)
            return original(transition, event_data)

        return _change_state

    def _fired(self, transition: Any, event_data: Any) -> None:
        """Record the transition as taken."""
        machine, model = event_data.machine, event_data.model
        at = getattr(model, machine.model_attribute, None)
        known = self.machines.known(machine)
        firings = known.taken(transition, at) if known is not None else None
        if firings is None:
            row = self.machines.row(machine, transition)
            known = self.machines.known(machine)
            if known is None:
                return
            if row is None:  # as of `to_STATE`: no transition of the Model, so the walk ends
                self.walks.end(machine, model)
                for buffer in self.buffers:
                    buffer.began(known.subject, known.leaf(transition.dest))
                return
            firings = known.firings(transition, row, at)
        assert known is not None
        walk = self._walk(machine, model, known)
        first = firings[0]
        if walk.stands != first.step[1] and at.__class__ is not list:
            walk.place = self._begins(known)  # the object was put into another state
        walk.stands = first.target
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

    def _failed(self, transition: Any, event_data: Any, number: int) -> None:
        """Record that this condition failed: the first that fails decides."""
        machine = event_data.machine
        row, known = self.machines.row(machine, transition), self.machines.known(machine)
        if row is None or known is None or number >= len(row.guard):
            return
        literal: Literal = (row.id, str(row.guard[number]), False)
        for buffer in self.buffers:
            walk = self._walk(machine, event_data.model, known)
            buffer.decided(walk, known.name, (literal,))

    # invalid events -------------------------------------------------------------------------------

    def _is_valid(self, original: Any) -> Any:
        def is_valid_source(event: Any, state: Any) -> Any:
            if state.name not in event.transitions:
                self._refused(event.machine, None, state.name, event.name)
            return original(event, state)

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
