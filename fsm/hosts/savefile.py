"""Save a game to a file, one line an answer, so that a server that is killed can go on with it.

with saving(game, "game.jsonl", state=host):
    fsm.drive(game, host)

game = load_game("game.jsonl", state=host)

The first line has the whole game. Each further line has an answer, or says how far the game went
back. Every line begins with a checksum, so that a line that was not written to its end is known.
When the lines have become long, the file is written anew. A file is replaced whole or not at all.
"""

from __future__ import annotations

import errno
import json
import os
from contextlib import ExitStack
from io import FileIO
from os import PathLike, fspath
from pathlib import Path
from typing import Any
from zlib import crc32

import msgspec
from msgspec import Raw

from fsm.engine.controller import TurnController
from fsm.engine.trace import Answered
from fsm.errors import HostError, SnapshotError, shown
from fsm.files import read_bytes, write_file
from fsm.hosts.history import FORMAT, History, HostState, Journal, Line
from fsm.model import Model
from fsm.model.model import ModelLike

ROOM = 1_000_000
"""A file is written anew when its answers take more bytes than this and than its first line."""
LARGEST = 1_000_000_000
"""A larger file is refused, in bytes."""


def saving(
    game: TurnController,
    file: str | PathLike[str],
    *,
    state: object = None,
    sync: bool = False,
) -> ExitStack:
    """Save a game to a file from now on: at once, and after each answer before anybody sees the
    next request.

    If the file cannot be written, the answer is undone, as for any watcher
    (`TurnController.watch`), and answering raises the same error. So players see only what has been
    saved.

    Parameters
    ----------
    game
        The controller of the game, or a `History` of it, whose undo and redo are saved, too.
    file
        The path of the file. An older file is replaced.
    state
        The host, or another object that has the state of your game. Its `save()`, or its
        attributes, must be plain JSON values. They are written when they have changed. A `History`
        has its own, which is saved.
    sync
        Whether each line is on the disk before the game goes on, so that it also survives when the
        machine loses its power. That takes milliseconds.

    Returns
    -------
    ExitStack
        Close it to end the saving, or use it in a `with` statement.

    Raises
    ------
    OSError
        If the file cannot be written. The message names it.
    HostError
        If the state is not made of plain JSON values: the message names the attribute. Or if it is
        not that of the `History`.
    """
    if isinstance(game, History):
        if state not in (None, game.host):
            raise HostError("a History has its own state: write History(game, state=host)")
        state = game.host
    saver = _Saver(game, fspath(file), HostState(state, (game,)), sync)
    stops = ExitStack()
    stops.callback(lambda: saver.stream.close())
    stops.enter_context(game.watch(saver.answered))
    if isinstance(game, History):
        stops.enter_context(game.watch_moves(saver.moved))
    return stops


class _Saver:
    """The open file of a game."""

    def __init__(self, game: TurnController, file: str, state: HostState, sync: bool) -> None:
        self._game = game
        self._path = file
        self._state = state
        self._sync = sync
        self._written = b""
        self.stream = self._renewed()

    def _renewed(self) -> FileIO:
        """Write the whole game to the file, in one line. Return the file, open for more."""
        game = self._game
        state = self._state.now()
        self._written = self._state.encoded(state, self._written)
        saved: Any = game.snapshot()
        if not isinstance(game, History):
            saved = Journal(FORMAT, game.model.options, saved, state, [], undoable=False)
        line = _line(saved)
        write_file(self._path, line)
        stream = FileIO(self._path, "ab")
        self._number, self._room = game.number, max(ROOM, len(line))
        if self._sync:
            _sync_folder(self._path)
            os.fsync(stream.fileno())
        return stream

    def answered(self, answered: Answered) -> None:
        """Write the answer that was just processed."""
        self._game = answered.game  # a `History` may have taken it over
        state = self._state.encoded(self._state.now(), self._written)
        changed: Any = Raw(state) if state != self._written else None
        line = _line(Line(answered.answer, state=changed))
        # if the last answer was written, and then refused by another watcher, the file is renewed
        if self._game.number != self._number + 1 or len(line) > self._room:
            self._room = 0  # if it cannot be renewed, the next answer tries it again
            self.stream.close()
            self.stream = self._renewed()
            return
        self._write(line)
        self._written = state

    def moved(self, length: int) -> None:
        """Write that the game went back or forth, so that so many answers are in force."""
        self._write(_line(Line(length=length)))
        self._written = b""  # the next line says the state in any case

    def _write(self, line: bytes) -> None:
        begun = self.stream.tell()
        try:
            if self.stream.write(line) != len(line):
                raise OSError(errno.ENOSPC, "cannot be written whole", self._path)
        except OSError:
            self.stream.truncate(begun)
            raise
        self._number = self._game.number
        self._room -= len(line)
        if self._sync:
            os.fsync(self.stream.fileno())


