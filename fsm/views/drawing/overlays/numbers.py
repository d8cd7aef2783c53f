"""Counts of lines, in place of their labels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from math import inf

from fsm.views.drawing.labels import Board, touches
from fsm.views.drawing.measures import LABEL
from fsm.views.drawing.overlays.pills import board_over, length
from fsm.views.drawing.placed import Placed, PlacedLine, Point, Rect, Text, Words, text_size
from fsm.views.drawing.splines import flattened

GAPS = (8.0, 10.0, 13.0, 17.0, 22.0, 28.0)
_MARGIN, _WIDER, _MOST_WIDER = 10.0, 30.0, 36.0
"""How far a count may stand beyond the edge, and what speaks against a picture that is a little
wider for it.
"""
_AFTER, _LAST = 6.0, 9.0
SHARES = (0.5, 0.35, 0.65, 0.2, 0.8, 0.08, 0.92)


def times(count: int) -> str:
    """ "233×", or "never"."""
    return f"{count}×" if count else "never"


def relabelled(placed: Placed, said: Mapping[str, str]) -> Placed:
    """The lines with what is said of them, by id, close beside them; lines that stand for nothing
    keep their labels.
    """
    bare = [replace(p, label=None) if p.line.id in said else p for p in placed.lines]
    board = board_over(replace(placed, lines=tuple(bare)))
    texts: dict[str, Text] = {}
    for line in sorted((p for p in bare if p.line.id in said), key=length):
        goal = (
            next((n.area for n in placed.nodes if n.node.id == line.head), None)
            if line.head
            else None
        )
        text = _settled(board, placed.size, line, Words(said[line.line.id], LABEL, True), goal)
        board.add_text(text)
        texts[line.line.id] = text
    right = max([placed.size[0], *(text.area.right - _MARGIN for text in texts.values())])
    lines = tuple(_told(p, texts[p.line.id]) if p.line.id in texts else p for p in bare)
    return replace(placed, lines=lines, size=(right, placed.size[1]))


def _told(line: PlacedLine, text: Text) -> PlacedLine:
    tip = f"{line.line.tooltip}\ntaken: {text.lines[0].text}"
    return replace(line, line=replace(line.line, tooltip=tip), label=text)


def _settled(board: Board, size: Point, line: PlacedLine, words: Words, goal: Rect | None) -> Text:
    """The best place: near, close to the middle, on nothing, within the picture; else after the
    words it leads to.
    """
    points = flattened(line.points) if line.spline else line.points
    width, height = text_size([words])
    best, least = Rect(0, 0, width, height), inf
    after = (
        [
            Rect(
                goal.right + _AFTER,
                goal.y - height / 2,
                goal.right + _AFTER + width,
                goal.y + height / 2,
            )
        ]
        if goal
        else []
    )
    spots = [*_spots(points, width, height), *((_LAST, area) for area in after)]
    for far, area in sorted(spots, key=lambda spot: spot[0]):
        if far >= least:
            break
        cost = far + _cost(board, area) + _outside(size, area)
        best, least = (area, cost) if cost < least else (best, least)
    return Text((words,), best)


def _outside(size: Point, area: Rect) -> float:
    """What speaks against a place beyond the edge: there is a margin, then nothing."""
    over = max(-area.left, area.right - size[0], -area.top, area.bottom - size[1])
    if over <= 0 or over < _MARGIN:
        return 2.0 * (over > 0)
    return _WIDER if over == area.right - size[0] < _MOST_WIDER else 900.0


def _spots(points: Sequence[Point], width: float, height: float) -> Iterator[tuple[float, Rect]]:
    """Places along a line, on both sides, each with how far it is from where one would look for it."""
    whole = sum(abs(b[0] - a[0]) + abs(b[1] - a[1]) for a, b in pairwise(points)) or 1.0
    for a, b in pairwise(points):
        across, down = abs(b[0] - a[0]), abs(b[1] - a[1])
        short = 6 * (1 - (across + down) / whole)
        for share in SHARES:
            x, y = a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share
            for gap in GAPS:
                aside, under = (
                    (gap + width / 2, 0.0) if down >= across else (0.0, gap - 3 + height / 2)
                )
                for side in (1, -1):
                    far = gap + 4 * abs(share - 0.5) + short + (0.5 if side < 0 else 0.0)
                    yield far, Rect.around(x + side * aside, y - side * under, width, height)


def _cost(board: Board, area: Rect) -> float:
    """What speaks against a place: texts and nodes most, then lines, then borders, then things
    close by.
    """
    near, beside = area.grown(2.0), Rect(area.left - 5, area.top, area.right + 5, area.bottom)
    strokes = [
        (1.0 if id == "frames" else 2.0, stroke)
        for id, found in board.strokes.items()
        for stroke in found
    ]
    taken = sum(area.grown(0.3).meets(other) for other in (*board.areas, *board.texts))
    crossed = sum(weight for weight, stroke in strokes if touches(area.grown(1.0), stroke))
    tight = sum(near.meets(other) for other in board.areas) + sum(
        beside.meets(other) for other in board.texts
    )
    tight += sum(touches(near, stroke) for _, stroke in strokes)
    return 400 * taken + 60 * crossed + 3 * tight
