"""The sixth stage of the layout: how far down every row, box and track of a stage view is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fsm.views.drawing.lanes import End, Lane, spread
from fsm.views.drawing.placed import text_size
from fsm.views.drawing.slack import Slack
from fsm.views.drawing.stages.channels import Zone
from fsm.views.drawing.stages.grid import StageGrid

_BOX_HEAD, _BOX_FOOT, _NOTE_GAP = 24.0, 14.0, 4.0
_LEAST_GAP = 20.0  # between two rows
_FROM_ROW, _FROM_EDGE = 15.0, 10.0  # from a row to its next track, and from anything else to one


@dataclass(frozen=True, slots=True)
class Heights:
    """The middle of each row, the top and bottom of each box, and the height of each track."""

    rows: Sequence[float]
    boxes: Mapping[str, tuple[float, float]]
    tracks: Mapping[Zone, Mapping[End, float]]


def heights_of(grid: StageGrid, tracks: Mapping[Zone, Mapping[End, Lane]], slack: Slack) -> Heights:
    """Stack rows and gaps; a box opens above its first row and closes under its last."""
    y = 0.0
    rows: list[float] = []
    boxes: dict[str, tuple[float, float]] = {}
    found: dict[Zone, dict[End, float]] = {}

    def put(zone: Zone, top: float, after: float) -> float:
        """Put the tracks of a zone down from `top`; returns how much room they need, with some
        after them.
        """
        places, end = spread(tracks.get(zone, {}), 0.0)
        found[zone] = {key: top + place for key, place in places.items()}
        return end + after if places else 0.0

    for r, row in enumerate(grid.rows):
        before, here, after = (grid.boxes_at(n) for n in (r - 1, r, r + 1))
        opening, closing = (
            [b for b in here if b not in before],
            [b for b in reversed(here) if b not in after],
        )
        if r:
            near = _FROM_EDGE if opening or ("gap", r - 1) not in tracks else _FROM_ROW
            needed = put(("gap", r - 1), y + _FROM_EDGE, _FROM_EDGE) + near
            y += max(_LEAST_GAP, needed, slack.room("gap", r - 1))
        for box in opening:
            boxes[box] = y, y
            y += _BOX_HEAD
        y += put(("over", r), y, _FROM_ROW)
        height = max((cell.height for cell in row), default=0.0)
        rows.append(y + height / 2)
        y += height
        y += put(("under", r), y + _FROM_ROW, _FROM_ROW)
        for box in closing:
            notes = grid.notes[box]
            y += _BOX_FOOT + (text_size(notes)[1] + _NOTE_GAP if notes else 0.0)
            boxes[box] = boxes[box][0], y
    return Heights(rows, boxes, found)
