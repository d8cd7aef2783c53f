"""Counts how often a run took the transitions of its Model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from fsm.engine.records import Record
from fsm.model import Model


@dataclass(frozen=True, slots=True)
class Taken:
    """How often the transitions of a Model were taken.

    Attributes
    ----------
    model
        The Model.
    turn, window
        How often each transition of the turn and of its window was taken, by its id.
    """

    model: Model
    turn: Counter[str] = field(default_factory=Counter)
    window: Counter[str] = field(default_factory=Counter)

    @property
    def missed(self) -> tuple[str, ...]:
        """The ids of the transitions that were not taken, in the model's order."""
        missed = list[str]()
        for name, machine in self.model.machines.items():
            taken = getattr(self, name)
            missed += [row.id for row in machine.transitions if row.id not in taken]
        return tuple(missed)

    def __str__(self) -> str:
        total, parts = 0, list[str]()
        for name, machine in self.model.machines.items():
            rows = len(machine.transitions)
            total += rows
            parts.append(f"{name} {len(getattr(self, name))} of {rows}")
        words = f"{len(self.turn) + len(self.window)} of {total} transitions of the model taken"
        return f"{words} ({', '.join(parts)})" if len(parts) > 1 else words


def taken(model: Model, records: Iterable[Record]) -> Taken:
    """Count the transitions in the records of a run of this Model."""
    found = Taken(model)
    for record in records:
        getattr(found, record.machine)[record.transition] += 1
    return found
