"""Subscriptions call a function when the turn enters a phase, a step or a stage.

    stop = entering(game, "upkeep", announce)

They report what is entered from then on. They do not report what is skipped, nor how the game
began. The subscriptions of one controller are called in the order in which they were made, for each
record in turn, after the answer has been processed. If one raises, the answer is undone, as for any
watcher (`TurnController.watch`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import asdict

from fsm.engine.trace import Record
from fsm.engine.watching import Answered, Watching
from fsm.errors import AnswerError
from fsm.hosts.game import Game
from fsm.model.elements import values_text
from fsm.wording import BETWEEN_STEPS, position_words

LOG = logging.getLogger("fsm")
LOG.addHandler(logging.NullHandler())


def entering(game: Game, place: str, call: Callable[[Record], object]) -> Watching:
    """Call a function each time a part of the turn is entered.

    Parameters
    ----------
    game
        The controller of the game, or a `History` of it.
    place
        What is entered: "turn", the name or id of a phase or step, or the id of a state of the turn
        or its window.
    call
        The function to call. It gets the record of the transition that enters the place.

    Returns
    -------
    Watching
        Call it to end the subscription, or use it in a `with` statement.

    Raises
    ------
    AnswerError
        If the model has no such place.
    """
    machines = [("turn", game.model), ("window", game.model.window)]
    targets = frozenset(
        (name, id) for name, model in machines if model for id in model.beginnings(place)
    )
    if not targets:
        known = {
            word
            for _, model in machines
            if model
            for s in model.states
            for word in (s.id, s.name)
            if word
        }
        raise AnswerError(
            f"{game.model.name} has no place {place!r} to be entered",
            kind="unknown-place",
            found=place,
            known=known,
        )
    stays = {t.id for _, model in machines if model for t in model.transitions if t.target is None}

    def enters(record: Record) -> bool:
        return (record.machine, record.target) in targets and record.transition not in stays

    def watcher(answered: Answered) -> None:
        if any(
            map(enters, answered.firings.records)
        ):  # the same in all games, so most answers need no records
            for record in filter(enters, answered.records):
                call(record)

    return game.watch_answers(watcher)


def logged(game: Game, logger: logging.Logger = LOG, level: int = logging.DEBUG) -> Watching:
    """Log every record: where the run is, which transition fired, and which guards were read.

    The whole record is in `extra["record"]`. Nothing is printed unless the program has configured
    logging.

    Parameters
    ----------
    game
        The controller of the game, or a `History` of it.
    logger
        The logger. The default is the logger "fsm".
    level
        The level of the messages.

    Returns
    -------
    Watching
        Call it to end the logging, or use it in a `with` statement.
    """

    def watcher(answered: Answered) -> None:
        for record in answered.records if logger.isEnabledFor(level) else ():
            where = position_words(
                record.turn,
                record.step or record.phase or BETWEEN_STEPS,
                player=record.active or "nobody",
            )
            read = values_text(record.guards)
            said = f"{where}: {record.transition}" + (f" [{read}]" if read else "")
            logger.log(level, "%s", said, extra={"record": asdict(record)})

    return game.watch_answers(watcher)
