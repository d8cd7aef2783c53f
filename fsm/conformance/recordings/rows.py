"""Games recorded by any program as JSON Lines: a line of (turn, player, phase, step) for each step as it begins.

    {"turn": 1, "player": "Ann", "phase": "beginning", "step": "upkeep"}

Any of the four may be left out, other fields mean nothing; but each step must be there. A line
{"players": ["Ann", "Ben", "Cy"]} begins a game and says who plays, in turn order; without it two players do, the first
seen first. Another value of "game" begins another game, and so does turn 1 after a later one. Other words than the
Model's, other fields: see `fsm.conformance.recordings.rownames`.
Memory stays flat on a recording of any length.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fsm.conformance.recordings.client import WORD_LIMIT, Line, Observation
from fsm.conformance.recordings.clientlines import LINE_LIMIT, Damaged, file_lines
from fsm.conformance.recordings.rownames import RowNames
from fsm.errors import LogError
from fsm.model import Model

WANTED = '{"turn": 1, "player": "Ann", "phase": "beginning", "step": "upkeep"}'
MISSING = object()


@dataclass(frozen=True, slots=True)
class Row:
    """What one line says, in the recorder's words; None and "" where it says nothing. `players`: a game begins."""

    game: object = None
    turn: int | None = None
    player: str = ""
    phase: str = ""
    step: str = ""
    players: tuple[str, ...] = ()


class RowLog:
    """A recording as a stream of observations: iterate it to read it.

    `read` and `skipped_lines` count the lines read so far and those of them that were damaged; `players` are those of
    the game under way, the first in seat 1; `told`: did the recording (or the names) say who plays? Raises LogError,
    while it is read, when it cannot be opened, shows no step at all, or more players than there are.
    """

    def __init__(
        self,
        lines: Iterable[Line],
        model: Model,
        names: RowNames | None = None,
        *,
        name: str = "the log",
        limit: int = LINE_LIMIT,
    ) -> None:
        self.name, self.limit, self.names, self.model = name, limit, names or RowNames(), model
        self.read = self.skipped_lines = 0
        self.players: list[str] = []
        self.told = False
        self.damage = ""
        self._source: Callable[[], Iterable[Line]] = lambda: lines

    @classmethod
    def open(cls, path: str | Path, model: Model, names: RowNames | None = None) -> RowLog:
        """The recording in this file, which is opened when iteration begins and closed when it ends."""
        log = cls((), model, names, name=str(path))
        log._source = lambda: file_lines(Path(path), log.limit)
        return log

    def __iter__(self) -> Iterator[Observation]:
        self.read = self.skipped_lines = 0
        reader, seen = _Reader(self), False
        for number, line in enumerate(self._source(), 1):
            self.read = number
            try:
                row = self._row(line)
            except Damaged as error:
                self.skipped_lines += 1
                reader.damaged += 1
                self.damage = self.damage or f"line {number}: {error}"
                continue
            for observation in reader.take(row, number) if row is not None else ():
                seen = True
                yield observation
        if not seen:
            first = f"; {self.damage}" if self.damage else ""
            raise LogError(
                f"{self.name}: shows no step ({self.read} lines read, {self.skipped_lines} damaged{first}); wanted are "
                f"lines such as {WANTED}, or a file of names that says which fields to read"
            )

    def _row(self, line: Line) -> Row | None:
        """What a line says; None when it says nothing of the turn."""
        if line is None or len(line) > self.limit:
            raise Damaged(f"it is longer than {self.limit} bytes")
        text = (line.decode("utf-8", "replace") if isinstance(line, bytes) else line).lstrip("\ufeff").strip()
        if not text:
            return None
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            raise Damaged("it is not JSON") from None
        if not isinstance(data, dict):
            raise Damaged("it is not a JSON object")
        found = {name: _held(data, path) for name, path in self.names.paths.items()}
        if all(value is MISSING for name, value in found.items() if name != "game"):
            return None
        return _row({name: value for name, value in found.items() if value is not MISSING and value is not None})


