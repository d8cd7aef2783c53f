"""Save a game after each answer: a server that is killed then goes on where it was.

stop = saving(controller, lambda: store.write(json.dumps(controller.snapshot())))
"""

from __future__ import annotations

from collections.abc import Callable

from fsm.engine.controller import TurnController
from fsm.engine.requests import Request
from fsm.engine.trace import Record


def saving(controller: TurnController, save: Callable[[], object]) -> Callable[[], None]:
    """Call `save` once after each answer, when the controller stands at its next request; returns what ends that.

    If it raises, the answer is taken back, as for any watcher (`TurnController.watch`), and whoever gave it is told by
    the same error: what the players see has been saved. Going back by `fsm.embedding.history.History` is no answer.
    A game that is watched takes each answer firing by firing, in some 50 microseconds; who would rather have the speed,
    and may lose what was not saved, calls `save` after `TurnController.answer`.
    """
    saved: Request | None = None

    def watcher(record: Record) -> None:
        nonlocal saved
        if controller.request is not saved:  # the first record of an answer
            save()
            saved = controller.request

    return controller.watch(watcher)
