"""What is true of every game of any Model. `broken` plays a game and says what is not."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from copy import copy
from json import dumps, loads

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Over, Priority
from fsm.engine.trace import Trace
from fsm.errors import FsmError
from fsm.testing.path import Path

Invariant = Callable[[TurnController], str]
"""Returns what is wrong with a game that waits for an answer, or ""."""


def broken(game: Path, invariants: Iterable[Invariant] = ()) -> str:
    """Play a game, and hold the invariants at each request.

    Parameters
    ----------
    game
        The game.
    invariants
        Invariants of your own. Each takes the controller and returns what is wrong, or "".

    Returns
    -------
    str
        The first thing that is wrong, with the place. "" if nothing is.
    """
    every, number, place = (*INVARIANTS, *invariants), 0, ""
    try:
        played = game.start.controller(game.model, trace=True)
        wrong = _first(every, played)
        while not wrong and number < len(game.answers):
            place = f" ({played.position}, {played.request.state!r})"
            wrong = _answered(played, game.answers[number]) or _first(every, played)
            number += 1
        wrong = wrong or _replays(played)
    except FsmError as error:
        wrong = str(error)
    except Exception as error:
        wrong = f"{type(error).__name__}: {error}"
    return f"{wrong}; after {number} answers{place}" if wrong else ""


def _first(invariants: Iterable[Invariant], game: TurnController) -> str:
    return next(filter(None, (invariant(game) for invariant in invariants)), "")


def waits_in_one_state(game: TurnController) -> str:
    """A game waits in a state of the window if one is open, and otherwise in a state of the turn."""
    model, request = game.model, game.request
    state, stage = request.state, model.state(request.at.stage)
    if isinstance(request, Over):
        return "" if stage.kind == "final" else f"the game is over in {stage.id!r}"
    if state == stage.id:
        return "" if stage.kind == "action" else f"it waits in {state!r}, a {stage.kind}"
    inside = model.window is not None and model.window.state(state).kind == "action"
    return "" if inside and stage.kind == "window" else f"it waits in {state!r} in {stage.id!r}"


def is_in_its_step(game: TurnController) -> str:
    """The state of the turn belongs to the step under way, or between steps to the phase."""
    at, model = game.request.at, game.model
    homes = {state.kind: state.name for state in model.path(at.stage)}
    step, phase = homes.get("step", ""), homes.get("phase", "")
    if step == at.step if step else phase in ("", at.phase):
        return ""
    return f"{at.stage!r} belongs to {step or phase!r}, but {at.step or at.phase!r} is under way"


def who_left_is_not_asked(game: TurnController) -> str:
    """Priority goes to a player, and nobody who has left is asked for anything."""
    request = game.request
    if isinstance(request, Priority) and not request.player:
        return "priority is given to nobody"
    gone = {*request.by} & {game.players[seat] for seat in game.run.left}
    return f"{', '.join(sorted(gone))} has left, and is asked" if gone else ""


INVARIANTS = (waits_in_one_state, is_in_its_step, who_left_is_not_asked)


def _answered(game: TurnController, answer: Answer) -> str:
    """Give an answer to a game, its fork and a copy restored from its snapshot. All go on alike."""
    turn, run, saved = game.turn, copy(game.run), loads(dumps(game.snapshot()))
    restored = TurnController.restore(game.model, saved)
    copies = (("a fork", game.fork()), ("the game restored from its snapshot", restored))
    game.answer(answer)
    for name, twin in copies:
        if twin.run != run:
            return f"{name} is another game"
        twin.answer(answer)
        if twin.request != game.request or twin.run != game.run:
            return f"{name} goes on in another way"
    return "" if game.turn >= turn else "the number of the turn went down"


def _replays(game: TurnController) -> str:
    assert game.trace is not None, "the game is recorded"
    replayed = Trace.read(game.trace.lines()).replay(game.model)
    same = replayed.snapshot() == game.snapshot()
    return "" if same else "the replay of its trace is another game"
