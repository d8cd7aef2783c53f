"""Lists the transitions of a Model that a run took, and those that it did not take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from fsm.engine.trace import Record
from fsm.model import Model
from fsm.model.shown import Shown


@dataclass(frozen=True, slots=True)
class Taken(Shown):
    """The ids of the transitions taken and missed, of the turn model and of its window, in the
    model's order.

    `turn_times` and `window_times` say how often each was taken.
    """

    turn: tuple[str, ...]
    turn_missed: tuple[str, ...]
    window: tuple[str, ...]
    window_missed: tuple[str, ...]
    turn_times: Mapping[str, int] = field(default_factory=dict, repr=False, compare=False)
    window_times: Mapping[str, int] = field(default_factory=dict, repr=False, compare=False)
    model: Model | None = field(default=None, repr=False, compare=False)

    @property
    def count(self) -> int:
        """The number of transitions taken."""
        return len(self.turn) + len(self.window)

    @property
    def total(self) -> int:
        """The number of all transitions."""
        return self.count + len(self.turn_missed) + len(self.window_missed)

    def __str__(self) -> str:
        words = f"{self.count} of {self.total} transitions of the model taken"
        turn = f"turn {len(self.turn)} of {len(self.turn) + len(self.turn_missed)}"
        window = f"window {len(self.window)} of {len(self.window) + len(self.window_missed)}"
        return f"{words} ({turn}, {window})" if self.window or self.window_missed else words


def taken(model: Model, records: Iterable[Record]) -> Taken:
    """Compare a run's records with the Model they were made with."""
    fired: dict[str, Counter[str]] = {"turn": Counter(), "window": Counter()}
    for record in records:
        fired[record.machine][record.transition] += 1
    turn, window = fired["turn"], fired["window"]
    return Taken(*_split(model, turn), *_split(model.window, window), turn, window, model)


def _split(model: Model | None, fired: Collection[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    ids = [t.id for t in model.transitions] if model else []
    return tuple(i for i in ids if i in fired), tuple(i for i in ids if i not in fired)
