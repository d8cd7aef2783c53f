"""The layout of a stage view: a row for each step, ways between the rows, and a free place for
every label.
"""

from __future__ import annotations

from functools import partial
from itertools import product

from fsm.views.drawing.diagram import Diagram
from fsm.views.drawing.labels import board_of
from fsm.views.drawing.measures import PAGE_WIDTH
from fsm.views.drawing.moving import framed
from fsm.views.drawing.placed import Placed, PlacedNode, text_size
from fsm.views.drawing.slack import Attempt, Slack, attempts
from fsm.views.drawing.stages.across import across_of
from fsm.views.drawing.stages.channels import tracks_of
from fsm.views.drawing.stages.grid import grid_of
from fsm.views.drawing.stages.heights import heights_of
from fsm.views.drawing.stages.labels import label_shapes, lettered, node_text, slack_for
from fsm.views.drawing.stages.paths import paths_of
from fsm.views.drawing.stages.ports import ports_of
from fsm.views.drawing.stages.routes import routes_of
from fsm.views.drawing.stages.sheet import lanes_of, sheet_of

ROUNDS = 9
_MOST_IN_ROW = (4, 3, 2)


def place_rows(diagram: Diagram) -> Placed:
    """Place the diagram of a stage view with all its texts, no wider than a page where that is
    possible.
    """
    tried: list[Attempt] = []
    for most, inside in product(_MOST_IN_ROW, (False, True)):
        tried.append(_with_room(diagram, most, inside))
        if not tried[-1].missing and tried[-1].placed.size[0] <= PAGE_WIDTH:
            break
    return min(tried, key=_badness).placed


def _badness(tried: Attempt) -> tuple[int, float]:
    """How many texts it lacks, then how much it is too wide."""
    return tried.missing, max(0.0, tried.placed.size[0] - PAGE_WIDTH)


def _with_room(diagram: Diagram, most: int, inside: bool) -> Attempt:
    """Place it, with more room where texts need it; at last, labels may stand far from their lines."""
    slack = Slack(
        {("track", o.id): text_size(next(label_shapes(o)))[1] + 1 for o in diagram.lines if o.words}
    )
    tries = attempts(partial(_attempt, diagram, most, inside, False), slack, ROUNDS)
    if tries[-1].missing:
        tries.append(_attempt(diagram, most, inside, True, tries[-1].slack))
    return min(tries, key=lambda tried: tried.missing)


def _attempt(diagram: Diagram, most: int, inside: bool, anywhere: bool, slack: Slack) -> Attempt:
    """All stages in order. Texts come last, as they stand where nothing else is."""
    grid = grid_of(diagram, most, slack)
    routes = routes_of(grid)
    across = across_of(grid, routes, slack)
    routes = ports_of(grid, routes, across)
    tracks = tracks_of(grid, routes, across, slack, inside)
    heights = heights_of(grid, tracks, slack)
    sheet = sheet_of(grid, routes, across, heights)
    paths = paths_of(sheet, lanes_of(sheet, slack))
    nodes = [
        PlacedNode(cell.node, sheet.area(id), node_text(sheet, cell.node))
        for id, cell in grid.cells.items()
    ]
    said = [node.text for node in nodes if node.node.kind in ("start", "final") and node.text]
    board = board_of([node.area for node in nodes], said, sheet.borders.values(), paths)
    texts = lettered(sheet, paths, board, inside, anywhere)
    return Attempt(
        framed(diagram, nodes, texts.boxes, texts.lines),
        texts.missing,
        slack_for(sheet, texts, slack, inside),
    )
