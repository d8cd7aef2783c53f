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
from collections.abc import Iterator
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any
from zlib import crc32

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer
from fsm.engine.watching import Answered, Watching
from fsm.errors import AnswerError, SnapshotError, shown
from fsm.files import parse_json, read_text, write_files
from fsm.hosts.history import History
from fsm.hosts.hoststate import HostState
from fsm.model import Model
from fsm.model.likeness import ModelLike, as_model

FORMAT = "fsm-game-1"
ROOM = 1_000_000
"""A file is written anew when its answers take more bytes than this, and more than its first line."""
LARGEST = 1_000_000_000
"""A larger file is refused, in bytes."""


def saving(
    game: TurnController | History,
    file: str | PathLike[str],
    *,
    state: object = None,
    sync: bool = False,
) -> Watching:
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
        attributes, must be plain JSON values. They are written when they have changed. The default
        is that of the `History`, if it has one.
    sync
        Whether each line is on the disk before the game goes on, so that it also survives when the
        machine loses its power. That takes milliseconds.

    Returns
    -------
    Watching
        Call it to end the saving, or use it in a `with` statement.

    Raises
    ------
    OSError
        If the file cannot be written. The message names it.
    HostError
        If the state is not made of plain JSON values. The message names the attribute.
    """
    history = game if isinstance(game, History) else None
    host = history.host if history is not None and state is None else state
    saver = _Saver(game, fspath(file), HostState(host, (game,)), sync)
    saver.renew()
    stops = [game.watch_answers(saver.answered)]
    if history is not None:
        stops.append(history.watch_moves(saver.going_back))

    def end() -> None:
        for stop in stops:
            stop()
        saver.close()

    return Watching(end)


class _Saver:
    """The open file of a game."""

    def __init__(
        self, game: TurnController | History, file: str, state: HostState, sync: bool
    ) -> None:
        self._game, self._path, self._state, self._sync = game, file, state, sync
        self._stream: Any = None
        self._room = 0
        self._written = ""

    def renew(self) -> None:
        """Write the whole game to the file, in one line."""
        self.close()
        self._written = self._state_text()
        head = {
            "format": FORMAT,
            "model": self._game.model.name,
            "options": self._game.model.options,
            "history": isinstance(self._game, History),
            "has_host": isinstance(self._game, History) and self._game.host is not None,
            "game": self._game.snapshot(),
            "state": json.loads(self._written),
        }
        line = _line(head)
        write_files({self._path: line})
        self._stream = open(self._path, "r+b", buffering=0)  # noqa: SIM115 -- `close` does it
        self._stream.seek(0, os.SEEK_END)
        self._room = max(ROOM, len(line))
        if self._sync:
            _sync_folder(self._path)
            os.fsync(self._stream.fileno())

    def answered(self, answered: Answered) -> None:
        """Write the answer that was just processed."""
        game = self._game
        answer = game.answers[-1] if isinstance(game, History) else answered.answer
        entry: dict[str, Any] = {"answer": answer.to_json()}
        if isinstance(game, History) and game.undone:
            entry["redo"] = True
        if answer.automatic:
            entry["automatic"] = True
        state = self._state_text()
        if state != self._written:
            entry["state"] = json.loads(state)
        self._write(entry)
        self._written = state

    def going_back(self, answers: int) -> None:
        """Write that the game goes back, so that only so many answers are in force."""
        self._write({"back": answers})
        self._written = ""  # the next line says the state in any case

    def _write(self, entry: dict[str, Any]) -> None:
        line = _line(entry)
        if len(line) > self._room and "answer" in entry:
            self.renew()
            return
        begun = self._stream.tell()
        try:
            if self._stream.write(line) != len(line):
                raise OSError(errno.ENOSPC, "cannot be written whole", self._path)
        except OSError:
            self._stream.truncate(begun)
            self._stream.seek(begun)
            raise
        self._room -= len(line)
        if self._sync:
            os.fsync(self._stream.fileno())

    def _state_text(self) -> str:
        state = self._state
        return json.dumps(state.plain(state.take()) if state.host is not None else None)

    def close(self) -> None:
        """Close the file."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None


def load_game(
    file: str | PathLike[str], model: ModelLike | None = None, *, state: object = None
) -> TurnController | History:
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
    TurnController or History
        The game: a `History` if a history was saved.

    Raises
    ------
    SnapshotError
        If the file is missing, is not the file of a game, is damaged in other lines than the last
        one, or belongs to another model.
    HostError
        If the state of the host cannot be put back.
    """
    lines = list(_entries(Path(file)))
    head = lines[0] if lines else {}
    if head.get("format") != FORMAT:
        raise SnapshotError(f'{file}: not the file of a game: "format" must be {FORMAT!r}')
    try:
        game = _restored(head, _built_in(head) if model is None else as_model(model), state)
        host = HostState(state, (game,))
        for entry in lines:
            if "state" in entry:
                host.put(entry["state"])
            _follow(game, entry)
    except (KeyError, TypeError, ValueError, AnswerError) as error:
        raise SnapshotError(f"{file}: this file of a game is damaged: {error!r}") from None
    return game


def _restored(head: dict[str, Any], model: Model, state: object) -> TurnController | History:
    """Return the game of the first line."""
    if not head["history"]:
        return TurnController.restore(model, head["game"])
    return History.restore(model, head["game"], state=state if head["has_host"] else None)


def _follow(game: TurnController | History, entry: dict[str, Any]) -> None:
    """Do again what a line says."""
    if isinstance(game, History) and "back" in entry:
        game.undo(len(game.answers) - entry["back"])
    elif "answer" in entry:
        if isinstance(game, History) and "redo" in entry:
            game.redo()
        else:
            answer = Answer.from_json(entry["answer"], trusted=True)
            game.answer(replace(answer, automatic="automatic" in entry))


def _built_in(head: dict[str, Any]) -> Model:
    """Return the model that a file names. It can name a built-in ruleset, and never code."""
    from fsm.rulesets import built_in  # who gives the model does without rulesets

    found = built_in(head["model"], head["options"])
    if found is None:
        name = shown(head["model"])
        raise SnapshotError(f"no built-in ruleset is called {name}: give load_game the model")
    return found[0]


def _sync_folder(path: str) -> None:
    """Have the name of a new file on the disk, where a folder can be opened."""
    if os.name == "posix":
        folder = os.open(os.path.dirname(os.path.abspath(path)), os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)


def _line(entry: dict[str, Any]) -> bytes:
    """Return an entry as a line, with its checksum."""
    data = json.dumps(entry, separators=(",", ":")).encode()
    return b"%08x %s\n" % (crc32(data), data)


def _entries(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the entries of a file. The last line may have been cut."""
    try:
        lines = read_text(path, limit=LARGEST).split("\n")
    except (OSError, ValueError) as error:
        raise SnapshotError(f"{path}: this cannot be read: {error}") from None
    for number, line in enumerate(lines[:-1], start=1):
        check, _, text = line.partition(" ")
        if check != f"{crc32(text.encode()):08x}":
            if number == len(lines) - 1:
                return
            raise SnapshotError(f"{path}, line {number}: this line has been changed or cut")
        try:
            yield parse_json(text)
        except ValueError as error:
            raise SnapshotError(f"{path}, line {number}: {error}") from None


def write_safely(file: str | PathLike[str], data: object) -> None:
    """Write plain JSON values to a file. A program that is killed meanwhile leaves the old file
    whole.

    Raises OSError if the file cannot be written. The message names it.
    """
    write_files({fspath(file): json.dumps(data)})
