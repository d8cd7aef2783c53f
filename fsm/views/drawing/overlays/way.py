"""The way a run took: its lines stand out and carry their order, the others fade."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from fsm.engine.records import Record
from fsm.views.drawing.overlays.pictureindex import PictureIndex, Ways
from fsm.views.drawing.overlays.pills import board_over, length, pill_on
from fsm.views.drawing.placed import Overlay, Paint, Pill, Placed

MOST_NUMBERS = 3
WIDE = 2.6


def with_path(
    placed: Placed, index: PictureIndex, trace: Sequence[Record], machine: str, *, whole: bool
) -> Placed:
    """The picture with the way that the records of one machine ("turn" or "window") took."""
    records = [r for r in trace if r.machine == machine]
    orders = _orders(index, records)
    known = index.rows.keys() if whole else index.drawn
    here = "" if whole else " here"
    caption = (
        f"{len(known & {r.transition for r in records})} of {len(known)} transitions{here} taken."
    )
    lines = {id: Paint("taken", WIDE) for id in orders}
    pills = tuple(_pills(placed, orders))
    return replace(
        placed, overlay=Overlay(lines=lines, others=Paint("faded"), pills=pills, caption=caption)
    )


def _orders(index: PictureIndex, records: Sequence[Record]) -> dict[str, list[int]]:
    """For each line taken, its places in the order of all lines taken."""
    found: dict[str, list[int]] = {}
    for number, line in enumerate(lines_taken(index, records), 1):
        found.setdefault(line, []).append(number)
    return found


def lines_taken(index: PictureIndex, records: Sequence[Record]) -> Iterator[str]:
    """The ids of the lines that a run took, one after the other: it is followed from node to node."""
    ending: dict[str, list[Ways]] = {}
    for ways in index.ways.values():
        for id in ways.ends:
            ending.setdefault(id, []).append(ways)
    came: list[str] = []
    for record in records:
        row = index.rows.get(record.transition)
        if row is None or row.target is None:
            continue
        came.append(row.id)
        line = _fitting(ending.get(row.id, ()), came)
        if line:
            yield line
        if line or index.arrives(row):
            came = []


def _fitting(lines: Sequence[Ways], came: Sequence[str]) -> str:
    """The line that stands for most of this way, and for least besides; "" when none begins where
    this way does.
    """
    fits = [(_length(ways, came), -len(ways.rows), ways.line.id) for ways in lines]
    return max((fit for fit in fits if fit[0]), default=(0, 0, ""))[2]


def _length(ways: Ways, came: Sequence[str]) -> int:
    """How many of the last transitions are a whole way along this line."""
    on_line = {row.id for row in ways.rows}
    number, whole = 0, 0
    while number < len(came) and came[-1 - number] in on_line:
        number += 1
        whole = number if came[-number] in ways.starts else whole
    return whole


def _pills(placed: Placed, orders: dict[str, list[int]]) -> Iterator[Pill]:
    board = board_over(placed)
    for line in sorted((p for p in placed.lines if p.line.id in orders), key=length):
        pill = pill_on(board, line, _numbers(orders[line.line.id]))
        board.add_area(pill.text.area.grown(1))
        yield pill


def _numbers(order: Sequence[int]) -> list[str]:
    """What a pill says, and shorter texts for places with less room."""
    often = f"{len(order)}×"
    if len(order) <= MOST_NUMBERS:
        return [", ".join(map(str, order)), *([f"{order[0]} ({often})"] if len(order) > 1 else [])]
    return [f"{order[0]}, {order[1]} … ({often})", f"{order[0]} … ({often})", f"{order[0]} …"]
