"""Which phase stands in which column: up to three of them, as even as the order allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from fsm.drawing.diagram import Box, Diagram, Node

MOST = 3


@dataclass(slots=True)
class Unit:
    """A box with what stands in it, and before and after it; or only nodes without a box."""

    box: Box | None = None
    before: list[Node] = field(default_factory=list)
    inside: list[Node] = field(default_factory=list)
    after: list[Node] = field(default_factory=list)

    @property
    def weight(self) -> float:
        """About how tall it is."""
        cards = sum(46 if n.kind == "card" else 30 for n in self.inside)
        return cards + 24 * (len(self.before) + len(self.after)) + (46 if self.box else 0) + 20

    @property
    def nodes(self) -> list[Node]:
        """All of it, from top to bottom."""
        return [*self.before, *self.inside, *self.after]


def units(diagram: Diagram) -> list[Unit]:
    """The diagram's boxes in order, each with its nodes; a step without a phase stands by itself."""
    boxes = {box.id: Unit(box) for box in diagram.boxes}
    found: list[Unit] = []
    loose: list[Node] = []
    for node in diagram.nodes:
        if node.kind in ("hub", "final") or (node.kind == "lookup" and not node.box):
            continue
        if node.box in boxes:
            unit = boxes[node.box]
            if unit not in found:
                unit.before += loose
                loose = []
                found.append(unit)
            {"before": unit.before, "after": unit.after}.get(node.place, unit.inside).append(node)
        elif node.kind == "card":
            found.append(Unit(None, loose, [node]))
            loose = []
        else:
            loose.append(node)
    found += [unit for unit in boxes.values() if unit not in found]
    if loose:
        found = found or [Unit()]
        found[-1].after.extend(loose)
    return found


def columns(diagram: Diagram) -> list[list[Unit]]:
    """The units in columns, in order, so that the tallest column is as low as can be."""
    todo = units(diagram)
    count = min(MOST, len(todo))
    best: list[list[Unit]] = [todo]
    for cuts in combinations(range(1, len(todo)), count - 1) if len(todo) < 30 else _even(len(todo), count):
        split = [todo[a:b] for a, b in zip((0, *cuts), (*cuts, len(todo)), strict=True)]
        if len(best) < count or _tallest(split) < _tallest(best):
            best = split
    return best


def _even(total: int, count: int) -> list[tuple[int, ...]]:
    return [tuple(total * i // count for i in range(1, count))]


def _tallest(split: Sequence[Sequence[Unit]]) -> tuple[float, float]:
    heights = [sum(u.weight for u in column) for column in split]
    return max(heights), sum(h * h for h in heights)
