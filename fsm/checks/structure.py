"""What is wrong with the states and transitions of a machine: where a run stops, what no run comes
to, where guards leave a gap or overlap, and layers that cannot be left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping

from fsm.checks.facts import solver_of
from fsm.checks.feasible import feasible_of
from fsm.checks.finding import Finding, Kind
from fsm.model import LAYERS, Model, State
from fsm.model.elements import values_text
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
    has none of these, every state counts as an end.
    """
    into = defaultdict[str, list[str]](list)
    for leaf, after in _ordinarily(model).items():
        for target in after:
            into[target].append(leaf)
    ends = [state.id for state in model.leaves if _ends(model, state)]
    return frozenset(reachable_from(ends or _ordinarily(model), into.__getitem__))


@per_model
def _ordinarily(model: Model) -> Mapping[str, tuple[str, ...]]:
    """Map each leaf to where ordinary events lead. In a machine that anybody may trigger, every
    event is ordinary.
    """
    return {
        leaf.id: targets(model, leaf.id, leaf.words if model.played else None)
        for leaf in model.leaves
    }


def targets(model: Model, leaf: str, events: Iterable[str] | None = None) -> tuple[str, ...]:
    """Return the states to which these events lead from a leaf, or all events."""
    found = list[str]()
    for event in model.events_at(leaf) if events is None else events:
        found += [row.target for row in model.rows(leaf, event) if row.target is not None]
    return tuple(found)


def _ends(model: Model, state: State) -> bool:
    """Say whether a turn can end in this state, or with a row of it."""
    turn = model.enclosing(state.id, "turn")
    for word in state.words if model.played else ():
        for row in model.rows(state.id, word):
            leaves = row.target is not None and model.enclosing(row.target, "turn") is not turn
            if "end_turn" in row.actions or (turn is not None and leaves):
                return True
    return state.kind == "final"


def _pits(model: Model, stuck: Collection[str]) -> Iterator[tuple[str, ...]]:
    """Yield where a run ends up among states with no way out: states that nothing leaves, or cycles
    of states.
    """
    leads = _ordinarily(model)
    beyond = {id: reachable_from([id], leads.__getitem__) for id in leads if id in stuck}
    told = set[str]()
    for circle in sorted(beyond.values(), key=len):
        if circle <= beyond.keys() and told.isdisjoint(circle):
            told |= circle
            yield tuple(id for id in leads if id in circle)


# states -------------------------------------------------------------------------------------------


def unreachable(
    model: Model, live: Collection[str], kind: Kind = "unreachable"
) -> Iterator[Finding]:
    """Find states to which no run comes. Of those that follow one another, the first is named. A
    run can come to those that are `live`.
    """
    lost = [leaf.id for leaf in model.leaves if leaf.id not in live]
    leads = {id: set(targets(model, id)).intersection(lost) for id in lost}
    follow = set[str]().union(*leads.values())
    told = set[str]()
    for id in sorted(lost, key=follow.__contains__):
        if id not in told:
            region = reachable_from([id], leads.__getitem__)
            told |= region
            more = len(region) - 1
            words = f"no transition that can fire leads to {id!r}"
            if more:
                words += f", nor to the {'state' if more == 1 else f'{more} states'} after it"
            yield Finding(kind, id, words, id)


def dead_ends(graph: Graph) -> Iterator[Finding]:
    """Find states without a row for an ordinary event."""
    for state in graph.model.leaves:
        for word in _unanswered(graph.model, state):
            words = f"{state.id!r} has no transition for {word!r}: a run stops there"
            yield Finding("dead end", f"{state.id} on {word}", words, state.id, word)


def _unanswered(model: Model, state: State) -> list[str]:
    return [word for word in state.words if not model.rows(state.id, word)]


def leaving(model: Model, id: str) -> list[str]:
    """Return the other states to which something leads from a state."""
    return [target for target in targets(model, id) if target != id]


def no_way_out(model: Model) -> Iterator[Finding]:
    """Find states from which the turn, the window or a run cannot end by ordinary events. Dead ends
    are findings already.
    """
    for pit in _pits(model, reachable(model) - ending(model)):
        stops = not any(leaving(model, id) for id in pit)
        if model.played:
            stops = any(_unanswered(model, model.state(id)) for id in pit)
        if not stops:
            among = f", only round and round through {', '.join(pit)}" if len(pit) > 1 else ""
            yield Finding(
                "no way out", pit[0], f"nothing leads from {pit[0]!r} to an end{among}", pit[0]
            )


# guards -------------------------------------------------------------------------------------------


