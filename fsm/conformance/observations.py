"""Observations: what a record of a game shows, whoever recorded it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from fsm.compiled.quickinit import quick

Level = Literal["turn", "phase", "step"]


@quick
@dataclass(frozen=True, slots=True)
class Observation:
    """The beginning of a turn, phase or step, as a record shows it.

    Attributes
    ----------
    line
        The line of the log, counted from 1.
    turn, seat
        The turn and the seat of the active player, or 0 if not known.
    phase, step
        The Model's names, or "" if not known.
    level
        Whether a turn, a phase or a step begins.
    game
        The number of the game in the log.
    word
        The recorder's word for it.
    seats
        The seats of the game.
    complete
        Whether the record shows every step, also those in which nobody acts.
    joined
        Whether the log begins in the middle of this game.
    damaged
        How many lines were lost since the last observation. Steps may have passed in them.
    """

    line: int
    turn: int
    seat: int
    phase: str = ""
    step: str = ""
    level: Level = "step"
    game: int = 1
    word: str = ""
    seats: tuple[int, ...] = (1, 2)
    complete: bool = True
    joined: bool = False
    damaged: int = 0


@runtime_checkable
class ObservationLog(Protocol):
    """A stream of observations that counts the lines it has read and the damaged ones among them."""

    read: int
    skipped_lines: int

    def __iter__(self) -> Iterator[Observation]: ...