class _Reader:
    """What the recording has said so far of the game under way."""

    def __init__(self, log: RowLog) -> None:
        self.log, self.names = log, log.names
        self.game = self.damaged = self.turn = self.seat = 0
        self.identity: object = None
        self.shown = self.told = False
        self.last: Row | None = None

    def take(self, row: Row, line: int) -> Iterator[Observation]:
        """The observations of one line."""
        self._recognise(row)
        if row.players or (self.names.states and row == self.last):
            return
        self.last = row
        seat = self._seat(row.player, line) if row.player else self.seat
        news = row.turn not in (None, self.turn) or seat != self.seat
        self.turn, self.seat = self.turn if row.turn is None else row.turn, seat
        if not (row.phase or row.step):
            if news:
                yield self._seen(Observation(line, self.turn, seat, level="turn", word="a new turn"))
            return
        place = self.names.place(self.log.model, row.phase, row.step)
        if place is not None:
            word = f"{row.phase} {row.step}".strip()[:WORD_LIMIT]
            yield self._seen(Observation(line, self.turn, seat, *place, word=word))

    def _recognise(self, row: Row) -> None:
        """Is this still the same game?"""
        other = row.game is not None and self.identity is not None and row.game != self.identity
        again = row.turn == 1 and self.turn > 1 and row.game is None
        if not self.game or other or again or (row.players and (self.shown or self.told)):
            self.game += 1
            self.turn = self.seat = 0
            self.shown, self.last, self.told = False, None, bool(row.players)
            self.log.players[:] = row.players or self.names.players
        if row.players:
            self.log.players[:], self.told = row.players, True
        self.log.told = self.told or bool(self.names.players)
        self.identity = row.game if row.game is not None else self.identity

    def _seat(self, player: str, line: int) -> int:
        players = self.log.players
        if player not in players:
            if self.told or self.names.players or len(players) == 2:
                raise LogError(
                    f"{self.log.name}: line {line}: {player!r} plays beside {', '.join(players)}; say who plays, in "
                    f'turn order: by a line {{"players": [...]}} before the game, or "players" in the file of names'
                )
            players.append(player)
        return players.index(player) + 1

    def _seen(self, seen: Observation) -> Observation:
        joined, damaged = not self.shown and seen.turn > 1, self.damaged
        self.shown, self.damaged = True, 0
        seats = tuple(range(1, max(2, len(self.log.players)) + 1))
        complete = self.names.complete
        return replace(seen, game=self.game, seats=seats, joined=joined, damaged=damaged, complete=complete)


def _held(data: dict[str, Any], path: str) -> object:
    """The value at a path such as "state.turn"; MISSING when there is none."""
    found: object = data
    for name in path.split("."):
        if not isinstance(found, dict) or name not in found:
            return MISSING
        found = found[name]
    return found


def _row(found: dict[str, Any]) -> Row:
    turn, players = found.get("turn"), found.get("players", ())
    if turn is not None and (isinstance(turn, bool) or not isinstance(turn, int) or turn < 0):
        raise Damaged(f"its turn must be a whole number, not {turn!r:.40}")
    for name in ("phase", "step"):
        if not isinstance(found.get(name, ""), str):
            raise Damaged(f"its {name} must be a word, not {found[name]!r:.40}")
    if players and (not isinstance(players, list) or len({*map(_word, players)}) != len(players)):
        raise Damaged(f"its players must be a list of different names, not {players!r:.40}")
    player = _word(found["player"]) if "player" in found else ""
    words = {name: found.get(name, "") for name in ("phase", "step")}
    return Row(found.get("game"), turn, player, **words, players=tuple(map(_word, players)))


def _word(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int)) or value == "":
        raise Damaged(f"a player must be a name or a number, not {value!r:.40}")
    return str(value)
