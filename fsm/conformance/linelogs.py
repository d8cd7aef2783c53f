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
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import asdict

from fsm.conformance.rows import DamagedLine, Log, Row, values_in
from fsm.errors import LogError, suggest
from fsm.files import read_data
from fsm.model import Kind, Model, State
from fsm.shapes import Shapes

WANTED = (
    'lines such as {"turn": 1, "player": "Ann", "phase": "beginning", "step": "upkeep"}, or a file '
    "of names that says which fields to read"
)
Word = Annotated[str, Meta(min_length=1)]


class Line(Struct, frozen=True):
    """The contents of one line, in the recorder's words. None, 0 and "" mean no value."""

    game: Any = None
    turn: Annotated[int, Meta(ge=0)] = 0
    player: Word | int = ""
    phase: str = ""
    step: str = ""
    players: tuple[Word | int, ...] = ()


class Fields(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a line has its values: paths such as "state.step"."""

    game: str = "game"
    turn: str = "turn"
    player: str = "player"
    phase: str = "phase"
    step: str = "step"
    players: str = "players"


class Names(Struct, frozen=True, forbid_unknown_fields=True):
    """What a file of names says: where the values are, the Model's names for the recorder's words,
    the players, and what the lines show.
    """

    fields: Fields = Fields()
    steps: Mapping[str, str] = {}
    phases: Mapping[str, str] = {}
    players: tuple[Word, ...] = ()
    lines: Literal["steps", "states"] = "steps"


def read_names(path: str | Path, model: Model) -> Names:
    """Read a file of names. Raises LogError, which names the file, the place and the remedy."""
    names: Names = Shapes(str(path), LogError).value(read_data(path, LogError), Names)
    _check_words(names.steps, model, "step", f"{path}: steps: ")
    _check_words(names.phases, model, "phase", f"{path}: phases: ")
    if len({*names.players}) != len(names.players):
        raise LogError(f"{path}: players: must be a list of different names")
    return names


def _check_words(words: Mapping[str, str], model: Model, kind: Kind, place: str) -> None:
    states = model.of_kind(kind)
    known = [*(state.name for state in states), *(state.family for state in states)]
    for name, word in words.items():
        if word not in ("", *known):
            wrong = f"{name!r} is to mean {word!r}, which is no {kind} of {model.name}"
            raise LogError(f"{place}{wrong}{suggest(word, known)}")


def line_rows(log: Log, model: Model, names: Names) -> Iterator[Row]:
    """Yield the rows of a recording. Raises LogError if it shows none, or too many players."""
    paths = asdict(names.fields)
    log.game.players = [*names.players]
    log.game.named = bool(names.players)
    for line in log.parsed(lambda line: _line(line, paths)):
        _find_game(log, line, names)
        game = log.game
        before = game.turn, game.seat, game.step
        game.turn = line.turn or game.turn
        game.seat = _seat(log, str(line.player)) if line.player != "" else game.seat
        game.seats = max(2, len(game.players))
        step = _step(model, names, line)
        again = (game.turn, game.seat, step) == before
        if step is not None and not (again and names.lines == "states"):
            yield log.row(step, f"{line.phase} {line.step}".strip())
    log.end(WANTED)


def _line(line: bytes, paths: Mapping[str, str]) -> Line | None:
    found = values_in(line, Line, paths)
    if found is not None and len({*map(str, found.players)}) != len(found.players):
        raise DamagedLine("its players must be different names")
    return found


def _find_game(log: Log, line: Line, names: Names) -> None:
    """Begin another game if the line belongs to one."""
    before = log.game
    again = line.turn == 1 and before.turn > 1 and line.game is None
    game = log.at({"game": line.game}, again=again or bool(line.players))
    if game is not before:
        game.players = [*map(str, line.players or names.players)]
        game.named = bool(game.players)


def _seat(log: Log, player: str) -> int:
    players = log.game.players
    if player not in players:
        if log.game.named or len(players) == 2:
            raise LogError(
                f"{log.path}: line {log.read}: {player!r} plays beside "
                f'{", ".join(players)}; say who plays, in turn order: by a line {{"players": '
                f'[...]}} before the game, or "players" in the file of names'
            )
        players.append(player)
    return players.index(player) + 1


def _step(model: Model, names: Names, line: Line) -> str | None:
    """Return the step of which a line speaks, "" for words that fit nothing in the Model, or None
    if it speaks of none. A phase that has a single step means that step.
    """
    phase = names.phases.get(line.phase, line.phase)
    step = names.steps.get(line.step, line.step)
    if not (phase or step):
        return None
    every = model.of_kind("step")
    inside = [state.name for state in every if not phase or phase in _homes(model, state)]
    if step:
        elsewhere = step not in inside and step in [state.name for state in every]
        return "" if elsewhere else step
    if len(inside) == 1:
        return inside[0]
    return None if inside else ""


def _homes(model: Model, step: State) -> tuple[str, ...]:
    found = model.enclosing(step.id, "phase")
    return (found.name, found.family) if found is not None else ()
