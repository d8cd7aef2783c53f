"""Save a game to a file, one line an answer, so that a server that is killed can go on with it.

with saving(game, "game.jsonl", state=host):
    fsm.drive(game, host)

game = load_game("game.jsonl", state=host)

The first line has the game as it was at first. Each further line has an answer, or says how far the
game went back. Every line begins with a checksum, so that a line that was not written to its end is
known. When the lines have become long, the file is written anew, whole or not at all.
"""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Iterable
from contextlib import ExitStack
from io import FileIO
from os import PathLike, fspath
from pathlib import Path
from typing import Any
from zlib import crc32

import msgspec
from msgspec import Raw, Struct

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer
from fsm.engine.trace import Answered
from fsm.errors import FsmError, HostError, SnapshotError, shown
from fsm.files import read_bytes, write_file
from fsm.hosts.history import History, HostState, Point
from fsm.model import Model
from fsm.model.model import ModelLike

ROOM = 1_000_000
"""A file is written anew when its answers take more bytes than this and than its first line."""
LARGEST = 1_000_000_000
"""A larger file is refused, in bytes."""


class Head(Struct, tag="fsm-history-4", tag_field="format"):
    """A game as it was at the start of its file, with the options of its model and the state of its
    host. If it is `undoable`, it is a `History`.
    """

    options: dict[str, str | int | bool]
    start: dict[str, Any]
    state: list[Any]
    undoable: bool


class Line(Struct, omit_defaults=True):
    """What happened to a game: an answer was given, while its host had this state, or the game went
    to where so many answers are in force. If the host has changed, its new state is there.
    """

    answer: Answer | None = None
    length: int | None = None
    state: list[Any] | None = None


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
        The path of the file. A game that has only begun does not replace what the file has.
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
    SnapshotError
        If this game has only begun, and the file has one that went on, or is another file.
    HostError
        If the state is not made of plain JSON values: the message names the attribute. Or if it is
        not that of the `History`.
    """
    if isinstance(game, History):
        if state not in (None, game.host):
            raise HostError("a History has its own state: write History(game, state=host)")
        state = game.host
    has_data = os.path.exists(file) and os.path.getsize(file)
    if game.number == 0 and has_data and load_past(file, game.model)[1].number:
        text = "this file has a game: load_game goes on with it; to begin anew, delete the file"
        raise SnapshotError(f"{file}: {text}")
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
        """Write the whole game to the file. Return the file, open for more."""
        game = self._game
        past = game if isinstance(game, History) else None
        points = past.points if past else [Point(game.standing, self._state.now())]
        start = game.fork()
        start.standing, state, _ = points[0]
        self._written = b""
        options = game.model.options
        head = Head(options, start.snapshot(), self._changed(state), past is not None)
        lines = [_line(head)]
        for _, state, decision in points[1:]:
            lines.append(_line(Line(decision.answer, state=self._changed(state))))
        if past:
            lines.append(self._moved(past.length))
        text = b"".join(lines)
        write_file(self._path, text)
        stream = FileIO(self._path, "ab")
        self._next, self._room = (game.number + 1, game.moves), max(ROOM, len(text))
        if self._sync:
            _sync_folder(self._path)
            os.fsync(stream.fileno())
        return stream

    def _changed(self, state: list[Any]) -> Any:
        """Return a state as JSON if it is not the one that was written last."""
        text = self._state.encoded(state, self._written)
        if text == self._written:
            return None
        self._written = text
        return Raw(text)

    def _moved(self, length: int) -> bytes:
        self._written = b""  # the next line says the state in any case
        return _line(Line(length=length))

    def answered(self, answered: Answered) -> None:
        """Write the answer that was just processed."""
        self._game = answered.game  # a `History` may have taken it over
        line = _line(Line(answered.answer, state=self._changed(self._state.now())))
        # what another watcher refused, or was put elsewhere, is written anew
        at_next = (self._game.number, self._game.moves) == self._next
        if not at_next or len(line) > self._room:
            self._room = 0  # if it cannot be renewed, the next answer tries it again
            self.stream.close()
            self.stream = self._renewed()
        else:
            self._write(line)

    def moved(self, length: int) -> None:
        """Write that the game went back or forth, so that so many answers are in force."""
        self._write(self._moved(length))

    def _write(self, line: bytes) -> None:
        begun = self.stream.tell()
        try:
            if self.stream.write(line) != len(line):
                raise OSError(errno.ENOSPC, "cannot be written whole", self._path)
        except OSError:
            self.stream.truncate(begun)
            self._written = b""
            raise
        self._next = self._game.number + 1, self._game.moves
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
    undoable, past = load_past(file, model)
    history = past.branch(state=state)
    return history if undoable else history.fork()


def load_past(file: str | PathLike[str], model: ModelLike | None = None) -> tuple[bool, History]:
    """Return whether a `History` was saved to a file, and the game with its past as far as the file
    has it, without a host.

    Raises SnapshotError as `load_game` does.
    """
    first, *others = _whole_lines(Path(file)) or [b""]
    try:
        head = msgspec.json.decode(first, type=Head)
        history = History(TurnController.restore(model or _built_in(head), head.start))
        _go_through(history, head.state, others)
    except (msgspec.MsgspecError, RecursionError, FsmError) as error:
        raise SnapshotError(f"{file}: this is not the file of a game: {error}") from None
    return head.undoable, history


def _go_through(history: History, state: list[Any], lines: Iterable[bytes]) -> None:
    """Do what lines say, from where the host had this state."""
    points = history.points
    points[0] = points[0]._replace(state=state)
    for text in lines:
        line = msgspec.json.decode(text, type=Line)
        if line.length is not None:
            history.undo(history.length - line.length)
            state = points[line.length].state
        if line.state is not None:
            state = line.state
        if line.answer is not None:
            history.answer(line.answer)
            points[-1] = points[-1]._replace(state=state)


def _built_in(head: Head) -> Model:
    """Return the model of a game. It can be a built-in ruleset, and never code."""
    from fsm.rulesets import built_in  # who gives the model does without rulesets

    name = str(head.start.get("model"))
    found = built_in(name, head.options)
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
