"""Orders: what a game may ask of agenda and calendar, as plain values that ride on answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from fsm.errors import OrderError, shown
from fsm.model.fieldtypes import misfit

MOST = 1000
"""How many entries the agenda may hold, and how many the calendar; and how many orders one answer may carry.

No game needs more, and a mistake in a host must not fill the memory.
"""

Scope = Literal["next", "each", "this_turn", "all_next_turn"]
DelayOn = Literal["next", "your_next_turn"]


@dataclass(frozen=True, slots=True)
class AddTurn:
    """Extra turns for `player`, directly after the current turn, newest first (CR 500.7)."""

    player: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class SkipTurn:
    """Each count takes away the next turn that `player` would begin (CR 614.10a)."""

    player: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class ControlNextTurn:
    """`by` decides for `player` in the next turn that player really takes (CR 722.1).

    It is refused when `by` has left the game: who has left controls nobody (CR 800.4a).
    """

    player: str
    by: str
    extra_turn_after: bool = False


@dataclass(frozen=True, slots=True)
class AddPhase:
    """`phases` as one block directly after a phase occurrence (CR 500.8).

    `after`: "" for the current phase, else a phase label, of which the `nth` this turn is meant.
    With `you_get`, nothing is added unless `player` is active (CR 500.10a).
    """

    phases: tuple[str, ...]
    after: str = ""
    nth: int = 1
    count: int = 1
    player: str = ""
    you_get: bool = False


@dataclass(frozen=True, slots=True)
class AddStep:
    """Extra steps (CR 500.9, 500.10).

    `after`: "current_step", "current_phase" (phases that hold only this step), or a step name:
    the current one or the next such. `before`: a step name, the next such; then `after` is "".
    Magic's main phases have no steps (CR 505.2): add the phase, `AddPhase(("main",))`. If `step` is one of them all
    the same, it is performed as told, inside whatever phase it is: with the scheme and lore counters that an added
    phase would not have (CR 505.1a).
    """

    step: str
    after: str = "current_step"
    before: str = ""
    count: int = 1
    player: str = ""
    you_get: bool = False


@dataclass(frozen=True, slots=True)
class SkipPhase:
    """Pass over phases called `phase` as though they did not exist (CR 614.10).

    `player` "" means everyone, each for themselves. Scope "next" is used up by one occurrence.
    """

    phase: str
    player: str = ""
    scope: Scope = "next"


@dataclass(frozen=True, slots=True)
class SkipStep:
    """Pass over steps called `step` as though they did not exist (CR 614.10). The rest is as for `SkipPhase`."""

    step: str
    player: str = ""
    scope: Scope = "next"


SKIPS: Mapping[str, type[SkipPhase | SkipStep]] = {"phase": SkipPhase, "step": SkipStep}
"""The order that skips a phase or a step, for programs that choose between them."""


@dataclass(frozen=True, slots=True)
class DelayedTrigger:
    """A delayed trigger: it triggers once, as the next `step` begins (CR 603.7).

    `on` "your_next_turn": only in the next turn of `player`, lost if that turn lacks the step.
    """

    id: str
    step: str
    player: str = ""
    on: DelayOn = "next"


@dataclass(frozen=True, slots=True)
class StandingTrigger:
    """A standing "at the beginning of" trigger, each player's turn or only `whose` (CR 603.2b)."""

    id: str
    step: str
    whose: str = "each"
    first_each_turn: bool = False


@dataclass(frozen=True, slots=True)
class Effect:
    """An effect of `player` with a duration; `until` is one of the model's durations (CR 611.2)."""

    id: str
    player: str
    until: str = "end_of_turn"


Order: TypeAlias = (
    AddTurn
    | SkipTurn
    | ControlNextTurn
    | AddPhase
    | AddStep
    | SkipPhase
    | SkipStep
    | DelayedTrigger
    | StandingTrigger
    | Effect
)
_ORDERS = get_args(Order)


def check_order(order: object) -> None:
    """Raise OrderError unless this is an order whose values are of the types that its fields say.

    A class derived from an order is refused as well: a snapshot could not be read back with it.
    """
    if order.__class__ not in _ORDERS:
        raise OrderError(f"{shown(order)} is not an order")
    wrong = misfit(order)
    if wrong:
        raise OrderError(wrong)
