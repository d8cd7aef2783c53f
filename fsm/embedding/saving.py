"""Save a game after each answer, so that a server that is killed can continue it.

stop = saving(controller, lambda: store.write(json.dumps(controller.snapshot())))
"""

from __future__ import annotations

from collections.abc import Callable

from fsm.engine.controller import TurnController
from fsm.engine.requests import Over, Request
from fsm.engine.trace import Record


def saving(controller: TurnController, save: Callable[[], object]) -> Callable[[], None]:
    """Call a function once after each answer, when the controller has its next request.

    If the function raises, the answer is undone, as for any watcher (`TurnController.watch`), and
    `TurnController.answer` raises the same error. So players see only what has been saved. The function is not called
    when `fsm.embedding.history.History` goes back.

    A game with a watcher runs each answer in the interpreter, which takes about 50 microseconds. If speed matters more
    to you than the last answer, call your function after `TurnController.answer` instead.

    Parameters
    ----------
    controller
        The controller of the game.
    save
        The function to call.

    Returns
    -------
    Callable
        A function without arguments that ends the saving.
    """
    saved: Request | Over | None = None

    def watcher(record: Record) -> None:
        nonlocal saved
        if controller.request is not saved:  # the first record of an answer
            save()
            saved = controller.request

    return controller.watch(watcher)
