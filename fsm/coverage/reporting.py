"""What a report is asked for, and what comes of it, for the command line and for pytest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from fsm.coverage import markdown
from fsm.coverage.allowing import AllowedList
from fsm.coverage.asjson import as_json
from fsm.coverage.comparing import Baseline, read_baseline
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


@dataclass
class Asked:
    """What a report is asked for. `reports` are the kinds with their files, "" for the terminal."""

    criteria: tuple[str, ...] = DEFAULT
    reports: list[tuple[str, str]] = field(default_factory=list)
    floors: list[Floor] = field(default_factory=list)
    allowed: AllowedList = field(default_factory=AllowedList)
    baselines: list[Baseline] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        criteria: Iterable[str],
        reports: Iterable[str],
        floors: Iterable[str],
        allowed: Iterable[str | Path],
        baselines: Iterable[tuple[str | Path, str]],
    ) -> Asked:
        """Read options, and the files that they name; a baseline has a path and a name. Raises
        CoverageError.
        """
        asked = cls(_criteria_asked(criteria))
        asked.reports = [_report_asked(text) for text in reports] or [("term", "")]
        asked.floors = [floor_asked(part) for text in floors for part in _split(text)]
        for path in allowed:
            asked.allowed.read(path)
        asked.baselines = [read_baseline(path, name) for path, name in baselines]
        return asked


def _criteria_asked(texts: Iterable[str]) -> tuple[str, ...]:
    """Read texts such as "a,b". Without any criterion, return DEFAULT. Raises CoverageError for an
    unknown one.
    """
    names = tuple(dict.fromkeys(name for text in texts for name in _split(text)))
    for name in names:
        criterion(name)
    return names or DEFAULT


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


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


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
    problems = [*below(results, asked.floors), *asked.allowed.wrong(results)]
    for baseline in asked.baselines:
        found = baseline.compare(data)
        problems += baseline.problem(found)
        notes += baseline.notes(found)
    kinds = {kind for kind, _ in asked.reports}
    files = {file: _text(kind, results, file) for kind, file in asked.reports if file}
    text = lines(results, missing="term-missing" in kinds) if kinds & {*TERMINAL} else ()
    return Outcome(list(text), files, notes, list(dict.fromkeys(problems)))
