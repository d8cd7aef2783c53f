"""Generated functions that make the requests of one position again: for other players, in another
turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import cache
from typing import Any

from fsm.compiled.quickinit import twin_of
from fsm.compiled.sharing import function_of
from fsm.engine.requests import Position, Request

Players = tuple[str, ...]
Arrive = Callable[[Players, int], Request]
"""Makes the request for these players, in the turn of this number."""
Stay = Callable[[Players, Position], Request]
"""Makes the request with the position that the last request had."""


def asker(request: Request, players: Players) -> tuple[Arrive, Stay]:
    """Return what makes the same request for players in the same seats. Nothing has expired or
    triggered before it.
    """
    at = request.at
    seats = (
        players.index(at.active),
        players.index(at.controller),
        *map(players.index, request.by),
    )
    kind: Any = type(request)
    made: tuple[Arrive, Stay] = _binding(kind, len(request.by))(request, seats)
    return made


@cache
def _binding(kind: type[Any], count: int) -> Callable[[Request, Sequence[int]], Any]:
    """Return the function that makes the two functions for a request of this class, with so many
    players.

    Whatever they need are local variables of it. They make objects as `fsm.compiled.quickinit`
    does.
    """
    seats = [f"seat{number}" for number in range(count)]
    every = "".join(f"players[{seat}], " for seat in seats)
    named = {"at": "at", "player": "players[seat0]", "players": f"({every})"}
    place = {
        "turn": "turn",
        "active": "players[active_seat]",
        "controller": "players[controller_seat]",
    }
    own = [f.name for f in fields(kind) if f.name not in named]
    where = [f.name for f in fields(Position) if f.name not in place]
    request = [
        "        made = request_twin()",
        *(f"        made.{f.name} = {named.get(f.name, f.name)}" for f in fields(kind)),
        "        made.__class__ = kind",
        "        return made",
    ]
    lines = [
        "def bind(request, seats):",
        f"    {', '.join(('active_seat', 'controller_seat', *seats))} = seats",
        *(f"    {name} = request.{name}" for name in own),
        *(f"    at_{name} = request.at.{name}" for name in where),
        "    def arrive(players, turn):",
        "        at = position_twin()",
        *(f"        at.{f.name} = {place.get(f.name, f'at_{f.name}')}" for f in fields(Position)),
        "        at.__class__ = Position",
        *request,
        "    def stay(players, at):",
        *request,
        "    return arrive, stay",
    ]
    names = {
        "kind": kind,
        "request_twin": twin_of(kind),
        "Position": Position,
        "position_twin": twin_of(Position),
    }
    return function_of("\n".join(lines), "bind", names)
