"""The trace of one run: the answers, and the transitions that they made fire.

A file has JSON Lines: a GameHeader (model and game), then answers and records in the order in which they
happened. `Trace.replay` gives the answers to a new controller.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Protocol, get_args

from fsm.engine.codec import decode, encode
from fsm.engine.records import Record
from fsm.engine.requests import Answer
from fsm.errors import TraceError
from fsm.files import parse_json
from fsm.model.likeness import ModelLike
from fsm.model.shown import Shown
from fsm.state.orders import Order
from fsm.state.setup import TRACE_FORMAT, GameHeader, StartAt

if TYPE_CHECKING:
    from fsm.engine.controller import TurnController
    from fsm.model import Model

__all__ = ["GameHeader", "Record", "Trace"]


class Unread(Protocol):
    """Has what happened in a game since its trace was read."""

    def rest(self) -> Iterator[Answer | Record]:
        """Yield the entries that it did not yield before."""

    def anew(self) -> Iterator[Answer | Record]:
        """Yield all entries of the trace, and keep none of them."""


_CLASSES = (Record, GameHeader, StartAt, Answer, *get_args(Order))


class Trace(Shown):
    """The record of a run.

    Parameters
    ----------
    head
        How the game was set up.
    entries
        The answers and records, in order.
    complete
        Whether the trace begins with the game. The trace of a restored game does not.
    model
        The model of the run, for drawings, or None if it is not known. It is not part of the trace.
    """

    __slots__ = ("_entries", "complete", "head", "model", "unread")
    head: GameHeader
    complete: bool
    model: Model | None

    def __init__(
        self,
        head: GameHeader,
        entries: Iterable[Answer | Record] = (),
        complete: bool = True,
        model: Model | None = None,
    ) -> None:
        self.head, self.complete, self.model = head, complete, model
        self._entries = list(entries)
        self.unread: Unread | None = None

    @property
    def entries(self) -> list[Answer | Record]:
        """The answers and records, in order. Those of a `TurnController` are made when they are
        first read.
        """
        if self.unread is not None:
            self._entries.extend(self.unread.rest())
            self.unread = None
        return self._entries

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Trace):
            return NotImplemented
        return (self.head, self.complete, self.entries) == (
            other.head,
            other.complete,
            other.entries,
        )

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
            If the trace was recorded with another model, does not begin with its game, or differs
            from the replay. The message names the first line that differs.
        """
        from fsm.engine.replay import replay  # who only reads traces does without a controller

        return replay(self, model)

    def write(self, path: str | PathLike[str]) -> None:
        """Write the trace to a file, as JSON Lines, for `read`. What was not read before is not
        kept in memory.

        Parameters
        ----------
        path
            The file. If it exists, it is replaced.

        Raises
        ------
        OSError
            If the file cannot be written. It has not changed then.
        """
        from fsm.files import write_files

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
        head, *entries = read_entries(lines)
        return cls(replace(head, complete=True), entries, complete=head.complete)


def read_entries(lines: Iterable[str]) -> Iterator[Any]:
    """Yield what the lines of a trace state, one by one: its header, then its answers and records.

    Raises TraceError if a line is wrong, or if there is none.
    """
    begun = False
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        value = _parse(number, line)
        if begun and not isinstance(value, (Answer, Record)):
            raise TraceError(
                f"trace line {number}: a {type(value).__name__} cannot stand here", line=number
            )
        yield value if begun else _head(number, value)
        begun = True
    if not begun:
        raise TraceError("trace is empty: its first line must be a GameHeader")


def line_of(entry: GameHeader | Answer | Record) -> str:
    """Return an entry as a line of a trace, without the line end."""
    return json.dumps(encode(entry), separators=(",", ":"))


def _parse(number: int, line: str) -> Any:
    try:
        return decode(parse_json(line), _CLASSES)
    except ValueError as error:
        raise TraceError(f"trace line {number}: {error}", line=number) from None


def _head(number: int, value: object) -> GameHeader:
    if not isinstance(value, GameHeader) or value.format != TRACE_FORMAT:
        raise TraceError(
            f"trace line {number}: a trace starts with a GameHeader of format {TRACE_FORMAT!r}",
            line=number,
        )
    return value
