"""Finds the shortest paths from one state through a graph of states."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable


def shortest_ways(edges: Iterable[tuple[str, str]], start: str) -> dict[str, list[str]]:
    """Return the states on a shortest path to each reachable state, both ends included. Earlier
    edges win ties.
    """
    leaving: dict[str, list[str]] = {}
    for at, to in edges:
        leaving.setdefault(at, []).append(to)
    ways, open = {start: [start]}, deque([start])
    while open:
        at = open.popleft()
        for to in leaving.get(at, ()):
            if to not in ways:
                ways[to] = [*ways[at], to]
                open.append(to)
    return ways
