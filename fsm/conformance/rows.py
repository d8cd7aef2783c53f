"""Games recorded by any program as JSON Lines: one line with turn, player, phase and step for each
step as it begins.

    {"turn": 1, "player": "Ann", "phase": "beginning", "step": "upkeep"}

Any of the four may be left out, and other fields are ignored, but each step must have a line. A
line {"players": ["Ann", "Ben", "Cy"]} begins a game and names the players in turn order. Without
it, there are two players, and the one who is seen first is the first. Another value of "game"
begins another game, and so does turn 1 after a later turn.

A file of names says how a recording differs from that. Every entry is optional:

    {"fields": {"turn": "turnNumber", "player": "who", "step": "state.step"},
     "steps": {"Untap Step": "untap", "M1": "precombat_main", "Waiting": ""},
     "phases": {"Fight": "combat"},
     "players": ["Ann", "Ben", "Cy"],
     "lines": "states"}

A word that means "" is ignored. With `lines` "steps", each step has one line as it begins; with
"states", equal lines in a row are the same visit.

Memory use does not grow with the length of the recording.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import asdict

from fsm.errors import LogError, suggest
from fsm.files import LINE_LIMIT, DamagedLine, file_lines, parse_json, read_data
from fsm.model import Kind, Model
from fsm.shapes import Shapes, all_of

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


# any log, line by line ---------------------------------------------------------------------------

WORD_LIMIT = 80


class Recording:
    """A stream of observations. Iterating reads it.

    Attributes
    ----------
    name
        Its name in messages.
    read, skipped_lines
        How many lines were read so far, and how many of them were damaged.
    players
        The players of the current game in seat order, as far as the recording names them.
    named
        Whether it lists its players.
    """

    name: str
    players: list[str]
    read = skipped_lines = 0
    named = True

    def __iter__(self) -> Iterator[Observation]:
        """Read it."""
        raise NotImplementedError


class LineLog(Recording):
    """A log as a stream of observations, line by line. Iterating reads it, and raises LogError if
    it cannot be opened or shows nothing.

    Attributes
    ----------
    wanted
        What lines it should have, in words.
    game, line, turn, seat, seats, started, shown
        What is known of the current game: see `Observation`. `started` and `shown`: whether its
        start was recorded, and something of its turns.
    """

    wanted: str

    def __init__(self, path: str | Path) -> None:
        self.name, self.players, self.damage = str(path), [], ""

    def __iter__(self) -> Iterator[Observation]:
        self.read = self.skipped_lines = self.damaged = self.game = 0
        self.forget()
        seen = False
        for number, line in enumerate(file_lines(Path(self.name)), 1):
            self.read = self.line = number
            try:
                if line is None:
                    raise DamagedLine(f"it is longer than {LINE_LIMIT} bytes")
                observed = self.observed(line)
            except DamagedLine as error:
                self.skipped_lines += 1
                self.damaged += 1
                self.damage = self.damage or f"; line {number}: {error}"
                continue
            for observation in observed:
                seen = True
                yield observation
        if not seen:
            counts = f"{self.read} lines read, {self.skipped_lines} damaged{self.damage}"
            raise LogError(f"{self.name}: shows no step ({counts}); wanted are {self.wanted}")

    def forget(self) -> None:
        """Forget the game that was read before."""
        self.turn = self.seat = 0
        self.seats: tuple[int, ...] = (1, 2)
        self.started = self.shown = False

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
            joined=joined,
            damaged=damaged,
        )

    def observed(self, line: bytes) -> Iterable[Observation]:
        """Return the observations in a line. Raises DamagedLine."""
        raise NotImplementedError


# lines of any program ----------------------------------------------------------------------------

Word = Annotated[str, Meta(min_length=1)]


class RecordedRow(Struct, frozen=True):
    """The contents of one line, in the recorder's words. None and "" mean no value. `players`
    begins a game.
    """

    game: Any = None
    turn: Annotated[int, Meta(ge=0)] | None = None
    player: Word | int = ""
    phase: str = ""
    step: str = ""
    players: tuple[Word | int, ...] = ()


class RowFields(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a line has the fields of a row: paths such as "state.step"."""

    game: str = "game"
    turn: str = "turn"
    player: str = "player"
    phase: str = "phase"
    step: str = "step"
    players: str = "players"


