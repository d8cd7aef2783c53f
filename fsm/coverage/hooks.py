"""Watches every machine of the `transitions` library in the process, of any class, without a change
to user code.

Only during a collection, these methods are wrapped: `__init__` of machines, `_eval_conditions` and
`_change_state` of transitions. A frozen machine leaves everything to the library meanwhile. A
transition counts as taken when its state change begins, an internal one when its conditions hold.
Questions asked with `may_...` are not seen.
"""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from transitions import core
from transitions.extensions import asyncio, nesting

from fsm.adapters.reading import names_in
from fsm.coverage.data import Subject, fuller
from fsm.coverage.machines import ReadMachine, name_of_machine, place_made
from fsm.coverage.recording import Buffer, Walk, Watched, Wrap
from fsm.engine.machine import Machine as PlayedMachine
from fsm.model import Transition

TRANSITIONS = (
    core.Transition,
    nesting.NestedTransition,
    asyncio.AsyncTransition,
    asyncio.NestedAsyncTransition,
)


@dataclass(slots=True, eq=False)
class Met:
    """What is known of one machine. It is read at its first event: `was_read` says whether that was
    tried, and `is_known` whether it could be.

    `unknown` has the transitions, by id(), that were looked for without success.
    """

    of: weakref.ref[Any]
    place: str
    plays: bool
    was_read: bool = False
    is_known: bool = False
    read: ReadMachine = field(init=False)
    watched: Watched = field(init=False)
    unknown: set[int] = field(default_factory=set)


class ObjectWalk(Walk):
    """One object on one machine. `held` keeps a weak reference to it, or the object itself if there
    can be none.
    """

    __slots__ = ("held", "met")

    def __init__(self, met: Met, of: tuple[int, int], held: object) -> None:
        super().__init__(met.watched.start, of)
        self.met = met
        self.held = held


