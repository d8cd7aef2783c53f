"""Subscriptions call a function when the turn enters a phase, a step or a stage.

    stop = entering(controller, "upkeep", announce)

They report what is entered from then on. They do not report what is skipped, nor how the game began. The subscriptions
of one controller are called in the order in which they were made, for each record in turn, after the answer has been
processed. If one raises, the answer is undone, as for any watcher (`TurnController.watch`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import asdict

from fsm.engine.controller import TurnController
from fsm.engine.trace import Record
from fsm.errors import AnswerError, suggest
from fsm.model.beginning import beginnings
from fsm.model.elements import values_text
from fsm.wording import BETWEEN_STEPS, position_words

LOG = logging.getLogger("fsm")
LOG.addHandler(logging.NullHandler())


def entering(controller: TurnController, place: str, call: Callable[[Record], object]) -> Callable[[], None]:
    """Call a function each time a part of the turn is entered.

    Parameters
    ----------
    controller
        The controller of the game.
    place
        What is entered: "turn", the name or id of a phase or step, or the id of a state of the turn or its window.
    call
        The function to call. It gets the record of the transition that enters the place.

    Returns
    -------
    Callable
        A function without arguments that ends the subscription.

    Raises
    ------
    AnswerError
        If the model has no such place.
    """
    machines = [("turn", controller.model), ("window", controller.model.window)]
    targets = frozenset((name, id) for name, model in machines if model for id in beginnings(model, place))
    if not targets:
        known = {word for _, model in machines if model for s in model.states for word in (s.id, s.name) if word}
        raise AnswerError(f"{controller.model.name} has no place {place!r} to be entered{suggest(place, known)}")
    stays = {t.id for _, model in machines if model for t in model.transitions if t.target is None}

    def watcher(record: Record) -> None:
        if (record.machine, record.target) in targets and record.transition not in stays:
            call(record)

    return controller.watch(watcher)


def logged(controller: TurnController, logger: logging.Logger = LOG, level: int = logging.DEBUG) -> Callable[[], None]:
    """Log every record: where the run is, which transition fired, and which guards were read.

    The whole record is in `extra["record"]`. Nothing is printed unless the program has configured logging.

    Parameters
    ----------
    controller
        The controller of the game.
    logger
        The logger. The default is the logger "fsm".
    level
        The level of the messages.

    Returns
    -------
    Callable
        A function without arguments that ends the logging.
    """

    def watcher(record: Record) -> None:
        if logger.isEnabledFor(level):
            where = position_words(
                record.turn, record.step or record.phase or BETWEEN_STEPS, player=record.active or "nobody"
            )
            read = values_text(record.guards)
            said = f"{where}: {record.transition}" + (f" [{read}]" if read else "")
            logger.log(level, "%s", said, extra={"record": asdict(record)})

    return controller.watch(watcher)
