"""Draws pictures that show how often each transition was taken."""

from __future__ import annotations

from collections.abc import Sequence

from fsm.coverage.reports.files import beside, names_of
from fsm.coverage.target import Result
from fsm.model.graph import graphs_of
from fsm.views.drawing import Counts, draw

MOST = 50
"""At most this many machines are drawn."""


def heat_maps(results: Sequence[Result], file: str) -> dict[str, str]:
    """Draw the turn of each machine for light and dark paper: FILE and FILE-dark, or FILE-NAME if
    there are several.
    """
    found: dict[str, str] = {}
    for result, name in zip(results[:MOST], names_of(results), strict=False):
        path = beside(file, name if len(results) > 1 else "")
        found[path] = heat_map(result)
        found[beside(path, "dark")] = heat_map(result, theme="dark")
    return found


def heat_map(result: Result, view: str = "turn", theme: str = "light") -> str:
    """Draw one view as SVG. Raises DrawError if nothing can be drawn."""
    return draw(result.model, view=view, theme=theme, counts=counts_of(result))


def counts_of(result: Result) -> Counts:
    """Return how often each transition was taken, in the form that pictures need."""
    coverage = result.by("transitions")
    taken = coverage.taken if coverage is not None else {}
    own = graphs_of(result.model)[0].name
    turn, window = (
        {id: n for (at, id), n in taken.items() if at == machine} for machine in (own, "window")
    )
    return Counts(turn, window)
