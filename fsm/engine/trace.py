"""The trace of one run: the answers, and the transitions that they made fire.

A file has JSON Lines: a Head (model and game), then answers and records in the order in which they happened.
`Trace.replay` gives the answers to a new controller.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Protocol, cast, get_args

from fsm.compiled.quickinit import quick
from fsm.engine.codec import decode, encode
from fsm.engine.decoding import written_name
from fsm.engine.oldorders import with_names_of_today
from fsm.engine.requests import Answer
from fsm.errors import TraceError
from fsm.extensions import Shown, replayed
from fsm.model.likeness import ModelLike
from fsm.state.orders import Order
from fsm.state.setup import TRACE_FORMAT, GameHeader, StartAt

if TYPE_CHECKING:
    from fsm.engine import TurnController
    from fsm.model import Model

__all__ = ["GameHeader", "Record", "Trace"]


@quick
@dataclass(frozen=True, slots=True)
class Record:
    """One firing of a transition.

    Attributes
    ----------
    machine
        The machine that fired: "turn" or "window".
    event
        The name of the event.
    transition
        The id of the transition.
    source, target
        The ids of the states before and after the firing.
    guards
        The facts that the guards read, in order, with their values.
    actions
        The actions that were performed, as the model writes them.
    turn, active, extra, phase, step, iteration
        The position of the run after the firing. See `fsm.engine.requests.Position`.
    extra_phase, extra_step
        Whether the phase or step is an extra one.
    phase_id, step_id
        Numbers that tell the phases and steps of a game apart, also those of the same name.
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


class Unread(Protocol):
    """Has what happened in a game since its trace was read."""

    def rest(self) -> Iterator[Answer | Record]:
        """Yield the entries that it did not yield before."""

    def anew(self) -> Iterator[Answer | Record]:
        """Yield all entries of the trace, and keep none of them."""


_CLASSES = (Record, GameHeader, StartAt, Answer, *get_args(Order))


@dataclass(slots=True)
class Trace(Shown):
    """The record of a run.

    Attributes
    ----------
    head
        How the game was set up.
    entries
        The answers and records, in order. Those of a `TurnController` are made when they are first read.
    complete
        Whether the trace begins with the game. The trace of a restored game does not.
    model
        The model of the run, for drawings, or None if it is not known. It is not part of the trace.
    """

    head: GameHeader
    entries: list[Answer | Record] = field(default_factory=list)
    complete: bool = True
    model: Model | None = field(default=None, repr=False, compare=False)
    unread: Unread | None = field(default=None, init=False, repr=False, compare=False)

    def __reduce__(self) -> tuple[object, ...]:
        return Trace, (self.head, self.entries, self.complete, self.model)

    def __repr__(self) -> str:
        seats, answers = ", ".join(self.head.players), len(self.answers)
        return f"<Trace {self.head.model} of {seats}: {answers} answers, {len(self.entries) - answers} records>"

    @property
    def records(self) -> list[Record]:
        """The firings, in order."""
        return [e for e in self.entries if isinstance(e, Record)]

    @property
    def answers(self) -> list[Answer]:
        """The answers, in order."""
        return [e for e in self.entries if isinstance(e, Answer)]

    def replay(self, model: ModelLike) -> TurnController:
        """Give the answers to a new controller, and compare every firing.

        Parameters
        ----------
        model
            The model with which the trace was recorded.

        Returns
        -------
        TurnController
            The controller, in the state in which the trace ends.

        Raises
        ------
        TraceError
            If the trace was recorded with another model, does not begin with its game, or differs from the replay. The
            message names the first line that differs.
        """
        return cast("TurnController", replayed(self, model))

    def write(self, path: str | PathLike[str]) -> None:
        """Write the trace to a file, as JSON Lines, for `read`. What was not read before is not kept in memory.

        Parameters
        ----------
        path
            The file. If it exists, it is replaced.

        Raises
        ------
        OSError
            If the file cannot be written. It has not changed then.
        """
        from fsm.outputfiles import write_files

        write_files({fspath(path): (f"{line}\n" for line in self.lines())})

    def lines(self) -> Iterator[str]:
        """Yield the trace as JSON Lines, without line ends."""
        yield line_of(replace(self.head, complete=self.complete))
        yield from map(line_of, self.entries if self.unread is None else self.unread.anew())

    @classmethod
    def read(cls, lines: Iterable[str]) -> Trace:
        """Read a trace from JSON Lines.

        Parameters
        ----------
        lines
            The lines, with or without line ends. Empty lines are ignored.

        Returns
        -------
        Trace
            The trace.

        Raises
        ------
        TraceError
            If a line is wrong. The message names the line.
        """
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
                raise TraceError(f"trace line {number}: a {written_name(type(value))} cannot stand here", line=number)
        if trace is None:
            raise TraceError("trace is empty: its first line must be a Head")
        return trace


_held: Any = vars(Trace)["entries"]  # the slot


def _entries(self: Trace) -> list[Answer | Record]:
    """The answers and records, in order."""
    entries: list[Answer | Record] = _held.__get__(self)
    if self.unread is not None:
        entries.extend(self.unread.rest())
        self.unread = None
    return entries


setattr(Trace, "entries", property(_entries, _held.__set__))  # noqa: B010  # a dataclass has no computed fields


def line_of(entry: GameHeader | Answer | Record) -> str:
    """Return an entry as a line of a trace, without the line end."""
    return json.dumps(encode(entry), separators=(",", ":"))


def _parse(number: int, line: str) -> Any:
    try:
        return decode(with_names_of_today(json.loads(line)), _CLASSES)
    except (ValueError, RecursionError) as error:
        raise TraceError(f"trace line {number}: {error}", line=number) from None


def _head(number: int, value: object) -> GameHeader:
    if not isinstance(value, GameHeader) or value.format != TRACE_FORMAT:
        raise TraceError(f"trace line {number}: a trace starts with a Head of format {TRACE_FORMAT!r}", line=number)
    return value
