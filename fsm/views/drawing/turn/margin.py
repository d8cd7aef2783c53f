"""The eighth stage of the layout: hubs, the ends of the turn, and jumps from any step, beside and
below the columns.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from fsm.views.drawing.diagram import Line, Node
from fsm.views.drawing.labels import Board, named
from fsm.views.drawing.measures import FINAL_SIZE, LABEL, LOOKUP_SIZE
from fsm.views.drawing.placed import PlacedNode, Point, Rect, Text, Words, text_size, tidy
from fsm.views.drawing.texts import card_text, final_words, jump_words, name_width
from fsm.views.drawing.turn.frame import entries_of, frame_of, placed_list
from fsm.views.drawing.turn.grid import CARD_WIDEST
from fsm.views.drawing.turn.heights import HUB_HEIGHT, ROW_LINE_TOP, HubPlace
from fsm.views.drawing.turn.paths import LEVEL
from fsm.views.drawing.turn.routes import TurnRoute
from fsm.views.drawing.turn.sheet import TurnSheet

# Hubs.
_HUB_PADDING = 20.0
_HUB_INSET, _SAMPLE_LEFT, _SAMPLE_GAP = 4.0, 16.0, 14.0
_HUB_CLEARANCE, _HUB_HEAD = 5.0, 4.0
_SAMPLE_RISE = 9.5  # from the middle of the sample to the top of its words

# Discs right of everything.
_DISC_LEFT, _DISC_PITCH, _DISC_CLEARANCE, _BEND = 42.0, 44.0, 2.0, 10.0

# Words right of everything, from which a line leads to the last column.
_WORD_BELOW, _WORD_RIGHT, _WORD_GAP = 26.0, 4.0, 8.0
_WORD_LINE_LEFT, _WORD_LINE_TOP = 4.0, 6.0
_ASIDE, _DOWN = (0, 30, 60, 100), range(0, 200, 8)

# Rows of words under the last column.
_ROW_INSET, _ROW_GAP = 4.0, 8.0
_ROW_TO_DISC, _ROW_TO_DISC_LABEL = 50.0, 64.0
_ROW_TO_WORDS, _ROW_TO_WORDS_LABEL = 36.0, 40.0
_ROW_DOWN = range(0, 240, 8)

_PLAIN: tuple[tuple[str, ...], ...] = ((), ("else",))
"""The words of a line that is taken when nothing special holds."""


@dataclass(frozen=True, slots=True)
class Added:
    """What a stage adds to the picture: nodes, words that are drawn after all nodes, and lines.

    `paths` are the corners of lines and `heads` the words they end at, by line.
    """

    nodes: Sequence[PlacedNode] = ()
    words: Sequence[PlacedNode] = ()
    paths: Mapping[str, tuple[Point, ...]] = field(default_factory=dict)
    heads: Mapping[str, str] = field(default_factory=dict)


def margin_of(sheet: TurnSheet, board: Board) -> list[Added]:
    """Place what stands beside and below the columns; all of it is put on the board."""
    hubs = [_hub(sheet, board, place) for place in sheet.heights.hubs]
    discs, paths = _discs(sheet, board)
    word = [
        _word(sheet, board, route, list(discs.values()))
        for route in sheet.routes.values()
        if route.kind == "word"
    ]
    ends = [named(disc, final_words(disc.node), board) for disc in discs.values()]
    if frame := frame_of(sheet.grid.diagram):
        return [*hubs, Added(ends, paths=paths), *word, _list(sheet, board, frame)]
    return [*hubs, Added(ends, paths=paths), *word, *_rows(sheet, board, set(discs))]


def _list(sheet: TurnSheet, board: Board, frame: Node) -> Added:
    """The box that lists the jumps, under the last column."""
    lines = [route.line for route in sheet.routes.values() if route.kind == "row"]
    left, top = sheet.across.columns[-1].left, sheet.heights.rows[frame.id]
    found = placed_list(frame, entries_of(sheet.grid.diagram, lines), left, top)
    board.add_area(found.frame.area)
    return Added([found.frame], found.words, found.paths, found.heads)


def _hub(sheet: TurnSheet, board: Board, place: HubPlace) -> Added:
    """A hub, the diamond that stands for all the places extras come from, and what those are."""
    column = sheet.across.columns[place.column]
    left, right = column.left + _HUB_INSET, column.right - _HUB_INSET
    width = max(right - left, min(name_width(place.card) + _HUB_PADDING, CARD_WIDEST))
    card = Rect(left, place.card_top, left + width, place.card_top + HUB_HEIGHT)
    board.add_area(card.grown(_HUB_CLEARANCE))
    hub = PlacedNode(place.card, card, card_text(place.card, card))
    if place.sample is None:
        return Added([hub])
    x, y = left + _SAMPLE_LEFT, place.top + LOOKUP_SIZE / 2
    text = Text.at(place.said, x + _SAMPLE_GAP, y - _SAMPLE_RISE)
    area = Rect.around(x, y, LOOKUP_SIZE, LOOKUP_SIZE)
    board.add_text(text)
    board.add_area(area)
    corners = ((x, y + LOOKUP_SIZE / 2), (x, card.top - _HUB_HEAD))
    into = [r for r in sheet.routes.values() if r.kind == "hub" and r.line.target == place.card.id]
    for route in into:
        board.add_line(route.line.id, corners)
    return Added(
        [hub, PlacedNode(place.sample, area, text)],
        paths={route.line.id: corners for route in into},
    )


def _discs(
    sheet: TurnSheet, board: Board
) -> tuple[dict[str, PlacedNode], dict[str, tuple[Point, ...]]]:
    """Discs right of everything, where the turn ends, and the lines to them."""
    found: dict[str, PlacedNode] = {}
    paths: dict[str, tuple[Point, ...]] = {}
    x = sheet.across.end + _DISC_LEFT
    leaving = [r for r in sheet.routes.values() if r.kind in ("gutter to margin", "margin")]
    for route in sorted(leaving, key=lambda r: r.line.words not in _PLAIN):
        line, source = route.line, sheet.nodes[route.line.source]
        y = source.y if route.kind == "gutter to margin" else sheet.start(line.id)
        if line.target not in found:
            node = sheet.grid.diagram.node(line.target)
            assert node is not None
            top = min([y, *(disc.area.y - _DISC_PITCH for disc in found.values())])
            found[node.id] = PlacedNode(node, Rect.around(x, top, FINAL_SIZE, FINAL_SIZE))
            board.add_area(found[node.id].area.grown(_DISC_CLEARANCE))
        area, start = found[line.target].area, source.edge("right")
        paths[line.id] = (start, y), (area.left, area.y)
        if abs(area.y - y) >= LEVEL:
            bend = area.left - _BEND
            paths[line.id] = tidy([(start, y), (bend, y), (bend, area.y), (area.left, area.y)])
        board.add_line(line.id, paths[line.id])
    return found, paths


def _word(sheet: TurnSheet, board: Board, route: TurnRoute, discs: Sequence[PlacedNode]) -> Added:
    """Words under the last column that say from where a jump comes, and the line from there, right
    of the column.
    """
    line, end = route.line, sheet.end(route.line.id)
    words, lane, column = jump_words(line), sheet.lane(line.id), sheet.across.columns[-1]
    width, height = text_size(words)
    x = sheet.across.end if lane is None else lane
    lowest = max([end + _WORD_BELOW, *(disc.area.y + _WORD_BELOW for disc in discs)])
    top = max(lowest, sheet.heights.rows[line.id])
    area = _free_area(
        board, max(x + _WORD_RIGHT - width / 2, column.left + width / 2), top, width, height
    )
    text = Text(tuple(words), area, "end")
    board.add_text(text)
    edge = sheet.nodes[line.target].edge("right")
    path = tidy([(x, area.top - _WORD_GAP), (x, end), (edge, end)])
    if not area.left < x < area.right:
        level = area.top + _WORD_LINE_TOP
        path = tidy([(area.left - _WORD_LINE_LEFT, level), (x, level), (x, end), (edge, end)])
    board.add_line(line.id, path)
    node = Node(f"{line.id}!", "word", line.origin or "from any step", tooltip=line.tooltip)
    return Added(words=[PlacedNode(node, area, text)], paths={line.id: path})


def _free_area(board: Board, x: float, top: float, width: float, height: float) -> Rect:
    """A free place for a text at about this height, a little lower or further right if need be."""
    places = [
        Rect.around(x + aside, top + height / 2 + down, width, height)
        for aside in _ASIDE
        for down in _DOWN
    ]
    return next((place for place in places if board.free(place)), places[0])


def _rows(sheet: TurnSheet, board: Board, placed: set[str]) -> Iterator[Added]:
    """Jumps from any step to an end that has no disc yet, or to somewhere far: a row of their own
    each.
    """
    for route in sheet.routes.values():
        if route.kind == "row":
            node = sheet.grid.diagram.node(route.line.target)
            if node is not None and node.kind == "final" and node.id not in placed:
                placed.add(node.id)
                yield _row_to_disc(sheet, board, route.line, node)
            else:
                yield _row_to_words(sheet, board, route.line)


def _row_to_disc(sheet: TurnSheet, board: Board, line: Line, final: Node) -> Added:
    word, start, label = _free_row(sheet, board, line, final_words(final), _ROW_TO_DISC_LABEL)
    disc = Rect.around(start[0] + _ROW_TO_DISC, start[1], FINAL_SIZE, FINAL_SIZE)
    board.add_area(disc)
    path = start, (disc.left, disc.y)
    board.add_line(line.id, path)
    return Added([word, PlacedNode(final, disc, label)], paths={line.id: path})


def _row_to_words(sheet: TurnSheet, board: Board, line: Line) -> Added:
    said = Words(sheet.grid.diagram.goal_of(line), LABEL, True, line.layer)
    word, start, label = _free_row(sheet, board, line, [said], _ROW_TO_WORDS_LABEL)
    head = Node(f"{line.id}>", "word", said.text, tooltip=line.tooltip)
    path = start, (start[0] + _ROW_TO_WORDS, start[1])
    board.add_line(line.id, path)
    return Added([word], [PlacedNode(head, label.area, label)], {line.id: path}, {line.id: head.id})


def _free_row(
    sheet: TurnSheet, board: Board, line: Line, said: Sequence[Words], reach: float
) -> tuple[PlacedNode, Point, Text]:
    """The words of a row, where its line starts, and the words at its end: as high as there is
    room.
    """
    words = tuple(jump_words(line))
    (width, height), (w, h) = text_size(words), text_size(said)
    left, top = sheet.across.columns[-1].left + _ROW_INSET, sheet.heights.rows[line.id]
    for down in _ROW_DOWN:
        area = Rect(left, top + down, left + width, top + down + height)
        start = (area.right + _ROW_GAP, area.top + ROW_LINE_TOP)
        label = Rect.around(start[0] + reach + w / 2, start[1], w, h)
        if board.free(area) and board.free(label):
            break
    text, goal = Text(words, area), Text(tuple(said), label, "start")
    board.add_text(text)
    board.add_text(goal)
    return (
        PlacedNode(Node(f"{line.id}!", "word", words[0].text, tooltip=line.tooltip), area, text),
        start,
        goal,
    )
