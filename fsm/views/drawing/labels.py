"""Finding a free place for every text: beside a vertical line, above a horizontal one, never on
anything.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import TypeAlias

from fsm.views.drawing.measures import CARD_CLEARANCE, DISC_GAP
from fsm.views.drawing.placed import (
    Anchor,
    PlacedBox,
    PlacedNode,
    Point,
    Rect,
    Text,
    Words,
    segments,
    text_size,
)

PlacedLabel: TypeAlias = tuple[Text, tuple[Point, ...]]

# What a text keeps free around it.
CLEAR, APART, _APART_DOWN, _APART_SQUEEZED = 2.5, 6.0, 1.5, 1.5
_STUB_APART, _STUB_APART_DOWN, _STUB_WIDTH, _STUB_END = 1.0, 4.0, 3.0, 3.0

READ_ON, _LEVEL = 16.0, 3.0
"""Texts in one row that are nearer than this read as one, and how much of their heights then is
level.
"""
_ASIDE_OF_OTHERS, _FROM_OTHERS, _SAME = 9.0, 5.0, 0.05
"""How far the label of a line is from other lines, beside it and above or below; not where they run
with its own.
"""

# Where labels are tried: beside a vertical line, every few points; above and below a horizontal
# one.
_ASIDE = (6.0, 9.0)
_FEWEST, _MOST, _EVERY = 8, 40, 3
_OVERHANG, _FROM_END, _ABOVE, _BELOW = 2.0, 4.0, 3.0, 4.0
_SHARES = (0.5, 0.25, 0.75, 0.0, 1.0)
_DISC_GAPS = tuple(DISC_GAP + more for more in (0.0, 6.0, 14.0))
NEAR = (5.0, 9.0, 14.0, 22.0, 34.0, 50.0)
FAR = (*NEAR, *(70.0 * 1.3**n for n in range(14)))
"""The distances from a curve at which labels are tried, in a picture and as a last resort."""


@dataclass(slots=True)
class Board:
    """What is already there: areas, texts, frames and lines that a text must not touch."""

    areas: list[Rect] = field(default_factory=list)
    texts: list[Rect] = field(default_factory=list)
    strokes: dict[str, list[Rect]] = field(default_factory=dict)
    bounds: dict[str, Rect] = field(default_factory=dict)

    def add_area(self, area: Rect) -> None:
        """Something filled: no text on it, and no text of it counts."""
        self.areas.append(area)

    def add_text(self, text: Text) -> None:
        """A text that has its place."""
        self.texts.append(text.area)

    def add_line(self, id: str, points: Sequence[Point]) -> None:
        """A line."""
        self.strokes[id] = segments(points)
        self.bounds.pop(id, None)

    def free(self, area: Rect) -> bool:
        """May a text stand here?"""
        near = area.grown(CLEAR)
        close = Rect(
            area.left - APART, area.top - _APART_DOWN, area.right + APART, area.bottom + _APART_DOWN
        )
        if any(near.meets(other) for other in self.areas) or any(
            close.meets(other) for other in self.texts
        ):
            return False
        return not any(
            touches(near, stroke) for strokes in self.strokes.values() for stroke in strokes
        )

    def apart(self, area: Rect) -> bool:
        """Is it clear of all else that is written or filled, though perhaps on a line?"""
        return not any(
            area.grown(_APART_SQUEEZED).meets(other) for other in (*self.areas, *self.texts)
        )

    def squeeze(self, spots: Iterable[Text]) -> Text | None:
        """Take the first place that is clear of other texts, if there is one: for what has found no
        free place.
        """
        return self._taken(text for text in spots if self.apart(text.area))

    def stand(self, spots: Sequence[Text]) -> tuple[Text, bool]:
        """Place what must be written, if need be across a line; and was there a free place?"""
        if free := self.settle(spots):
            return free, True
        if clear := self.squeeze(spots):
            return clear, False
        self.add_text(spots[0])
        return spots[0], False

    def clear(self, stub: Sequence[Point]) -> bool:
        """May a new line run here? The first part of a bent one may lie on a line from the same
        place.
        """
        for part in segments(stub)[1 if len(stub) > 2 else 0 :]:
            inner = Rect(
                part.left - _STUB_APART,
                part.top - _STUB_APART_DOWN,
                part.right + _STUB_APART,
                part.bottom + _STUB_APART_DOWN,
            )
            if any(inner.meets(text) for text in self.texts):
                return False
            across, down = (
                (_STUB_END, -_STUB_WIDTH)
                if part.width >= part.height
                else (-_STUB_WIDTH, _STUB_END)
            )
            wide = Rect(
                part.left + across, part.top + down, part.right - across, part.bottom - down
            )
            if any(
                touches(wide, s)
                for id, strokes in self.strokes.items()
                for s in strokes
                if id != "frames"
            ):
                return False
            if any(wide.meets(area) for area in self.areas):
                return False
        return True

    def settle(self, spots: Iterable[Text], own: str = "", *, whole: bool = False) -> Text | None:
        """Take the first free place, if there is one: of the label of a line, one that is nearest
        to its `own` line.
        """
        good = (text for text in spots if self.free(text.area))
        return self._taken(text for text in good if not own or self.belongs(text, own, whole=whole))

    def belongs(self, text: Text, own: str, *, whole: bool = False) -> bool:
        """Is each row of a label nearer to its own line than to any other, and beside no text that
        it reads on with?

        `whole`: it is enough that the label as a whole is nearer to its own line than any row is to
        another.
        """
        if any(_reads_on(row, other) for row in text.rows() for other in self.texts):
            return False
        for row in text.rows():
            far = min(
                (text.area if whole else row).distance(stroke) for stroke in self.strokes[own]
            )
            for stroke in self._near(row, max(far, _ASIDE_OF_OTHERS), own):
                near = row.distance(stroke)
                level = stroke.top < row.bottom and stroke.bottom > row.top
                if near < far or far + _SAME < near < (_ASIDE_OF_OTHERS if level else _FROM_OTHERS):
                    return False
        return True

    def _near(self, row: Rect, within: float, own: str) -> Iterator[Rect]:
        """The parts of other lines, where these as a whole come so near."""
        for id, strokes in self.strokes.items():
            if id not in (own, "frames") and strokes and row.distance(self._bounds(id)) < within:
                yield from strokes

    def _bounds(self, id: str) -> Rect:
        """What a line is in."""
        if id not in self.bounds:
            parts = self.strokes[id]
            left, top = min(part.left for part in parts), min(part.top for part in parts)
            self.bounds[id] = Rect(
                left, top, max(part.right for part in parts), max(part.bottom for part in parts)
            )
        return self.bounds[id]

    def _taken(self, good: Iterator[Text]) -> Text | None:
        text = next(good, None)
        if text is not None:
            self.add_text(text)
        return text

    def settle_stub(
        self, spots: Iterable[PlacedLabel]
    ) -> PlacedLabel | tuple[None, tuple[Point, ...]]:
        """Take the first place where both the text and the line to it are free."""
        for text, stub in spots:
            if self.free(text.area) and self.clear(stub):
                self.add_text(text)
                return text, stub
        return None, ()


def box_texts(boxes: Iterable[PlacedBox]) -> Iterator[Text]:
    """The titles and notes of boxes."""
    for box in boxes:
        yield from (box.title, box.notes) if box.notes else (box.title,)


def board_of(
    areas: Iterable[Rect],
    texts: Iterable[Text],
    frames: Iterable[Rect],
    paths: Mapping[str, Sequence[Point]],
    clearance: float = CARD_CLEARANCE,
) -> Board:
    """A board with these areas (and a little around them), texts, borders and lines."""
    strokes = {id: segments(path) for id, path in paths.items()}
    edges = [edge for frame in frames for edge in frame.edges()]
    return Board(
        [area.grown(clearance) for area in areas],
        [text.area for text in texts],
        {"frames": edges, **strokes},
    )


def _reads_on(row: Rect, other: Rect) -> bool:
    """Do they stand in one row, so near that they read as one text?"""
    level = min(row.bottom, other.bottom) - max(row.top, other.top)
    return level > _LEVEL and max(other.left - row.right, row.left - other.right) < READ_ON


def touches(area: Rect, stroke: Rect) -> bool:
    """Does a line run through the rectangle?"""
    return (
        stroke.left < area.right
        and stroke.right > area.left
        and stroke.top < area.bottom
        and stroke.bottom > area.top
    )


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of text with their size, to be tried in many places."""

    words: tuple[Words, ...]
    width: float
    height: float

    @classmethod
    def of(cls, words: Sequence[Words]) -> Lines:
        """Measure these words."""
        return cls(tuple(words), *text_size(words))

    def right_of(self, x: float, y: float, anchor: Anchor = "start") -> Text:
        """The text right of a point."""
        return Text(
            self.words, Rect(x, y - self.height / 2, x + self.width, y + self.height / 2), anchor
        )

    def left_of(self, x: float, y: float, anchor: Anchor = "end") -> Text:
        """The text left of a point."""
        return Text(
            self.words, Rect(x - self.width, y - self.height / 2, x, y + self.height / 2), anchor
        )

    def above(self, x: float, y: float) -> Text:
        """The text above a point."""
        return Text(self.words, Rect(x - self.width / 2, y - self.height, x + self.width / 2, y))

    def below(self, x: float, y: float) -> Text:
        """The text below a point."""
        return Text(self.words, Rect(x - self.width / 2, y, x + self.width / 2, y + self.height))


