"""Writes a turn table as GitHub-flavoured Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fsm.views.tables.turntable import Footnote, PhaseRows, Row, TurnTable
from fsm.wording import citation

_MARKUP = re.compile(r"([\\`*_{}\[\]|#~$@<>&])")
_CODES = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}


def markdown(table: TurnTable) -> str:
    """Return the table, followed by its footnotes and what ends the turn early."""
    return "\n".join(_lines(table)) + "\n"


def escaped(text: str) -> str:
    """Escape a text for Markdown."""
    return _MARKUP.sub(lambda found: _CODES.get(found[0], "\\" + found[0]), text)


def _lines(table: TurnTable) -> Iterator[str]:
    yield f"# {escaped(table.title)}"
    if table.edition:
        yield from ("", escaped(table.edition))
    yield from ("", _row(table.heads), "| --- " * len(table.heads) + "|")
    for phase in table.phases:
        yield from _phase(phase)
    for note in table.footnotes:
        yield from ("", _note(note))
    for ending in table.endings:
        yield from ("", f"**{escaped(ending.when)}**", "")
        yield from (f"{number}. {_said(row)}" for number, row in enumerate(ending.rows, 1))
    if table.holes:
        yield from ("", f"**No way on from:** {escaped(', '.join(table.holes))}")
    if table.options:
        yield from (
            "",
            "Options: " + ", ".join(escaped(f"{name}={value}") for name, value in table.options),
        )


def _phase(phase: PhaseRows) -> Iterator[str]:
    label = f"**{escaped(phase.label)}**" if phase.label else ""
    label += f" ({escaped(phase.note)})" if phase.note else ""
    for step in phase.steps:
        name = escaped(step.label)
        for row in step.rows:
            yield _row((label, name, _action(row), escaped(row.rule)))
            label = name = ""


def _action(row: Row) -> str:
    return escaped(row.text) + (f" <sup>{escaped(row.mark)}</sup>" if row.mark else "")


def _note(note: Footnote) -> str:
    return f"<sup>{escaped(note.mark)}</sup> " + " ".join(_said(row) for row in note.sentences)


def _said(row: Row) -> str:
    return escaped(row.text) + citation(escaped(row.rule))


def _row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cells) + " |"
