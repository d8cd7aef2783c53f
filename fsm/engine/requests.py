"""What a controller asks, and what may be answered: plain values, no I/O."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from fsm.state.orders import Order

Word = Literal["done", "acted", "passed", "begin", "skip", ""]
"""What an answer says. "" is for orders that are given between two answers."""
_NOTHING: Mapping[str, bool] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Position:
    """Where a game stands: the words that a user interface or an error message needs.

    Attributes
    ----------
    turn
        The number of the turn. It counts the turns that really began, from 1.
    active
        The player whose turn it is. For a team, this is its first player.
    controller
        The player who decides for the active player.
    extra
        Whether the turn is an extra turn.
    phase
        The name of the phase.
    step
        The name of the step.
    iteration
        How many times the step has begun this turn, this one included.
    stage
        The id of the state in the model of the turn.
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
    """Something that the controller needs next.

    `TurnBegins`, `PhaseBegins`, `StepBegins` and `TurnEnds` are made only by models with the option `moments`. Nothing
    has to be done there: the answer is "done", with orders if there are any.

    Attributes
    ----------
    at
        Where the game stands.
    state
        The id of the state that waits, in the model of the turn or of the window.
    facts
        The names of the facts that the answer may have to tell. Each of them that the model then reads must be
        told.
    expired
        The ids of the durations that have ended since the request before.
    triggered
        The ids of the "at the beginning of" triggers that have triggered since the request before, in this order.
    """

    at: Position
    state: str
    facts: tuple[str, ...] = ()
    expired: tuple[str, ...] = ()
    triggered: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Perform(Request):
    """Perform a turn-based action.

    Attributes
    ----------
    action
        The name of the action.
    manner
        The model's word for how it is done or which objects it is about, if the rulebook has several ways.
    players
        The players who perform it: the active one, the defending ones or others, as the model says (`State.by`).
        Several are listed from the active player in turn order (CR 101.4). It is empty if nobody of them is left.
    """

    action: str = ""
    manner: str = ""
    players: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Priority(Request):
    """A player has priority. Answer "acted" or "passed".

    Attributes
    ----------
    player
        The player who has priority.
    players
        All players who have it together. In games without teams, this is the one player.
    """

    player: str = ""
    players: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckState(Request):
    """Perform all state-based actions that apply now, as one event."""

    WRITTEN = "Check"


@dataclass(frozen=True, slots=True)
class PlaceTriggers(Request):
    """Put the waiting triggers on the stack.

    Attributes
    ----------
    players
        The players in the order in which they do it.
    manner
        The model's word for how it is done. With "two_passes", the triggers that no other ability triggering has
        caused come first, then the rest (CR 603.3b).
    """

    WRITTEN = "Place"
    players: tuple[str, ...] = ()
    manner: str = ""


@dataclass(frozen=True, slots=True)
class Resolve(Request):
    """Resolve the top object of the stack."""


@dataclass(frozen=True, slots=True)
class TurnBegins(Request):
    """A turn has begun, and its first phase has not. Orders given here count for this turn."""


@dataclass(frozen=True, slots=True)
class PhaseBegins(Request):
    """A phase has begun, and its first step has not."""


@dataclass(frozen=True, slots=True)
class StepBegins(Request):
    """A step has begun. What it does comes next."""


@dataclass(frozen=True, slots=True)
class TurnEnds(Request):
    """The last phase of a turn is over. What comes next is decided after the answer."""


@dataclass(frozen=True, slots=True)
class WouldBegin(Request):
    """A turn, phase or step would begin, for which `AskBefore` was ordered. Answer "begin" or "skip".

    What is skipped has never existed. Orders of the answer take effect at once, before anything else begins
    (CR 614.10b).

    Attributes
    ----------
    level
        "turn", "phase" or "step".
    what
        "turn", or the family of the phase or the name of the step.
    player
        The player whose turn, phase or step it would be. For a team, this is its first player.
    players
        All players whose it would be.
    extra
        Whether it would be an extra one.
    id
        The `id` with which it was added, or "".
    asked
        The ids of the orders because of which it is asked.
    """

    level: str = ""
    what: str = ""
    player: str = ""
    players: tuple[str, ...] = ()
    extra: bool = False
    id: str = ""
    asked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Over(Request):
    """The game is over; nothing can be answered.

    Attributes
    ----------
    winners
        The players of the one side that is left. It is empty if no side or several are left.
    """

    winners: tuple[str, ...] = ()

    @property
    def draw(self) -> bool:
        """Whether nobody has won (CR 104.4a)."""
        return not self.winners


@dataclass(frozen=True, slots=True)
class Signal:
    """An event of the model that interrupts the ordinary course of the turn. It fires after the word of the answer.

    Attributes
    ----------
    event
        The name of the event. If it is the model's event for a player who leaves, the player is out of the game.
    player
        The player whom it is about, or "".
    """

    event: str
    player: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a request.

    Attributes
    ----------
    word
        What the player did: "done", "acted", "passed", "begin" or "skip". It is "" if orders are given between two
        answers, as `TurnController.order` does.
    facts
        The values of facts, by name.
    orders
        Effects on the turn: what is added, skipped or scheduled.
    signal
        An event that interrupts the turn, or None.
    """

    word: Word = "done"
    facts: Mapping[str, bool] = field(default_factory=lambda: _NOTHING)
    orders: tuple[Order, ...] = ()
    signal: Signal | None = None


def quiet_word(request: Request) -> Word:
    """Return the word that is answered where nobody does anything.

    Parameters
    ----------
    request
        The request.

    Returns
    -------
    Word
        "passed", "begin" or "done".
    """
    return "passed" if isinstance(request, Priority) else "begin" if isinstance(request, WouldBegin) else "done"


Check, Place = CheckState, PlaceTriggers
"""Older names, which go with version 1.0."""
