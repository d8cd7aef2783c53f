"""Results as rows of a table, as Markdown, and as plain values for JSON."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence

from benchmarks.results import Effort, Result

HEAD = ("bar", "entry", "ours", "reference", "ratio", "limit", "met")
MET = {True: "yes", False: "no", None: "-"}


def as_row(result: Result) -> tuple[str, ...]:
    """The cells of one result, as people read them."""
    return (
        result.bar,
        result.entry,
        _amount(result.ours, result.unit),
        ", ".join(filter(None, (result.against, _amount(result.reference, result.unit)))) or "-",
        "" if result.ratio is None else _number(result.ratio),
        _limit(result),
        MET[result.met],
    )


def as_json(result: Result) -> dict[str, object]:
    """One result as plain values; figures are in `unit`, and null when there are none."""
    return {
        "bar": result.bar,
        "entry": result.entry,
        "unit": result.unit,
        "ours": result.ours,
        "against": result.against or None,
        "reference": result.reference,
        "ratio": result.ratio,
        "bound": result.bound,
        "limit": result.limit,
        "met": result.met,
        "note": result.note or None,
    }


def markdown(results: Sequence[Result], effort: Effort) -> str:
    """The table in Markdown, with where it was measured over it and notes under it."""
    rows = [HEAD, tuple("---" for _ in HEAD), *map(as_row, results)]
    table = "\n".join(
        f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows
    )
    listed = "\n".join(f"* {note}" for note in notes(results))
    return "\n\n".join(filter(None, (measured_on(effort), table, listed)))


def notes(results: Sequence[Result]) -> list[str]:
    """What there is to say about bars without figures, each once."""
    return list(dict.fromkeys(result.note for result in results if result.note))


def measured_on(effort: Effort) -> str:
    """Where and how this was measured, in one line."""
    rounds = "round" if effort.rounds == 1 else "rounds"
    where = f"{platform.python_implementation()} {platform.python_version()}, {platform.system()} {platform.machine()}"
    return f"{where}, {os.cpu_count()} processors; medians of {effort.rounds} {rounds}"


def _limit(result: Result) -> str:
    if result.limit is None:
        return "-"
    if not result.relative:
        return f"{result.bound} {_amount(result.limit, result.unit)}"
    if result.limit == 1:
        return f"{result.bound} as {'long' if result.bound == 'at most' else 'fast'}"
    return f"{result.bound} {result.limit:g} times as {'long' if result.bound == 'at most' else 'fast'}"


def _amount(value: float | None, unit: str) -> str:
    return "" if value is None else f"{_number(value)} {unit}"


def _number(value: float) -> str:
    """Three digits that count."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
