"""The ninth stage of the layout: a line to somewhere far is a stub with the name of where it leads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from fsm.views.drawing.diagram import Line, Node
from fsm.views.drawing.labels import Board, Lines, PlacedLabel
from fsm.views.drawing.measures import LABEL, LABEL_WIDTH, SLIM_LABEL_WIDTH
from fsm.views.drawing.metrics import wrap
from fsm.views.drawing.placed import PlacedNode, Point, Rect, Text, Words, text_size
from fsm.views.drawing.slack import Slack
from fsm.views.drawing.texts import cited, guard_lines
from fsm.views.drawing.turn.footnotes import Footnotes
from fsm.views.drawing.turn.margin import Added
from fsm.views.drawing.turn.routes import TurnRoute
from fsm.views.drawing.turn.sheet import StandingNode, TurnSheet

STUBS = frozenset({"connector", "border connector"})
"""The kinds of route that are stubs."""

_WIDE = 108.0
_MORE_ROOM, _WIDEST_GUTTER = 24.0, 160.0
_LABEL_GAP = 3.0
_REACHES = (20.0, 30.0, 44.0, 60.0)
_LEAST_REACH, _MOST_REACH = 20.0, 200.0
_PAST_COLUMN = 14.0
_TILT = 6.0  # how far from its upper or lower end a label may lean on its stub
_BEND, _BENT_REACH = 10.0, 24.0
_RISES, _STEEP_RISES = (24.0, -24.0, 36.0, -36.0, 50.0, -50.0), (64.0, -64.0, 80.0, -80.0)
_BORDER_CORNER, _BORDER_STEP = 20.0, 10.0


def stubs_of(
    sheet: TurnSheet,
    paths: Mapping[str, tuple[Point, ...]],
    board: Board,
    slack: Slack,
    footnotes: Footnotes | None,
) -> tuple[Added, Slack]:
    """Place the stubs, and ask for more room where one finds no place; `paths` are the lines so
    far.
    """
    words: list[PlacedNode] = []
    found: dict[str, tuple[Point, ...]] = {}
    heads: dict[str, str] = {}
    for id, route in sheet.routes.items():
        if route.kind not in STUBS:
            continue
        known = {**paths, **found}
        said = [_said(sheet, route, _WIDE), _said(sheet, route, SLIM_LABEL_WIDTH)]
        text, stub = board.settle_stub(
            spot for s in said for spot in _spots(sheet, route, s, known, footnotes)
        )
        if text is None:
            needed = text_size(said[1])[0] + _MORE_ROOM
            slack = widened_gutter(sheet, route.line, needed, slack)
            text, stub = _without_place(sheet, route, said[0], known, board, footnotes)
        node = Node(
            f"{id}>", "word", sheet.grid.diagram.goal_of(route.line), tooltip=route.line.tooltip
        )
        words.append(PlacedNode(node, text.area, text))
        found[id], heads[id] = stub, node.id
        board.add_line(id, stub)
    return Added((), words, found, heads), slack


def widened_gutter(sheet: TurnSheet, line: Line, by: float, slack: Slack) -> Slack:
    """With more room in the gutter right of where a line starts, but not without end."""
    gutter = sheet.grid.column_of(line.source) + 1
    return slack.with_room("gutter", gutter, min(_WIDEST_GUTTER, slack.room("gutter", gutter) + by))


def _said(sheet: TurnSheet, route: TurnRoute, most: float) -> list[Words]:
    """The guard, the name of where it leads, and the citation."""
    line = route.line
    names = wrap(sheet.grid.diagram.goal_of(line), max(most, LABEL_WIDTH), LABEL)
    goal = [Words(part, LABEL, True, line.layer) for part in names]
    return [*guard_lines(line, most), *goal, *cited(line, LABEL_WIDTH)]


def _without_place(
    sheet: TurnSheet,
    route: TurnRoute,
    words: Sequence[Words],
    paths: Mapping[str, tuple[Point, ...]],
    board: Board,
    footnotes: Footnotes | None,
) -> PlacedLabel:
    """What is drawn where there is no place: in the end, the number of a footnote."""
    if footnotes is None:
        return next(iter(_spots(sheet, route, words, paths, footnotes)))
    mark = footnotes.mark(words, route.line.layer)
    spots = list(_spots(sheet, route, [mark], paths, footnotes))
    text, stub = board.settle_stub(spots)
    if text is not None:
        return text, stub
    bare = next((stub for _, stub in spots if board.clear(stub)), spots[0][1][:2])
    return Text((), Rect(*bare[-1], *bare[-1])), bare


def _spots(
    sheet: TurnSheet,
    route: TurnRoute,
    words: Sequence[Words],
    paths: Mapping[str, tuple[Point, ...]],
    footnotes: Footnotes | None,
) -> Iterator[PlacedLabel]:
    """Places for a stub with its words, the best ones first."""
    line, column = route.line, sheet.column_of(route.line.source)
    if route.kind == "border connector":
        box = sheet.box_area(line.source)
        left, right = box.left, box.right
        count = int(max(1, (box.bottom - box.top - 2 * _BORDER_CORNER) / _BORDER_STEP))
        heights = [box.top + _BORDER_CORNER + _BORDER_STEP * i for i in range(count)]
    else:
        node = sheet.nodes[line.source]
        left, right = node.edge("left"), node.edge("right")
        heights = [(node.node.kind == "card" and sheet.start(line.id)) or node.y]
        if sheet.grid.in_gutter(line.source):
            yield from _upright(Lines.of(words), node)
    out = (column.right - right + _PAST_COLUMN, left - column.left + _PAST_COLUMN)
    reaches = (*_REACHES, *(reach for reach in out if _LEAST_REACH < reach < _MOST_REACH))
    lines = Lines.of(words)
    tilts = (0.0, -lines.height / 2 + _TILT, lines.height / 2 - _TILT)
    taken = {
        points[0]
        for id, points in paths.items()
        if points and sheet.routes[id].line.source == line.source
    }
    for y in heights:
        if footnotes is not None or taken & {(left, y), (right, y)}:
            rises = (*_RISES, *(_STEEP_RISES if footnotes is not None else ()))
            yield from _bent(lines, left, right, y, rises)
        for reach in reaches:
            for rise in tilts:
                yield (
                    lines.right_of(right + reach + _LABEL_GAP, y + rise),
                    ((right, y), (right + reach, y)),
                )
                yield (
                    lines.left_of(left - reach - _LABEL_GAP, y + rise),
                    ((left, y), (left - reach, y)),
                )


def _upright(lines: Lines, node: StandingNode) -> Iterator[PlacedLabel]:
    """Stubs straight up or down from a diamond in a gutter, where there may be more room than
    beside it.
    """
    half = node.item.height / 2
    for reach in _REACHES:
        up, down = node.y - half - reach, node.y + half + reach
        yield lines.above(node.x, up - _LABEL_GAP), ((node.x, node.y - half), (node.x, up))
        yield lines.below(node.x, down + _LABEL_GAP), ((node.x, node.y + half), (node.x, down))


def _bent(
    lines: Lines, left: float, right: float, y: float, rises: Iterable[float]
) -> Iterator[PlacedLabel]:
    """Stubs that turn up or down first, for when the straight way is taken by a line from the same
    place.
    """
    for rise in rises:
        bend, end, at = right + _BEND, right + _BENT_REACH, y + rise
        yield lines.right_of(end + _LABEL_GAP, at), ((right, y), (bend, y), (bend, at), (end, at))
        bend, end = left - _BEND, left - _BENT_REACH
        yield lines.left_of(end - _LABEL_GAP, at), ((left, y), (bend, y), (bend, at), (end, at))
