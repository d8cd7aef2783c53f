"""The record of one run: which transitions fired, where, and the answers that made them fire.

As JSON Lines: a head (model and game), then answers and records in the order they happened.
`fsm.engine.replay` runs the answers through a fresh controller.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from fsm.engine.codec import decode, encode
from fsm.engine.requests import Answer, Signal
from fsm.errors import TraceError
from fsm.notebooks import Shown
from fsm.state import orders
from fsm.state.setup import TRACE_FORMAT, Head

if TYPE_CHECKING:
    from fsm.model import Model

__all__ = ["Head", "Record", "Trace"]


@dataclass(frozen=True, slots=True)
class Record:
    """One firing, of the turn machine ("turn") or of the window's ("window").

    `guards` are the facts consulted on the way, in order, with their values. `turn` to
    `iteration` say where the run then stood (see `fsm.engine.requests.Position`); `extra_phase` and
    `extra_step` whether the phase or step is an extra one; the ids tell occurrences apart.
    """

    machine: str
    event: str
    transition: str
    source: str
    target: str
    guards: tuple[tuple[str, bool], ...]
    actions: tuple[str, ...]
    turn: int
    active: str
    extra: bool
    phase: str
    step: str
    iteration: int
    extra_phase: bool = False
    extra_step: bool = False
    phase_id: int = 0
    step_id: int = 0


_CLASSES = (
    Record,
    Head,
    Answer,
    Signal,
    orders.AddTurn,
    orders.SkipTurn,
    orders.ControlNextTurn,
    orders.AddPhase,
    orders.AddStep,
    orders.Skip,
    orders.Delay,
    orders.Stand,
    orders.Lasting,
)


@dataclass(slots=True)
class Trace(Shown):
    """A run: its head, and answers and records in order. `complete` is False for a part of a run.

    `model` is the one it was recorded with, where that is at hand: to draw it. It is no part of the trace.
    """

    head: Head
    entries: list[Answer | Record] = field(default_factory=list)
    complete: bool = True
    model: Model | None = field(default=None, repr=False, compare=False)

    @property
    def records(self) -> list[Record]:
        """The firings, in order."""
        return [e for e in self.entries if isinstance(e, Record)]

    @property
    def answers(self) -> list[Answer]:
        """The answers, in order."""
        return [e for e in self.entries if isinstance(e, Answer)]

    def lines(self) -> Iterator[str]:
        """The trace as JSON Lines, without line ends."""
        for entry in (replace(self.head, complete=self.complete), *self.entries):
            yield json.dumps(encode(entry), separators=(",", ":"))

    @classmethod
    def read(cls, lines: Iterable[str]) -> Trace:
        """Read JSON Lines. Raises TraceError naming the line that is wrong."""
        trace: Trace | None = None
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            value = _parse(number, line)
            if trace is None:
                head = _head(number, value)
                trace = cls(replace(head, complete=True), complete=head.complete)
            elif isinstance(value, (Answer, Record)):
                trace.entries.append(value)
            else:
                raise TraceError(f"trace line {number}: a {type(value).__name__} cannot stand here")
        if trace is None:
            raise TraceError("trace is empty: its first line must be a Head")
        return trace


def _parse(number: int, line: str) -> Any:
    try:
        return decode(json.loads(line), _CLASSES)
    except (ValueError, RecursionError) as error:
        raise TraceError(f"trace line {number}: {error}") from None


def _head(number: int, value: object) -> Head:
    if not isinstance(value, Head) or value.format != TRACE_FORMAT:
        raise TraceError(f"trace line {number}: a trace starts with a Head of format {TRACE_FORMAT!r}")
    return value
