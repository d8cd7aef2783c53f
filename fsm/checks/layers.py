"""Finds layers that cannot be left out: without skips, extras or jumps, the rest of the model must
still be connected.

A picture may show any choice of layers, and a game without such effects uses only the rest. So a
state that has transitions of other layers must still be reached without this one, and the turn must
still end from every state that is reached. A state that only leads into or out of a step (its role
says so) may be unreachable as long as the step itself is reached.
"""

from __future__ import annotations

from collections.abc import Iterator

from fsm.checks.finding import Finding
from fsm.checks.reaching import ending, pits, reachable
from fsm.model import LAYERS, Layer, Model, Transition
from fsm.model.graph import Graph

_BETWEEN = ("before", "begin", "end", "after", "hub", "resume")


def disconnected(graph: Graph) -> Iterator[Finding]:
    """Find what is cut off, and what can no longer end, without one layer. The core is never left
    out.
    """
    for layer in LAYERS[1:]:
        if any(row.layer == layer for row in graph.model.transitions):
            yield from _cut_off(graph.model, layer)
            yield from _stuck(graph.model, layer)


def _cut_off(model: Model, layer: Layer) -> Iterator[Finding]:
    with_, without = reachable(model), reachable(model, lambda row: row.layer != layer)
    away = with_ - without
    lost = {s.id for s in model.leaves if s.id in away and not _of_layer(model, s.id, layer)}
    roots = (_outermost(model, s.id, without) for s in model.leaves if s.id in lost)
    for id in dict.fromkeys(root for root in roots if model.state(root).role not in _BETWEEN):
        words = f"without the layer {layer!r}, nothing leads to {id!r}, which goes on by other rows"
        yield Finding("disconnected", id, "", (), words, subject=f"{id} without {layer}")


def _of_layer(model: Model, leaf: str, layer: Layer) -> bool:
    """Say whether a run leaves this state by this layer alone. Then the state may go with the
    layer.
    """
    return all(
        row.layer == layer for word in model.state(leaf).words for row in model.rows(leaf, word)
    )


def _outermost(model: Model, leaf: str, reached: frozenset[str]) -> str:
    """Return the largest step or phase around the state that is cut off as a whole, or the state
    itself.
    """
    inside = {
        s.id: {leaf.id for leaf in model.leaves if s in model.path(leaf.id)}
        for s in model.path(leaf)
    }
    return [id for id, leaves in inside.items() if leaves.isdisjoint(reached)][-1]


def _stuck(model: Model, layer: Layer) -> Iterator[Finding]:
    def keep(row: Transition) -> bool:
        return row.layer != layer

    lost = (reachable(model, keep) & ending(model)) - ending(model, keep)
    for pit in pits(model, lost, keep):
        words = f"without the layer {layer!r}, the turn cannot end from {pit[0]!r}"
        yield Finding("disconnected", pit[0], "", (), words, subject=f"{pit[0]} without {layer}")
