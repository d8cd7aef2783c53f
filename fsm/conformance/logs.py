"""Recorded games: what all logs have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Self, TypeAlias

from fsm.conformance.observations import Level, Observation
from fsm.errors import LogError
from fsm.files import LINE_LIMIT, DamagedLine, file_lines

Line: TypeAlias = str | bytes | None
WORD_LIMIT = 80


class LineLog(ABC):
    """A log as a stream of observations, line by line. Iterating reads it, and raises LogError if
    it cannot be opened or shows nothing.

    Attributes
    ----------
    read, skipped_lines
        How many lines were read so far, and how many of them were damaged.
    players
        The players of the current game in seat order, as far as the log names them.
    game, line, turn, seat, seats, complete, started, shown
        What is known of the current game: see `Observation`. `started` and `shown`: whether its
        start was recorded, and something of its turns.
    """

    def __init__(self, lines: Iterable[Line], *, name: str = "the log") -> None:
        self.name, self.lines = name, lines
        self.read = self.skipped_lines = self.damaged = 0
        self.damage = ""
        self.players: list[str] = []

    @classmethod
    def open(cls, path: str | Path, *more: object) -> Self:
        """Return the log in this file. The file is open only during iteration."""
        return cls(_FileLines(Path(path)), *more, name=str(path))

    def __iter__(self) -> Iterator[Observation]:
        self.read = self.skipped_lines = self.damaged = self.game = 0
        self.forget()
        seen = False
        for number, line in enumerate(self.lines, 1):
            self.read = self.line = number
            try:
                if line is None or len(line) > LINE_LIMIT:
                    raise DamagedLine(f"it is longer than {LINE_LIMIT} bytes")
                found = self.parsed(line.encode() if isinstance(line, str) else line)
            except DamagedLine as error:
                self.skipped_lines += 1
                self.damaged += 1
                self.damage = self.damage or f"line {number}: {error}"
                continue
            for observation in self.observed(found) if found is not None else ():
                seen = True
                yield observation
        if not seen:
            raise LogError(self.empty())

    def forget(self) -> None:
        """Forget the game that was read before."""
        self.turn = self.seat = 0
        self.seats: tuple[int, ...] = (1, 2)
        self.complete = self.started = self.shown = False

    def seen(self, level: Level, word: str, phase: str = "", step: str = "") -> Observation:
        """Return the observation of what has begun."""
        joined = not self.shown and not self.started and self.turn > 1
        damaged, self.damaged, self.shown = self.damaged, 0, True
        return Observation(
            line=self.line,
            turn=self.turn,
            seat=self.seat,
            phase=phase,
            step=step,
            level=level,
            game=self.game,
            word=word[:WORD_LIMIT],
            seats=self.seats,
            complete=self.complete,
            joined=joined,
            damaged=damaged,
        )

    @abstractmethod
    def parsed(self, line: bytes) -> object | None:
        """Return what a line states, or None for nothing. Raises DamagedLine."""

    @abstractmethod
    def observed(self, found: Any) -> Iterator[Observation]:
        """Yield the observations in what a line states."""

    @abstractmethod
    def empty(self) -> str:
        """Return what is wrong with a log that shows nothing."""


class _FileLines:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __iter__(self) -> Iterator[bytes | None]:
        return file_lines(self.path)
