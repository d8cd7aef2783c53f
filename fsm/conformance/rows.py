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

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from fsm.conformance.logs import Line, LineLog
from fsm.conformance.observations import Observation
from fsm.conformance.rownames import RowNames
from fsm.errors import LogError
from fsm.files import DamagedLine, parse_json
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


class RowLog(LineLog):
    """A recording as a stream of observations. Iterating reads it, and raises LogError if it shows
    too many players.

    Attributes
    ----------
    named
        Whether the recording or the names list the players.
    """

    def __init__(
        self,
        lines: Iterable[Line],
        model: Model,
        names: RowNames | None = None,
        *,
        name: str = "the log",
    ) -> None:
        super().__init__(lines, name=name)
        self.names = names or RowNames()
        self.meaning = lru_cache(WORDS_KEPT)(partial(self.names.meaning, model))
        self.named = False

    def forget(self) -> None:
        """Forget the game that was read before."""
        super().forget()
        self.complete = self.names.complete
        self.identity: object = None
        self.listed = False
        self.last: RecordedRow | None = None

    def empty(self) -> str:
        """Return what is wrong with a log that shows nothing."""
        first = f"; {self.damage}" if self.damage else ""
        return (
            f"{self.name}: shows no step ({self.read} lines read, {self.skipped_lines} "
            f"damaged{first}); wanted are lines such as {EXAMPLE_LINE}, or a file of names that "
            f"says which fields to read"
        )

    def parsed(self, line: bytes) -> RecordedRow | None:
        """Return the row in a line, or None if it has nothing about the turn."""
        text = line.decode("utf-8", "replace").lstrip("\ufeff").strip()
        if not text:
            return None
        try:
            data = parse_json(text)
        except ValueError:
            raise DamagedLine("it is not JSON") from None
        if not isinstance(data, dict):
            raise DamagedLine("it is not a JSON object")
        found = {name: _value_at(data, path) for name, path in self.names.paths.items()}
        told = {name: value for name, value in found.items() if value is not MISSING}
        if not told.keys() - {"game"}:
            return None
        return _row({name: value for name, value in told.items() if value is not None})

    def observed(self, found: RecordedRow) -> Iterator[Observation]:
        """Yield the observations of one row."""
        self._check_game(found)
        if found.players or (self.names.states and found == self.last):
            return
        self.last = found
        seat = self._seat(found.player) if found.player else self.seat
        news = found.turn not in (None, self.turn) or seat != self.seat
        self.turn, self.seat = self.turn if found.turn is None else found.turn, seat
        self.seats = tuple(range(1, max(2, len(self.players)) + 1))
        if found.phase or found.step:
            meaning = self.meaning(found.phase, found.step)
            if meaning is not None:
                phase, step, level = meaning
                yield self.seen(level, f"{found.phase} {found.step}".strip(), phase, step)
        elif news:
            yield self.seen("turn", "a new turn")

    def _check_game(self, row: RecordedRow) -> None:
        """Start afresh if the line belongs to another game."""
        other = row.game is not None and self.identity is not None and row.game != self.identity
        again = row.turn == 1 and self.turn > 1 and row.game is None
        if not self.game or other or again or (row.players and (self.shown or self.listed)):
            identity = self.identity
            self.forget()
            self.game, self.identity, self.players = self.game + 1, identity, [*self.names.players]
        if row.players:
            self.players, self.listed = [*row.players], True
        self.named = self.listed or bool(self.names.players)
        self.identity = row.game if row.game is not None else self.identity

    def _seat(self, player: str) -> int:
        players = self.players
        if player not in players:
            if self.named or len(players) == 2:
                raise LogError(
                    f"{self.name}: line {self.line}: {player!r} plays beside "
                    f'{", ".join(players)}; say who plays, in turn order: by a line {{"players": '
                    f'[...]}} before the game, or "players" in the file of names'
                )
            players.append(player)
        return players.index(player) + 1


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
