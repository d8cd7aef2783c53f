"""Puts citations on one line without control characters. Like labels, they may come from outside."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from fsm.views.tables.turntable import Ending, Footnote, PhaseRows, Row, StepRows
from fsm.wording import line


def tidy_phase(phase: PhaseRows) -> PhaseRows:
    """Return the phase with each citation on one line."""
    return replace(phase, rule=line(phase.rule), steps=tuple(map(_step, phase.steps)))


def tidy_footnote(note: Footnote) -> Footnote:
    """Return the footnote with each citation on one line."""
    return replace(note, sentences=_rows(note.sentences))


def tidy_ending(ending: Ending) -> Ending:
    """Return the ending with each citation on one line."""
    return replace(ending, rows=_rows(ending.rows))


def _step(step: StepRows) -> StepRows:
    return replace(step, rule=line(step.rule), rows=_rows(step.rows))


def _rows(rows: Iterable[Row]) -> tuple[Row, ...]:
    return tuple(replace(row, rule=line(row.rule)) for row in rows)
