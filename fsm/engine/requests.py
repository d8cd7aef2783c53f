"""What a controller asks, and what may be answered: plain values, no I/O."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from fsm.state.orders import Order

Word = Literal["done", "acted", "passed"]
_NOTHING: Mapping[str, bool] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Position:
    """Where a game stands: the words a user interface or an error message needs.

    `turn` counts turns that really began, from 1. `active` is the player (or the first of the
    team) whose turn it is, `controller` who decides for them, `extra` whether the turn is extra.
    `phase` and `step` are the names scenarios use, `iteration` the how-manieth visit of that step
    this turn, `stage` the state id of the turn model.
    """

    turn: int
    active: str
    controller: str
    extra: bool
    phase: str
    step: str
    iteration: int
    stage: str


@dataclass(frozen=True, slots=True)
class Request:
    """Something the controller needs next. `state` is the waiting state (of turn or window).

    `facts` names the game facts that the answer may have to tell (whichever of them the model
    then reads must be told). `expired` and `triggered` are ids of durations that have just run out
    and of "at the beginning of" triggers that have just triggered, in this order, before it.
    """

    at: Position
    state: str
    facts: tuple[str, ...] = ()
    expired: tuple[str, ...] = ()
    triggered: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Perform(Request):
    """Perform the turn-based action `action`; `players` are the active player or team, if any.

    `manner` is the model's word for how or by whom, where the rulebook has several ways.
    """

    action: str = ""
    manner: str = ""
    players: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Priority(Request):
    """`player` has priority: answer "acted" or "passed". In team games `players` hold it together."""

    player: str = ""
    players: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckState(Request):
    """Perform all state-based actions that apply now, as one event."""

    WRITTEN = "Check"


@dataclass(frozen=True, slots=True)
class PlaceTriggers(Request):
    """Put waiting triggers on the stack, `players` in this order.

    `manner` is the model's word for how ("two_passes": first those not triggered by another
    ability triggering, then the rest: CR 603.3b).
    """

    WRITTEN = "Place"
    players: tuple[str, ...] = ()
    manner: str = ""


@dataclass(frozen=True, slots=True)
class Resolve(Request):
    """Resolve the top object of the stack."""


@dataclass(frozen=True, slots=True)
class Over(Request):
    """The game is over; nothing can be answered."""


@dataclass(frozen=True, slots=True)
class Signal:
    """Something that breaks the ordinary course once the answer is taken in: an event of the model.

    "player_left" is the one word that the controller itself knows: `player` is out of the game.
    """

    event: str
    player: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a request: a word, game facts, orders to agenda and calendar, one signal."""

    word: Word = "done"
    facts: Mapping[str, bool] = field(default_factory=lambda: _NOTHING)
    orders: tuple[Order, ...] = ()
    signal: Signal | None = None


Check, Place = CheckState, PlaceTriggers
"""Older names, which go with version 1.0."""
