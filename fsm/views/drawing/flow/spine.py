"""The longest way through a flat diagram: what stands straight down in its picture."""

from __future__ import annotations

from collections.abc import Sequence

from fsm.views.drawing.diagram import Diagram, Node

_MOST_STEPS = 30_000


class UnsuitableDiagram(Exception):
    """This model is not of the shape that this layout is for."""


def longest_way(diagram: Diagram, starts: Sequence[Node], taken: Sequence[str]) -> list[str]:
    """The longest way that visits nothing twice, from one of these; it had better not end in an
    end.
    """
    onward: dict[str, list[str]] = {}
    for line in diagram.lines:
        onward.setdefault(line.source, []).append(line.target)
    finals = {n.id for n in diagram.nodes if n.kind == "final"}
    best: list[str] = []
    stack, steps = [[n.id] for n in reversed(starts) if n.id not in taken], 0
    while stack:
        way = stack.pop()
        steps += 1
        if steps > _MOST_STEPS:
            raise UnsuitableDiagram
        if (len(way), way[-1] not in finals) > (len(best), bool(best) and best[-1] not in finals):
            best = way
        ends = [
            t
            for t in onward.get(way[-1], [])
            if t not in way and t not in taken and diagram.node(t)
        ]
        stack += [[*way, end] for end in reversed(ends)]
    return best
