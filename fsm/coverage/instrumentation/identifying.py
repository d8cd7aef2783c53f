"""Finds the Model's transitions and states that correspond to those of a machine."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from enum import Enum
from types import FrameType
from typing import Any
from weakref import ref

from fsm.adapters import Reading, read
from fsm.adapters.building import TOGETHER, itself
from fsm.adapters.callbacks import identity, name_of
from fsm.adapters.reading import arrows, places
from fsm.coverage.data import Subject, subject_of
from fsm.coverage.instrumentation.making import place_of
from fsm.coverage.instrumentation.passages import Firing
from fsm.coverage.recorded import remember
from fsm.model import Model, Transition
from fsm.model.graph import graphs_of


@dataclass(frozen=True, slots=True)
class Birth:
    """Where a machine was made, and the fingerprint of its definition then, or "" if it had no
    transitions.
    """

    place: str
    fingerprint: str


class ReadMachine:
    """One machine as it was read: its Model, its subject, and its name in the data.

    `unknown` has the transitions and the names of states that were looked for without success.
    """

    def __init__(
        self, machine: Any, subject: Subject | None = None, birth: Birth | None = None
    ) -> None:
        reading = read(machine)
        self.model = reading.model
        self._rows = {
            id(t): (_weak(t), reading.rows[id(t)]) for t in _transitions(machine, reading)
        }
        self.subject = subject or _subject(machine, self.model, birth)
        self.name = graphs_of(self.model)[0].name
        self.separator = str(getattr(machine.state_cls, "separator", "_"))
        self.leaves = {state.id for state in self.model.leaves}
        self.labels = {state.label: state.id for state in reversed(self.model.leaves)}
        self.unknown: dict[Hashable, ref[Any] | None] = {}
        self._firings: dict[tuple[int, object], tuple[Firing, ...]] = {}
        self._made: dict[tuple[Firing, ...], tuple[Firing, ...]] = {}

    def taken(self, transition: Any, at: object) -> tuple[Firing, ...] | None:
        """Return what was recorded when a transition of the library fired with this value of the
        state attribute.
        """
        held, row = self._rows.get(id(transition), (None, None))
        if row is None or at.__class__ is list or (held is not None and held() is not transition):
            return None
        return self._firings.get((id(transition), at))

    def row(self, transition: Any) -> Transition | None:
        """Return the Model's transition for one of the library, or None if the Model has none, as
        for `to_STATE`.
        """
        held, row = self._rows.get(id(transition), (None, None))
        return row if held is None or held() is transition else None

    def leaf(self, value: object, within: str = "") -> str:
        """Return the Model's state for a value of the state attribute. Of several parallel states,
        the one `within`.
        """
        if isinstance(value, list | tuple):
            names = [self.leaf(one) for one in value]
            inside = (n for n in names if n == within or n.startswith(f"{within}{self.separator}"))
            return next(inside, names[0] if names else "")
        name = value.name if isinstance(value, Enum) else str(value)
        if name in self.leaves:
            return name
        return itself(name) if itself(name) in self.leaves else self.labels.get(name, name)

    def at_once(self, row: Transition) -> tuple[Transition, ...]:
        """Return the rows that follow at once, into states that are entered together."""
        return self.model.rows(row.target, TOGETHER) if row.target is not None else ()

    def firings(self, transition: Any, row: Transition, at: object) -> tuple[Firing, ...]:
        """Return what is recorded when a transition of the library fires, whose row in the Model is
        this one.
        """
        literals = tuple((row.id, str(term), True) for term in row.guard)
        leaf = self.leaf(at, row.source)
        target = leaf if row.target is None else row.target
        made = (
            Firing(self.name, (row.id, leaf), literals, target=target),
            *(Firing(self.name, (inner.id, inner.source)) for inner in self.at_once(row)),
        )
        made = self._made.setdefault(made, made)
        if id(transition) in self._rows and at.__class__ is not list:
            self._firings[id(transition), at] = made
        return made


def _subject(machine: Any, model: Model, birth: Birth | None) -> Subject:
    """Return the subject of a machine that is read for the first time."""
    own = subject_of(model)
    if isinstance(getattr(machine, "definition", None), Model):
        return own
    name = _name(machine)
    if birth is None:
        return Subject(name, own.fingerprint)
    return Subject(name, birth.fingerprint or own.fingerprint, birth.place, not birth.fingerprint)


def _name(machine: Any) -> str:
    """Return the class of what the machine drives. A class of the library says nothing, but the
    machine's name does.
    """
    driven = type(next((model for model in machine.models if model is not machine), machine))
    given = str(machine.name or "").rstrip().removesuffix(":")
    return given if given and driven.__module__.startswith("transitions.") else driven.__name__


def _transitions(machine: Any, reading: Reading) -> Iterator[Any]:
    return (arrow.transition for arrow in arrows(machine) if id(arrow.transition) in reading.rows)


def _weak(transition: Any) -> ref[Any] | None:
    """Return a weak reference, which tells a transition from a later one with its id(). A class may
    allow none.
    """
    try:
        return ref(transition)
    except TypeError:
        return None


class ReadMachines:
    """The machines read so far. A machine that has changed is read again. `changed` is told of a
    subject's new Model.

    They are found by id(), because a class of machines may define equality or have no hash.
    """

    def __init__(self, changed: Callable[[Subject], None]) -> None:
        self._changed = changed
        self._known: dict[int, tuple[ref[Any], ReadMachine | None]] = {}
        self._births: dict[int, tuple[ref[Any], Birth]] = {}
        self._fingerprints: dict[Hashable, str] = {}

    def made(self, machine: Any, frame: FrameType | None) -> None:
        """Note where a machine was made, by the frame that called, and its definition."""
        try:
            birth = Birth(place_of(frame), self._fingerprint(machine))
        except Exception:  # as in _read, users notice nothing
            return
        key = id(machine)
        self._births[key] = ref(machine, lambda _: self._births.pop(key, None)), birth

    def _fingerprint(self, machine: Any) -> str:
        """Return the fingerprint of the definition. Equal machines are read only once, because
        reading takes time.
        """
        signature = _signature(machine)
        if signature not in self._fingerprints:
            self._fingerprints[signature] = (
                subject_of(read(machine).model).fingerprint if any(arrows(machine)) else ""
            )
        return self._fingerprints[signature]

    def known(self, machine: Any) -> ReadMachine | None:
        """Return the machine as it was read, or None if it cannot be a Model, or runs a game, which
        is recorded itself.
        """
        if _runs_a_game(machine):
            return None
        held = self._known.get(id(machine))
        return held[1] if held is not None and held[0]() is machine else self.again(machine)

    def known_before(self, machine: Any) -> ReadMachine | None:
        """Return the machine as it was read, if it was seen before."""
        known = self._is_known(machine) and not _runs_a_game(machine)
        return self._known[id(machine)][1] if known else None

    def _is_known(self, machine: Any) -> bool:
        held = self._known.get(id(machine))
        return held is not None and held[0]() is machine

    def again(self, machine: Any) -> ReadMachine | None:
        """Read the machine, and keep the result as long as the machine exists. Its subject stays
        the same.
        """
        key, before = id(machine), self.known_before(machine)
        held, birth = self._births.get(key, (None, None))
        subject = before.subject if before is not None else None
        known = _read(machine, subject, birth if held is not None and held() is machine else None)
        self._known[key] = ref(machine, lambda _: self._known.pop(key, None)), known
        if known is not None:
            known.unknown = before.unknown if before is not None else {}
            if remember(known.subject, known.model):
                self._changed(known.subject)
        return known

    def row(self, machine: Any, transition: Any) -> Transition | None:
        """Return the Model's transition, or None. If the transition is new, the machine is read
        again.
        """
        known = self.known(machine)
        found = known.row(transition) if known is not None else None
        if found is None and known is not None and not _looked_for_before(transition, known):
            fresh = self.again(machine)
            found = fresh.row(transition) if fresh is not None else None
        return found

    def leaf(self, machine: Any, known: ReadMachine, value: object) -> str:
        """Return the Model's state for a value of the state attribute. If it is new, the machine is
        read again.
        """
        leaf = known.leaf(value)
        if leaf in known.leaves or leaf in known.unknown:
            return leaf
        known.unknown[leaf] = None
        fresh = self.again(machine)
        return leaf if fresh is None else fresh.leaf(value)


def _runs_a_game(machine: Any) -> bool:
    return isinstance(getattr(machine, "definition", None), Model) and machine.in_game


def _signature(machine: Any) -> tuple[Hashable, Hashable]:
    """Return what the states and transitions of a definition depend on."""
    numbers: dict[Hashable, int] = {}
    states = tuple(
        (place.id, place.inside, place.initial, bool(getattr(place.state, "final", False)))
        for place in places(machine)
    )
    rows = tuple(
        (
            *(arrow.event, arrow.source, arrow.target, arrow.scope),
            *(
                (name_of(f), numbers.setdefault(identity(f), len(numbers)), wanted)
                for f, wanted in arrow.conditions
            ),
        )
        for arrow in arrows(machine)
    )
    return states, rows


def _read(machine: Any, subject: Subject | None, birth: Birth | None) -> ReadMachine | None:
    """Read the machine. Return None if it cannot be read, whatever its parts raise, so that users
    notice nothing.
    """
    try:
        return ReadMachine(machine, subject, birth)
    except Exception:
        return None


def _looked_for_before(transition: Any, known: ReadMachine) -> bool:
    """Whether this transition was looked for before without success."""
    held = known.unknown.get(id(transition))
    if id(transition) in known.unknown and (held is None or held() is transition):
        return True
    known.unknown[id(transition)] = _weak(transition)
    return False
