"""Finds the Model's transitions and states that correspond to those of a machine."""

from __future__ import annotations

from enum import Enum
from typing import Any
from weakref import ref

from fsm.adapters import read
from fsm.adapters.building import TOGETHER, itself
from fsm.coverage.data import OpenWalk, subject_of
from fsm.coverage.instrumentation.models import remember
from fsm.model import Transition
from fsm.model.graph import graphs_of


class ReadMachine:
    """One machine as it was read: its Model, its subject, and its name in the data."""

    def __init__(self, machine: Any) -> None:
        reading = read(machine)
        self.model, self.rows = reading.model, reading.rows
        self.subject = subject_of(self.model)
        remember(self.subject, self.model)
        self.name = graphs_of(self.model)[0].name
        self.separator = str(getattr(machine.state_cls, "separator", "_"))
        self.leaves = {state.id for state in self.model.leaves}
        self.labels = {state.label: state.id for state in reversed(self.model.leaves)}

    def row(self, transition: Any) -> Transition | None:
        """Return the Model's transition for one of the library, or None if the Model has none, as for `to_STATE`."""
        own = getattr(transition, "row", None)
        return own if isinstance(own, Transition) else self.rows.get(id(transition))

    def leaf(self, value: object, within: str = "") -> str:
        """Return the Model's state for a value of the state attribute. Of several parallel states, the one `within`."""
        if isinstance(value, list | tuple):
            names = [self.leaf(one) for one in value]
            inside = (n for n in names if n == within or n.startswith(f"{within}{self.separator}"))
            return next(inside, names[0] if names else "")
        name = value.name if isinstance(value, Enum) else str(value)
        if name in self.leaves:
            return name
        return itself(name) if itself(name) in self.leaves else self.labels.get(name, name)

    def walk(self, of: tuple[int, ...]) -> OpenWalk:
        """Return a new walk on this machine. `of` has the id() of the machine and of the object."""
        return OpenWalk(self.subject, self.name, of, self.model.initial)

    def at_once(self, row: Transition) -> tuple[Transition, ...]:
        """Return the rows that follow at once, into states that are entered together."""
        return self.model.rows(row.target, TOGETHER) if row.target is not None else ()


class ReadMachines:
    """The machines read so far. A machine that has changed is read again.

    They are found by id(), because a class of machines may define equality or have no hash.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[ref[Any], ReadMachine | None]] = {}

    def known(self, machine: Any) -> ReadMachine | None:
        """Return the machine as it was read, or None if it cannot be a Model."""
        return self._known[id(machine)][1] if self._is_known(machine) else self._learn(machine)

    def known_before(self, machine: Any) -> ReadMachine | None:
        """Return the machine as it was read, if it was seen before."""
        return self._known[id(machine)][1] if self._is_known(machine) else None

    def _is_known(self, machine: Any) -> bool:
        held = self._known.get(id(machine))
        return held is not None and held[0]() is machine

    def _learn(self, machine: Any) -> ReadMachine | None:
        """Read the machine, and keep the result as long as the machine exists."""
        key, known = id(machine), _read(machine)
        self._known[key] = ref(machine, lambda _: self._known.pop(key, None)), known
        return known

    def row(self, machine: Any, transition: Any) -> Transition | None:
        """Return the Model's transition, or None. If the transition is new, the machine is read again."""
        known = self.known(machine)
        found = known.row(transition) if known is not None else None
        if found is None and known is not None and not _looked_for_before(transition, known):
            fresh = self._learn(machine)
            found = fresh.row(transition) if fresh is not None else None
        return found


def _read(machine: Any) -> ReadMachine | None:
    """Read the machine. Return None if it cannot be read, whatever its parts raise, so that users notice nothing."""
    try:
        return ReadMachine(machine)
    except Exception:
        return None


def _looked_for_before(transition: Any, known: ReadMachine) -> bool:
    """Whether this transition was looked for before without success."""
    seen: set[int] = known.__dict__.setdefault("unknown", set())
    if id(transition) in seen:
        return True
    seen.add(id(transition))
    return False
