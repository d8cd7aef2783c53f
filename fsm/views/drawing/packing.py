"""Placing a diagram in pieces: what hangs together is placed on a spine, and the pieces stand side
by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from fsm.model.reachability import reachable_from
from fsm.views.drawing.diagram import Diagram
from fsm.views.drawing.flow.layout import place_flat
from fsm.views.drawing.measures import PAGE_WIDTH
from fsm.views.drawing.moving import moved
from fsm.views.drawing.placed import Placed
from fsm.wording import listed

APART, BELOW = 28.0, 30.0


def place_pieces(diagram: Diagram) -> Placed:
    """Place each piece by itself, then all in rows, in the order of the diagram."""
    return _joined(diagram, list(_in_rows([place_flat(piece) for piece in pieces(diagram)])))


def pieces(diagram: Diagram) -> Iterator[Diagram]:
    """The parts of a diagram that no line connects."""

    def near(node: str) -> list[str]:
        return [
            b
            for o in diagram.lines
            for a, b in ((o.source, o.target), (o.target, o.source))
            if a == node
        ]

    left = [n.id for n in diagram.nodes]
    while left:
        part = reachable_from([left[0]], near)
        left = [id for id in left if id not in part]
        nodes = tuple(n for n in diagram.nodes if n.id in part)
        lines = tuple(o for o in diagram.lines if o.source in part)
        yield replace(diagram, nodes=nodes, lines=lines)


def merged(diagram: Diagram) -> Diagram:
    """The diagram with the pieces that differ only in the names of where they begin and end drawn
    once.
    """
    groups: dict[object, list[Diagram]] = {}
    for piece in pieces(diagram):
        groups.setdefault(_alike(piece), []).append(piece)
    joined = [_one_of(same) for same in groups.values()]
    nodes = {n.id: n for piece in joined for n in piece.nodes}
    lines = {o.id: o for piece in joined for o in piece.lines}
    return replace(
        diagram,
        nodes=tuple(nodes[n.id] for n in diagram.nodes if n.id in nodes),
        lines=tuple(lines[o.id] for o in diagram.lines if o.id in lines),
    )


def _alike(piece: Diagram) -> object:
    """What pieces that can be drawn as one have in common: all but the names of the one card and of
    the ends.
    """
    if [n.kind for n in piece.nodes].count("card") != 1:
        return tuple(n.id for n in piece.nodes)
    number = {n.id: i for i, n in enumerate(piece.nodes)}
    named = ("card", "final")
    return (
        tuple((n.kind, "" if n.kind in named else n.title, n.lines, n.mark) for n in piece.nodes),
        tuple(
            (number[o.source], number[o.target], o.layer, o.words, o.rule, o.ring)
            for o in piece.lines
        ),
    )


def _one_of(same: Sequence[Diagram]) -> Diagram:
    """The first of these pieces, with the names of all."""
    if len(same) == 1:
        return same[0]
    nodes = []
    for among in zip(*(piece.nodes for piece in same), strict=True):
        first, tips = among[0], "\n\n".join(dict.fromkeys(n.tooltip for n in among))
        if first.kind == "card":
            where = f"from anywhere in {listed([n.title for n in among], 'or')}"
            first = replace(first, title="Any of these", lines=(where,), hue=None)
        elif first.kind == "final":
            card = next(n.title for n in same[0].nodes if n.kind == "card")
            first = replace(first, title=first.title.replace(card, "that", 1))
        nodes.append(replace(first, tooltip=tips))
    lines = []
    for among_lines in zip(*(piece.lines for piece in same), strict=True):
        tips = "\n\n".join(dict.fromkeys(o.tooltip for o in among_lines))
        lines.append(
            replace(
                among_lines[0], tooltip=tips, steps=tuple(id for o in among_lines for id in o.steps)
            )
        )
    return replace(same[0], nodes=tuple(nodes), lines=tuple(lines))


def _in_rows(parts: Sequence[Placed]) -> Iterator[Placed]:
    """Each part in the first row that has room for it."""
    rows: list[list[Placed]] = []
    for part in parts:
        fitting = (
            row for row in rows if sum(p.size[0] + APART for p in row) + part.size[0] <= PAGE_WIDTH
        )
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
    size = (
        max((p.size[0] for p in parts), default=0.0),
        max((p.size[1] for p in parts), default=0.0),
    )
    return Placed(
        diagram,
        tuple(nodes[n.id] for n in diagram.nodes if n.id in nodes),
        (),
        tuple(lines[o.id] for o in diagram.lines if o.id in lines),
        size,
    )
