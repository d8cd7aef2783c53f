"""Finds unreachable states, dead ends, states from which the turn cannot end, states that ignore a
signal, and layers that cannot be left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from fsm.checks.feasible import feasible_of
from fsm.checks.finding import Finding
from fsm.checks.reaching import ending, pits, reachable
from fsm.model import LAYERS, Layer, Model, State, Transition
from fsm.model.graph import Graph


def unreachable(graph: Graph) -> Iterator[Finding]:
    """Find states to which no row leads, or only rows that can never fire."""
    model, linked = graph.model, reachable(graph.model)
    live = feasible_of(graph).reached
    for state in model.leaves:
        if state.id not in linked:
            words = f"no transition leads to {state.id!r}, from {model.initial!r} on"
        elif state.id not in live:
            words = f"only transitions that can never fire lead to {state.id!r}"
        else:
            continue
        yield Finding("unreachable", state.id, "", (), words, subject=state.id)


def dead_ends(graph: Graph) -> Iterator[Finding]:
    """Find states without a row for an ordinary event."""
    for state in graph.model.leaves:
        for word in state.words:
            if not graph.model.rows(state.id, word):
                words = f"{state.id!r} has no transition for {word!r}: a run stops there"
                yield Finding(
                    "dead end", state.id, word, (), words, subject=f"{state.id} on {word}"
                )


def no_way_out(graph: Graph) -> Iterator[Finding]:
    """Find states from which the turn cannot end by ordinary events. Dead ends are findings
    already.
    """
    model = graph.model
    out, found = ending(model), reachable(model)
    stuck = {s.id for s in model.leaves if s.id in found and s.id not in out}
    for pit in pits(model, stuck):
        if not any(not model.rows(id, word) for id in pit for word in model.state(id).words):
            among = f", only round and round through {', '.join(pit)}" if len(pit) > 1 else ""
            end = "the window cannot close" if graph.name == "window" else "the turn cannot end"
            yield Finding(
                "no way out", pit[0], "", (), f"from {pit[0]!r} {end}{among}", subject=pit[0]
            )


def never_over(graph: Graph) -> Iterator[Finding]:
    """Find a game that players can leave and that no run can end: no final state can be reached."""
    model = graph.model
    if graph.name == "window" or not model.leaving:
        return
    if any(state.kind == "final" and state.id in reachable(model) for state in model.leaves):
        return
    if any(_goes_on(model, row) for row in model.transitions):
        return
    row = f"row('turn', 'game_over', event={model.leaving!r})"
    words = (
        f"no run can end: no final state can be reached; add one, and a row to it, such as {row}"
    )
    yield Finding("never over", "", "", (), words, subject=model.name)


def _goes_on(model: Model, row: Transition) -> bool:
    """Say whether the model states that the game goes on, whoever leaves."""
    stays = row.target is None and not row.guard and row.event == model.leaving
    return stays and model.state(row.source).kind == "turn"


def _led_to(model: Model, waiting: Iterable[State]) -> tuple[str, ...]:
    """The states to which an answer leads in one of these."""
    rows = (row for state in waiting for word in state.words for row in model.rows(state.id, word))
    return tuple(
        id
        for id in dict.fromkeys(row.target for row in rows)
        if id and model.state(id).kind != "final"
    )


def deaf(graph: Graph) -> Iterator[Finding]:
    """Find states that ignore a signal. Either all states to which an answer leads hear it, or none
    does.
    """
    model = graph.model
    waiting = [s for s in model.leaves if s.kind in ("action", "window")]
    ordinary = {word for state in waiting for word in state.words}
    for event in model.events:
        heard_in = _led_to(model, waiting)
        deaf = [id for id in heard_in if not model.rows(id, event.name)]
        if event.name not in ordinary and not event.completion and len(deaf) < len(heard_in):
            for id in deaf:
                words = f"{id!r} has no row for {event.name!r}, which others have"
                yield Finding("gap", id, event.name, (), words, subject=f"{id} on {event.name}")


# layers -------------------------------------------------------------------------------------------

_BETWEEN = ("before", "begin", "end", "after", "hub", "resume")


def disconnected(graph: Graph) -> Iterator[Finding]:
    """Find what is cut off, and what can no longer end, without one layer. The core is never left
    out.

    A game without such effects uses only the rest. So a state that has transitions of other layers
    must still be reached without this one, and the turn must still end from every state that is
    reached. A state that only leads into or out of a step (its role says so) may be unreachable as
    long as the step itself is reached.
    """
    model = graph.model
    for layer in LAYERS[1:]:
        rows = [row.id for row in model.transitions if row.layer == layer]
        if rows:
            rest = model.without(*rows)
            yield from _cut_off(model, rest, layer)
            lost = (reachable(rest) & ending(model)) - ending(rest)
            for pit in pits(rest, lost):
                words = f"without the layer {layer!r}, the turn cannot end from {pit[0]!r}"
                subject = f"{pit[0]} without {layer}"
                yield Finding("disconnected", pit[0], "", (), words, subject=subject)


def _cut_off(model: Model, rest: Model, layer: Layer) -> Iterator[Finding]:
    without = reachable(rest)
    away = reachable(model) - without
    lost = [s.id for s in model.leaves if s.id in away and not _of_layer(model, s.id, layer)]
    roots = (_outermost(model, leaf, without) for leaf in lost)
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
