"""Write the trace of a game to a file while it is played, so that a game of any length needs no
more memory.

with traced(game, "game.jsonl"):
    fsm.drive(game, host)
"""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

from fsm.engine.trace import line_of
from fsm.engine.watching import Watching

if TYPE_CHECKING:
    from fsm.embedding.game import Game
    from fsm.engine.watching import Answered


def traced(game: Game, path: str | PathLike[str]) -> Watching:
    """Write the trace of a game to a file: first what happened before, then each answer with its
    records.

    Afterwards the file has what `game.trace.write(path)` would write. A program that is killed
    leaves a file in which every line but the last is whole. When an answer is undone, the file is
    written anew at the next answer, or at the end.

    Parameters
    ----------
    game
        The controller of the game, or a `History` of it.
    path
        The file. If it exists, it is replaced.

    Returns
    -------
    Watching
        Call it to end the writing, or use it in a `with` statement.

    Raises
    ------
    OSError
        If the file cannot be written. When that happens later, the answer is undone, as for any
        watcher (`TurnController.watch`), and `answer` raises it.
    """
    file = _TraceFile(game, path)
    stop = game.watch_answers(file.take)

    def end() -> None:
        stop()
        file.close()

    return Watching(end)


class _TraceFile:
    """The file. `_request` is the request that is answered next, if all goes on from what was
    written.
    """

    def __init__(self, game: Game, path: str | PathLike[str]) -> None:
        self._game, self._request = game, game.request
        self._file = open(path, "w", encoding="utf-8", newline="\n")  # noqa: SIM115
        self._write_anew()

    def take(self, answered: Answered) -> None:
        """Write an answer."""
        if answered.request is not self._request:
            self._write_anew()
            return
        self._file.write(f"{line_of(answered.answer)}\n")
        self._file.writelines(f"{line_of(record)}\n" for record in answered.records)
        self._file.flush()
        self._request = self._game.request

    def _write_anew(self) -> None:
        self._file.seek(0)
        self._file.truncate()
        self._file.writelines(f"{line}\n" for line in self._game.trace.lines())
        self._file.flush()
        self._request = self._game.request

    def close(self) -> None:
        """Close the file."""
        if self._file.closed:
            return
        with self._file:
            if self._game.request is not self._request:
                self._write_anew()
