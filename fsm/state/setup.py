"""How a game is set up: who plays, in which order and with whom, and how its settings stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import force_setattr

from fsm.errors import FsmError, shown
from fsm.model import Model
from fsm.state.run import Run

Players: TypeAlias = tuple[str, ...]
Sides: TypeAlias = tuple[tuple[int, ...], ...]


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


def first_run(
    model: Model, players: Players, teams: Sequence[Sequence[str]], settings: Mapping[str, bool]
) -> Run:
    """Return the run of a game at its beginning.

    Raises FsmError unless the teams are made of the players, and the settings are the model's.
    """
    sides = _sides_of(players, teams)
    return Run(state=model.initial, sides=sides, settings=_settings_on(model, sides, settings))


def checked_players(players: Sequence[str]) -> Players:
    """Return the players. Raises FsmError unless they are different names."""
    try:
        names = tuple(players)
        "".join(names).encode()  # which only strings are that can be written
    except (TypeError, UnicodeEncodeError):
        names = ()
    if not names or isinstance(players, str) or "" in names or len({*names}) != len(names):
        text = "players must be one or more different names, each a string that is not empty"
        remedy = ""
        if isinstance(players, str):
            remedy = f"write {players.replace(',', ' ').split()!r}"
        raise FsmError(f"{text}, not {shown(players)}", remedy=remedy)
    return names


def _are_groups(values: object) -> bool:
    """Say whether these are sequences. A string is one of letters, which is not meant."""
    if not isinstance(values, Sequence):
        return False
    return all(isinstance(v, Sequence) and not isinstance(v, str) for v in values)


def _sides_of(players: Players, teams: Sequence[Sequence[str]]) -> Sides:
    """Return the seats of the sides in turn order: each player alone, or a team together."""
    if not _are_groups(teams):
        text = f"teams must be groups of players' names, not {shown(teams)}"
        raise FsmError(f"{text}; write [['A', 'B'], ['C', 'D']]")
    team_of = dict[int, tuple[int, ...]]()
    for team in teams:
        for player in team:
            if player not in players:
                text = f"team member {player!r} is no player"
                raise FsmError(text, kind="unknown-player", found=player, known=players)
        seats = tuple(map(players.index, team))
        taken = not team_of.keys().isdisjoint(seats)
        if not seats or taken or len({*seats}) != len(seats):
            raise FsmError(f"teams must be groups of different players, not {shown(teams)}")
        team_of |= dict.fromkeys(seats, seats)
    sides = [team_of.get(seat, (seat,)) for seat in range(len(players))]
    return tuple(dict.fromkeys(sides))


def _settings_on(model: Model, sides: Sides, chosen: Mapping[str, bool]) -> frozenset[str]:
    """Return the settings that are on, as chosen or by default."""
    known = {setting.name: setting for setting in model.settings}
    for name, value in chosen.items():
        if name not in known:
            text = f"setting {name!r} is not in {model.name}"
            raise FsmError(text, kind="unknown-setting", found=name, known=known)
        if not isinstance(value, bool):
            raise FsmError(f"setting {name!r} must be true or false, not {value!r}")
    sizes = [len(side) for side in sides]
    return frozenset(
        name for name, setting in known.items() if chosen.get(name, setting.standing(sizes))
    )