def undecided(graph: Graph) -> Iterator[Finding]:
    """Find states and events where no row holds under some facts, or where two rows can hold at
    once and none is the otherwise row.

    Of a signal, what is so in many states for one reason is one finding.
    """
    model = graph.model
    signals = defaultdict[tuple[str, str], list[str]](list)
    for state, event, rows in model.choices:
        gap = solver_of(model).solve((), [row.guard for row in rows])
        if gap is None:
            yield from _overlap(model, state, event)
            continue
        when = values_text(gap.items())
        if event in model.signals and event not in state.words:
            signals[event, f" when {when}"].append(state.id)
            continue
        words = f"in {state.id!r} no row for {event!r} holds when {when}"
        yield Finding("gap", f"{state.id} on {event}", words, state.id, event)
    for event, deaf in _deaf(model):
        signals[event, ", which others have"] += deaf
    for (event, when), states in signals.items():
        yield _unheard(model, event, states, when)


def _overlap(model: Model, state: State, event: str) -> Iterator[Finding]:
    """Find two rows that can hold at once. One that only repeats another is shadowed by it."""
    solver = solver_of(model)
    guards = [row.guard for row in model.rows(state.id, event)]
    for number, one in enumerate(guards) if all(guards) else ():
        excluded = solver.beside(one)
        for other in guards[number + 1 :]:
            if not excluded.isdisjoint(other) or set(one) <= set(other):
                continue
            if both := solver.solve((*one, *other)):
                case = f"two rows for {event!r} hold when {values_text(both.items())}"
                words = f"in {state.id!r} {case}, and only their order decides"
                yield Finding("overlap", f"{state.id} on {event}", words, state.id, event)


def _deaf(model: Model) -> Iterator[tuple[str, list[str]]]:
    """Yield signals that some states ignore, and these states. Either all states to which an answer
    leads hear it, or none does.
    """
    ordinary = set[str]()
    led_to = dict[str, None]()
    for state in model.leaves:
        if state.kind in ("action", "window"):
            ordinary.update(state.words)
            led_to |= dict.fromkeys(targets(model, state.id, state.words))
    hearing = [id for id in led_to if model.state(id).kind != "final"]
    for event in model.signals:
        deaf = [id for id in hearing if not model.rows(id, event)]
        if event not in ordinary and deaf and len(deaf) < len(hearing):
            yield event, deaf


def _unheard(model: Model, event: str, states: Collection[str], when: str) -> Finding:
    """Propose a row in the state that contains all of these states."""
    first, *more = states
    many = f" and {len(more)} more states have" if more else " has"
    around = set(model.path(first)).intersection(*map(model.path, more))
    place = next((holder.id for holder in model.path(first) if holder in around), first)
    row = f"row({place!r}, None, event={event!r})"
    words = f"{first!r}{many} no row for {event!r}{when}; add {row} if nothing happens there"
    return Finding("gap", f"{first} on {event}", words, first, event)


def never_taken(graph: Graph) -> Iterator[Finding]:
    """Find rows that can never fire, and why. Rows of unreachable states are left out, which are
    findings already. So is an otherwise row that may be there only to leave no gap.
    """
    feasible = feasible_of(graph)
    solver = feasible.solver
    for row in graph.model.transitions:
        arcs = [arc for arc in graph.of_row[row.id] if arc.at in feasible.reached]
        why = feasible.why_row(arcs) if arcs else ""
        if not why:
            continue
        tried = [feasible.fires(arc) for arc in arcs]
        kind: Kind = "never fires"
        if solver.solve(row.guard) is None:
            kind = "contradiction"
        elif all(solver.solve(one.holds, one.fails) is None for one in tried):
            kind = "shadowed"
        completes = not row.guard and any(one.fails for one in tried)
        if kind != "never fires" or not (completes and graph.heard(row.event, arcs[0].at, None)):
            words = f"{row.id!r} can never fire: {why}"
            yield Finding(kind, row.id, words, row.source, row.event)


# layers -------------------------------------------------------------------------------------------


def disconnected(graph: Graph) -> Iterator[Finding]:
    """Find the largest phases and steps to which nothing leads without one layer. The core is never
    left out.

    A game without such effects uses only the rest. A phase that a run leaves by this layer alone
    may go with it.
    """
    model = graph.model
    inside = defaultdict[str, set[str]](set)
    for id in reachable(model):
        for holder in model.path(id):
            inside[holder.id].add(id)
    layers = {row.layer for row in model.transitions}.difference(LAYERS[:1])
    for layer in sorted(layers, key=LAYERS.index):
        rest = model.without(*(row.id for row in model.transitions if row.layer == layer))
        lost = {id for id, leaves in inside.items() if leaves.isdisjoint(reachable(rest))}
        for state in model.states:
            largest = state.composite and state.id in lost and state.parent not in lost
            if largest and any(map(_ordinarily(rest).get, inside[state.id])):
                words = f"without the layer {layer!r}, nothing leads to {state.id!r}"
                said = f"{words}, which goes on by other rows"
                yield Finding("disconnected", f"{state.id} without {layer}", said, state.id)
