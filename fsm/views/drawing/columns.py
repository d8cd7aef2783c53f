"""Which phase stands in which column: up to three of them, as even as the order allows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations

from fsm.views.drawing.diagram import Box, Diagram, Node

MOST, TALL = 3, 1.5
MANY = 30  # of so many units, not every way to distribute them is tried


@dataclass(slots=True)
class Unit:
    """A box with what stands in it, and before and after it; or only nodes without a box. `inner`
    boxes stand in it.
    """

    box: Box | None = None
    before: list[Node] = field(default_factory=list)
    inside: list[Node] = field(default_factory=list)
    after: list[Node] = field(default_factory=list)
    inner: list[Box] = field(default_factory=list)

    @property
    def weight(self) -> float:
        """About how tall it is."""
        cards = sum(46 if n.kind == "card" else 30 for n in self.inside)
        frames = 46 * (bool(self.box) + len(self.inner))
        return cards + 24 * (len(self.before) + len(self.after)) + frames + 20

    @property
    def nodes(self) -> list[Node]:
        """All of it, from top to bottom."""
        return [*self.before, *self.inside, *self.after]


def units(diagram: Diagram) -> list[Unit]:
    """The diagram's boxes in order, each with its nodes; a step without a phase stands by itself."""
    whole = {box.id: Unit(box) for box in diagram.boxes if not box.inside}
    boxes = {box.id: whole[diagram.around(box.id)[0]] for box in diagram.boxes}
    for box in diagram.boxes:
        if box.inside:
            boxes[box.id].inner.append(box)
    found: list[Unit] = []
    loose: list[Node] = []
    for node in diagram.nodes:
        if node.kind in ("hub", "final", "frame") or (node.kind == "lookup" and not node.box):
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
    found += [unit for unit in whole.values() if unit not in found]
    if loose:
        found = found or [Unit()]
        found[-1].after.extend(loose)
    return _with_end(diagram, found)


def _with_end(diagram: Diagram, found: list[Unit]) -> list[Unit]:
    """With the end of the turn under the last unit, if the turn comes to its end straight from
    there.
    """
    last = found[-1].nodes[-1:] if found else []
    ends = [
        o.target for o in diagram.lines if o.source in [n.id for n in last] and o.layer == "core"
    ]
    if last and last[0].kind in ("card", "lookup") and len(ends) == 1 and diagram.is_final(ends[0]):
        found[-1].after.extend(node for node in diagram.nodes if node.id == ends[0])
    return found


def columns(diagram: Diagram) -> list[list[Unit]]:
    """The units in columns, in order: few of the ways between columns have labels, and no column is
    much too tall.
    """
    todo = units(diagram)
    count = min(MOST, len(todo))
    even = tuple(len(todo) * i // count for i in range(1, count))
    cuts = combinations(range(1, len(todo)), count - 1) if len(todo) < MANY else [even]
    splits = [
        [todo[a:b] for a, b in zip((0, *cut), (*cut, len(todo)), strict=True)] for cut in cuts
    ]
    lowest = min(map(_tallest, splits), default=(0.0, 0.0))[0]
    return min(splits, key=lambda split: _cost(diagram, split, lowest), default=[todo])


def _cost(diagram: Diagram, split: Sequence[Sequence[Unit]], lowest: float) -> tuple[float, ...]:
    tallest = _tallest(split)
    return tallest[0] > lowest * TALL, _worded(diagram, split), *tallest


def _tallest(split: Sequence[Sequence[Unit]]) -> tuple[float, float]:
    heights = [sum(u.weight for u in column) for column in split]
    return max(heights), sum(h * h for h in heights)


def _worded(diagram: Diagram, split: Sequence[Sequence[Unit]]) -> int:
    """How many of the ways between columns need room for labels."""
    columns = {
        node.id: c for c, column in enumerate(split) for unit in column for node in unit.nodes
    }
    inside = [{node.id for node in unit.inside} for column in split for unit in column]
    found = set()
    for line in diagram.lines:
        a, b = columns.get(line.source, -2), columns.get(line.target, -2)
        within = any(line.source in nodes and line.target in nodes for nodes in inside)
        if line.words and line.words != ("else",) and a >= 0 and b in (a, a + 1) and not within:
            found.add(a)
    return len(found)
