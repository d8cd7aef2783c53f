"""Subscriptions call a function when the turn enters a phase, a step or a stage.

    subscription = entering(game, "upkeep", announce)

They report what is entered from then on. They do not report what is skipped, nor how the game
began. The subscriptions of one game are called in the order in which they were made, for each
record in turn, after the answer has been processed. If one raises, the answer is refused, as for
any watcher (`TurnController.watch`).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack

from fsm.engine.controller import TurnController
from fsm.engine.records import Answered, Record
from fsm.errors import AnswerError


def entering(game: TurnController, place: str, call: Callable[[Record], object]) -> ExitStack:
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
    ExitStack
        Close it to end the subscription, or use it in a `with` statement.

    Raises
    ------
    AnswerError
        If the model has no such place.
    """
    model, targets = game.model, set[tuple[str, str]]()
    for name, machine in model.machines.items():
        targets.update((name, state) for state in machine.beginnings(place))
    if not targets:
        known = {state.name or state.id for state in model.states}
        text = f"{model.name} has no place {place!r} to be entered"
        raise AnswerError(text, kind="unknown-place", found=place, known=known)

    def watcher(answered: Answered) -> None:
        for record in answered.records:
            if record.source != record.target and (record.machine, record.target) in targets:
                call(record)

    return game.watch(watcher)
