"""How often everything was taken: fills by share, widths and numbers by count, and what was never
taken stands out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import sqrt

from fsm.views.drawing.measures import LABEL
from fsm.views.drawing.overlays.missing import caption, partly
from fsm.views.drawing.overlays.numbers import relabelled, times
from fsm.views.drawing.overlays.pictureindex import PictureIndex
from fsm.views.drawing.palette import STROKES, Tone
from fsm.views.drawing.placed import Overlay, Paint, Placed, PlacedNode, Text, Words

FEW, SOME = 0.1, 0.6
"""Up to which share of the most taken node a fill is pale, and up to which it is halfway."""
NARROW, SPREAD, DOUBLE = 1.2, 3.2, 2.0
_FILLED = frozenset({"card", "action", "window", "stage", "hub"})
_OUTLINED = frozenset({"choice", "lookup"})


def with_counts(
    placed: Placed, index: PictureIndex, counts: Mapping[str, int], *, whole: bool
) -> Placed:
    """The picture with counts in place of actions, guards and citations; `counts` are of
    transitions, by id.

    `whole`: the picture shows the whole model, so that all of it is summed up.
    """
    lines = {id: ways.taken(counts) for id, ways in index.ways.items()}
    nodes = {
        n.node.id: found for n in placed.nodes if (found := _visits(index, n, counts)) is not None
    }
    most = max((nodes.get(n.node.id, 0) for n in placed.nodes if n.node.kind in _FILLED), default=0)
    layers = {p.line.id: p.line.layer for p in placed.lines}
    overlay = Overlay(
        nodes={
            id: paint
            for n in placed.nodes
            if (id := n.node.id) in nodes and (paint := _fill(n, nodes[id], most))
        },
        lines={id: _stroke(count, STROKES[layers[id]].double) for id, count in lines.items()},
        caption=caption(index, counts, nodes, lines, whole=whole),
    )
    counted = tuple(_counted(n, nodes.get(n.node.id)) for n in placed.nodes)
    bare = replace(placed.diagram, caption=())
    said = {id: times(count) + partly(index.ways[id], counts) for id, count in lines.items()}
    return relabelled(replace(placed, diagram=bare, nodes=counted, overlay=overlay), said)


def _visits(index: PictureIndex, node: PlacedNode, counts: Mapping[str, int]) -> int | None:
    """How often a node was entered; None for one that shows no state.

    A card is entered where it begins, if it ever was; a run may start inside.
    """
    states = index.states_of(node.node.id)
    if not states or node.node.kind not in _FILLED | _OUTLINED:
        return None
    into = [row for row in index.rows.values() if row.target in states and index.arrives(row)]
    out = [row for row in index.rows.values() if row.source in states and row.target is not None]
    entered, left = (sum(counts.get(row.id, 0) for row in rows) for rows in (into, out))
    if len(states) == 1:
        return max(entered, left)
    head = sum(counts.get(row.id, 0) for row in into if row.target == index.head(node.node.id))
    return head or entered or left


def _fill(node: PlacedNode, count: int, most: int) -> Paint | None:
    if not count:
        return Paint("never", 2.2)
    if node.node.kind in _OUTLINED:
        return None
    return Paint(_tone(count / most))


def _tone(share: float) -> Tone:
    return "few" if share < FEW else "some" if share <= SOME else "most"


def _stroke(count: int, double: bool) -> Paint:
    """A line taken that often; the two strokes of a double one stay apart."""
    width = NARROW + min(SPREAD, sqrt(count) / 6)
    return Paint("counted" if count else "never", min(width, DOUBLE) if double else width)


def _counted(node: PlacedNode, count: int | None) -> PlacedNode:
    """The node with its count under its title, and in its tooltip."""
    if count is None:
        return node
    tip = f"{node.node.tooltip}\ntaken: {times(count)}"
    node = replace(node, node=replace(node.node, tooltip=tip))
    if node.node.kind not in _FILLED or node.text is None:
        return node
    words = (*(words for words in node.text.lines if words.bold), Words(times(count), LABEL, True))
    return replace(node, text=Text.inside(words, node.area))
