"""Room for what an overlay says of a line: on the line itself, else close beside it and nearer to
it than to others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from fsm.views.drawing.labels import Board, board_of, touches
from fsm.views.drawing.measures import CITATION
from fsm.views.drawing.placed import (
    Pill,
    Placed,
    PlacedLine,
    Rect,
    Text,
    Words,
    segments,
    text_size,
)
from fsm.views.drawing.splines import HEAD, flattened

PILL = 11.0
_CLEARANCE = 0.5
_PADDING = 8.0  # of the words in a pill
_MARGIN = 12.0  # how far beyond the graph, where the picture still has its margin
_STUMP = 3.0  # what is seen of a line at both sides of its pill
_SHARES = (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9, 0.0, 1.0)
_GAPS = (2.0, 4.0, 7.0, 11.0, 16.0)
_FROM_OTHERS, _ALIKE = 1.5, 0.1

# What speaks against a place.
_BESIDE, _SHORTER, _FRAME = 6.0, 8.0, 1.0
_COVERS, _ASTRAY, _CROSSES = 200.0, 100.0, 60.0


def board_over(placed: Placed) -> Board:
    """All that a pill should not cover."""
    paths = {line.line.id: _path(line) for line in placed.lines}
    frames = [box.area for box in placed.boxes]
    areas = [node.area for node in placed.nodes] + list(_outside(placed))
    return board_of(areas, placed.all_texts(), frames, paths, _CLEARANCE)


def _outside(placed: Placed) -> Iterator[Rect]:
    """What lies left, right, above and below of the picture."""
    width, height = placed.size
    near, far = _MARGIN, 1000.0
    yield Rect(-far, -far, -near, height + far)
    yield Rect(width + near, -far, width + far, height + far)
    yield Rect(-far, -far, width + far, -near)
    yield Rect(-far, height + near, width + far, height + far)


def pill_on(board: Board, line: PlacedLine, said: Sequence[str]) -> Pill:
    """On the line where it is long enough, else beside it; with the first of these texts that finds
    a good place.
    """
    spots = (
        (cost + _SHORTER * shorter + _against(board, area, line.line.id), words, area)
        for shorter, text in enumerate(said)
        for words in [Words(text, CITATION, True, "paper")]
        for cost, area in _places(line, text_size([words])[0] + _PADDING)
    )
    _, words, area = min(spots, key=lambda spot: spot[0])
    return Pill(line.line.id, Text((words,), area))


def length(line: PlacedLine) -> float:
    """How long the line is drawn."""
    return sum(part.width + part.height for part in segments(line.points))


def _path(line: PlacedLine) -> Sequence[tuple[float, float]]:
    return flattened(line.points) if line.spline else line.points


def _places(line: PlacedLine, width: float) -> Iterator[tuple[float, Rect]]:
    """Places for a pill, each with how far it is from the best one: on the line, then close beside
    it.
    """
    parts = list(pairwise(_path(line)))
    longest = max((abs(b[0] - a[0]) + abs(b[1] - a[1]) for a, b in parts), default=0.0)
    for number, ((x1, y1), (x2, y2)) in enumerate(parts):
        across, down = x2 - x1, y2 - y1
        upright = abs(down) >= abs(across)
        whole = max(abs(across), abs(down)) or 1.0
        last = number == len(parts) - 1
        needed, free = (PILL if upright else width), whole - (HEAD if last else 0.0)
        off = 4.0 * (1 - whole / (longest or 1.0))
        for share in _SHARES:
            on = (needed / 2 + _STUMP + max(0.0, free - needed - 2 * _STUMP) * share) / whole
            if free >= needed + _STUMP:
                yield (
                    off + abs(share - 0.5),
                    Rect.around(x1 + across * on, y1 + down * on, width, PILL),
                )
            x, y = x1 + across * share, y1 + down * share
            for gap in _GAPS:
                aside, under = (gap + width / 2, 0.0) if upright else (0.0, gap + PILL / 2)
                for side in (1, -1):
                    cost = _BESIDE + gap / 4 + off + abs(share - 0.5)
                    yield cost, Rect.around(x + side * aside, y + side * under, width, PILL)


def _against(board: Board, area: Rect, line: str) -> float:
    """What speaks against a place: it covers something, is nearer to another line, or crosses lines
    and borders.
    """
    total = _COVERS * sum(area.meets(other) for other in (*board.areas, *board.texts))
    own = min((area.distance(stroke) for stroke in board.strokes[line]), default=0.0)
    for id, strokes in board.strokes.items():
        if id == "frames":
            total += _FRAME * any(touches(area, stroke) for stroke in strokes)
        elif id != line and strokes:
            near = min(area.distance(stroke) for stroke in strokes)
            total += (
                _CROSSES
                if near == 0
                else _ASTRAY
                if near < own + _ALIKE
                else _ASTRAY / 4
                if near < _FROM_OTHERS
                else 0.0
            )
    return total
