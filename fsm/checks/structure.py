"""What is wrong with the turn or the window of a Model: where a run stops, what no run comes to,
where guards leave a gap or overlap, layers that cannot be left out, what is not used, and states
that lack a row which the frame makes for every state of their kind.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain

from fsm.checks.facts import Guard, Solver, solver_of
from fsm.checks.feasible import feasible_of
from fsm.checks.finding import Finding, Kind
from fsm.model import LAYERS, Fact, Model, State, Term, Transition
from fsm.model.elements import values_text
from fsm.model.graph import Graph, reachable_from
from fsm.model.model import per_model
from fsm.wording import few

ONLY_ANOTHER = "only_another"
"""The test of a row that only phases of several steps have."""


def played(graph: Graph) -> Iterator[Finding]:
    """Find everything that is wrong with a machine that a TurnController plays."""
    yield from unreachable(graph.model, feasible_of(graph).reached)
    yield from no_way_out(graph.model)
    for find in (dead_ends, undecided, unheard, never_taken, disconnected, irregular, unused):
        yield from find(graph)


# where runs come to -------------------------------------------------------------------------------


@per_model
def leads(model: Model, ordinary: bool = False, without: str = "") -> Mapping[str, Sequence[str]]:
    """Map each leaf to the states to which its rows lead, but for those of the layer `without`.

    If `ordinary`, only ordinary events count. In a machine that anybody may trigger, every event is
    ordinary.
    """
    found: dict[str, list[str]] = {leaf.id: [] for leaf in model.leaves}
    for state, event, rows in model.choices:
        if not ordinary or event in state.words or not model.played:
            for row in rows:
                if row.target is not None and row.layer != without:
                    found[state.id].append(row.target)
    return found


@per_model
def reachable(model: Model, without: str = "") -> frozenset[str]:
    """Return the ids of the leaf states that some sequence of events can reach without this layer,
    with the initial state. Guards are ignored.
    """
    return frozenset(reachable_from([model.initial], leads(model, False, without).__getitem__))


@per_model
def ending(model: Model) -> frozenset[str]:
    """Return the leaves from which the turn can end by ordinary events, without a signal. Guards
    are ignored.

    A turn ends by a row that leads out of it or does `end_turn`, or in a final state. If a model
    has none of these, every state counts as an end.
    """
    into = defaultdict[str, list[str]](list)
    for leaf, after in leads(model, True).items():
        for target in after:
            into[target].append(leaf)
    ends = [state.id for state in model.leaves if _ends(model, state)]
    return frozenset(reachable_from(ends or leads(model), into.__getitem__))


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
    onward = leads(model, True)
    beyond = {id: reachable_from([id], onward.__getitem__) for id in onward if id in stuck}
    told = set[str]()
    for circle in sorted(beyond.values(), key=len):
        if circle <= beyond.keys() and told.isdisjoint(circle):
            told |= circle
            yield tuple(id for id in onward if id in circle)


# states -------------------------------------------------------------------------------------------


def unreachable(
    model: Model, live: Collection[str], kind: Kind = "unreachable"
) -> Iterator[Finding]:
    """Find states to which no run comes. Of those that follow one another, the first is named. A
    run can come to those that are `live`.
    """
    lost = [leaf.id for leaf in model.leaves if leaf.id not in live]
    onward = {id: set(leads(model)[id]).intersection(lost) for id in lost}
    follow = set[str]().union(*onward.values())
    told = set[str]()
    for id in sorted(lost, key=follow.__contains__):
        if id not in told:
            region = reachable_from([id], onward.__getitem__)
            told |= region
            words = f"no transition that can fire leads to {few([*map(repr, region)], 1)}"
            yield Finding(kind, id, words, id)


def dead_ends(graph: Graph) -> Iterator[Finding]:
    """Find states without a row for an ordinary event."""
    for state in graph.model.leaves:
        for word in _unanswered(graph.model, state):
            words = f"{state.id!r} has no transition for {word!r}: a run stops there"
            yield Finding("dead end", f"{state.id} on {word}", words, state.id, word)


def _unanswered(model: Model, state: State) -> list[str]:
    return [word for word in state.words if not model.rows(state.id, word)]


def leaving(model: Model, id: str) -> set[str]:
    """Return the other states to which something leads from a state."""
    return {*leads(model)[id]} - {id}


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
    """Find events for which no row of a state holds under some facts, or two rows hold at once and
    none is the otherwise row. States that share the rows of a phase are one finding.
    """
    solver = solver_of(graph.model)
    sharing = defaultdict[tuple[Transition, ...], list[str]](list)
    for state, _, rows in graph.model.choices:
        sharing[rows].append(state.id)
    for rows, states in sharing.items():
        event = rows[0].event
        guards = [row.guard for row in rows]
        gap = solver.solve((), guards)
        if gap is not None:
            words = f"no row for {event!r} holds when {values_text(gap.items())}"
            yield _at("gap", states, event, words)
            continue
        for both in _overlaps(solver, guards) if all(guards) else ():
            case = f"two rows for {event!r} hold when {values_text(both.items())}"
            yield _at("overlap", states, event, f"{case}, and only their order decides")


def _at(kind: Kind, states: Sequence[str], event: str, words: str) -> Finding:
    """Return a finding about an event in the first of these states."""
    where = few([*map(repr, states)], 1)
    return Finding(kind, f"{states[0]} on {event}", f"in {where} {words}", states[0], event)


def _overlaps(solver: Solver, guards: Sequence[Guard]) -> Iterator[Mapping[str, bool]]:
    """Yield facts under which two of these guards hold. A guard that only repeats another one is
    shadowed by it.
    """
    for number, one in enumerate(guards):
        excluded = solver.beside(one)
        for other in guards[number + 1 :]:
            if excluded.isdisjoint(other) and not set(one) <= set(other):
                both = solver.solve((*one, *other))
                if both is not None:
                    yield both


def unheard(graph: Graph) -> Iterator[Finding]:
    """Find signals that some states ignore. Either all states to which an answer leads hear a
    signal, or none does.
    """
    model = graph.model
    asking = [state for state in model.leaves if state.kind in ("action", "window")]
    words = set[str]().union(*(state.words for state in asking))
    led_to = set[str]().union(*(leads(model, True)[state.id] for state in asking))
    hearing = [leaf.id for leaf in model.leaves if leaf.id in led_to and leaf.kind != "final"]
    for event in model.signals:
        deaf = [id for id in hearing if not model.rows(id, event)]
        if event not in words and 0 < len(deaf) < len(hearing):
            around = set(model.path(deaf[0])).intersection(*map(model.path, deaf))
            place = next(holder.id for holder in model.path(deaf[0]) if holder in around)
            row = f"row({place!r}, None, event={event!r})"
            missing = f"there is no row for {event!r}, which others have"
            yield _at("gap", deaf, event, f"{missing}; add {row} if nothing happens there")


def never_taken(graph: Graph) -> Iterator[Finding]:
    """Find rows that can never fire, and why. Rows of unreachable states are left out, which are
    findings already. So is an otherwise row that may be there only to leave no gap.
    """
    feasible = feasible_of(graph)
    for row in graph.model.transitions:
        arcs = [arc for arc in graph.of_row[row.id] if arc.at in feasible.reached]
        if not arcs or not feasible.live.keys().isdisjoint(arcs):
            continue
        tried = [feasible.fires(arc) for arc in arcs]
        words = f"{row.id!r} can never fire: {feasible.why_row(arcs)}"
        completes = not row.guard and any(one.fails for one in tried)
        if all(feasible.solver.solve(one.holds, one.fails) is None for one in tried):
            yield Finding("shadowed", row.id, words, row.source, row.event)
        elif not (completes and graph.heard(row.event, arcs[0].at, None)):
            yield Finding("never fires", row.id, words, row.source, row.event)


# layers -------------------------------------------------------------------------------------------


def disconnected(graph: Graph) -> Iterator[Finding]:
    """Find the largest phases and steps to which nothing leads without one layer. The core is never
    left out.

    A game without such effects uses only the rest. A phase that a run leaves by this layer alone
    may go with it.
    """
    model = graph.model
    inside = defaultdict[str, list[str]](list)
    for id in reachable(model):
        for holder in model.path(id)[1:]:
            inside[holder.id].append(id)
    for layer in LAYERS[1:]:
        onward = leads(model, True, layer)
        lost = [id for id in inside if reachable(model, layer).isdisjoint(inside[id])]
        for id in lost:
            if model.state(id).parent not in lost and any(map(onward.get, inside[id])):
                words = f"without the layer {layer!r}, nothing leads to {id!r}"
                said = f"{words}, which goes on by other rows"
                yield Finding("disconnected", f"{id} without {layer}", said, id)


# what has no use or no like -----------------------------------------------------------------------


@per_model
def _read(model: Model) -> frozenset[Fact]:
    """Return the facts that guards of turn or window read."""
    names = set[str]()
    facts = list[Fact]()
    for machine in model.machines.values():
        facts += machine.facts
        for row in machine.transitions:
            names.update(term.fact for term in row.guard)
    return frozenset(fact for fact in facts if fact.name in names)


def unused(graph: Graph) -> Iterator[Finding]:
    """Find facts that no guard of turn or window reads, unused events, settings that no fact asks
    for, and durations that never run out.

    A window may latch facts for any turn that uses it.
    """
    model = graph.model
    read = _read(graph.whole)
    for fact in model.facts:
        if fact not in read and not (graph.name == "window" and fact.timing == "latched"):
            yield _unused("fact", fact.name, f"no transition reads the fact {fact.name!r}")
    fired = {row.event for row in model.transitions}
    for event in model.signals:
        if event not in fired:
            yield _unused("event", event, f"no transition waits for the event {event!r}")
    asked = {fact.test for fact in read}
    for setting in model.settings:
        if ("setting", setting.name) not in asked:
            words = f"no fact that is read asks for the setting {setting.name!r}"
            yield _unused("setting", setting.name, words)
    moments = set(_moments(graph.whole))
    for duration in model.durations:
        if (duration.moment == "mark", duration.what) not in moments:
            moment = f"{duration.moment} of {duration.what!r}"
            words = f"the duration {duration.name!r} never runs out: no {moment} comes"
            yield _unused("duration", duration.name, words)


def _unused(what: str, name: str, words: str) -> Finding:
    return Finding("unused", f"{what} {name}", words)


def _moments(model: Model) -> Iterator[tuple[bool, str]]:
    """Yield what begins and ends, and what is marked, each with whether it is marked."""
    for state in model.states:
        if state.composite:
            yield from ((False, name) for name in (state.name, state.family, state.kind))
    for row in model.transitions:
        yield from ((True, action.args[0]) for action in row.actions if action.name == "mark")


def irregular(graph: Graph) -> Iterator[Finding]:
    """Find states before or after a step or phase that lack a row which most of their like have.
    Those whose last row is of another layer are another kind.
    """
    model = graph.model
    alike = defaultdict[tuple[str, str, str], dict[str, set[str]]](dict)
    for state, event, rows in model.choices:
        if event == "done" and state.role in ("before", "after") and state.parent:
            kind = state.role, model.state(state.parent).kind, rows[-1].layer
            alike[kind][state.id] = {_tests(model, row) for row in rows if row.generic}
    for of_kind in alike.values():
        counts = Counter(chain.from_iterable(of_kind.values()))
        for id, own in of_kind.items():
            for tests in sorted(counts.keys() - own - {ONLY_ANOTHER}):
                if counts[tests] * 2 > len(of_kind):
                    words = f"{id!r} lacks the row [{tests} ...] that its like have"
                    yield Finding("irregular", f"{id} without {tests}", words, id, "done")


def _tests(model: Model, row: Transition) -> str:
    """Return what a row asks, without the names of phases and steps."""
    return ", ".join(Term((model.fact(t.fact).test or (t.fact,))[0], t.value) for t in row.guard)
