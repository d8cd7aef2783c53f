"""How a game is set up: who plays, in which order and with whom, and how its settings stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import force_setattr

from fsm.errors import FsmError, shown
from fsm.model import Model
from fsm.model.elements import ONE_BY_ONE
from fsm.state.run import Run

Players: TypeAlias = tuple[str, ...]


class StartAt(Struct, frozen=True, omit_defaults=True):
    """Where a game starts that starts in the middle. Nothing happened before but what is told.

    Attributes
    ----------
    step
        The name of the step with whose beginning the game starts. If it is "", the first step of
        the turn.
    turn
        The number of the turn.
    player
        The player whose turn it is. If it is "", the one whose turn it is when turns go round in
        order.
    facts
        What the game told earlier in this turn, by the names of the facts. Any other fact was as in
        a quiet game.
    """

    step: str = ""
    turn: int = 1
    player: str = ""
    facts: Mapping[str, bool] = {}

    def __post_init__(self) -> None:
        """Copy the facts, so that their giver cannot change them any more."""
        if isinstance(self.facts, Mapping):
            force_setattr(self, "facts", dict(self.facts))


def checked_players(players: Sequence[str]) -> Players:
    """Return the players. Raises FsmError unless they are different names."""
    names = _names(players)
    if not names or "" in names or len({*names}) != len(names):
        text = "players must be one or more different names, each a string that is not empty"
        raise FsmError(f"{text}, not {shown(players)}; write ['Ann', 'Ben']", place="players")
    return names


def _names(values: object) -> tuple[str, ...]:
    """Return strings that can be written as a tuple, or none if these are no such strings."""
    try:
        names = () if isinstance(values, str) else tuple(values)  # type: ignore[arg-type]
        "".join(names).encode()
    except (TypeError, UnicodeEncodeError):
        return ()
    return names


def first_run(
    model: Model, players: Players, teams: Sequence[Sequence[str]], settings: Mapping[str, bool]
) -> Run:
    """Return the run of a game at its beginning.

    Raises FsmError unless the teams are made of the players, and the settings are the model's.
    """
    side_of: dict[int, tuple[int, ...]] = {seat: (seat,) for seat in range(len(players))}
    for team in _teams(teams):
        names = [FsmError.known_name("player", one, players, "this game", "teams") for one in team]
        seats = tuple(map(players.index, names))
        side_of |= dict.fromkeys(seats, seats)
    sides = tuple(dict.fromkeys(side_of.values()))
    sizes, together = [len(side) for side in sides], tuple[tuple[int, ...], ...]()
    if any(state.manner == ONE_BY_ONE for state in model.of_kind("turn")):
        together = tuple(side for side in sides if len(side) > 1)
        sides = tuple((seat,) for seat in range(len(players)))
    known = [setting.name for setting in model.settings]
    for name, value in settings.items():
        place = f"settings.{name}"
        FsmError.known_name("setting", name, known, model.name, place)
        if not isinstance(value, bool):
            raise FsmError(f"setting {name!r} must be true or false, not {value!r}", place=place)
    on = [s.name for s in model.settings if settings.get(s.name, s.standing(sizes))]
    return Run(state=model.initial, sides=sides, teams=together, settings=frozenset(on))


def _teams(teams: object) -> list[tuple[str, ...]]:
    """Return teams. Raises FsmError unless they are groups of different names."""
    if isinstance(teams, Iterable):
        groups = [_names(team) for team in teams]
        members = list(chain.from_iterable(groups))
        if all(groups) and len({*members}) == len(members):
            return groups
    text = f"teams must be groups of different players' names, not {shown(teams)}"
    raise FsmError(f"{text}; write [['A', 'B'], ['C', 'D']]", place="teams")