class LibraryWatch:
    """Watches the library and records into `buffers`.

    Machines and objects are found by id(), because a class may define equality or have no hash. A
    weak reference forgets what is gone, before anything else gets its id.
    """

    def __init__(self, buffers: Sequence[Buffer]) -> None:
        self.buffers = buffers
        self._met = dict[int, Met]()
        self._subjects = dict[Subject, Watched]()
        self._walks = dict[tuple[int, int], ObjectWalk]()

    def watch(self, wrap: Wrap) -> None:
        """Begin to record."""
        wrap(core.Machine, "__init__", self._makes)
        wrap(core.Transition, "_eval_conditions", self._decides)
        wrap(asyncio.AsyncTransition, "_eval_conditions", self._decides_later)
        for transitions in TRANSITIONS:
            wrap(transitions, "_change_state", self._changes_state)

    # machines -------------------------------------------------------------------------------------

    def _makes(self, original: Any) -> Any:
        def __init__(machine: Any, *args: Any, **kwargs: Any) -> None:
            original(machine, *args, **kwargs)
            self._meet(machine, place_made(inspect.currentframe()))

        return __init__

    def _meet(self, machine: Any, place: str = "") -> Met:
        key = id(machine)
        gone = weakref.ref(machine, lambda _: self._met.pop(key, None))
        met = self._met[key] = Met(gone, place, isinstance(machine, PlayedMachine))
        return met

    def _known(self, machine: Any) -> Met | None:
        """Return what is known of a machine, or None if it cannot be a Model, or runs a game, which
        is recorded itself.
        """
        met = self._met.get(id(machine)) or self._meet(machine)
        if met.plays and machine.record is not None:
            return None
        if not met.was_read:
            self._read(machine, met)
        return met if met.is_known else None

    def _read(self, machine: Any, met: Met) -> None:
        """Read a machine, for the first time or again. Its subject stays the same."""
        met.was_read = True
        name = "a machine"
        try:
            name = name_of_machine(machine)
            met.read = ReadMachine(machine, met.read.subject if met.is_known else None, met.place)
        except Exception as error:  # whatever its parts raise, users notice nothing
            place = f" ({met.place})" if met.place else ""
            for buffer in self.buffers:
                buffer.noted(f"{name}{place} is not measured: {error}")
            return
        subject, model = met.read.subject, met.read.model
        watched = self._subjects.setdefault(subject, Watched(subject, model))
        watched.model = fuller(watched.model, model)
        met.watched, met.is_known = watched, True

    def _row(self, machine: Any, met: Met, transition: Any) -> Transition | None:
        """Return the Model's transition, or None. If the transition is new, the machine is read
        again.
        """
        if met.read.row(transition) is None and id(transition) not in met.unknown:
            met.unknown.add(id(transition))
            self._read(machine, met)
        return met.read.row(transition)

    def _walk(self, machine: Any, driven: object) -> ObjectWalk | None:
        """Return the walk of this object on this machine, begin one, or return None if the machine
        is not measured.
        """
        met = self._known(machine)
        if met is None:
            return None
        key = id(machine), id(driven)
        walk = self._walks.get(key)
        if walk is None or walk.met is not met:
            walk = self._walks[key] = ObjectWalk(met, key, driven)
            self._began(met, getattr(driven, machine.model_attribute, None))
            with suppress(TypeError):  # a class may allow none
                walk.held = weakref.ref(driven, lambda _: self._walks.pop(key, None))
        return walk

    def _began(self, met: Met, state: object) -> None:
        """Record that an object begins in these parallel states. Any other is seen by what
        fires.
        """
        for name in names_in(state) if isinstance(state, list) else ():
            for buffer in self.buffers:
                buffer.began(met.watched, met.read.leaf(name))

    # transitions ----------------------------------------------------------------------------------

    def _decides(self, original: Any) -> Any:
        def _eval_conditions(transition: Any, event_data: Any) -> bool:
            for number, condition in enumerate(transition.conditions):
                if not condition.check(event_data):
                    self._tried(transition, event_data, number)
                    return False
            if not transition.dest:
                self._tried(transition, event_data, -1)
            return True

        return _eval_conditions

    def _decides_later(self, original: Any) -> Any:
        async def _eval_conditions(transition: Any, event_data: Any) -> bool:
            checks = [partial(one.check, event_data) for one in transition.conditions]
            results = [bool(one) for one in await event_data.machine.await_all(checks)]
            failing = results.index(False) if False in results else -1
            if failing >= 0 or not transition.dest:
                self._tried(transition, event_data, failing)
            return failing < 0

        return _eval_conditions

    def _changes_state(self, original: Any) -> Any:
        tried = self._tried

        def _change_state(transition: Any, event_data: Any) -> Any:
            tried(transition, event_data, -1)
            return original(transition, event_data)

        return _change_state

    def _tried(self, transition: Any, event_data: Any, failing: int) -> None:
        """Record that the condition of this number failed, the first that fails, or, with -1, that
        the transition is taken.
        """
        # all in one function: see "coverage of a machine" in benchmarks/bars.py
        machine, driven = event_data.machine, event_data.model
        walk = self._walks.get((id(machine), id(driven)))
        if walk is None or walk.met.plays or walk.met.of() is not machine:
            walk = self._walk(machine, driven)
            if walk is None:
                return
        at = getattr(driven, machine.model_attribute, None)
        met = walk.met
        tries = None
        if at.__class__ is not list:
            tries = met.read.tries.get((id(transition), at, failing))
        if tries is None:
            row = self._row(machine, met, transition)
            if row is None or failing >= len(row.guard):
                self._jumped(walk, transition, failing)
                return
            tries = met.read.tries_of(transition, row, at, failing)
        place = walk.place
        passage = place.passages.get(id(tries))
        if passage is None:
            passage = met.watched.passage(place, tries, tries)
        walk.place = passage.after
        for buffer in self.buffers:
            buffer.took(walk, passage)

    def _jumped(self, walk: ObjectWalk, transition: Any, failing: int) -> None:
        """Begin anew with an object that goes, as by `to_STATE`, by no transition of the Model."""
        if failing < 0:
            walk.place = walk.met.watched.start
            for buffer in self.buffers:
                buffer.began(walk.met.watched, walk.met.read.leaf(transition.dest))