class RowNames(Struct, frozen=True, forbid_unknown_fields=True):
    """What a file of names says: where the fields are, the Model's names for the recorder's words,
    the players, and what the lines show.
    """

    fields: RowFields = RowFields()
    steps: Mapping[str, str] = {}
    phases: Mapping[str, str] = {}
    players: tuple[Word, ...] = ()
    lines: Literal["steps", "states"] = "steps"

    def meaning(
        self, model: Model, phase_word: str, step_word: str
    ) -> tuple[str, str, Level] | None:
        """Return the phase, step and level that these words mean, or None if they are to be
        ignored.

        A phase that has a single step means that step. Words that fit nothing in the Model mean the
        step "".
        """
        phase, step = self.phases.get(phase_word, phase_word), self.steps.get(step_word, step_word)
        if not phase and not step:
            return None
        if not step:
            inside = [s.name for s in model.of_kind("step") if phase in _homes(model, s.id)]
            return (phase, inside[0], "step") if len(inside) == 1 else (phase, "", "phase")
        homes = set[str]()
        for state in model.of_kind("step"):
            if state.name == step:
                homes.update(_homes(model, state.id))
        fits = not phase or not homes or phase in homes
        return phase, step if fits else "", "step"


def _homes(model: Model, step: str) -> tuple[str, ...]:
    found = model.enclosing(step, "phase")
    return (found.name, found.family) if found is not None else ()


def read_names(path: str | Path, model: Model) -> RowNames:
    """Read a file of names. Raises LogError, which names the file, the place and the remedy."""
    shapes = Shapes(str(path), LogError)
    names: RowNames = shapes.value(read_data(path, LogError), RowNames, "")
    if shapes.problems:
        raise all_of(shapes.problems)
    _check_words(names.steps, model, "step", f"{path}: steps: ")
    _check_words(names.phases, model, "phase", f"{path}: phases: ")
    if len({*names.players}) != len(names.players):
        raise LogError(f"{path}: players: must be a list of different names")
    return names


def _check_words(words: Mapping[str, str], model: Model, kind: Kind, place: str) -> None:
    states = model.of_kind(kind)
    known = {"", *(state.name for state in states), *(state.family for state in states)}
    for name, word in words.items():
        if word not in known:
            wrong = f"{name!r} is to mean {word!r}, which is no {kind} of {model.name}"
            raise LogError(f"{place}{wrong}{suggest(word, known - {''})}")


class RowLog(LineLog):
    """A recording as a stream of observations. Iterating reads it, and raises LogError if it shows
    too many players.
    """

    wanted = (
        'lines such as {"turn": 1, "player": "Ann", "phase": "beginning", "step": "upkeep"}, or a '
        "file of names that says which fields to read"
    )

    def __init__(self, path: str | Path, model: Model, names: RowNames | None = None) -> None:
        super().__init__(path)
        self.model, self.names, self.named = model, names or RowNames(), False
        self.paths = {name: path.split(".") for name, path in asdict(self.names.fields).items()}

    def forget(self) -> None:
        """Forget the game that was read before."""
        super().forget()
        self.identity: object = None
        self.listed = False
        self.last: RecordedRow | None = None

    def observed(self, line: bytes) -> Iterable[Observation]:
        """Return the observations in a line. Raises DamagedLine."""
        row = self._row(line)
        return self._observed(row) if row is not None else ()

    def _row(self, line: bytes) -> RecordedRow | None:
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
        told = {name: _value_at(data, path) for name, path in self.paths.items()}
        told = {name: value for name, value in told.items() if value is not None}
        if not told.keys() - {"game"}:
            return None
        shapes = Shapes("row", LogError)
        row: RecordedRow = shapes.value(told, RecordedRow, "")
        if shapes.problems:
            raise DamagedLine(str(shapes.problems[0]).removeprefix("row: "))
        if len({*map(str, row.players)}) != len(row.players):
            raise DamagedLine("its players must be different names")
        return row

    def _observed(self, found: RecordedRow) -> Iterator[Observation]:
        self._check_game(found)
        if found.players or (self.names.lines == "states" and found == self.last):
            return
        self.last = found
        seat = self.seat if found.player == "" else self._seat(str(found.player))
        news = found.turn not in (None, self.turn) or seat != self.seat
        self.turn, self.seat = self.turn if found.turn is None else found.turn, seat
        self.seats = tuple(range(1, max(2, len(self.players)) + 1))
        if found.phase or found.step:
            meaning = self.names.meaning(self.model, found.phase, found.step)
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
            self.players, self.listed = [*map(str, row.players)], True
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


def _value_at(data: object, path: Iterable[str]) -> object:
    """Return the value at a path such as "state.turn", or None."""
    for name in path:
        if not isinstance(data, dict):
            return None
        data = data.get(name)
    return data
