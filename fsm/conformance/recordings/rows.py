"""Games recorded by any program as JSON Lines: one line with turn, player, phase and step for each
step as it begins.

    {"turn": 1, "player": "Ann", "phase": "beginning", "step": "upkeep"}

Any of the four may be left out, and other fields are ignored, but each step must have a line. A
line {"players": ["Ann", "Ben", "Cy"]} begins a game and names the players in turn order. Without
it, there are two players, and the one who is seen first is the first. Another value of "game"
begins another game, and so does turn 1 after a later turn. `fsm.conformance.recordings.rownames`
explains how other words and fields can be used.

Memory use does not grow with the length of the recording.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from fsm.conformance.observations import Level, Observation
from fsm.conformance.recordings.client import WORD_LIMIT, Line
from fsm.conformance.recordings.rownames import RowNames
from fsm.errors import LogError
from fsm.files import LINE_LIMIT, DamagedLine, file_lines, parse_json
from fsm.model import Model

EXAMPLE_LINE = '{"turn": 1, "player": "Ann", "phase": "beginning", "step": "upkeep"}'
MISSING = object()
WORDS_KEPT = 1024
"""The meanings of at most so many words are kept."""


@dataclass(frozen=True, slots=True)
class RecordedRow:
    """The contents of one line, in the recorder's words. None and "" mean no value. `players`
    begins a game.
    """

    game: object = None
    turn: int | None = None
    player: str = ""
    phase: str = ""
    step: str = ""
    players: tuple[str, ...] = ()


class RowLog:
    """A recording as a stream of observations. Iterating reads it.

    `read` and `skipped_lines` count the lines read so far, and the damaged ones among them.
    `players` has the players of the current game in seat order. `named` says whether the recording
    or the names list the players. Iterating raises LogError if the recording cannot be opened,
    shows no step, or shows too many players.
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
        self.named = False
        self.damage = ""
        self._source: Callable[[], Iterable[Line]] = lambda: lines

    @classmethod
    def open(cls, path: str | Path, model: Model, names: RowNames | None = None) -> RowLog:
        """Return the recording in this file. The file is open only during iteration."""
        log = cls((), model, names, name=str(path))
        log._source = lambda: file_lines(Path(path), log.limit)
        return log

    def __iter__(self) -> Iterator[Observation]:
        self.read = self.skipped_lines = 0
        reader, seen = _RowReader(self), False
        for number, line in enumerate(self._source(), 1):
            self.read = number
            try:
                row = self._row(line)
            except DamagedLine as error:
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
                f"lines such as {EXAMPLE_LINE}, or a file of names that says which fields to read"
            )

    def _row(self, line: Line) -> RecordedRow | None:
        """Read a line. None if it has nothing about the turn."""
        if line is None or len(line) > self.limit:
            raise DamagedLine(f"it is longer than {self.limit} bytes")
        text = (
            (line.decode("utf-8", "replace") if isinstance(line, bytes) else line)
            .lstrip("\ufeff")
            .strip()
        )
        if not text:
            return None
        try:
            data = parse_json(text)
        except ValueError:
            raise DamagedLine("it is not JSON") from None
        if not isinstance(data, dict):
            raise DamagedLine("it is not a JSON object")
        found = {name: _value_at(data, path) for name, path in self.names.paths.items()}
        if all(value is MISSING for name, value in found.items() if name != "game"):
            return None
        return _row(
            {
                name: value
                for name, value in found.items()
                if value is not MISSING and value is not None
            }
        )


class _RowReader:
    """Collects what the recording has shown of the current game."""

    def __init__(self, log: RowLog) -> None:
        self.log, self.names = log, log.names
        self.game = self.damaged = self.turn = self.seat = self.line = 0
        self.meaning = lru_cache(WORDS_KEPT)(partial(log.names.meaning, log.model))
        self.identity: object = None
        self.shown = self.named = False
        self.last: RecordedRow | None = None

    def take(self, row: RecordedRow, line: int) -> Iterator[Observation]:
        """Yield the observations of one line."""
        self._check_game(row)
        if row.players or (self.names.states and row == self.last):
            return
        self.last, self.line = row, line
        seat = self._seat(row.player, line) if row.player else self.seat
        news = row.turn not in (None, self.turn) or seat != self.seat
        self.turn, self.seat = self.turn if row.turn is None else row.turn, seat
        if not (row.phase or row.step):
            if news:
                yield self._seen("", "", "turn", "a new turn")
            return
        meaning = self.meaning(row.phase, row.step)
        if meaning is not None:
            yield self._seen(*meaning, f"{row.phase} {row.step}".strip()[:WORD_LIMIT])

    def _check_game(self, row: RecordedRow) -> None:
        """Start afresh if the line belongs to another game."""
        other = row.game is not None and self.identity is not None and row.game != self.identity
        again = row.turn == 1 and self.turn > 1 and row.game is None
        if not self.game or other or again or (row.players and (self.shown or self.named)):
            self.game += 1
            self.turn = self.seat = 0
            self.shown, self.last, self.named = False, None, bool(row.players)
            self.log.players[:] = row.players or self.names.players
        if row.players:
            self.log.players[:], self.named = row.players, True
        self.log.named = self.named or bool(self.names.players)
        self.identity = row.game if row.game is not None else self.identity

    def _seat(self, player: str, line: int) -> int:
        players = self.log.players
        if player not in players:
            if self.named or self.names.players or len(players) == 2:
                raise LogError(
                    f"{self.log.name}: line {line}: {player!r} plays beside {', '.join(players)}; say who plays, in "
                    f'turn order: by a line {{"players": [...]}} before the game, or "players" in the file of names'
                )
            players.append(player)
        return players.index(player) + 1

    def _seen(self, phase: str, step: str, level: Level, word: str) -> Observation:
        joined, damaged = not self.shown and self.turn > 1, self.damaged
        self.shown, self.damaged = True, 0
        seats = tuple(range(1, max(2, len(self.log.players)) + 1))
        return Observation(
            self.line,
            self.turn,
            self.seat,
            phase,
            step,
            level,
            self.game,
            word,
            seats,
            self.names.complete,
            joined,
            damaged,
        )


def _value_at(data: dict[str, Any], path: str) -> object:
    """Return the value at a path such as "state.turn", or MISSING."""
    found: object = data
    for name in path.split("."):
        if not isinstance(found, dict) or name not in found:
            return MISSING
        found = found[name]
    return found


def _row(found: dict[str, Any]) -> RecordedRow:
    turn, players = found.get("turn"), found.get("players", ())
    if turn is not None and (isinstance(turn, bool) or not isinstance(turn, int) or turn < 0):
        raise DamagedLine(f"its turn must be a whole number, not {turn!r:.40}")
    for name in ("phase", "step"):
        if not isinstance(found.get(name, ""), str):
            raise DamagedLine(f"its {name} must be a word, not {found[name]!r:.40}")
    if players and (not isinstance(players, list) or len({*map(_word, players)}) != len(players)):
        raise DamagedLine(f"its players must be a list of different names, not {players!r:.40}")
    player = _word(found["player"]) if "player" in found else ""
    words = {name: found.get(name, "") for name in ("phase", "step")}
    return RecordedRow(found.get("game"), turn, player, **words, players=tuple(map(_word, players)))


def _word(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int)) or value == "":
        raise DamagedLine(f"a player must be a name or a number, not {value!r:.40}")
    return str(value)
