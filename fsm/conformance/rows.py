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
     "lines": "states",
     "complete": false}

A word that means "" is ignored. With `lines` "steps", each step has one line as it begins; with
"states", equal lines in a row are the same visit. `complete` says whether the recording shows every
step, also those in which nobody may act.

Memory use does not grow with the length of the recording.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from fsm.conformance.logs import Line, LineLog
from fsm.conformance.observations import Level, Observation
from fsm.errors import LogError, suggest
from fsm.files import DamagedLine, parse_json, read_data
from fsm.model import Kind, Model
from fsm.shapes import Shapes, all_of

EXAMPLE_LINE = '{"turn": 1, "player": "Ann", "phase": "beginning", "step": "upkeep"}'
WORDS_KEPT = 1024
"""The meanings of at most so many words are kept."""
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


FIELDS = RecordedRow.__struct_fields__


class RowNames(Struct, frozen=True, forbid_unknown_fields=True):
    """What a file of names says: paths in a line for FIELDS, the Model's names for the recorder's
    words, the players, and what the lines show.
    """

    fields: Mapping[str, str] = {}
    steps: Mapping[str, str] = {}
    phases: Mapping[str, str] = {}
    players: tuple[Word, ...] = ()
    lines: Literal["steps", "states"] = "steps"
    complete: bool = True

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
    shapes, place = Shapes(str(path), LogError), f"{path}: "
    names = shapes.value(read_data(path, LogError), RowNames, "")
    if not isinstance(names, RowNames):
        raise all_of(shapes.problems)
    _check_known(names.fields, FIELDS, f"{place}fields: ")
    _check_words(names.steps, model, "step", f"{place}steps: ")
    _check_words(names.phases, model, "phase", f"{place}phases: ")
    if len({*names.players}) != len(names.players):
        raise LogError(f"{place}players: must be a list of different names")
    return names


def _check_known(given: Iterable[str], known: tuple[str, ...], place: str) -> None:
    for name in given:
        if name not in known:
            raise LogError(f"{place}{name!r} is not known{suggest(name, known)}")


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
        self.paths = {name: self.names.fields.get(name, name).split(".") for name in FIELDS}
        self.meaning = lru_cache(WORDS_KEPT)(
            lambda phase, step: self.names.meaning(model, phase, step)
        )
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
        told = {name: _value_at(data, path) for name, path in self.paths.items()}
        told = {name: value for name, value in told.items() if value is not None}
        if not told.keys() - {"game"}:
            return None
        shapes = Shapes("row", LogError)
        row = shapes.value(told, RecordedRow, "")
        if not isinstance(row, RecordedRow):
            raise DamagedLine(str(shapes.problems[0]).removeprefix("row: "))
        if len({*map(str, row.players)}) != len(row.players):
            raise DamagedLine("its players must be different names")
        return row

    def observed(self, found: RecordedRow) -> Iterator[Observation]:
        """Yield the observations of one row."""
        self._check_game(found)
        if found.players or (self.names.lines == "states" and found == self.last):
            return
        self.last = found
        seat = self.seat if found.player == "" else self._seat(str(found.player))
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
