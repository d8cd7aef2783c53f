"""Finds states that no run reaches, in which a run stops, or from which the turn cannot end; states
that ignore a signal; and layers that cannot be left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping

from fsm.checks.finding import Finding, Kind
from fsm.model import LAYERS, Model, State
from fsm.model.graph import Graph, reachable_from
from fsm.model.model import per_model

# where runs come to -------------------------------------------------------------------------------


@per_model
def reachable(model: Model) -> frozenset[str]:
    """Return the ids of the leaf states that some sequence of events can reach, with the initial
    state. Guards are ignored.
    """
    leads = {leaf.id: targets(model, leaf.id) for leaf in model.leaves}
    return frozenset(reachable_from([model.initial], leads.__getitem__))


@per_model
def ending(model: Model) -> frozenset[str]:
    """Return the leaves from which the turn can end by ordinary events, without a signal. Guards
    are ignored.

    A turn ends by a row that leads out of it or does `end_turn`, or in a final state. If a model
    has none of these, every state counts as an end. In a machine that anybody may trigger, every
    event is ordinary.
    """
    leads = _ordinarily(model)
    into: dict[str, list[str]] = {leaf: [] for leaf in leads}
    for leaf, after in leads.items():
        for target in after:
            into[target].append(leaf)
    ends = [state.id for state in model.leaves if _ends(model, state)]
    return frozenset(reachable_from(ends or leads, into.__getitem__))


@per_model
def _ordinarily(model: Model) -> Mapping[str, tuple[str, ...]]:
    """Map each leaf to where ordinary events lead."""
    return {
        leaf.id: targets(model, leaf.id, leaf.words if model.played else None)
        for leaf in model.leaves
    }


def targets(model: Model, leaf: str, events: Iterable[str] | None = None) -> tuple[str, ...]:
    """Return the states to which these events lead from a leaf, or all events."""
    words = model.events_at(leaf) if events is None else events
    rows = (row for word in words for row in model.rows(leaf, word))
    return tuple(row.target for row in rows if row.target is not None)


def _ends(model: Model, state: State) -> bool:
    """Say whether a turn can end in this state, or with a row of it."""
    turn = model.enclosing(state.id, "turn")
    rows = (row for word in state.words for row in model.rows(state.id, word))
    for row in rows if model.played else ():
        leaves = row.target is not None and model.enclosing(row.target, "turn") != turn
        if "end_turn" in row.actions or (turn is not None and leaves):
            return True
    return state.kind == "final"


def _pits(model: Model, stuck: Collection[str]) -> Iterator[tuple[str, ...]]:
    """Yield where a run ends up among states with no way out: states that nothing leaves, or cycles
    of states.
    """
    leads = _ordinarily(model)
    beyond = {id: reachable_from([id], leads.__getitem__) for id in leads if id in stuck}
    told: set[str] = set()
    for circle in sorted(beyond.values(), key=len):
        if circle <= beyond.keys() and told.isdisjoint(circle):
            told |= circle
            yield tuple(id for id in leads if id in circle)


# findings -----------------------------------------------------------------------------------------


def unreachable(
    graph: Graph, live: Collection[str], kind: Kind = "unreachable"
) -> Iterator[Finding]:
    """Find states to which no row leads, or only rows that can never fire. A run can come to those
    that are `live`.
    """
    model = graph.model
    linked = reachable(graph.model)
    initial = model.state(model.initial)
    start = "the start" if initial.stand_in else repr(initial.id)
    for state in model.leaves:
        words = f"no transition leads to {state.id!r}, from {start} on"
        if state.id in linked:
            words = f"only transitions that can never fire lead to {state.id!r}"
        if state.id not in linked.intersection(live):
            yield Finding(kind, state.id, words, state.id)


def dead_ends(graph: Graph) -> Iterator[Finding]:
    """Find states without a row for an ordinary event."""
    for state in graph.model.leaves:
        for word in _unanswered(graph.model, state):
            words = f"{state.id!r} has no transition for {word!r}: a run stops there"
            yield Finding("dead end", f"{state.id} on {word}", words, state.id, word)


def _unanswered(model: Model, state: State) -> list[str]:
    return [word for word in state.words if not model.rows(state.id, word)]


def leaving(model: Model, state: State) -> list[str]:
    return [target for target in targets(model, state.id) if target != state.id]


def no_way_out(graph: Graph, model: Model) -> Iterator[Finding]:
    """Find states from which the turn cannot end by ordinary events, with the rows of this model.
    Dead ends are findings already.
    """
    end = "the window cannot close" if graph.name == "window" else "the turn cannot end"
    if not model.played:
        end = "no run comes to a final state"
    for pit in _pits(model, reachable(model) - ending(model)):
        states = [model.state(id) for id in pit]
        stops = not any(leaving(model, state) for state in states)
        if model.played:
            stops = any(_unanswered(model, state) for state in states)
        if not stops:
            among = f", only round and round through {', '.join(pit)}" if len(pit) > 1 else ""
            yield Finding("no way out", pit[0], f"from {pit[0]!r} {end}{among}", pit[0])


def never_over(graph: Graph) -> Iterator[Finding]:
    """Find a game that players can leave and that no run can end: no final state can be reached.
    The model may state that the game goes on, whoever leaves.
    """
    model = graph.model
    final = {state.id for state in model.leaves if state.kind == "final"}
    if graph.name == "window" or not model.leaving or final & reachable(model):
        return
    for row in model.transitions:
        around = model.state(row.source).kind == "turn" and row.event == model.leaving
        if around and row.target is None and not row.guard:
            return
    words = "no run can end: no final state can be reached; add one, and a row to it, such as"
    example = f"row('turn', 'game_over', event={model.leaving!r})"
    yield Finding("never over", model.name, f"{words} {example}")


def deaf(graph: Graph) -> Iterator[Finding]:
    """Find states that ignore a signal. Either all states to which an answer leads hear it, or none
    does.
    """
    model = graph.model
    waiting = [s for s in model.leaves if s.kind in ("action", "window")]
    ordinary = {word for state in waiting for word in state.words}
    led_to = dict.fromkeys(id for s in waiting for id in targets(model, s.id, s.words))
    heard_in = [id for id in led_to if model.state(id).kind != "final"]
    for event in model.events:
        deaf = [id for id in heard_in if not model.rows(id, event.name)]
        if event.name in ordinary or event.completion or len(deaf) == len(heard_in):
            continue
        for id in deaf:
            words = f"{id!r} has no row for {event.name!r}, which others have"
            yield Finding("gap", f"{id} on {event.name}", words, id, event.name)


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
        if not rows:
            continue
        rest = model.without(*rows)
        said = f"without the layer {layer!r}"
        for id in _cut_off(model, rest):
            words = f"{said}, nothing leads to {id!r}, which goes on by other rows"
            yield Finding("disconnected", f"{id} without {layer}", words, id)
        for pit in _pits(rest, (reachable(rest) & ending(model)) - ending(rest)):
            words = f"{said}, the turn cannot end from {pit[0]!r}"
            yield Finding("disconnected", f"{pit[0]} without {layer}", words, pit[0])


def _cut_off(model: Model, rest: Model) -> Iterator[str]:
    """Yield the largest steps and phases, or the states, to which nothing leads with the rest.

    A state that a run leaves by this layer alone may go with it.
    """
    inside = defaultdict[str, set[str]](set)
    for leaf in model.leaves:
        for holder in model.path(leaf.id):
            inside[holder.id].add(leaf.id)
    lost = {id for id, leaves in inside.items() if leaves.isdisjoint(reachable(rest))}
    for state in model.states:
        if state.id in lost and state.parent not in lost and state.role not in _BETWEEN:
            missed = [model.state(id) for id in inside[state.id] & reachable(model)]
            if any(rest.rows(leaf.id, word) for leaf in missed for word in leaf.words):
                yield state.id
