"""A turn table as text with ruled lines, made by `rich` to a width."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from io import StringIO

from rich import box
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from fsm.tabling.turntable import PhaseRows, Row, TurnTable

NARROWEST = 40
ROOMY = 80
STYLES = {"absent": "cyan", "event": "yellow", "again": "yellow", "then": "cyan", "expiry": "dim", "end": "dim",
          "hole": "bold red"}
_TRAILING = re.compile(r" +((?:\x1b\[[0-9;]*m)*)$")
_PLAIN = str.maketrans({"“": '"', "”": '"', "’": "'", "‘": "'", "–": "-", "—": "-", "…": "...", "·": "-"})


def text(table: TurnTable, width: int = 100, *, colour: bool = False, ascii: bool = False) -> str:
    """The table as lines of at most `width` columns (at least 40), with what stands below it.

    `colour`: with a terminal's colour codes. `ascii`: no other signs than ASCII.
    """
    out, width = StringIO(), max(width, NARROWEST)
    console = Console(
        file=out, width=width, force_terminal=colour, color_system="standard" if colour else None,
        no_color=not colour, highlight=False, markup=False, emoji=False, legacy_windows=False, _environ={},
    )
    title = f"{table.title} ({table.edition})" if table.edition else table.title
    for part in (Text(title, "bold"), _ruled(table, width, ascii), *_below(table)):
        console.print(part)
    lines = "".join(_TRAILING.sub(r"\1", line) + "\n" for line in out.getvalue().splitlines())
    return _ascii(lines) if ascii else lines


def _ascii(lines: str) -> str:
    return lines.translate(_PLAIN).encode("ascii", "backslashreplace").decode()


def _ruled(table: TurnTable, width: int, ascii: bool) -> Table:
    drawn = Table(box=box.ASCII if ascii else box.SQUARE, header_style="bold", padding=(0, int(width >= ROOMY)))
    phase, step, actions, rule = table.heads
    left = (phase, step) if width >= ROOMY else (f"{phase}, {step.lower()}",)
    for head in left:
        drawn.add_column(head, max_width=max(14, width // 7), overflow="fold")
    drawn.add_column(actions, overflow="fold")
    drawn.add_column(rule, max_width=max(7, width // 8), overflow="fold")
    for found in table.phases:
        _add(drawn, found, len(left))
    return drawn


def _add(drawn: Table, phase: PhaseRows, columns: int) -> None:
    label = Text(phase.label + (f" ({phase.note})" if phase.note else ""), "bold")
    for step in phase.steps:
        names = [label, Text(step.label)] if columns > 1 else [_both(label, step.label)]
        for row in step.rows:
            drawn.add_row(*names, _line(row), Text(row.rule, "dim"), end_section=row is step.rows[-1])
            names = [Text()] * columns
        label = Text()


def _both(phase: Text, step: str) -> Text:
    """The names of phase and step, one below the other, where there is no room for two columns."""
    return Text("\n").join(text for text in (phase, Text(step)) if text)


def _line(row: Row) -> RenderableType:
    line = Text(row.text, STYLES.get(row.kind, ""))
    if row.mark:
        line.append(f" [{row.mark}]", "bold magenta")
    hanging = Table.grid(padding=(0, 1, 0, 0))
    hanging.add_row(Text("·", "dim"), line)
    return hanging


def _below(table: TurnTable) -> Iterator[Text | Padding]:
    for note in table.footnotes:
        yield Text(f"[{note.mark}] " + " ".join(_said(note.sentences)))
    for ending in table.endings:
        yield Text(f"\n{ending.when}", "bold")
        yield from (Padding(Text(f"{n}. {said}"), (0, 0, 0, 2)) for n, said in enumerate(_said(ending.rows), 1))
    if table.holes:
        yield Text(f"\nNo way on from: {', '.join(table.holes)}", "bold red")
    if table.options:
        yield Text("\nOptions: " + ", ".join(f"{name}={value}" for name, value in table.options), "dim")


def _said(rows: Iterable[Row]) -> list[str]:
    return [row.text + (f" ({row.rule})" if row.rule else "") for row in rows]
