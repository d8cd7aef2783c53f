"""Observations: what a record of a game shows, and the first that does not fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from msgspec import Struct

Level = Literal["turn", "phase", "step"]


class Observation(Struct, frozen=True, gc=False):
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

    def __str__(self) -> str:
        name = self.step or (f"the {self.phase} phase" if self.phase else repr(self.word))
        seat = f"seat {self.seat}" if self.seat else ""
        return beginning_words("" if self.level == "turn" else name, self.turn, seat)


def beginning_words(step: str, turn: int, active: str) -> str:
    """Return a step, or the beginning of a turn, in words.

    Parameters
    ----------
    step
        The name of the step, or "" for the beginning of the turn.
    turn
        The number of the turn, or 0 if it is not known.
    active
        The player whose turn it is, or "" if it is not known.
    """
    where = (f" turn {turn}" if turn else "") + (f" of {active}" if active else "")
    if not step:
        return f"the beginning of{where.removeprefix(' of') or ' a turn'}"
    return f"{step} in{where}" if turn else f"{step}{where}"


@runtime_checkable
class ObservationLog(Protocol):
    """A stream of observations that counts the lines that it has read, and the damaged ones."""

    read: int
    skipped_lines: int

    def __iter__(self) -> Iterator[Observation]: ...


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first observation that no run of the Model agrees with. `str` of it is a sentence.

    Attributes
    ----------
    line
        The line of the log, or the number of the observation.
    seen
        What was seen, for instance "upkeep in turn 2 of seat 1".
    expected
        What could have come instead, in the same words.
    hint
        What would explain the observation, or "".
    says
        The whole message in other words, if a replay has found the refusal, else "".
    """

    line: int
    seen: str
    expected: list[str]
    hint: str = ""
    says: str = ""

    def __str__(self) -> str:
        if self.says:
            return self.says
        could = "; ".join(self.expected) or "nothing: the model has a hole here"
        hint = f" ({self.hint})" if self.hint else ""
        return f"line {self.line}: seen {self.seen}; could have come: {could}{hint}"
