"""Save a game after each answer, so that a server that is killed can continue it.

with saving(game, lambda: write_safely(file, game.snapshot())):
    fsm.drive(game, host)
"""

from __future__ import annotations

import json
from collections.abc import Callable
from os import PathLike, fspath

from fsm.engine.watching import Watching
from fsm.files import write_files
from fsm.hosts.game import Game


def saving(game: Game, save: Callable[[], object]) -> Watching:
    """Call a function once after each answer, when the controller has its next request.

    If the function raises, the answer is undone, as for any watcher (`TurnController.watch`), and
    `TurnController.answer` raises the same error. So players see only what has been saved. The
    function is not called when a `History` goes back.

    Parameters
    ----------
    game
        The controller of the game, or a `History` of it.
    save
        The function to call.

    Returns
    -------
    Watching
        Call it to end the saving, or use it in a `with` statement.
    """
    return game.watch_answers(lambda answered: save())


def write_safely(file: str | PathLike[str], data: object) -> None:
    """Write plain JSON values to a file. A program that is killed meanwhile leaves the old file
    whole.

    Parameters
    ----------
    file
        The path of the file.
    data
        The values.

    Raises
    ------
    OSError
        If the file cannot be written. The message names it.
    """
    write_files({fspath(file): json.dumps(data)})
