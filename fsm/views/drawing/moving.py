"""Moving a finished layout, so that it starts at the origin or stands beside another, and measuring
it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fsm.views.drawing.diagram import Diagram
from fsm.views.drawing.placed import Placed, PlacedBox, PlacedLine, PlacedNode, Point, Rect, Text


def framed(
    diagram: Diagram,
    nodes: Sequence[PlacedNode],
    boxes: Sequence[PlacedBox],
    lines: Sequence[PlacedLine],
) -> Placed:
    """The layout with its upper left corner at the origin, and its size."""
    areas = [n.area.grown(4) if n.node.kind == "hub" else n.area for n in nodes] + [
        b.area for b in boxes
    ]
    areas += [n.text.area for n in nodes if n.text] + [
        line.label.area for line in lines if line.label
    ]
    areas += [
        Rect(x, y, x, y)
        for line in lines
        for x, y in (*line.points, *([line.tip] if line.tip else []))
    ]
    left, top = min((a.left for a in areas), default=0.0), min((a.top for a in areas), default=0.0)
    right, bottom = (
        max((a.right for a in areas), default=0.0),
        max((a.bottom for a in areas), default=0.0),
    )
    return moved(
        Placed(diagram, tuple(nodes), tuple(boxes), tuple(lines), (right, bottom)), -left, -top
    )


def moved(placed: Placed, right: float, down: float) -> Placed:
    """The layout so many points further right and down; its size still reaches to its far corner."""

    def move(area: Rect) -> Rect:
        return Rect(area.left + right, area.top + down, area.right + right, area.bottom + down)

    def point(old: Point) -> Point:
        return old[0] + right, old[1] + down

    def text(old: Text | None) -> Text | None:
        return replace(old, area=move(old.area)) if old else None

    def title(old: Text) -> Text:
        return replace(old, area=move(old.area))

    def line(old: PlacedLine) -> PlacedLine:
        tip = point(old.tip) if old.tip else None
        return replace(old, points=tuple(map(point, old.points)), label=text(old.label), tip=tip)

    return replace(
        placed,
        nodes=tuple(replace(n, area=move(n.area), text=text(n.text)) for n in placed.nodes),
        boxes=tuple(
            replace(b, area=move(b.area), title=title(b.title), notes=text(b.notes))
            for b in placed.boxes
        ),
        lines=tuple(map(line, placed.lines)),
        size=point(placed.size),
    )
