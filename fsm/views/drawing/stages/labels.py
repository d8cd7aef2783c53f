"""The last stage of the layout: a free place for every text, and what to widen for those that find
none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

from fsm.views.drawing.diagram import Box, Line, Node
from fsm.views.drawing.labels import Board, Lines, around, beside
from fsm.views.drawing.measures import BOX_NAME_TOP, DISC_GAP, LABEL, LABEL_WIDTH
from fsm.views.drawing.metrics import text_width
from fsm.views.drawing.placed import PlacedBox, PlacedLine, Point, Rect, Text, Words, text_size
from fsm.views.drawing.slack import Slack
from fsm.views.drawing.stages.channels import is_direct
from fsm.views.drawing.stages.grid import PAD, disc_words, stage_title, stage_words
from fsm.views.drawing.stages.sheet import StageSheet
from fsm.views.drawing.texts import SIZES, cited, label_words

_START_GAP, _SIDE_GAP, _LINE_GAP = (
    5.0,
    7.0,
    4.0,
)  # from a disc to its words: right, left, and under a line
_TITLE_INSET, _NOTE_FOOT = (
    14.0,
    7.0,
)  # from the right border of a box to its title, from the lower one to its notes
_STEP = 8  # between the places that are tried for a text of a box
_ONE_LINE = 260.0  # how wide a label of several texts may be as one line
_LABEL_WIDTHS, _WIDE_LABEL, _BESIDE_LANE = (200.0, 128.0, LABEL_WIDTH, 64.0), 128.0, 100.0

# How much room is added at a time.
_FOR_TITLE, _FOR_NOTES, _FOR_BORDER, _FOR_END = 40.0, 70.0, 30.0, 40.0
_FOR_GAP, _FOR_LANE, _FOR_TRACK, _FOR_WIDTH = 10.0, 8.0, 2.0, 16.0
_NARROWER, _NARROWEST = 60.0, 300.0  # of notes


@dataclass(frozen=True, slots=True)
class Lettered:
    """The boxes and lines with their texts, and which of these found no free place.

    `narrow` boxes have no free place for their title, `crowded` ones none for their notes.
    """

    boxes: Sequence[PlacedBox]
    lines: Sequence[PlacedLine]
    narrow: Sequence[str]
    crowded: Sequence[str]
    homeless: Sequence[Line]

    @property
    def missing(self) -> int:
        """How much is wrong."""
        return bool(self.narrow) + len(self.crowded) + len(self.homeless)


def node_text(sheet: StageSheet, node: Node) -> Text | None:
    """The words of a stage in its middle, or those at a disc."""
    area = sheet.area(node.id)
    if node.kind not in SIZES:
        return Text.inside(stage_words(node), area)
    return _disc_text(sheet, node, area) if node.title else None


def _disc_text(sheet: StageSheet, node: Node, area: Rect) -> Text:
    """At an entry to the right, at an end below, or at its left if a line comes from below."""
    words, y = disc_words(node), sheet.y(node.id)
    width, height = text_size(words)
    if node.kind == "start":
        return Text.at(words, area.right + _START_GAP, y - height / 2)
    here = [route for route in sheet.routes.values() if route.line.target == node.id]
    if not any(route.into == "under" for route in here):
        return Lines.of(words).below(area.x, area.bottom + DISC_GAP)
    left = area.left - _SIDE_GAP - width
    level = any(route.into == "level" and route.x2 < area.x for route in here)
    top = y + _LINE_GAP if level else y - height / 2
    return Text(tuple(words), Rect(left, top, left + width, top + height), "end")


def lettered(
    sheet: StageSheet,
    paths: Mapping[str, tuple[Point, ...]],
    board: Board,
    inside: bool,
    anywhere: bool,
) -> Lettered:
    """Write the titles and notes of boxes, then the labels of lines, the widest first.

    `inside`: no label stands beside the boxes. `anywhere`: a label may stand far from its line.
    """
    placed = [
        _box(sheet, box, board) for box in sheet.grid.diagram.boxes if box.id in sheet.borders
    ]
    lines = [line for line in sheet.grid.diagram.lines if line.id in paths]
    labels: dict[str, Text | None] = {}
    for line in sorted(lines, key=lambda line: -text_size(label_words(line))[0]):
        if line.words or line.rule:
            shapes = (
                [_narrow(line)]
                if _beside_lane(sheet, line, inside) and not anywhere
                else label_shapes(line)
            )
            spots = (
                _spots(sheet, line, words, paths[line.id], inside, anywhere) for words in shapes
            )
            labels[line.id] = board.settle(chain.from_iterable(spots), line.id)
    return Lettered(
        [box for box, _, _ in placed],
        [PlacedLine(line, paths[line.id], labels.get(line.id)) for line in lines],
        [box.box.id for box, title_free, _ in placed if not title_free],
        [box.box.id for box, _, notes_free in placed if not notes_free],
        [sheet.routes[id].line for id, label in labels.items() if label is None],
    )


def _box(sheet: StageSheet, box: Box, board: Board) -> tuple[PlacedBox, bool, bool]:
    """A box with its title at the right and its notes at the left; did both find a free place?"""
    area, words, notes = (
        sheet.borders[box.id],
        tuple(stage_title(box)),
        tuple(sheet.grid.notes[box.id]),
    )
    (width, height), (note_width, note_height) = text_size(words), text_size(notes)
    right, top = area.right - _TITLE_INSET, area.top + BOX_NAME_TOP
    titles = [
        Text(words, Rect(right - aside - width, top, right - aside, top + height), "end")
        for aside in range(0, max(1, int(right - PAD - width - area.left)), _STEP)
    ]
    title, title_free = board.stand(titles)
    if not notes:
        return PlacedBox(box, area, title), title_free, True
    low, first = area.bottom - _NOTE_FOOT - note_height, int(area.left + PAD)
    places = range(first, max(first + 1, int(area.right - PAD - note_width)), _STEP)
    said, notes_free = board.stand([Text.at(notes, x, low) for x in places])
    return PlacedBox(box, area, title, said), title_free, notes_free


def label_shapes(line: Line) -> Iterator[list[Words]]:
    """A label in one line, or in more and shorter ones."""
    ink = "ink" if line.layer == "core" else line.layer
    whole = "\u00a0\u00a0\u00a0".join(line.words)
    if len(line.words) > 1 and text_width(whole, LABEL) < _ONE_LINE:
        yield [Words(whole, LABEL, ink=ink), *cited(line, _WIDE_LABEL)]
    for most in _LABEL_WIDTHS:
        yield label_words(line, most)


def _narrow(line: Line) -> list[Words]:
    """The label of a line beside its lane, where each letter makes the picture wider."""
    return label_words(line, _BESIDE_LANE)


def _beside_lane(sheet: StageSheet, line: Line, inside: bool) -> bool:
    """Does the label stand outside the boxes?"""
    route = sheet.routes[line.id]
    return route.kind in ("right", "left") and route.gap1 is None and not inside


def _spots(
    sheet: StageSheet,
    line: Line,
    words: Sequence[Words],
    path: Sequence[Point],
    inside: bool,
    anywhere: bool,
) -> Iterator[Text]:
    """Places for a label: above its track in the gap first, if it has one."""
    route = sheet.routes[line.id]
    along = chain.from_iterable(
        beside(words, part) for part in pairwise(path) if part[0][1] == part[1][1]
    )
    if inside and route.kind in ("right", "left") and not anywhere:
        tried = chain(along, beside(words, path, beyond=True))
        yield from (
            text for text in tried if sheet.left < text.area.left and text.area.right < sheet.right
        )
        return
    if route.kind == "drop" and (
        route.into == "level" or not is_direct(sheet.grid, route, sheet.across.x)
    ):
        yield from along
    yield from beside(words, path, beyond=True)
    if anywhere:
        yield from around(words, path)


def slack_for(sheet: StageSheet, texts: Lettered, slack: Slack, inside: bool) -> Slack:
    """More room where each homeless label stands; narrower notes in crowded boxes, and then wider
    boxes.
    """
    if texts.narrow:
        slack = slack.more("right", "", _FOR_TITLE)
    for box in texts.crowded:
        if slack.room("note", box) == _NARROWEST:
            slack = slack.more("right", "", _FOR_NOTES)
        slack = slack.with_room("note", box, min(_NARROWEST, slack.room("note", box) + _NARROWER))
    for line in texts.homeless:
        route = sheet.routes[line.id]
        width, height = text_size(label_words(line, _BESIDE_LANE))
        final = sheet.grid.cells[line.target].node.kind == "final"
        if route.kind == "straight":
            slack = slack.more("between", line.id, _FOR_WIDTH)
        elif route.kind == "drop" and route.out == "border":
            slack = slack.more("right", "", _FOR_BORDER)
        elif route.kind == "drop" and final and route.x2 > route.x1 + 1:
            slack = slack.more("before end", line.target, _FOR_END)
        elif route.kind == "drop" and is_direct(sheet.grid, route, sheet.across.x):
            before = slack.room("gap", route.gap2)
            slack = slack.with_room("gap", route.gap2, height + _FOR_GAP + before / 2)
        elif route.kind in ("right", "left") and route.gap1 is None and not inside:
            slack = slack.more("beside lane", line.id, width + _FOR_LANE)
        else:
            slack = slack.more("track", line.id, height + _FOR_TRACK)
    return slack
