"""What a table of a turn says, as plain values: every renderer reads these and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

RowKind = Literal[
    "absent", "expiry", "action", "triggers", "window", "event", "again", "end", "then", "nothing", "hole"
]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the third column. `mark` names the footnote that applies; `state` is what the line is about.

    Kinds: why the step is left out, durations that run out, an action, abilities put on the stack, a window,
    what an event does meanwhile, a way back, what the end does, where else it goes on, that nothing happens,
    a place without a way on.
    """

    kind: RowKind
    text: str
    rule: str = ""
    mark: str = ""
    state: str = ""


@dataclass(frozen=True, slots=True)
class StepRows:
    """The lines of one step, in the order in which they happen. A blank label: the phase has no named step."""

    id: str
    label: str
    rule: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class PhaseRows:
    """A phase and its steps. `note` says what else must be known of it: inside which phase it is."""

    id: str
    label: str
    rule: str
    steps: tuple[StepRows, ...]
    note: str = ""

    @property
    def height(self) -> int:
        """How many lines it has."""
        return sum(len(step.rows) for step in self.steps)


@dataclass(frozen=True, slots=True)
class Footnote:
    """What a mark stands for: the sentences, each with its rule."""

    mark: str
    sentences: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """Something that breaks into the turn: when it happens, and then what, in order."""

    event: str
    when: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class TurnTable:
    """A whole table: what is above it, the lines, and what is below it.

    `holes`: further places, in no step, where a run could stop because nothing leads on.
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
        """All lines, from top to bottom."""
        return tuple(row for phase in self.phases for step in phase.steps for row in step.rows)
