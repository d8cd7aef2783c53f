"""Finds where a game stands and what can happen next, for a picture."""

from __future__ import annotations

from collections.abc import Hashable
from copy import copy

from fsm.engine.controller import TurnController
from fsm.engine.onward import ways_onward
from fsm.engine.semantics import TURN
from fsm.model import State
from fsm.views.overlays import Now

_SHOWN = frozenset({"", "action", "window"})


def now_of(game: TurnController) -> Now:
    """Where a game stands, and which transitions of the turn can fire until it has left the step.

    What the game reports is tried both ways, and an open window from its beginning. The game is
    left as it is.
    """
    model = game.model
    start = copy(game.run)
    start.frame = ""
    here = model.state(start.state)
    queue = [start]
    known = set[Hashable]()
    open = dict[str, None]()
    for run in queue:
        for way in ways_onward(game.semantics, run, jumps=True):
            open |= dict.fromkeys(one.row.id for one in way.fired if one.machine == TURN)
            place = way.run.state, way.run.latched
            if place not in known and _is_inside(here, model.state(way.run.state)):
                known.add(place)
                queue.append(way.run)
    return Now(game.run.state, game.run.frame, tuple(open))


def _is_inside(here: State, state: State) -> bool:
    """Whether a state belongs to the same step, or is not shown in pictures."""
    same = bool(state.parent) and state.parent == here.parent
    return state.kind != "final" and (same or state.role not in _SHOWN)
