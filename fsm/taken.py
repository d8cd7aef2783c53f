"""Which transitions of a Model a run took, and which it did not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fsm.model import Model
from fsm.trace import Record


@dataclass(frozen=True, slots=True)
class Taken:
    """The ids of the transitions taken and missed, of the turn model and of its window, in the model's order."""

    turn: tuple[str, ...]
    turn_missed: tuple[str, ...]
    window: tuple[str, ...]
    window_missed: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many were taken."""
        return len(self.turn) + len(self.window)

    @property
    def total(self) -> int:
        """How many there are."""
        return self.count + len(self.turn_missed) + len(self.window_missed)

    def __str__(self) -> str:
        words = f"{self.count} of {self.total} transitions of the model taken"
        turn = f"turn {len(self.turn)} of {len(self.turn) + len(self.turn_missed)}"
        window = f"window {len(self.window)} of {len(self.window) + len(self.window_missed)}"
        return f"{words} ({turn}, {window})" if self.window or self.window_missed else words


def taken(model: Model, records: Iterable[Record]) -> Taken:
    """Compare a run's records with the Model they were made with."""
    fired: dict[str, set[str]] = {"turn": set(), "window": set()}
    for record in records:
        fired[record.machine].add(record.transition)
    return Taken(*_split(model, fired["turn"]), *_split(model.window, fired["window"]))


def _split(model: Model | None, fired: set[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    ids = [t.id for t in model.transitions] if model else []
    return tuple(i for i in ids if i in fired), tuple(i for i in ids if i not in fired)
