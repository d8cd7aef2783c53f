"""A trace on a picture: the lines it took, in which order, and how much of the model that was. Nothing moves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from fsm.drawing.labels import Board, touches
from fsm.drawing.placed import Overlay, Pill, Placed, PlacedLine, Rect, Text, Words, segments, text_size
from fsm.drawing.stations import Stations
from fsm.model import Model
from fsm.trace import Record

MOST_NUMBERS = 3
PILL = 11.0


def with_trace(placed: Placed, model: Model, view: str, trace: Sequence[Record]) -> Placed:
    """The same picture with the way a trace took: same places, only paint and numbers."""
    window = view == "window" and model.window is not None
    shown = model.window if window and model.window else model
    records = [r for r in trace if r.machine == ("window" if window else "turn")]
    orders = _orders(placed, shown, records)
    known = {t.id for t in shown.transitions}
    caption = f"{len(known & {r.transition for r in records})} of {len(known)} transitions taken."
    pills = tuple(_pills(placed, orders))
    return replace(placed, overlay=Overlay(frozenset(orders), pills, caption))


def _orders(placed: Placed, model: Model, records: Sequence[Record]) -> dict[str, list[int]]:
    """For each line taken, its places in the order of all lines taken."""
    found: dict[str, list[int]] = {}
    for number, line in enumerate(_lines(placed, model, records), 1):
        found.setdefault(line.line.id, []).append(number)
    return found


def _lines(placed: Placed, model: Model, records: Sequence[Record]) -> Iterator[PlacedLine]:
    """The lines a run took, one after the other: it is followed from station to station."""
    collapsed = any(n.node.kind == "card" for n in placed.nodes)
    stations = Stations(model) if collapsed else None
    came: list[str] = []
    signals = {t.id for t in model.transitions if model.state(t.source).composite}
    stays = {t.id for t in model.transitions if t.target is None}
    for record in (r for r in records if r.transition not in stays):
        came = [record.transition] if record.transition in signals else [*came, record.transition]
        arrived = record.target if stations is None else _arrived(stations, record)
        if arrived:
            line = _taken(placed, came)
            came = []
            if line is not None:
                yield line


def _arrived(stations: Stations, record: Record) -> str:
    """The station that a firing reached, or "" while it is still inside one or on the way."""
    station = stations.station(record.target)
    card = stations.body.get(record.target)
    if card and card == stations.body.get(record.source) and record.target != stations.heads[card]:
        return station if record.transition in stations.drawn_backs else ""
    return station


def _taken(placed: Placed, came: Sequence[str]) -> PlacedLine | None:
    """The line that stands for this way: it ends with its last transition, and has the most of the rest."""
    ways = set(came)
    fitting = [line for line in placed.lines if ways <= set(line.line.steps)]
    fitting = fitting or [line for line in placed.lines if came[-1] in line.line.steps and came[0] in line.line.steps]
    return min(fitting, key=lambda line: len(line.line.steps), default=None)


def board_of(placed: Placed) -> Board:
    """All that a pill should not cover."""
    board = Board()
    for node in placed.nodes:
        board.add_area(node.area.grown(0.5))
    for text in placed.all_texts():
        board.add_text(text)
    for box in placed.boxes:
        board.add_frame(box.area)
    for line in placed.lines:
        board.add_line(line.line.id, line.points)
    return board


def _pills(placed: Placed, orders: dict[str, list[int]]) -> Iterator[Pill]:
    board = board_of(placed)
    taken = [line for line in placed.lines if line.line.id in orders]
    for line in sorted(taken, key=lambda line: sum(part.width + part.height for part in segments(line.points))):
        pill = pill_on(board, line, _numbers(orders[line.line.id]))
        board.add_area(pill.text.area.grown(1))
        yield pill


def _numbers(order: Sequence[int]) -> str:
    if len(order) <= MOST_NUMBERS:
        return ", ".join(map(str, order))
    return f"{order[0]}, {order[1]} … ({len(order)}×)"


def pill_on(board: Board, line: PlacedLine, said: str) -> Pill:
    """On the line where it is long enough, else beside it."""
    words = Words(said, 7.5, True, "paper")
    width = text_size([words])[0] + 8
    places = list(_places(line, width))
    free = [place for place in places if _clear(board, place[1])]
    area = min(free or places[:1], key=lambda place: place[0] + _covered(board, place[1], line.line.id))[1]
    return Pill(line.line.id, Text((words,), area))


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


def _clear(board: Board, area: Rect) -> bool:
    return not any(area.meets(other) for other in (*board.areas, *board.texts))


def _covered(board: Board, area: Rect, line: str) -> float:
    """How bad it is to cover what the pill covers there: other lines, or only borders."""
    covered = [id for id, strokes in board.strokes.items() if id != line and any(touches(area, s) for s in strokes)]
    return sum(1.0 if id == "frames" else 9.0 for id in covered)