def load_game(
    file: str | PathLike[str], model: ModelLike | None = None, *, state: object = None
) -> TurnController:
    """Return the game that was saved to a file, as it was after the last whole line.

    Parameters
    ----------
    file
        The path of the file.
    model
        The model of the game. A game of a built-in ruleset needs none.
    state
        The host. It gets its state.

    Returns
    -------
    TurnController
        The game. If a history was saved, `History(game, state=host)` has its past.

    Raises
    ------
    SnapshotError
        If the file is missing, is not the file of a game, is damaged in other lines than the last
        one, or belongs to another model.
    HostError
        If the state of the host cannot be put back.
    """
    undoable, history = load_past(file, model, state=state)
    return history if undoable else history.fork()


def load_past(
    file: str | PathLike[str], model: ModelLike | None = None, *, state: object = None
) -> tuple[bool, History]:
    """Return whether a `History` was saved to a file, and the game with its past as far as the file
    has it.

    Raises as `load_game` does.
    """
    first, *others = _whole_lines(Path(file)) or [b""]
    try:
        journal = msgspec.json.decode(first, type=Journal)
    except (msgspec.MsgspecError, RecursionError):
        raise SnapshotError(f"{file}: not the file of a game ({FORMAT})") from None
    model = _built_in(journal) if model is None else model
    try:
        journal.lines += [msgspec.json.decode(text, type=Line) for text in others]
        return journal.undoable, History.restore(model, journal, state=state)
    except (msgspec.MsgspecError, RecursionError, SnapshotError) as error:
        raise SnapshotError(f"{file}: {error}") from None


def _built_in(journal: Journal) -> Model:
    """Return the model of a game. It can be a built-in ruleset, and never code."""
    from fsm.rulesets import built_in  # who gives the model does without rulesets

    name = str(journal.start.get("model"))
    found = built_in(name, journal.options)
    if found is None:
        text = f"no built-in ruleset is called {shown(name)}: give load_game the model"
        raise SnapshotError(text)
    return found


def _sync_folder(path: str) -> None:
    """Have the name of a new file on the disk, where a folder can be opened."""
    if os.name == "posix":
        folder = os.open(os.path.dirname(os.path.abspath(path)), os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)


def _line(entry: object) -> bytes:
    """Return an entry as a line, with its checksum."""
    data = msgspec.json.encode(entry, enc_hook=dict)
    return b"%08x %s\n" % (crc32(data), data)


def _whole_lines(path: Path) -> list[bytes]:
    """Return the lines of a file without their checksums. The last line may have been cut."""
    *lines, _ = read_bytes(path, SnapshotError, LARGEST).split(b"\n")
    whole = list[bytes]()
    for number, line in enumerate(lines, start=1):
        check, _, text = line.partition(b" ")
        if check == b"%08x" % crc32(text):
            whole.append(text)
        elif number < len(lines):
            raise SnapshotError(f"{path}, line {number}: this line has been changed or cut")
    return whole


def write_safely(file: str | PathLike[str], data: object) -> None:
    """Write plain JSON values to a file. A program that is killed meanwhile leaves the old file
    whole.

    Raises OSError if the file cannot be written. The message names it.
    """
    write_file(fspath(file), json.dumps(data))
