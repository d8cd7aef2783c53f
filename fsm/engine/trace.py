"""What fired in a game, as records, which are plain values, and the trace of one run: the answers
and their records.

A file has JSON Lines: a GameHeader (model and game), then answers and records in the order in which
they happened. `Trace.replay` gives the answers to a new controller.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

import msgspec
from msgspec.json import Decoder

from fsm.engine.requests import Answer, Request
from fsm.engine.semantics import Fired
from fsm.errors import FsmError, TraceError, shown
from fsm.model.model import ModelLike, Shown, as_model
from fsm.state.orders import Order, Plain
from fsm.state.run import NOTHING, StartAt

if TYPE_CHECKING:
    from fsm.engine.controller import TurnController
    from fsm.model import Model

TRACE_FORMAT: Literal["fsm-trace-2"] = "fsm-trace-2"


class Record(Plain, frozen=True):
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
        Numbers that tell the phases and steps of a turn apart, also those of the same name.
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
    extra_phase: bool
    extra_step: bool
    phase_id: int
    step_id: int


def records_of(fired: Iterable[Fired], players: Sequence[str], turn: int) -> Iterator[Record]:
    """Yield the records of what fired in a game of these players since a request in this turn."""
    names = (*players, "")  # the last one is nobody
    for machine, event, row, source, target, guards, turns, active, now, phase, step in fired:
        phase = phase or NOTHING
        step = step or NOTHING
        yield Record(
            machine,
            event,
            row.id,
            source,
            target,
            guards,
            row.written,
            turn + turns,
            names[active],
            now is not None and now.extra,
            phase.name,
            step.name,
            step.iteration,
            phase.extra,
            step.extra,
            phase.id,
            step.id,
        )


class Answered(NamedTuple):
    """One answer that was processed.

    Attributes
    ----------
    game
        The game, which waits for the next answer.
    request
        The request that was answered.
    answer
        The answer.
    fired
        What fired, in order.
    """

    game: TurnController
    request: Request
    answer: Answer
    fired: tuple[Fired, ...]

    @property
    def records(self) -> tuple[Record, ...]:
        """What fired, as records, in order. They are made when they are read."""
        return tuple(records_of(self.fired, self.game.players, self.request.at.turn))


Entry = Answer | Record


class GameHeader(Plain, frozen=True):
    """How a game was set up: what a replay needs to start.

    Attributes
    ----------
    format
        The version of the file.
    model, fingerprint
        The name and the fingerprint of the model.
    players, teams, settings, orders, start
        What the `TurnController` was given.
    snapshot
        The snapshot with which the trace begins instead, if it does not begin with its game.
    """

    format: Literal["fsm-trace-2"]
    model: str
    fingerprint: str
    players: tuple[str, ...]
    teams: tuple[tuple[str, ...], ...] = ()
    settings: Mapping[str, bool] = {}
    orders: tuple[Order, ...] = ()
    start: StartAt | None = None
    snapshot: Mapping[str, object] | None = None

    @classmethod
    def of(cls, model: Model, players: tuple[str, ...], **setup: Any) -> GameHeader:
        """Return the header of a game of a model. `setup` has the other fields."""
        return cls(TRACE_FORMAT, model.name, model.fingerprint, players, **setup)


_HEAD = Decoder(GameHeader)
_ENTRY: Decoder[Entry] = Decoder(Entry)


@dataclass(slots=True, repr=False)
class Trace(Shown):
    """The record of a run: `TurnController(..., trace=True).trace`, or `with Trace.of(game)`.

    Parameters
    ----------
    head
        How the game was set up.
    entries
        The answers and records, in order.
    model
        The model of the run, for drawings, or None if it is not known. It is not part of the trace.
    """

    head: GameHeader
    entries: list[Entry] = field(default_factory=list)
    model: Model | None = field(default=None, compare=False)
    _watching: ExitStack = field(default_factory=ExitStack, init=False, compare=False)

    @classmethod
    def of(
        cls, game: TurnController, head: GameHeader | None = None, fired: Iterable[Fired] = ()
    ) -> Self:
        """Record what happens in a game from now on, until the end of a `with`.

        Parameters
        ----------
        game
            The game.
        head
            How it was set up. By default, the trace begins with a snapshot of the game.
        fired
            What has fired before the first request.

        Returns
        -------
        Trace
            The trace, which grows with each answer.
        """
        head = head or GameHeader.of(game.model, game.players, snapshot=game.snapshot())
        trace = cls(head, [*records_of(fired, game.players, 0)], game.model)
        trace._watching = game.watch(trace._note)
        return trace

    def _note(self, answered: Answered) -> None:
        self.entries.append(answered.answer)
        turn = answered.request.at.turn
        self.entries += records_of(answered.fired, self.head.players, turn)

    def __enter__(self) -> Self:
        """Return the trace, which grows already."""
        return self

    def __exit__(self, *raised: object) -> None:
        """Record nothing more."""
        self._watching.close()

    def __reduce__(self) -> tuple[object, ...]:
        return Trace, (self.head, self.entries, self.model)

    def __repr__(self) -> str:
        return f"<Trace {self.head.model} of {', '.join(self.head.players)}>"

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
            The controller, in the state in which the trace ends. Its own trace goes on.

        Raises
        ------
        TraceError
            If the trace was recorded with another model, or differs from the replay. The message
            names the first line that differs.
        """
        game = begin_again(self.head, as_model(model))
        line = len([*replayed(game, self.entries)]) + 2
        if game.trace is None or game.trace.entries != self.entries:
            raise TraceError(f"trace line {line} differs from its replay: it is missing", line=line)
        return game

    def write(self, path: str | PathLike[str]) -> None:
        """Write the trace to a file, as JSON Lines, for `read`.

        Parameters
        ----------
        path
            The file. If it exists, it is replaced.

        Raises
        ------
        OSError
            If the file cannot be written. It has not changed then.
        """
        from fsm.files import write_file  # few games are written

        write_file(fspath(path), "".join(f"{line}\n" for line in self.lines()))

    def lines(self) -> Iterator[str]:
        """Yield the trace as JSON Lines, without line ends."""
        for entry in (self.head, *self.entries):
            yield msgspec.json.encode(entry, enc_hook=dict).decode()

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
        found = list[Any]()
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                entry = _ENTRY.decode(line) if found else _HEAD.decode(line)
            except (ValueError, RecursionError) as error:
                wanted = "" if found else f"a trace starts with a GameHeader of {TRACE_FORMAT!r}: "
                raise TraceError(f"trace line {number}: {wanted}{error}", line=number) from None
            found.append(entry)
        if not found:
            raise TraceError("trace is empty: its first line must be a GameHeader")
        return cls(found[0], found[1:])


