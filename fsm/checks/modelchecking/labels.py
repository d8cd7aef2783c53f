"""Numbers what can be observed on the edges of an exploration: each label, which is a sequence of
observations.
"""

from __future__ import annotations

from typing import NamedTuple

from fsm.checks.modelchecking.stepping import ObservedFiring
from fsm.state.run import Run


class GivenOrder(NamedTuple):
    """An order as properties observe it: its number, and where it was given."""

    order: int
    stage: str
    step: str
    phase: str

    @classmethod
    def in_run(cls, order: int, run: Run) -> GivenOrder:
        """Return the observation of this order where a run stands."""
        step, phase = run.agenda.current_step, run.agenda.current_phase
        names = (was.name if was is not None and was.under_way else "" for was in (step, phase))
        return cls(order, run.state, *names)


Label = tuple[ObservedFiring | GivenOrder, ...]


class Labels(list[Label]):
    """The labels, each at its number."""

    def __init__(self) -> None:
        super().__init__()
        self._numbers: dict[Label, int] = {}
        self._joints: dict[tuple[int, int], int] = {}

    def number(self, label: Label) -> int:
        """Return the number of a label. A new label gets one."""
        number = self._numbers.setdefault(label, len(self))
        if number == len(self):
            self.append(label)
        return number

    def joined(self, first: int, second: int) -> int:
        """Return the label for the observations of one label followed by those of another."""
        key = (first, second)
        label = self._joints.get(key)
        if label is None:
            label = self._joints[key] = self.number(self[first] + self[second])
        return label
