"""The contents of a turn table as plain values. All renderers read only these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

RowKind = Literal[
    "absent",
    "expiry",
    "action",
    "triggers",
    "window",
    "event",
    "again",
    "end",
    "then",
    "nothing",
    "hole",
]


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the third column. `mark` names its footnote, and `state` is the state that it is
    about.

    The kinds are, in order: why the step is left out, durations that end, an action, abilities put
    on the stack, a window, what an event does meanwhile, a way back, what the end does, where else
    the turn continues, that nothing happens, and a state without a way on.
    """

    kind: RowKind
    text: str
    rule: str = ""
    mark: str = ""
    state: str = ""


@dataclass(frozen=True, slots=True)
class StepRows:
    """The rows of one step, in the order in which they happen. A blank label means that the phase
    has no named step.
    """

    id: str
    label: str
    rule: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class PhaseRows:
    """A phase and its steps. `note` says which phase it is inside, for instance."""

    id: str
    label: str
    rule: str
    steps: tuple[StepRows, ...]
    note: str = ""

    @property
    def height(self) -> int:
        """The number of its rows."""
        return sum(len(step.rows) for step in self.steps)


@dataclass(frozen=True, slots=True)
class Footnote:
    """The sentences that a mark stands for, each with its rule."""

    mark: str
    sentences: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """Something that interrupts the turn: when it happens, and what follows, in order."""

    event: str
    when: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class TurnTable:
    """A whole table, with what is above and below it.

    `holes` has further states, in no step, where a run could stop because nothing leads on.
    """

    title: str
    edition: str
    heads: tuple[str, str, str, str]
    phases: tuple[PhaseRows, ...]
    footnotes: tuple[Footnote, ...] = ()
    endings: tuple[Ending, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    holes: tuple[str, ...] = ()

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows from top to bottom."""
        return tuple(row for phase in self.phases for step in phase.steps for row in step.rows)
