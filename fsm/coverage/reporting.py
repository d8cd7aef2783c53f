"""What a report is asked for, and what comes of it, for the command line and for pytest."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from fsm.coverage import markdown
from fsm.coverage.allowing import Lists, allowed_in, wrong_in
from fsm.coverage.asjson import as_json
from fsm.coverage.comparing import Difference, Taken, difference, read_baseline
from fsm.coverage.criteria import criterion
from fsm.coverage.data import Data
from fsm.coverage.floors import Floor, below, floor_asked
from fsm.coverage.results import results_of
from fsm.coverage.target import Result
from fsm.coverage.terminal import lines
from fsm.errors import CoverageError, suggest
from fsm.model import Model

DEFAULT = ("states", "transitions")
"""The default criteria: those that are counted at once, for a machine of any size."""
TERMINAL = ("term", "term-missing")
MOST_LOST = 5
"""At most this many lost targets are named."""


def files_of() -> dict[str, str]:
    """Return the file of each kind of report that is written to one, if no other is named."""
    return {
        "html": "fsm-coverage.html",
        "json": "fsm-coverage.json",
        "markdown": markdown.default_file(),
    }


def _text(kind: str, results: Sequence[Result], file: str) -> str:
    """Return the text of a report that is written to a file."""
    if kind == "json":
        return as_json(results)
    if kind == "markdown":
        return markdown.text_of(results, file)
    from fsm.views.coveragepage import page  # seldom asked for

    return page(results)


@dataclass(frozen=True)
class Asked:
    """What a report is asked for. `reports` are the kinds with their files, "" for the terminal,
    and `baselines` are by their names.
    """

    criteria: Sequence[str]
    reports: Sequence[tuple[str, str]]
    floors: Sequence[Floor]
    allowed: Lists
    baselines: dict[str, frozenset[Taken]]


def asked_for(
    criteria: Iterable[str],
    reports: Iterable[str],
    floors: Iterable[str],
    allowed: Iterable[str | Path],
    baselines: Iterable[tuple[str | Path, str]],
) -> Asked:
    """Read options, and the files that they name; a baseline has a path and a name.

    What a floor is for is measured, too. Raises CoverageError.
    """
    names = _split(criteria) or [*DEFAULT]
    for name in names:
        criterion(name)
    floor = [floor_asked(text) for text in _split(floors)]
    names += [each.criterion for each in floor if each.criterion]
    kinds = [_report_asked(text) for text in reports] or [("term", "")]
    listed = {name: read_baseline(path) for path, name in baselines}
    return Asked(list(dict.fromkeys(names)), kinds, floor, allowed_in(allowed), listed)


def _report_asked(text: str) -> tuple[str, str]:
    """Read "KIND" or "KIND:FILE". Raises CoverageError if there is no such kind."""
    (kind, colon, file), known = text.partition(":"), files_of()
    if kind in TERMINAL:
        if colon:
            hint = f"{kind} goes to the terminal; leave out {colon + file!r}"
            raise CoverageError(f"report {text!r}: {hint}")
        return kind, ""
    if kind not in known:
        raise CoverageError(f"report {kind!r} is unknown{suggest(kind, (*TERMINAL, *known))}")
    if colon and not file:
        hint = f"write {kind}:{known[kind]}, or {kind} alone"
        raise CoverageError(f"report {text!r} names no file; {hint}")
    return kind, file or known[kind]


def _split(texts: Iterable[str]) -> list[str]:
    return [part.strip() for part in ",".join(texts).split(",") if part.strip()]


class Outcome(NamedTuple):
    """What came of a report: its lines for the terminal, the texts of its files by path, notes, and
    problems, for which a run fails.
    """

    lines: list[str]
    files: dict[str, str]
    notes: list[str]
    problems: list[str]


def reported(data: Data, models: Sequence[tuple[str, Model]], asked: Asked) -> Outcome:
    """Report on these models, given by name, or on all recorded ones if none are given.

    Raises DrawError if nothing can be drawn.
    """
    results = results_of(data, models, asked.criteria, asked.allowed)
    notes = list(data.notes)
    problems = [*below(results, asked.floors), *wrong_in(asked.allowed, results)]
    for name, baseline in asked.baselines.items():
        found = difference(baseline, data)
        problems += _lost(name, found)
        notes += _changed(name, found)
    kinds = {kind for kind, _ in asked.reports}
    files = {file: _text(kind, results, file) for kind, file in asked.reports if file}
    text = lines(results, missing="term-missing" in kinds) if kinds & {*TERMINAL} else ()
    return Outcome(list(text), files, notes, list(dict.fromkeys(problems)))


def _lost(baseline: str, found: Difference) -> Iterator[str]:
    """Yield a problem of several lines if anything was lost that a baseline lists."""
    if found.lost:
        told = [f"{baseline}: {len(found.lost)} of what it lists is no longer taken"]
        told += [f"{one.subject}: {one.id}" for one in found.lost[:MOST_LOST]]
        left = len(found.lost[MOST_LOST:])
        yield "\n    ".join([*told, f"and {left} more"] if left else told)


def _changed(baseline: str, found: Difference) -> Iterator[str]:
    """Yield what has changed and what was gained, and how to update the file."""
    notes = list(found.notes)
    if found.gained:
        notes.append(f"{len(found.gained)} more is taken than it lists")
    if notes:
        notes.append(f"'fsm cover combine -o {baseline}' brings it up to date")
    return (f"{baseline}: {note}" for note in notes)