def beside(
    words: Sequence[Words], points: Sequence[Point], *, beyond: bool = False
) -> Iterator[Text]:
    """Places for a label along its line, the best ones first: near where the line starts.

    `beyond`: at last, a label may begin or end with a part of the line that is shorter than it.
    """
    lines = Lines.of(words)
    parts = list(itertools.pairwise(points))
    fits = [
        p
        for p in parts
        if _length(p) >= (lines.height if _vertical(p) else lines.width) - _OVERHANG
    ]
    for part in [*fits, *(p for p in parts if p not in fits)]:
        yield from _along(lines, part)
    for part in parts if beyond else ():
        yield from _beyond(lines, part)


def _along(lines: Lines, part: tuple[Point, Point]) -> Iterator[Text]:
    (x1, y1), (x2, y2) = part
    if _vertical(part):
        for gap in _ASIDE:
            for y in _down(y1, y2):
                yield lines.right_of(x1 + gap, y)
                yield lines.left_of(x1 - gap, y)
    else:
        low, high = (
            min(x1, x2) + lines.width / 2 + _FROM_END,
            max(x1, x2) - lines.width / 2 - _FROM_END,
        )
        places = [low + (high - low) * s for s in (_SHARES if high > low else _SHARES[:1])]
        places = sorted(places, key=lambda x: abs(x - x1))[1:] + places
        for x in places:
            yield lines.above(x, y1 - _ABOVE)
            yield lines.below(x, y1 + _BELOW)


