"""Placing a diagram in pieces: what hangs together is placed on a spine, and the pieces stand side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from fsm.model.reachability import reachable_from
from fsm.views.drawing.diagram import Diagram
from fsm.views.drawing.flow.layout import place_flat
from fsm.views.drawing.measures import PAGE_WIDTH
from fsm.views.drawing.moving import moved
from fsm.views.drawing.placed import Placed

APART, BELOW = 28.0, 30.0


def place_pieces(diagram: Diagram) -> Placed:
    """Place each piece by itself, then all in rows, in the order of the diagram."""
    return _joined(diagram, list(_in_rows([place_flat(piece) for piece in pieces(diagram)])))


def pieces(diagram: Diagram) -> Iterator[Diagram]:
    """The parts of a diagram that no line connects."""

    def near(node: str) -> list[str]:
        return [b for o in diagram.lines for a, b in ((o.source, o.target), (o.target, o.source)) if a == node]

    left = [n.id for n in diagram.nodes]
    while left:
        part = reachable_from([left[0]], near)
        left = [id for id in left if id not in part]
        nodes = tuple(n for n in diagram.nodes if n.id in part)
        lines = tuple(o for o in diagram.lines if o.source in part)
        yield replace(diagram, nodes=nodes, lines=lines)


def _in_rows(parts: Sequence[Placed]) -> Iterator[Placed]:
    """Each part in the first row that has room for it."""
    rows: list[list[Placed]] = []
    for part in parts:
        fitting = (row for row in rows if sum(p.size[0] + APART for p in row) + part.size[0] <= PAGE_WIDTH)
        row = next(fitting, None)
        if row is None:
            rows.append([part])
        else:
            row.append(part)
    y = 0.0
    for row in rows:
        x = 0.0
        for part in row:
            yield moved(part, x, y)
            x += part.size[0] + APART
        y += max(part.size[1] for part in row) + BELOW


def _joined(diagram: Diagram, parts: Sequence[Placed]) -> Placed:
    """One placed diagram of all parts, everything in the order of the diagram."""
    nodes = {n.node.id: n for part in parts for n in part.nodes}
    lines = {o.line.id: o for part in parts for o in part.lines}
    size = max((p.size[0] for p in parts), default=0.0), max((p.size[1] for p in parts), default=0.0)
    return Placed(
        diagram,
        tuple(nodes[n.id] for n in diagram.nodes if n.id in nodes),
        (),
        tuple(lines[o.id] for o in diagram.lines if o.id in lines),
        size,
    )
