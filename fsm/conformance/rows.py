"""A log is rows. Each format is a generator of rows, which reads a `Log`; a follower takes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from msgspec import Struct

from fsm.engine.trace import Record
from fsm.errors import LogError
from fsm.files import LINE_LIMIT, Shapes, file_lines, parse_json
from fsm.runs.turns import Visit

MOST_EXPECTED = 8
"""A refusal names at most this many events that could have come."""
WORD_LIMIT = 80
_T = TypeVar("_T")
_S = TypeVar("_S", bound=Struct)


# results ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first row that no run of the Model agrees with. `str` of it is a sentence.

    Attributes
    ----------
    line
        The line of the log.
    seen
        What was seen, for instance "upkeep in turn 2 of seat 1", or "" if a replay was refused.
    expected
        What could have come instead, in the same words.
    hint
        What would explain the row, or "". If a replay was refused, why.
    """

    line: int
    seen: str
    expected: Sequence[str] = ()
    hint: str = ""

    def __str__(self) -> str:
        if not self.seen:
            return self.hint
        could = "; ".join(self.expected) or "nothing"
        hint = f" ({self.hint})" if self.hint else ""
        return f"line {self.line}: seen {self.seen}; could have come: {could}{hint}"


@dataclass(slots=True)
class Conformance:
    """The result of following a log.

    Attributes
    ----------
    rows
        How many rows were followed: steps that began, or events of machines.
    turns, games, machines
        Of how many turns and games, or machines.
    read, skipped_lines
        How many lines of a recorded game were read, and how many of them were damaged.
    refusal
        The first row that is not a run of the Model, or None.
    visits
        The steps that were visited. `conform` sets them.
    """

    rows: int = 0
    turns: int = 0
    games: int = 0
    machines: int = 0
    read: int = 0
    skipped_lines: int = 0
    refusal: Mismatch | None = None
    visits: list[Visit] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether every row is a run of the Model."""
        return self.refusal is None


# rows ---------------------------------------------------------------------------------------------


@dataclass(eq=False, slots=True)
class Game:
    """One game of a log, and what the log has said of it last.

    Attributes
    ----------
    players
        Who plays, in the order of the seats, as far as the log names them.
    named
        Whether the log lists its players, so that nobody else can play.
    seats
        How many play.
    whole
        Whether its start was recorded.
    marks
        What tells it from the game before, such as its number.
    turn, seat, step
        The last turn, active seat and step. They are 0 or "" if not known.
    """

    players: list[str] = field(default_factory=list)
    named: bool = False
    seats: int = 2
    whole: bool = False
    marks: dict[str, object] = field(default_factory=dict)
    turn: int = 0
    seat: int = 0
    step: str = ""


class Row(Struct, frozen=True, gc=False):
    """A step that begins.

    Attributes
    ----------
    line
        The line of the log, counted from 1.
    game
        The game.
    turn, seat
        The turn and the seat of the active player, or 0 if not known.
    step
        The Model's name of the step, or "" for a word that the Model does not have.
    word
        The recorder's word for it.
    """

    line: int
    game: Game
    turn: int
    seat: int
    step: str
    word: str

    @property
    def player(self) -> str:
        """The active player as refusals name them, or "" if not known."""
        return f"seat {self.seat}" if self.seat else ""

    def __str__(self) -> str:
        return step_words(self.step or repr(self.word), self.turn, self.player)

    def fits(self, step: str, turn: int, player: str) -> bool:
        """Say whether it can be this step that begins."""
        is_here = self.turn in (0, turn) and self.player in ("", player)
        return is_here and self.step == step


def step_words(step: str, turn: int, active: str) -> str:
    """Return a step in words. The turn is 0, and the active player "", if not known."""
    of = f" of {active}" if active else ""
    return f"{step} in turn {turn}{of}" if turn else f"{step}{of}"


class DamagedLine(LogError):
    """A line of a log that should state something cannot be read."""


class Log:
    """A log that is read, line by line. Memory use does not grow with its length.

    Attributes
    ----------
    path
        Where it is.
    rows
        Its rows, as its format reads them. They can be read once.
    replayed
        Instead of rows: the firings of a trace that is played again by its own model.
    strict
        Whether a damaged line is an error.
    read, skipped
        How many lines were read so far, and how many of them were damaged.
    shown
        Whether it has shown anything.
    game
        The current game.
    """

    def __init__(self, path: str | Path, *, strict: bool = False) -> None:
        self.path, self.strict, self.game = Path(path), strict, Game()
        self.rows: Iterator[Row] = iter(())
        self.replayed: Iterator[Record] | None = None
        self.read = self.skipped = 0
        self.shown = False
        self._damage = ""

    def parsed(self, parse: Callable[[bytes], _T | None]) -> Iterator[_T]:
        """Yield what is made of each line.

        A line that raises DamagedLine, or ValueError because it is not even JSON, is counted; a
        strict log raises LogError. A torn last line is left out.
        """
        for line in file_lines(self.path):
            self.read += 1
            if line is None:
                self._skip(f"it is longer than {LINE_LIMIT} bytes")
                continue
            try:
                found = parse(line)
            except DamagedLine as error:
                self._skip(str(error))
            except ValueError:
                if line.endswith(b"\n"):  # else who wrote it was stopped
                    self._skip("this is not JSON")
            else:
                if found is not None:
                    yield found

    def _skip(self, problem: str) -> None:
        if self.strict:
            raise LogError(f"{self.path}: line {self.read}: {problem}")
        self.skipped += 1
        self._damage = self._damage or f"; line {self.read}: {problem}"

    def at(self, marks: Mapping[str, object], *, again: bool) -> Game:
        """Return the game to which a line belongs: another one than before if its marks differ,
        or if it begins `again`. Marks that are None are not known.
        """
        told = {name: value for name, value in marks.items() if value is not None}
        before = self.game.marks
        if again or any(before.get(name, value) != value for name, value in told.items()):
            self.game = Game()
        self.game.marks.update(told)
        return self.game

    def row(self, step: str, word: str) -> Row:
        """Return the row of a step that begins in the current game."""
        self.shown = True
        game = self.game
        game.step = step
        return Row(self.read, game, game.turn, game.seat, step, word[:WORD_LIMIT])

    def end(self, wanted: str) -> None:
        """Raise LogError if nothing was shown. `wanted` says in words what lines it should have."""
        if not self.shown:
            counts = f"{self.read} lines read, {self.skipped} damaged{self._damage}"
            raise LogError(f"{self.path}: shows nothing ({counts}); wanted are {wanted}")


def values_in(line: bytes, kind: type[_S], paths: Mapping[str, str]) -> _S | None:
    """Return the values of a line of JSON at these paths, such as "state.step", by name. It is None
    for an empty line, and a value that is null is left out.

    Raises ValueError if the line is not JSON, and DamagedLine if it is no object, or has values of
    other types.
    """
    text = line.decode("utf-8-sig", "replace")
    if not text.strip():
        return None
    data = parse_json(text)
    if not isinstance(data, dict):
        raise DamagedLine("this is not a JSON object")
    told = dict[str, object]()
    for name, path in paths.items():
        value = _value_at(data, path)
        if value is not None:
            told[name] = value
    found: _S = Shapes("in this row", DamagedLine).value(told, kind)
    return found


def _value_at(data: object, path: str) -> object:
    for name in path.split("."):
        data = data.get(name) if isinstance(data, dict) else None
    return data
