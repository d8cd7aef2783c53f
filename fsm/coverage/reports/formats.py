"""The report formats that are written to files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from fsm.coverage.criteria import criterion
from fsm.coverage.reports import markdown
from fsm.coverage.reports.asjson import as_json
from fsm.coverage.reports.terminal import lines
from fsm.coverage.reports.totals import split
from fsm.coverage.target import Result
from fsm.errors import CoverageError, suggest


@dataclass(frozen=True, slots=True)
class Report:
    """One report: its kind, and the file it goes to ("" for the terminal)."""

    kind: str
    file: str = ""


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of report: the file it goes to by default, and the function that makes the texts of
    its files, by path.
    """

    file: str
    written: Callable[[Sequence[Result], str], Mapping[str, str]]


def formats() -> Mapping[str, Format]:
    """Return the formats by name."""
    return {
        "html": Format("fsm-coverage.html", _html),
        "json": Format("fsm-coverage.json", _json),
        "markdown": Format(markdown.default_file(), markdown.written),
    }


def printed(results: Sequence[Result], reports: Iterable[Report]) -> Iterator[str]:
    """Yield the lines of these reports for the terminal. Reports for files have none."""
    kinds = {report.kind for report in reports}
    if kinds & {"term", "term-missing"}:
        yield from lines(results, missing="term-missing" in kinds)


def written(results: Sequence[Result], reports: Iterable[Report]) -> dict[str, str]:
    """Return the text of each file of these reports, by path. Reports for the terminal have no
    files.

    Raises DrawError if nothing can be drawn.
    """
    known, files = formats(), dict[str, str]()
    for report in reports:
        if report.kind in known:
            files.update(known[report.kind].written(results, report.file))
    return files


def _html(results: Sequence[Result], file: str) -> Mapping[str, str]:
    from fsm.views.coveragepage import page

    return {file: page(results)}


def _json(results: Sequence[Result], file: str) -> dict[str, str]:
    return {file: as_json(results)}


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
