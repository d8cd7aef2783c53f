"""Finds the Model's transitions and states that correspond to those of a machine."""

from __future__ import annotations

import os
import sysconfig
from collections.abc import Hashable, Sequence
from functools import lru_cache
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import transitions

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
from fsm.coverage.data import Subject, subject_of
from fsm.coverage.recording import Firing, root, tried
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
