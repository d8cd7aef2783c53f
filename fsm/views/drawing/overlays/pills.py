"""Room for what an overlay says of a line: on it where it is long enough, else close beside it."""

from __future__ import annotations

from collections.abc import Iterator

from fsm.views.drawing.labels import Board, board_of, touches
from fsm.views.drawing.measures import CITATION
from fsm.views.drawing.placed import Pill, Placed, PlacedLine, Rect, Text, Words, segments, text_size

PILL = 11.0
_CLEARANCE = 0.5


def board_over(placed: Placed) -> Board:
    """All that a pill should not cover."""
    paths = {line.line.id: line.points for line in placed.lines}
    frames = [box.area for box in placed.boxes]
    return board_of([node.area for node in placed.nodes], placed.all_texts(), frames, paths, _CLEARANCE)


def pill_on(board: Board, line: PlacedLine, said: str) -> Pill:
    """On the line where it is long enough, else beside it."""
    words = Words(said, CITATION, True, "paper")
    width = text_size([words])[0] + 8
    places = list(_places(line, width))
    taken = (*board.areas, *board.texts)
    free = [place for place in places if not any(place[1].meets(other) for other in taken)]
    area = min(free or places[:1], key=lambda place: place[0] + _covered(board, place[1], line.line.id))[1]
    return Pill(line.line.id, Text((words,), area))


def length(line: PlacedLine) -> float:
    """How long the line is drawn."""
    return sum(part.width + part.height for part in segments(line.points))


def _places(line: PlacedLine, width: float) -> Iterator[tuple[float, Rect]]:
    """Places for a pill, each with what speaks against it: best on the line, then close beside it."""
    parts = sorted(segments(line.points), key=lambda part: -(part.width + part.height))
    shares = (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9)
    spots = [(part, part.left + part.width * s, part.top + part.height * s) for part in parts for s in shares]
    for part, x, y in spots:
        if part.height > PILL + 14 or part.width > width + 12:
            yield 0.0, Rect.around(x, y, width, PILL)
    for cost, gap in ((0.0, 4.0), (2.0, 9.0), (4.0, 14.0), (6.0, 19.0)):
        for part, x, y in spots:
            aside, down = (gap + width / 2, 0.0) if part.height >= part.width else (0.0, gap + PILL / 2)
            yield cost, Rect.around(x + aside, y + down, width, PILL)
            yield cost, Rect.around(x - aside, y - down, width, PILL)


def _covered(board: Board, area: Rect, line: str) -> float:
    """How bad it is to cover what the pill covers there: other lines, or only borders."""
    covered = [id for id, strokes in board.strokes.items() if id != line and any(touches(area, s) for s in strokes)]
    return sum(1.0 if id == "frames" else 9.0 for id in covered)
