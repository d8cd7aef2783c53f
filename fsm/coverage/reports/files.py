"""The files of a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from fsm.coverage.reports.options import TERMINAL, Report
from fsm.coverage.reports.results import Result


def written(results: Sequence[Result], reports: Sequence[Report]) -> dict[str, str]:
    """The text of each file that these reports consist of, by its path. Raises DrawError when nothing can be drawn."""
    files: dict[str, str] = {}
    for report in reports:
        if report.kind not in TERMINAL:
            files.update(_one(results, report))
    return files


def _one(results: Sequence[Result], report: Report) -> Mapping[str, str]:
    if report.kind == "json":
        from fsm.coverage.reports.asjson import as_json

        return {report.file: as_json(results)}
    if report.kind == "lcov":
        from fsm.coverage.reports.lcov import lcov

        return lcov(results, report.file)
    if report.kind == "html":
        from fsm.coverage.reports.page import page

        return {report.file: page(results)}
    from fsm.coverage.reports.heat import heat_maps

    return heat_maps(results, report.file)


def beside(path: str, word: str) -> str:
    """The path with a word before its ending: "a.svg" and "dark" is "a-dark.svg"."""
    whole = Path(path)
    return str(whole.with_name(f"{whole.stem}-{word}{whole.suffix}")) if word else path
