"""The coverage page with links to games that take what is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fsm.coverage.target import Key, Result
from fsm.model import Model
from fsm.testing.generating import ways_to
from fsm.testing.path import Path
from fsm.views.coveragepage import pages
from fsm.views.explorer.links import Link, link_of


def linked_pages(results: Sequence[Result], file: str) -> Mapping[str, str]:
    """Return the texts of the pages, by path."""
    return pages(results, file, _links_of)


def _links_of(result: Result) -> Mapping[str, Mapping[Key, Link]]:
    """Return links to games that take the targets that are missing."""
    missing = {
        coverage.criterion: coverage.missing for coverage in result.coverages if coverage.missing
    }
    first = {name: missing.pop(name) for name in ("transitions",) if name in missing}
    return {
        criterion: {key: _link(result.model, path) for key, path in ways.items()}
        for criterion, ways in ways_to(result.model, first | missing).items()
    }


def _link(model: Model, path: Path) -> Link:
    start = path.start
    told = {"players": start.players, "teams": start.teams, "settings": dict(start.settings)}
    return link_of(start.controller(model), told, path.answers)
