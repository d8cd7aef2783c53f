"""What is asked of a report, read from the words of an option: kinds and files, criteria, the least that will do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fsm.coverage.criteria import criterion
from fsm.errors import CoverageError, suggest

DEFAULT = ("states", "transitions", "literals", "pairs")
"""The criteria of which nobody says otherwise."""
FILES = {
    "html": "fsm-coverage.html",
    "svg": "fsm-coverage.svg",
    "json": "fsm-coverage.json",
    "lcov": "fsm-coverage.info",
}
TERMINAL = ("term", "term-missing")


@dataclass(frozen=True, slots=True)
class Report:
    """One report: its kind, and the file it goes to ("" for the terminal)."""

    kind: str
    file: str = ""


@dataclass(frozen=True, slots=True)
class Floor:
    """The least share that will do, in percent, by one criterion or ("") by every one that is asked for."""

    criterion: str
    percent: float


def report_asked(text: str) -> Report:
    """The report of "KIND" or "KIND:FILE". Raises CoverageError when there is no such kind."""
    kind, colon, file = text.partition(":")
    if kind not in FILES and kind not in TERMINAL:
        raise CoverageError(f"report {kind!r} is unknown{suggest(kind, (*TERMINAL, *FILES))}")
    if kind in TERMINAL and colon:
        raise CoverageError(f"report {text!r}: {kind} goes to the terminal; leave out {colon + file!r}")
    if colon and not file:
        raise CoverageError(f"report {text!r} names no file; write {kind}:{FILES[kind]}, or {kind} alone")
    return Report(kind, file or FILES.get(kind, ""))


def criteria_asked(texts: Iterable[str]) -> tuple[str, ...]:
    """The criteria of "a,b" and so on, each once; without any, DEFAULT. Raises CoverageError for an unknown one."""
    names = tuple(dict.fromkeys(name for text in texts for name in _split(text)))
    for name in names:
        criterion(name)
    return names or DEFAULT


def floors_asked(texts: Iterable[str]) -> tuple[Floor, ...]:
    """What "90" or "transitions=100,pairs=80" ask for. Raises CoverageError for anything else."""
    return tuple(_floor(part) for text in texts for part in _split(text))


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _floor(text: str) -> Floor:
    name, equals, number = text.rpartition("=")
    if equals:
        criterion(name)
    try:
        percent = float(number.removesuffix("%"))
    except ValueError:
        percent = -1.0
    if not 0 <= percent <= 100:
        raise CoverageError(f"{text!r} is no share in percent; write 90, or transitions=100,pairs=80")
    return Floor(name, percent)
