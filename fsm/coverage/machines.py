"""Watches every machine of the `transitions` library in the process, of any class, without a change
to user code, and finds the Model's transitions and states for those of a machine.

Only during a collection, these methods are wrapped: `__init__` of machines, `_eval_conditions` and
`_change_state` of transitions. A frozen machine leaves everything to the library meanwhile. A
transition counts as taken when its state change begins, an internal one when its conditions hold.
Questions asked with `may_...` are not seen.
"""

from __future__ import annotations

import inspect
import os
import sysconfig
import weakref
from collections.abc import Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import transitions
from transitions import core
from transitions.extensions import asyncio, nesting

from fsm.adapters.reading import (
    TOGETHER,
    Arrow,
    arrows,
    driven_class,
    identity,
    itself,
    name_of,
    names_in,
    place_of,
    places,
    read,
    title_of,
)
from fsm.coverage.data import Subject, fuller, subject_of
from fsm.coverage.recording import Buffer, Firing, Walk, Watched, Wrap, root, tried
from fsm.engine.machine import Machine as PlayedMachine
from fsm.model import Model, Transition
from fsm.model.graph import graphs_of

MOST_DEFINITIONS = 512
"""So many definitions of machines are kept, since programs make the same machine again and
again.
"""


class Definition(NamedTuple):
    """The Model of machines, and its transition for each of the machine, or None, in order.

    `tries` has what is recorded of them, by transition, state, and condition that fails.
    """

    model: Model
    rows: tuple[Transition | None, ...]
    tries: dict[tuple[str, str, int], tuple[Firing, ...]]


_definitions = dict[Hashable, Definition]()


def _definition_of(machine: Any, found: tuple[Arrow, ...]) -> Definition:
    """Return the definition of a machine with these transitions. Equal machines are read once."""
    if isinstance(getattr(machine, "definition", None), Model):
        return _read(machine, found)
    key = _signature(machine, found)
    definition = _definitions.get(key)
    if definition is None:
        if len(_definitions) >= MOST_DEFINITIONS:
            _definitions.clear()
        definition = _definitions[key] = _read(machine, found)
    return definition


def _read(machine: Any, found: tuple[Arrow, ...]) -> Definition:
    reading = read(machine)
    rows = [reading.rows.get(id(arrow.transition)) for arrow in found]
    return Definition(reading.model, tuple(rows), {})


def _signature(machine: Any, found: tuple[Arrow, ...]) -> Hashable:
    """Return all that the Model of a machine depends on."""
    numbers = dict[Hashable, int]()
    signature: list[Hashable] = [
        machine.name,
        driven_class(machine).__name__,
        names_in(machine.initial),
    ]
    for place in places(machine):
        state = place.state
        said: list[Hashable] = [place.id, place.label, place.inside, place.initial]
        said.append(bool(getattr(state, "final", False)))
        said += [_named(getattr(state, f"on_{when}", ())) for when in ("enter", "exit", "final")]
        signature.append(tuple(said))
    for arrow in found:
        t = arrow.transition
        said = [arrow.event, arrow.source, arrow.target, arrow.scope]
        for func, wanted in arrow.conditions if t.conditions else ():
            number = numbers.setdefault(identity(func, machine.models), len(numbers))
            said += [_named([func]), number, wanted]
        said += [_named(t.prepare), _named(t.before), _named(t.after)]
        signature.append(tuple(said))
    return tuple(signature)


def _named(callbacks: Sequence[object]) -> tuple[Hashable, ...]:
    """Return what the Model says of callbacks."""
    return tuple([c if c.__class__ is str else (name_of(c), place_of(c)) for c in callbacks])


