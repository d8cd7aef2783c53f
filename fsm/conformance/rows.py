"""A log is rows. Each format is a generator of rows, which reads a `Log`; a follower takes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

from fsm.errors import LogError
from fsm.files import LINE_LIMIT, file_lines, parse_json
from fsm.shapes import Shapes

if TYPE_CHECKING:
    from fsm.engine.trace import Trace

WORD_LIMIT = 80
_T = TypeVar("_T")
_S = TypeVar("_S", bound=Struct)


class DamagedLine(Exception):
    """A line of a log that should state something cannot be read."""


class NoJson(DamagedLine):
    """It is not even JSON, perhaps because its end is missing."""


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
    label
        What tells it from the game before, such as its number.
    turn, seat, step
        The last turn, active seat and step. They are 0 or "" if not known.
    """

    players: list[str] = field(default_factory=list)
    named: bool = False
    seats: int = 2
    whole: bool = False
    label: dict[str, object] = field(default_factory=dict)
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
    lost
        Whether lines before it were damaged, in which steps may have begun.
    """

    line: int
    game: Game
    turn: int
    seat: int
    step: str
    word: str
    lost: bool

    def __str__(self) -> str:
        seat = f"seat {self.seat}" if self.seat else ""
        return step_words(self.step or repr(self.word), self.turn, seat)


def step_words(step: str, turn: int, active: str) -> str:
    """Return a step in words. The turn is 0, and the active player "", if not known."""
    of = f" of {active}" if active else ""
    return f"{step} in turn {turn}{of}" if turn else f"{step}{of}"


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
        could = "; ".join(self.expected) or "nothing: the model has a hole here"
        hint = f" ({self.hint})" if self.hint else ""
        return f"line {self.line}: seen {self.seen}; could have come: {could}{hint}"


class Log:
    """A log that is read, line by line. Memory use does not grow with its length.

    Attributes
    ----------
    path
        Where it is.
    rows
        Its rows, as its format reads them. They can be read once.
    strict
        Whether a damaged line is an error.
    read, skipped
        How many lines were read so far, and how many of them were damaged.
    shown
        Whether it has shown anything.
    game
        The current game.
    trace
        What it is, if it is a trace.
    """

    trace: Trace | None = None

    def __init__(self, path: str | Path, *, strict: bool = False) -> None:
        self.path, self.strict, self.game = Path(path), strict, Game()
        self.rows: Iterator[Row] = iter(())
        self.read = self.skipped = 0
        self.shown = self._lost = False
        self._damage = ""

    def parsed(self, parse: Callable[[bytes], _T | None]) -> Iterator[_T]:
        """Yield what is made of each line. Those for which DamagedLine is raised are counted, or
        LogError is raised. A torn last line is left out.
        """
        for line in file_lines(self.path):
            self.read += 1
            try:
                if line is None:
                    raise DamagedLine(f"it is longer than {LINE_LIMIT} bytes")
                found = parse(line)
            except DamagedLine as error:
                if isinstance(error, NoJson) and line is not None and not line.endswith(b"\n"):
                    return  # who wrote it was stopped
                if self.strict:
                    raise LogError(f"{self.path}: line {self.read}: {error}") from None
                self.skipped += 1
                self._damage = self._damage or f"; line {self.read}: {error}"
                self._lost = True
                continue
            if found is not None:
                yield found

    def at(self, marks: Mapping[str, object], *, again: bool) -> Game:
        """Return the game to which a line belongs: another one than before if its marks differ,
        or if it begins `again`.
        """
        told = {name: value for name, value in marks.items() if value is not None}
        label = self.game.label
        if again or any(label.get(name, value) != value for name, value in told.items()):
            self.game = Game()
        self.game.label.update(told)
        return self.game

    def row(self, step: str, word: str) -> Row:
        """Return the row of a step that begins in the current game."""
        lost, self._lost, self.shown = self._lost, False, True
        game = self.game
        game.step = step
        return Row(self.read, game, game.turn, game.seat, step, word[:WORD_LIMIT], lost)

    def end(self, wanted: str, what: str = "step") -> None:
        """Raise LogError if nothing was shown. `wanted` says in words what lines it should have."""
        if not self.shown:
            counts = f"{self.read} lines read, {self.skipped} damaged{self._damage}"
            raise LogError(f"{self.path}: shows no {what} ({counts}); wanted are {wanted}")


def values_in(line: bytes, kind: type[_S], paths: Mapping[str, str]) -> _S | None:
    """Return the values of a line of JSON at these paths, such as "state.step", by name. It is None
    for an empty line, and a value that is null is left out.

    Raises DamagedLine if the line is no JSON object, or has values of other types.
    """
    text = line.decode("utf-8", "replace").lstrip("\ufeff")
    if not text.strip():
        return None
    try:
        data = parse_json(text)
    except ValueError:
        raise NoJson("this is not JSON") from None
    if not isinstance(data, dict):
        raise DamagedLine("this is not a JSON object")
    told = {name: _value_at(data, path) for name, path in paths.items()}
    told = {name: value for name, value in told.items() if value is not None}
    try:
        found: _S = Shapes("row", LogError).value(told, kind)
    except LogError as error:
        raise DamagedLine(str(error).removeprefix("row: ")) from None
    return found


def _value_at(data: object, path: str) -> object:
    for name in path.split("."):
        data = data.get(name) if isinstance(data, dict) else None
    return data
