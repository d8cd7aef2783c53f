"""Reads the options of a report: formats, files and criteria."""

from __future__ import annotations

from collections.abc import Iterable

from fsm.coverage.criteria import criterion
from fsm.coverage.reports.formats import Report, formats
from fsm.errors import CoverageError, suggest

DEFAULT = ("states", "transitions")
"""The default criteria: those that are counted at once, for a machine of any size."""
TERMINAL = ("term", "term-missing")


def report_asked(text: str) -> Report:
    """Read "KIND" or "KIND:FILE". Raises CoverageError if there is no such kind."""
    (kind, colon, file), known = text.partition(":"), formats()
    if kind not in known and kind not in TERMINAL:
        raise CoverageError(f"report {kind!r} is unknown{suggest(kind, (*TERMINAL, *known))}")
    if kind in TERMINAL and colon:
        raise CoverageError(
            f"report {text!r}: {kind} goes to the terminal; leave out {colon + file!r}"
        )
    if colon and not file:
        raise CoverageError(
            f"report {text!r} names no file; write {kind}:{known[kind].file}, or {kind} alone"
        )
    return Report(kind, file or (known[kind].file if kind in known else ""))


def criteria_asked(texts: Iterable[str]) -> tuple[str, ...]:
    """Read texts such as "a,b". Without any criterion, return DEFAULT. Raises CoverageError for an
    unknown one.
    """
    names = tuple(dict.fromkeys(name for text in texts for name in split(text)))
    for name in names:
        criterion(name)
    return names or DEFAULT


def split(text: str) -> list[str]:
    """Split a text such as "a, b"."""
    return [part.strip() for part in text.split(",") if part.strip()]
