"""Lists the transitions of a Model that a run took, and those that it did not take."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fsm.engine.records import Record
from fsm.model import Model
from fsm.model.shown import Shown


@dataclass(frozen=True, slots=True)
class Taken(Shown):
    """How often the transitions of a Model were taken.

    Attributes
    ----------
    model
        The Model.
    turn, window
        How often each transition of the turn and of its window was taken, by its id.
    """

    model: Model
    turn: Mapping[str, int]
    window: Mapping[str, int]

    @property
    def missed(self) -> tuple[str, ...]:
        """The ids of the transitions that were not taken, in the model's order."""
        found = list[str]()
        for machine, times in self._machines():
            found += [row.id for row in machine.transitions if row.id not in times]
        return tuple(found)

    def _machines(self) -> list[tuple[Model, Mapping[str, int]]]:
        window = self.model.window
        return [(self.model, self.turn), *([(window, self.window)] if window is not None else [])]

    def __str__(self) -> str:
        parts, taken, total = list[str](), 0, 0
        for name, (machine, times) in zip(("turn", "window"), self._machines(), strict=False):
            rows = len(machine.transitions)
            count = sum(row.id in times for row in machine.transitions)
            parts.append(f"{name} {count} of {rows}")
            taken, total = taken + count, total + rows
        words = f"{taken} of {total} transitions of the model taken"
        return f"{words} ({', '.join(parts)})" if len(parts) > 1 else words


def taken(model: Model, records: Iterable[Record]) -> Taken:
    """Compare a run's records with the Model they were made with."""
    fired: dict[str, Counter[str]] = {"turn": Counter(), "window": Counter()}
    for record in records:
        fired[record.machine][record.transition] += 1
    return Taken(model, fired["turn"], fired["window"])