class ReadMachine:
    """One machine as it was read: its Model, its subject, and its name in the data.

    `subject` stays the same when the machine is read again. Raises ModelError if the machine cannot
    be a Model.
    """

    def __init__(self, machine: Any, subject: Subject | None = None, place: str = "") -> None:
        found = arrows(machine)
        definition = self._definition = _definition_of(machine, found)
        self.model: Model = definition.model
        ids = [id(arrow.transition) for arrow in found]
        self._rows = dict(zip(ids, definition.rows, strict=True))
        self._found = found  # while they are kept, no other transition gets their id()
        self.subject = subject or _subject(machine, self.model, place)
        self.name = graphs_of(self.model)[0].name
        self.separator = str(getattr(machine.state_cls, "separator", "_"))
        self.leaves: set[str] = {state.id for state in self.model.leaves}
        self._labels = {state.label: state.id for state in reversed(self.model.leaves)}
        self.tries = dict[tuple[int, object, int], tuple[Firing, ...]]()

    def row(self, transition: Any) -> Transition | None:
        """Return the Model's transition for one of the library, or None if the Model has none, as
        for `to_STATE`.
        """
        return self._rows.get(id(transition))

    def leaf(self, value: object, within: str = "") -> str:
        """Return the Model's state for a value of the state attribute. Of several parallel states,
        the one `within`.
        """
        names = [*map(self._leaf, names_in(value))]
        inside = (n for n in names if n == within or n.startswith(within + self.separator))
        return next(inside, names[0] if names else "")

    def _leaf(self, name: str) -> str:
        if name in self.leaves:
            return name
        return itself(name) if itself(name) in self.leaves else self._labels.get(name, name)

    def tries_of(
        self, transition: Any, row: Transition, at: object, failing: int
    ) -> tuple[Firing, ...]:
        """Return what is recorded when a transition of the library, whose row in the Model is this
        one, is tried with this value of the state attribute.

        Its condition of the number `failing` fails, or none (-1). `tries` keeps it by the id() of
        the transition. States that are entered together are entered by rows that follow at once.
        """
        leaf = self.leaf(at, row.source)
        key = row.id, leaf, failing
        found = self._definition.tries.get(key)
        if found is None:
            firings = [Firing(self.name, (tried(row, leaf, failing),))]
            for inner in self.model.rows(row.target or "", TOGETHER) if failing < 0 else ():
                firings.append(Firing(self.name, (tried(inner, inner.source),)))
            found = self._definition.tries[key] = tuple(firings)
        if at.__class__ is not list:
            self.tries[id(transition), at, failing] = found
        return found


def _subject(machine: Any, model: Model, place: str) -> Subject:
    """Return the subject of a machine that is read for the first time."""
    own = subject_of(model)
    if isinstance(getattr(machine, "definition", None), Model):
        return own
    return Subject(name_of_machine(machine), own.fingerprint, place)


def name_of_machine(machine: Any) -> str:
    """Return the class of what the machine drives. A class of the library says nothing, but the
    machine's name does.
    """
    driven = driven_class(machine)
    of_library = driven.__module__.startswith("transitions.")
    return (of_library and title_of(machine)) or driven.__name__


# places -------------------------------------------------------------------------------------------

_PATHS = sysconfig.get_paths()
_BASES = {
    str(Path(__file__).parents[1]): False,
    str(Path(transitions.__file__).parent): False,
    _PATHS["purelib"]: True,
    _PATHS["platlib"]: True,
    _PATHS["stdlib"]: False,
    _PATHS["platstdlib"]: False,
}
"""Folders of files, the inner ones first, and whether a user's machine may be made in them: this
package, the library, and Python only pass the call on.
"""


def place_made(frame: FrameType | None) -> str:
    """Return `file:line` of the first frame, from this one outwards, that is code of a user in a
    file, or "" if there is none.
    """
    while frame is not None:
        shown = _shown(frame.f_code.co_filename, root())
        if shown:
            return f"{shown}:{frame.f_lineno}"
        frame = frame.f_back
    return ""


@lru_cache(maxsize=4096)
def _shown(file: str, root: str) -> str:
    """Return a path that is the same on other computers: from the root, or from where packages are
    installed. It is "" for a file that only passes the call on, or that is none.
    """
    if file.startswith("<"):
        return ""
    path = Path(os.path.realpath(file))
    for folder, is_users in (_BASES | {root: True}).items():
        base = os.path.realpath(folder)
        if path.is_relative_to(base):
            return path.relative_to(base).as_posix() if is_users else ""
    return path.as_posix()


# watching -----------------------------------------------------------------------------------------

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
        for kind in TRANSITIONS:
            wrap(kind, "_change_state", self._changes_state)

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
