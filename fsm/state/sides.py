"""Sides in turn order: each player alone, or a team that shares its turns (CR 805).

A side has the name of its first member.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

Players = tuple[str, ...]
Teams = tuple[tuple[str, ...], ...]


def sides_among(
    players: Sequence[str], teams: Sequence[Sequence[str]]
) -> tuple[tuple[str, ...], ...]:
    """The sides in turn order: each player alone, or a team together where its first member sits."""
    of = {p: tuple(team) for team in teams for p in team}
    return tuple(dict.fromkeys(of.get(p, (p,)) for p in players))


@lru_cache(maxsize=1024)
def one_more(counts: tuple[int, ...], seat: int) -> tuple[int, ...]:
    """One more for this seat; the same object for all games that have come as far."""
    return (*counts[:seat], counts[seat] + 1, *counts[seat + 1 :])


@lru_cache(maxsize=1024)
def living(players: Players, teams: Teams, left: Players) -> tuple[str, ...]:
    """The sides with somebody left, in turn order."""
    return tuple(
        side[0] for side in sides_among(players, teams) if any(p not in left for p in side)
    )


@lru_cache(maxsize=1024)
def following(
    players: Players, teams: Teams, left: Players, side: str, backwards: bool = False
) -> str:
    """The next living side in turn order after this one, or "" if there is none."""
    order, there = [s[0] for s in sides_among(players, teams)], living(players, teams, left)
    if backwards and side in order:
        order.reverse()
    start = order.index(side) + 1 if side in order else 0
    return next((s for s in order[start:] + order[:start] if s in there), "")
