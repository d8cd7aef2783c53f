"""Games recorded by any program, and traces, as rows.

A program records JSON Lines: one line for each step as it begins.

    {"turn": 1, "player": "Ann", "phase": "beginning", "step": "upkeep"}

Any of the four may be left out, and other fields are ignored. A line without a step means the step
that is called like its phase. A line {"players": ["Ann", "Ben", "Cy"]} begins a game and names the
players in turn order. Without it, there are two players, and the one who is seen first is the
first. Another value of "game" begins another game, and so does turn 1 after a later turn.

A file of names says which fields and words a recording has. A word that means "" is ignored.

    {"fields": {"turn": "turnNumber", "player": "who", "step": "state.step"},
     "steps": {"Untap Step": "untap", "M1": "precombat_main", "Waiting": ""}}
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import asdict

from fsm.conformance.clientlogs import client_rows
from fsm.conformance.rows import Game, Log, Row, values_in
from fsm.engine.trace import Record, Trace, begin_again, replayed
from fsm.errors import LogError, TraceError
from fsm.files import Shapes, file_lines, read_data
from fsm.model import Model


class Fields(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a line has its values: paths such as "state.step"."""

    game: str = "game"
    turn: str = "turn"
    player: str = "player"
    phase: str = "phase"
    step: str = "step"
    players: str = "players"


class Names(Struct, frozen=True, forbid_unknown_fields=True):
    """What a file of names says: where the values are, and the Model's steps for the recorder's
    words.
    """

    fields: Fields = Fields()
    steps: dict[str, str] = {}


def read_names(path: str | Path) -> Names:
    """Read a file of names. Raises LogError, which names the file, the place and the remedy."""
    names: Names = Shapes(str(path), LogError).value(read_data(path, LogError), Names)
    return names


def open_log(path: str | Path, model: Model, names: Names | None = None) -> Log:
    """Return the log of games in this file: lines of any program, unless it has the header of a
    trace or events of the client. With `names`, it has such lines.

    Raises LogError, also while its rows are read, and TraceError.
    """
    log = Log(path)
    if names is None and _has(log.path, b'"GameHeader"'):
        trace = read_trace(path)
        log.read = len(trace.entries) + 1
        log.game = Game([*trace.head.players], named=True)
        log.replayed = _replayed(trace, model)
    elif names is None and _has(log.path, b'"greToClientEvent"'):
        log.rows = client_rows(log)
    else:
        log.rows = _line_rows(log, names or Names())
    return log


def _has(path: Path, word: bytes) -> bool:
    return any(word in line for line in file_lines(path) if line is not None)


# lines of any program -----------------------------------------------------------------------------


class _Line(Struct, frozen=True):
    """The contents of one line, in the recorder's words. None, 0 and "" mean no value."""

    game: Any = None
    turn: Annotated[int, Meta(ge=0)] = 0
    player: str | int = ""
    phase: str = ""
    step: str = ""
    players: tuple[str | int, ...] = ()


def _line_rows(log: Log, names: Names) -> Iterator[Row]:
    """Yield the rows of a recording. Raises LogError if it shows none, or too many players."""
    paths = asdict(names.fields)
    for line in log.parsed(lambda line: values_in(line, _Line, paths)):
        game = _game_of(log, line)
        game.turn = line.turn or game.turn
        if line.player != "":
            game.seat = _seat(log, str(line.player))
        game.seats = max(2, len(game.players))
        word = line.step or line.phase
        step = names.steps.get(word, word)
        if step:
            yield log.row(step, word)
    log.end(
        'lines such as {"turn": 1, "player": "Ann", "phase": "beginning", "step": "upkeep"}, a '
        "file of names that says which fields to read, or a client's log: switch on its detailed "
        "logs"
    )


def _game_of(log: Log, line: _Line) -> Game:
    """Return the game that a line is about."""
    again = line.turn == 1 and log.game.turn > 1 and line.game is None
    game = log.at({"game": line.game}, again=again or bool(line.players))
    if line.players:
        game.players = [*map(str, line.players)]
        game.named = True
    return game


def _seat(log: Log, player: str) -> int:
    players = log.game.players
    if player not in players:
        if log.game.named or len(players) == 2:
            raise LogError(
                f"{log.path}: line {log.read}: {player!r} plays beside "
                f"{', '.join(players)}; say who plays, in turn order, by a line "
                '{"players": [...]} before the game'
            )
        players.append(player)
    return players.index(player) + 1


# traces -------------------------------------------------------------------------------------------


def read_trace(path: str | Path, model: Model | None = None) -> Trace:
    """Read a trace, and play it again if a model is given. Raises TraceError, which names the file,
    and LogError if it cannot be read.
    """
    lines = file_lines(Path(path))
    try:
        trace = Trace.read((line or b"(too long)").decode("utf-8-sig", "replace") for line in lines)
        if model is not None:
            trace.replay(model)
    except TraceError as error:
        raise TraceError(f"{path}: {error}", line=error.line) from None
    return trace


def _replayed(trace: Trace, model: Model) -> Iterator[Record]:
    """Play a trace again, and yield what fires. Raises TraceError where something else happens. A
    game may stop anywhere: what would happen after the last line is not asked.
    """
    game = begin_again(trace.head, model)
    for entry in replayed(game, trace.entries):
        if isinstance(entry, Record):
            yield entry
