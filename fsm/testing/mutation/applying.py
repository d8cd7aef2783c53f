"""Changes machines while they are used: every machine of one definition, wherever and whenever it
is made.

The library is wrapped where a machine is first used after it was made or has grown: an event, a
question whether an event is possible, an object that is added. There the machine is read, and
changed if its definition is the one asked for. No source is edited.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import local
from types import FrameType
from typing import Any
from weakref import ref

from fsm.adapters.callbacks import name_of
from fsm.adapters.parts import events_of, is_async, transitions_of
from fsm.adapters.reading import places
from fsm.coverage.data import Subject, subject_of
from fsm.coverage.instrumentation.identifying import ReadMachine
from fsm.coverage.instrumentation.patching import Patches
from fsm.engine import freezing
from fsm.testing.mutation.mutants import OF_MACHINES, OF_STATES, Mutant

Enforce = Callable[[], None]
"""Makes a change once more, since the machine may have undone it."""
Seen = Callable[[Any, ReadMachine], list[Enforce]]
"""Called with each machine, and again after it has grown. Returns what is to be done before each of
its events.
"""
USED = (
    "_process",
    "_can_trigger",
    "process_context",
    "get_triggers",
    "get_transitions",
    "add_model",
)
"""The methods of machines that use their definition."""

_OURS = str(Path(__file__).parents[2]) + os.sep


@dataclass(slots=True)
class _Machine:
    of: ref[Any]
    enforced: list[Enforce]
    grown: bool = False


class UsedMachines:
    """Calls `seen` with each machine of the process before it is used."""

    def __init__(self, seen: Seen) -> None:
        self.seen, self.patches, self._known = seen, Patches(), dict[int, _Machine]()
        self._thread, self._made = local(), dict[int, tuple[ref[Any], str]]()

    def watch(self) -> None:
        """Begin."""
        from transitions import core
        from transitions.extensions import asyncio, nesting

        kinds = (
            core.Machine,
            nesting.HierarchicalMachine,
            asyncio.AsyncMachine,
            asyncio.HierarchicalAsyncMachine,
        )
        for kind in kinds:
            for name in USED:
                if name in vars(kind):
                    later = name == "add_model"
                    self.patches.wrap(kind, name, self._after if later else self._before)
        self.patches.wrap(core.Machine, "__init__", self._making)
        self.patches.put(freezing, "by_library", True)
        self.patches.wrap(core.Event, "add_transition", self._growing)

    def stop(self) -> None:
        """End."""
        self.patches.undo()

    def _before(self, original: Any) -> Any:
        def used(machine: Any, *args: Any, **kwargs: Any) -> Any:
            self.use(machine)
            return original(machine, *args, **kwargs)

        return used

    def _after(self, original: Any) -> Any:
        def used(machine: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(machine, *args, **kwargs)
            self.use(machine)
            return result

        return used

    def _making(self, original: Any) -> Any:
        def __init__(machine: Any, *args: Any, **kwargs: Any) -> None:
            self._made[id(machine)] = ref(machine), _place(machine)
            original(machine, *args, **kwargs)

        return __init__

    def made(self, machine: Any) -> str:
        """Return `file:line` where a machine was made, or "" for a copy."""
        held, place = self._made.get(id(machine), (lambda: None, ""))
        return place if held() is machine else ""

    def _growing(self, original: Any) -> Any:
        def add_transition(event: Any, transition: Any) -> None:
            original(event, transition)
            known = self._known.get(id(getattr(event, "machine", None)))
            if known is not None:
                known.grown = True

        return add_transition

    def use(self, machine: Any) -> None:
        """Read the machine if it is new or has grown, and have its changes made."""
        if getattr(self._thread, "reading", False):
            return
        self._thread.reading = True
        try:
            known = self._known.get(id(machine))
            if known is None or known.of() is not machine or (known.grown and not known.enforced):
                known = self._learn(machine)
            for enforce in known.enforced:
                enforce()
        finally:
            self._thread.reading = False

    def _learn(self, machine: Any) -> _Machine:
        key = id(machine)
        try:
            enforced = self.seen(machine, ReadMachine(machine))
        except Exception:  # a machine that cannot be read is left alone
            enforced = []
        known = _Machine(ref(machine, lambda _: self._known.pop(key, None)), enforced)
        self._known[key] = known
        return known


def _place(machine: Any) -> str:
    """Return the first place on the stack that is neither ours nor in a constructor of the machine."""
    found: FrameType | None = sys._getframe(2)  # noqa: SLF001
    while found is not None and (
        found.f_code.co_filename.startswith(_OURS) or _constructs(found, machine)
    ):
        found = found.f_back
    return (
        f"{os.path.relpath(found.f_code.co_filename)}:{found.f_lineno}" if found is not None else ""
    )


def _constructs(frame: FrameType, machine: Any) -> bool:
    return frame.f_code.co_name == "__init__" and frame.f_locals.get("self") is machine


def changing(
    subject: Subject, mutant: Callable[[], Mutant | None], applied: Callable[[], None]
) -> Seen:
    """Return what changes every machine of this definition. `applied` is called when it has changed
    one.

    `mutant` is asked for each machine.
    """

    def seen(machine: Any, known: ReadMachine) -> list[Enforce]:
        change = mutant()
        if change is None or subject_of(known.model) != subject:
            return []
        enforced = list(_changes(machine, known, change))
        if enforced:
            applied()
        return enforced

    return seen


def _changes(machine: Any, known: ReadMachine, mutant: Mutant) -> Iterator[Enforce]:
    if mutant.kind == "initial":
        yield from _starting(machine, known, mutant)
        return
    if mutant.kind == "callback":
        for owner in _owners(machine, known, mutant):
            callbacks: list[Any] = getattr(owner, mutant.callbacks)
            dropped = [
                one
                for one in callbacks[mutant.number : mutant.number + 1]
                if name_of(one) == mutant.name
            ]
            if dropped:
                yield lambda callbacks=callbacks, dropped=dropped: _without(callbacks, dropped[0])  # type: ignore[misc]
        return
    rows = [
        one
        for one in transitions_of(machine)
        if (row := known.row(one)) is not None and row.id == mutant.row
    ]
    for one in rows:
        _change(machine, one, mutant)
        yield lambda: None


def _change(machine: Any, transition: Any, mutant: Mutant) -> None:
    """Change a transition."""
    if mutant.kind == "removed":
        _remove(machine, transition)
    elif mutant.kind == "retargeted":
        transition.dest = mutant.state
    elif mutant.kind == "negated":
        condition = transition.conditions[mutant.number]
        condition.target = not condition.target
    else:
        transition.conditions[mutant.number] = _Asked(transition.conditions[mutant.number], machine)


class _Asked:
    """A condition whose answer does not matter. It stays in its list, so that others keep their
    places.
    """

    def __init__(self, condition: Any, machine: Any) -> None:
        self.func, self.target = condition.func, condition.target
        self.check = _yes_later if is_async(machine) else _yes


def _yes(event_data: object) -> bool:
    return True


async def _yes_later(event_data: object) -> bool:
    return True


def _remove(machine: Any, transition: Any) -> None:
    for event in events_of(machine):
        for source, rows in list(event.transitions.items()):
            rows[:] = [one for one in rows if one is not transition]
            if not rows:
                del event.transitions[source]


def _without(callbacks: list[Any], dropped: Any) -> None:
    callbacks[:] = [one for one in callbacks if one != dropped]


def _owners(machine: Any, known: ReadMachine, mutant: Mutant) -> list[Any]:
    """Return the transitions, the state or the machine whose callback is dropped."""
    if mutant.row:
        return [
            one
            for one in transitions_of(machine)
            if (row := known.row(one)) is not None and row.id == mutant.row
        ]
    if mutant.state and mutant.callbacks in OF_STATES:
        return [place.state for place in places(machine) if place.id == mutant.state]
    return [machine] if mutant.callbacks in OF_MACHINES else []


def _starting(machine: Any, known: ReadMachine, mutant: Mutant) -> Iterator[Enforce]:
    """Put each object that stands at the beginning into the other state, once."""
    if known.model.initial != mutant.target:
        return
    put: set[int] = set()

    def start() -> None:
        for one in machine.models:
            if id(one) not in put:
                put.add(id(one))
                if known.leaf(getattr(one, machine.model_attribute)) == mutant.target:
                    machine.set_state(mutant.state, one)

    yield start
