"""Finding a free place for every text: beside a vertical line, above a horizontal one, never on anything."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from fsm.views.drawing.placed import PlacedBox, Point, Rect, Text, Words, segments, text_size

PlacedLabel: TypeAlias = tuple[Text, tuple[Point, ...]]
CLEAR, APART = 2.5, 6.0


@dataclass(slots=True)
class Board:
    """What is already there: areas, texts, frames and lines that a text must not touch."""

    areas: list[Rect] = field(default_factory=list)
    texts: list[Rect] = field(default_factory=list)
    strokes: dict[str, list[Rect]] = field(default_factory=dict)

    def add_area(self, area: Rect) -> None:
        """Something filled: no text on it, and no text of it counts."""
        self.areas.append(area)

    def add_text(self, text: Text) -> None:
        """A text that has its place."""
        self.texts.append(text.area)

    def add_frame(self, area: Rect) -> None:
        """A border: texts may be inside or outside, not on it."""
        self.strokes.setdefault("frames", []).extend(area.edges())

    def add_box(self, box: PlacedBox) -> None:
        """The border of a box and its texts."""
        self.add_frame(box.area)
        self.add_text(box.title)
        if box.notes:
            self.add_text(box.notes)

    def add_line(self, id: str, points: Sequence[Point]) -> None:
        """A line."""
        self.strokes[id] = segments(points)

    def free(self, area: Rect) -> bool:
        """May a text stand here?"""
        near = area.grown(CLEAR)
        close = Rect(area.left - APART, area.top - 1.5, area.right + APART, area.bottom + 1.5)
        if any(near.meets(other) for other in self.areas) or any(close.meets(other) for other in self.texts):
            return False
        return not any(touches(near, stroke) for strokes in self.strokes.values() for stroke in strokes)

    def apart(self, area: Rect) -> bool:
        """Is it clear of all else that is written or filled, though perhaps on a line?"""
        return not any(area.grown(1.5).meets(other) for other in (*self.areas, *self.texts))

    def squeeze(self, spots: Iterable[Text]) -> Text | None:
        """Take the first place that is clear of other texts, if there is one: for what has found no free place."""
        found = next((text for text in spots if self.apart(text.area)), None)
        if found is not None:
            self.add_text(found)
        return found

    def stand(self, spots: Sequence[Text]) -> tuple[Text, bool]:
        """Place what must be written, if need be across a line; and was there a free place?"""
        if free := self.settle(spots):
            return free, True
        if clear := self.squeeze(spots):
            return clear, False
        self.add_text(spots[0])
        return spots[0], False

    def clear(self, stub: Sequence[Point]) -> bool:
        """May a new line run here? The first part of a bent one may lie on a line from the same place."""
        for part in segments(stub)[1 if len(stub) > 2 else 0 :]:
            inner = Rect(part.left - 1, part.top - 4, part.right + 1, part.bottom + 4)
            if any(inner.meets(text) for text in self.texts):
                return False
            across, down = (3, -3) if part.width >= part.height else (-3, 3)
            wide = Rect(part.left + across, part.top + down, part.right - across, part.bottom - down)
            if any(touches(wide, s) for id, strokes in self.strokes.items() for s in strokes if id != "frames"):
                return False
            if any(wide.meets(area) for area in self.areas):
                return False
        return True

    def settle(self, spots: Iterable[Text]) -> Text | None:
        """Take the first free place, if there is one."""
        for text in spots:
            if self.free(text.area):
                self.add_text(text)
                return text
        return None

    def settle_stub(self, spots: Iterable[PlacedLabel]) -> PlacedLabel | tuple[None, tuple[Point, ...]]:
        """Take the first place where both the text and the line to it are free."""
        for text, stub in spots:
            if self.free(text.area) and self.clear(stub):
                self.add_text(text)
                return text, stub
        return None, ()


def touches(area: Rect, stroke: Rect) -> bool:
    """Does a line run through the rectangle?"""
    return (
        stroke.left < area.right and stroke.right > area.left and stroke.top < area.bottom and stroke.bottom > area.top
    )


def beside(words: Sequence[Words], points: Sequence[Point]) -> Iterator[Text]:
    """Places for a label along its line, the best ones first: near where the line starts."""
    width, height = text_size(words)
    parts = list(itertools.pairwise(points))
    fits = [p for p in parts if _length(p) >= (height if _vertical(p) else width) - 2]
    for part in [*fits, *(p for p in parts if p not in fits)]:
        yield from _along(words, part, width, height)


def _along(words: Sequence[Words], part: tuple[Point, Point], width: float, height: float) -> Iterator[Text]:
    (x1, y1), (x2, y2) = part
    lines = tuple(words)
    if _vertical(part):
        for gap in (6.0, 9.0):
            for y in _down(y1, y2):
                yield Text(lines, Rect(x1 + gap, y - height / 2, x1 + gap + width, y + height / 2), "start")
                yield Text(lines, Rect(x1 - gap - width, y - height / 2, x1 - gap, y + height / 2), "end")
    else:
        low, high = min(x1, x2) + width / 2 + 4, max(x1, x2) - width / 2 - 4
        places = [low + (high - low) * s for s in ((0.5, 0.25, 0.75, 0.0, 1.0) if high > low else (0.5,))]
        places = sorted(places, key=lambda x: abs(x - x1))[1:] + places
        for x in places:
            yield Text(lines, Rect(x - width / 2, y1 - height - 3, x + width / 2, y1 - 3))
            yield Text(lines, Rect(x - width / 2, y1 + 4, x + width / 2, y1 + 4 + height))


def _down(y1: float, y2: float) -> list[float]:
    """Heights along a vertical line, every few points, from its middle outwards."""
    count = max(8, min(40, int(abs(y2 - y1) / 3)))
    heights = [y1 + (y2 - y1) * (i + 0.5) / count for i in range(count)]
    return sorted(heights, key=lambda y: abs(y - (y1 + y2) / 2))


NEAR = (5.0, 9.0, 14.0, 22.0, 34.0, 50.0)
FAR = (*NEAR, *(70.0 * 1.3**n for n in range(14)))


def around(words: Sequence[Words], points: Sequence[Point], gaps: Sequence[float] = NEAR) -> Iterator[Text]:
    """Places beside a curve, from its middle outwards."""
    width, height = text_size(words)
    middle = len(points) // 2
    for x, y in sorted(points, key=lambda p: abs(points.index(p) - middle)):
        for gap in gaps:
            yield Text(tuple(words), Rect(x + gap, y - height / 2, x + gap + width, y + height / 2))
            yield Text(tuple(words), Rect(x - gap - width, y - height / 2, x - gap, y + height / 2))
            yield Text(tuple(words), Rect(x - width / 2, y - gap - height, x + width / 2, y - gap))
            yield Text(tuple(words), Rect(x - width / 2, y + gap, x + width / 2, y + gap + height))


def block(words: Sequence[Words], area: Rect, gap: float) -> Iterator[Text]:
    """Places for the words of a disc: above, right, under, left."""
    width, height = text_size(words)
    lines = tuple(words)
    for more in (0.0, 6.0, 14.0):
        g = gap + more
        yield Text(lines, Rect(area.x - width / 2, area.top - g - height, area.x + width / 2, area.top - g))
        yield Text(
            lines, Rect(area.right + g, area.y - height / 2, area.right + g + width, area.y + height / 2), "start"
        )
        yield Text(lines, Rect(area.x - width / 2, area.bottom + g, area.x + width / 2, area.bottom + g + height))
        yield Text(lines, Rect(area.left - g - width, area.y - height / 2, area.left - g, area.y + height / 2), "end")


def _vertical(part: tuple[Point, Point]) -> bool:
    return abs(part[0][0] - part[1][0]) < 0.1


def _length(part: tuple[Point, Point]) -> float:
    return abs(part[0][0] - part[1][0]) + abs(part[0][1] - part[1][1])