def _beyond(lines: Lines, part: tuple[Point, Point]) -> Iterator[Text]:
    """Places above and below a horizontal part from one of its ends on, over the other."""
    (x1, y1), (x2, _) = part
    if not _vertical(part):
        for x in (min(x1, x2) + lines.width / 2, max(x1, x2) - lines.width / 2):
            yield lines.below(x, y1 + _BELOW)
            yield lines.above(x, y1 - _ABOVE)


def _down(y1: float, y2: float) -> list[float]:
    """Heights along a vertical line, every few points, from its middle outwards."""
    count = max(_FEWEST, min(_MOST, int(abs(y2 - y1) / _EVERY)))
    heights = [y1 + (y2 - y1) * (i + 0.5) / count for i in range(count)]
    return sorted(heights, key=lambda y: abs(y - (y1 + y2) / 2))


def around(
    words: Sequence[Words], points: Sequence[Point], gaps: Sequence[float] = NEAR
) -> Iterator[Text]:
    """Places beside a curve, from its middle outwards."""
    lines = Lines.of(words)
    middle = len(points) // 2
    for x, y in sorted(points, key=lambda p: abs(points.index(p) - middle)):
        for gap in gaps:
            yield lines.right_of(x + gap, y, "middle")
            yield lines.left_of(x - gap, y, "middle")
            yield lines.above(x, y - gap)
            yield lines.below(x, y + gap)


def block(words: Sequence[Words], area: Rect) -> Iterator[Text]:
    """Places for the words of a disc: above, right, under, left."""
    lines = Lines.of(words)
    for gap in _DISC_GAPS:
        yield lines.above(area.x, area.top - gap)
        yield lines.right_of(area.right + gap, area.y)
        yield lines.below(area.x, area.bottom + gap)
        yield lines.left_of(area.left - gap, area.y)


def named(node: PlacedNode, words: Sequence[Words], board: Board) -> PlacedNode:
    """A disc with its words in a free place; those of a beginning stand left of it if they can."""
    if not words:
        return node
    left = (
        [Lines.of(words).left_of(node.area.left - DISC_GAP, node.area.y)]
        if node.node.kind == "start"
        else []
    )
    return replace(node, text=board.settle(chain(left, block(words, node.area))))


def end_named(node: PlacedNode, board: Board) -> PlacedNode:
    """The disc of an end with its name beside it; any other node as it is."""
    title = node.node.title if node.node.kind == "final" else ""
    return named(node, [Words(title)] if title else (), board)


def _vertical(part: tuple[Point, Point]) -> bool:
    return abs(part[0][0] - part[1][0]) < 0.1


def _length(part: tuple[Point, Point]) -> float:
    return abs(part[0][0] - part[1][0]) + abs(part[0][1] - part[1][1])