# replaying ----------------------------------------------------------------------------------------


def begin_again(head: GameHeader, model: Model) -> TurnController:
    """Return a game that begins as a header says, and is recorded.

    Raises TraceError if it is a game of another model, or cannot begin so.
    """
    if head.fingerprint != model.fingerprint:
        raise TraceError(
            f"the trace was recorded with {head.model} {head.fingerprint}, not with {model.name} "
            f"{model.fingerprint}; name its own ruleset, {head.model}"
        )
    from fsm.engine.controller import TurnController  # who reads traces needs no controller

    try:
        if head.snapshot is not None:
            game = TurnController.restore(model, head.snapshot)
            game.trace = Trace.of(game)
            return game
        return TurnController(
            model,
            head.players,
            teams=head.teams,
            settings=head.settings,
            orders=head.orders,
            start=head.start,
            trace=True,
        )
    except FsmError as error:
        raise TraceError(f"trace line 1: {error}", line=1) from None


def replayed(game: TurnController, entries: Iterable[Entry]) -> Iterator[Entry]:
    """Give the answers of a trace to a game that has begun so. Yield each entry that has happened
    again.

    Raises TraceError if an entry differs from what happens now.
    """
    assert game.trace is not None, "it has begun so"
    happened = game.trace.entries
    for number, entry in enumerate(entries):
        line = number + 2
        if number == len(happened) and isinstance(entry, Answer):
            try:
                game.answer(entry)
            except FsmError as error:
                raise TraceError(f"trace line {line}: {error}", line=line) from None
        happens = happened[number] if number < len(happened) else None
        if entry != happens:
            told, now = (shown(getattr(each, "transition", each)) for each in (entry, happens))
            what = f"recorded {told}, replayed {now}"
            raise TraceError(f"trace line {line} differs from its replay: {what}", line=line)
        yield entry
