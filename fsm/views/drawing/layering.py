"""A picture of some layers only: the other lines go, and the diamonds and discs that only they
needed.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from fsm.model import Layer
from fsm.views.drawing.diagram import Diagram, Line, Node


def with_layers(diagram: Diagram, layers: Collection[Layer]) -> Diagram:
    """The diagram with the lines and notes of these layers; steps and phases stay."""
    lines = [line for line in diagram.lines if line.layer in layers]
    for node in diagram.nodes:
        if node.kind == "choice" or (node.kind == "lookup" and "extra" not in layers):
            lines = _spliced(node, lines)
    ends = {end for line in lines for end in (line.source, line.target)}
    nodes = [n for n in diagram.nodes if n.kind in ("card", "start") or n.id in ends]
    boxes = [
        replace(b, notes=tuple(n for n in b.notes if n.layer in layers)) for b in diagram.boxes
    ]
    return replace(diagram, lines=tuple(lines), nodes=tuple(nodes), boxes=tuple(boxes))


def _spliced(node: Node, lines: Sequence[Line]) -> list[Line]:
    """The lines, those into a diamond with one ordinary way out going on to where that leads."""
    out = [line for line in lines if line.source == node.id]
    into = [line for line in lines if line.target == node.id]
    if not into or [(o.layer, o.target == node.id) for o in out] != [("core", False)]:
        return list(lines)
    kept = [line for line in lines if line not in (*into, *out)]
    return [*kept, *(_joined(line, out[0]) for line in into)]


def _joined(line: Line, onward: Line) -> Line:
    said = line.words or (() if onward.words == ("else",) else onward.words)
    rule = line.rule if line.words else onward.rule if said else ""
    tooltip = "\n".join(dict.fromkeys((line.tooltip, onward.tooltip)))
    return replace(
        line,
        target=onward.target,
        words=said,
        rule=rule,
        tooltip=tooltip,
        steps=line.steps + onward.steps,
    )
