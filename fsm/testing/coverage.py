"""The coverage page with links to games that take what is missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fsm.coverage.target import Key, Result
from fsm.testing.generation.leading import ways_to
from fsm.views.coverage.page import pages
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
        criterion: {
            key: link_of(path.start.controller(result.model), path.answers)
            for key, path in ways.items()
        }
        for criterion, ways in ways_to(result.model, first | missing).items()
    }
