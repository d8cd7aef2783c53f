"""Says what the page shows of a story, as plain JSON values."""

from __future__ import annotations

from typing import Any

from fsm.engine.records import Record
from fsm.model import Model
from fsm.model.model import per_model
from fsm.model.stepcodes import step_codes
from fsm.runs.turns import Cell, read_turns
from fsm.views.inspector.maps import map_of
from fsm.views.inspector.stories import Story
from fsm.views.reader import read
from fsm.views.reading import hues_of
from fsm.wording import blanks, label_of, plain

TURNS, MOST = 4, 1_500
"""The timeline goes back so many turns, and at most so many answers."""
ROWS, AFTER = 30, 3
"""So many answers are listed, of which so many come later, when the page looks at an earlier
moment.
"""
TICKS = 200
"""The slider has at most so many ticks."""


def static_of(story: Story) -> dict[str, Any]:
    """Return what does not change: the map, and the columns of the timeline."""
    return {
        "svg": map_of(story.model).svg,
        "live": story.watched is not None,
        "columns": _columns(story.model),
    }


def entry_of(number: int, story: Story) -> dict[str, Any]:
    """Return the entry of the list."""
    kind, words = ("error", "error") if story.failure else story.tag
    line, _ = story.place(story.count)
    return {"id": number, "name": story.name, "line": line, "tag": words, "kind": kind}


def moment_of(story: Story, at: int) -> dict[str, Any]:
    """Return what the page shows of the moment after so many answers."""
    count = story.count
    at = max(0, min(at, count))
    standing, chart = story.standing(at), map_of(story.model)
    first, end = max(0, at - ROWS), min(count, at + AFTER)
    turns = story.turns
    return {
        "at": at,
        "title": standing.title,
        "line": standing.line,
        "marks": chart.marks(standing.now),
        "possible": [way._asdict() for way in standing.possible],
        "refused": [no._asdict() for no in standing.refused],
        "agenda": standing.agenda,
        "calendar": standing.calendar,
        "facts": standing.facts,
        "failure": story.failure if at == count else "",
        "rows": [row._asdict() for row in reversed(story.rows(first, end))],
        "turns": [tuple(turn) for turn in turns[:: max(1, -(-len(turns) // TICKS))]],
        "timeline": _timeline(story, at),
    }


def present_of(story: Story) -> dict[str, Any]:
    """Return where the story is now, for a page that looks at an earlier moment."""
    line, state = story.place(story.count)
    return {
        "count": story.count,
        "line": line,
        "part": map_of(story.model).place_of(state),
    }


@per_model
def _columns(model: Model) -> list[dict[str, Any]]:
    """The steps, with their letters, their phase and its colour."""
    codes, hues, found = step_codes(model), hues_of(read(model)), list[dict[str, Any]]()
    for step in model.of_kind("step"):
        phase = model.enclosing(step.id, "phase")
        name = blanks(phase.family or phase.name or phase.id) if phase is not None else ""
        hue = hues.get(phase.id, 0) if phase is not None else 0
        found.append(
            {
                "id": step.id,
                "name": label_of(step),
                "code": codes[step.id],
                "phase": name,
                "hue": hue,
            }
        )
    return found


def _timeline(story: Story, at: int) -> list[dict[str, Any]]:
    """The turns up to this moment, as lines of cells; each cell has the number of the answer that
    led to it.
    """
    begun = [turn.at for turn in story.turns if turn.at <= at]
    first = max(begun[-TURNS:][0] if begun else 0, at - MOST)
    places, records = dict[tuple[int, str, int], int](), list[Record]()
    if first:  # what begins the turn was made to fire by the answer before
        first -= 1
    for number, fired in story.records(first, at):
        for record in fired:
            records.append(record)
            if record.step and record.machine == "turn":
                step = story.model.enclosing(record.target, "step")
                places.setdefault((record.turn, step.id if step else "", record.iteration), number)
    shown = [turn for turn in read_turns(records, story.model) if turn.cells or not turn.number][
        -TURNS:
    ]
    return [
        {
            "turn": turn.number,
            "player": plain(turn.active),
            "extra": turn.extra,
            "rule": plain(turn.rule),
            "cells": [
                _cell(cell, places.get((turn.number, cell.step, cell.iteration)))
                for cell in turn.cells
            ],
        }
        for turn in shown
    ]


def _cell(cell: Cell, at: int | None) -> dict[str, Any]:
    through = cell.through if cell.skipped else cell.step
    kinds = [kind for kind in ("extra", "again", "back", "cut", "skipped") if getattr(cell, kind)]
    return {
        "step": cell.step,
        "through": through,
        "kinds": kinds,
        "rule": plain(cell.rule),
        "at": at,
    }
