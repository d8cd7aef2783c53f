"""Who plays, in which order and with whom, and how the settings of a game stand when it starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fsm.errors import FsmError, OrderError, shown
from fsm.model import Model
from fsm.state.agenda import Agenda
from fsm.state.orders import Order
from fsm.state.run import Run
from fsm.state.sides import sides_among

TRACE_FORMAT = "fsm-trace-1"


@dataclass(frozen=True, slots=True)
class StartAt:
    """Where a game starts that starts in the middle. `TurnController.assumed` says what is then
    taken for granted.

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
    facts: Mapping[str, bool] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class GameHeader:
    """What a replay needs to start: the model's name and fingerprint, and the set-up of the game.

    `complete` says whether the trace begins with the game. `start` is None if the game starts at
    its beginning.
    """

    model: str
    fingerprint: str
    players: tuple[str, ...]
    teams: tuple[tuple[str, ...], ...] = ()
    settings: Mapping[str, bool] = field(default_factory=dict)
    orders: tuple[Order, ...] = ()
    complete: bool = True
    format: str = TRACE_FORMAT
    start: StartAt | None = None


def sides_of(players: Sequence[str], teams: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    """The sides in turn order: each player alone, or a team together. Raises FsmError when they do
    not fit.
    """
    return sides_among(checked_seats(players, teams), teams)


def checked_seats(players: Sequence[str], teams: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the players. Raises FsmError unless they are different names, and the teams are made
    of them.
    """
    if not teams and (
        players.__class__ is tuple or players.__class__ is list
    ):  # nearly always; the rest takes longer
        for player in players:
            if player.__class__ is not str or not player:
                break
        else:
            if 0 < len(players) == len({*players}):
                return tuple(players)
    if (
        isinstance(players, str)
        or not _are_names(players)
        or not players
        or len(set(players)) != len(players)
    ):
        right = "one or more different names, each a string that is not empty"
        names = (
            [name.strip() for name in players.split(",")]
            if isinstance(players, str) and players
            else []
        )
        remedy = (
            f": write {names}"
            if len(names) > 1
            else f": write [{names[0]!r}, ...]"
            if names
            else ""
        )
        raise FsmError(f"players must be {right}, not {shown(players)}{remedy}")
    if not teams:
        return tuple(players)
    if not _are_groups(teams):
        raise FsmError(
            f"teams must be groups of players' names, not {shown(teams)}; write [['A', 'B'], ['C', 'D']]"
        )
    teamed = [p for team in teams for p in team]
    for player in teamed:
        if player not in players:
            raise FsmError(
                f"team member {player!r} is no player",
                kind="unknown-player",
                found=player,
                known=players,
            )
    if len(set(teamed)) != len(teamed) or any(not team for team in teams):
        raise FsmError(f"teams must be groups of different players, not {shown(teams)}")
    return tuple(players)


def _are_names(values: object) -> bool:
    """Is this a sequence of strings, none of them empty?"""
    return isinstance(values, Sequence) and all(
        isinstance(value, str) and value for value in values
    )


def _are_groups(values: object) -> bool:
    """Is this a sequence of sequences of strings? A string is a sequence of letters, which is not
    meant.
    """
    return isinstance(values, Sequence) and all(
        not isinstance(v, str) and _are_names(v) for v in values
    )


def run_of(model: Model, head: GameHeader) -> Run:
    """The run of a game at its beginning. Raises OrderError when its orders do not fit."""
    run = Run(model, Agenda(head.players, head.teams), settings=head.settings, state=model.initial)
    if head.orders:
        give_orders(run, head.orders)
    return run


def give_orders(run: Run, orders: Sequence[Order]) -> None:
    """Give the orders that are in force as a game starts. Raises OrderError when one does not fit."""
    from fsm.state.orders import Leave, is_interruption
    from fsm.state.scheduling import apply_all  # most games start without orders

    for order in orders:
        if isinstance(order, Leave):
            raise OrderError(
                f"{order!r} cannot be in force before the game: leave the players out of it"
            )
        if is_interruption(order):
            raise OrderError(
                f"{order!r} interrupts a turn, and none is under way before the game: leave the order out"
            )
    apply_all(orders, run, "orders")


def settings_of(
    model: Model, sides: Sequence[Sequence[str]], chosen: Mapping[str, bool]
) -> dict[str, bool]:
    """Every setting of the model, as chosen or by default. Raises FsmError for unknown or wrong
    ones.
    """
    known = {s.name: s for s in model.settings}
    for name, value in chosen.items():
        if name not in known:
            raise FsmError(
                f"setting {name!r} is not in {model.name}",
                kind="unknown-setting",
                found=name,
                known=known,
            )
        if not isinstance(value, bool):
            raise FsmError(f"setting {name!r} must be true or false, not {value!r}")
    sizes = tuple(map(len, sides))
    return {name: chosen.get(name, setting.standing(sizes)) for name, setting in known.items()}
