"""Finds the shortest path to what is wrong, and the answers with which a real game takes it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from fsm.analysis.modelchecking.exploration import BEYOND, Edge, Explorer, Trouble
from fsm.analysis.modelchecking.propertychecker import Judge
from fsm.analysis.modelchecking.windows import Facts, Inner
from fsm.engine.requests import Answer, Signal, Word
from fsm.rulesets.properties import Property, Response, Safe
from fsm.state.orders import Order

WindowNode = tuple[int, int, int]
"""A node of the graph, a wait point inside its window (-1 for none), and the state of an automaton."""
PENDING, GONE = 1, 2
"""The states of an automaton: armed (or waiting, for a response), and violated."""


@dataclass(frozen=True, slots=True)
class WitnessStep:
    """One answer, and those forced after it: `edge` leaves the node, `inner` stays in its window."""

    edge: Edge | None = None
    inner: Inner | None = None


Way = tuple[WitnessStep, ...]


def way_to_breach(explorer: Explorer, judge: Judge, property: Property) -> Way | None:
    """The shortest way on which this safety property is broken; None if there is none (or it is no safety property)."""
    if not isinstance(property.form, Safe):
        return None
    return _search(explorer, int(property.form.start), _automaton(judge, property), lambda spot: spot[2] == GONE)


def way_round(explorer: Explorer, judge: Judge, property: Property) -> tuple[Way, Way] | None:
    """A way to where this response is pending, the shortest there is, and one from there that leads back to it.

    On the second nothing happens but what was on its way, and it stays pending. None if there is no such way (or it is
    no response).
    """
    if not isinstance(property.form, Response):
        return None
    step = _automaton(judge, property)
    pending: dict[WindowNode, None] = {}

    def note(spot: WindowNode) -> bool:
        if spot[2] == PENDING and spot[0] != BEYOND:
            pending[spot] = None
        return False

    _search(explorer, 0, step, note)
    onward = {
        spot: {there: made for made, there in _onward(explorer, spot, step) if there in pending and _quiet(made)}
        for spot in pending
    }
    round = _round(onward)
    ends: list[WindowNode] = []
    there = _search(explorer, 0, step, lambda spot: spot in round, ends)
    return (there, _back_to(ends[0], onward)) if there is not None else None


def _automaton(judge: Judge, property: Property) -> Callable[[int, int | None, Inner | None], int]:
    """What a label, or an answer inside a window, makes of the state of this property's automaton."""
    bit = 1 << judge.properties.index(property)

    def step(state: int, label: int | None, inner: Inner | None) -> int:
        change = judge.change(label) if label is not None else judge.of_inner(inner)
        if state == 0:
            return GONE if change.breaks & bit else PENDING if change.arms & bit else 0
        return GONE if change.broken & bit else PENDING if change.stays & bit else 0

    return step


def _quiet(step: WitnessStep) -> bool:
    """Does nothing happen but what was on its way?"""
    return step.inner.quiet if step.inner is not None else step.edge is not None and step.edge.quiet


def _round(onward: Mapping[WindowNode, Mapping[WindowNode, WitnessStep]]) -> frozenset[WindowNode]:
    """The spots of a way round; none if there is no way round."""
    try:
        tuple(TopologicalSorter(onward).static_order())
    except CycleError as error:
        return frozenset(error.args[1])
    return frozenset()


def _back_to(spot: WindowNode, onward: Mapping[WindowNode, Mapping[WindowNode, WitnessStep]]) -> Way:
    """The shortest way from this spot back to it; there is one."""
    came: dict[WindowNode, Way] = {spot: ()}
    queue = deque([spot])
    while True:
        here = queue.popleft()
        for there, made in onward[here].items():
            if there == spot:
                return (*came[here], made)
            if there not in came:
                came[there] = (*came[here], made)
                queue.append(there)


def way_to(explorer: Explorer, node: int) -> Way:
    """The shortest way to a node of the graph."""
    way = _search(explorer, 0, lambda state, label, inner: 0, lambda spot: spot[0] == node)
    assert way is not None, "every node was reached"
    return way


def way_to_trouble(explorer: Explorer, trouble: Trouble) -> tuple[Way, Trouble] | None:
    """The shortest way to a position that is stuck or ambiguous so, and that very position."""
    spots: dict[tuple[int, int], Trouble] = {}
    for other in explorer.occurrences[trouble.what]:
        number, entry = explorer.nodes[other.node]
        windows, ats = explorer.places[number].windows, [other.at]
        if other.exit is not None and windows is not None:
            ats = [*windows.ways_out(entry).places[id(other.exit)]]
        for at in ats:
            spots.setdefault((number, at), other)

    def key(spot: WindowNode) -> tuple[int, int]:
        return explorer.nodes[spot[0]][0], spot[1]

    ends: list[WindowNode] = []
    way = _search(explorer, 0, lambda state, label, inner: 0, lambda spot: key(spot) in spots, ends)
    return (way, spots[key(ends[0])]) if way is not None else None


def _search(
    explorer: Explorer,
    first: int,
    step: Callable[[int, int | None, Inner | None], int],
    found: Callable[[WindowNode], bool],
    ends: list[WindowNode] | None = None,
) -> Way | None:
    came: dict[WindowNode, tuple[WindowNode | None, WitnessStep]] = {}
    queue: deque[WindowNode] = deque()
    for edge in explorer.starts:
        spot = _at(explorer, edge.to, step(first, edge.label, None))
        came.setdefault(spot, (None, WitnessStep(edge)))
        queue.append(spot)
    while queue:
        here = queue.popleft()
        if found(here):
            if ends is not None:
                ends.append(here)
            return _back(came, here)
        if here[0] == BEYOND or here[2] == GONE:
            continue
        for made, there in _onward(explorer, here, step):
            if there not in came:
                came[there] = (here, made)
                queue.append(there)
    return None


def _onward(
    explorer: Explorer, here: WindowNode, step: Callable[[int, int | None, Inner | None], int]
) -> Iterator[tuple[WitnessStep, WindowNode]]:
    node, at, state = here
    number, entry = explorer.nodes[node]
    windows = explorer.places[number].windows
    places = windows.ways_out(entry).places if windows is not None and at >= 0 else {}
    if windows is not None and at >= 0:
        for inner in windows.nodes[at].inner:
            yield WitnessStep(inner=inner), (node, inner.target, step(state, None, inner))
    for edge in explorer.edges[node]:
        if edge.exit is None or at in places[id(edge.exit)]:
            yield WitnessStep(edge), _at(explorer, edge.to, step(state, edge.label, None))


def _at(explorer: Explorer, node: int, state: int) -> WindowNode:
    return node, explorer.nodes[node][1], state


def _back(came: dict[WindowNode, tuple[WindowNode | None, WitnessStep]], spot: WindowNode) -> Way:
    way: list[WitnessStep] = []
    here: WindowNode | None = spot
    while here is not None:
        here, step = came[here]
        way.append(step)
    return tuple(reversed(way))


# answers ------------------------------------------------------------------------------------------------------


def answers_of(explorer: Explorer, way: Way) -> list[Answer]:
    """The answers that lead a real game this way."""
    found: list[Answer] = []
    for step in way:
        if step.inner is not None:
            found += _told(step.inner.word, step.inner.told, 0)
        elif step.edge is not None and step.edge.move.kind != "start":
            found += _of_edge(explorer, step.edge)
        elif step.edge is not None:
            found += _told("", step.edge.move.told, step.edge.move.forced)[1:]
    return found


def last_answers(explorer: Explorer, trouble: Trouble) -> list[Answer]:
    """The answers after which a game gets no further, where it has come to the trouble."""
    if trouble.move is None or trouble.move.kind == "start":
        return []
    return _of_edge(explorer, Edge(BEYOND, 0, trouble.move, False, trouble.exit))


def _of_edge(explorer: Explorer, edge: Edge) -> list[Answer]:
    move, exit = edge.move, edge.exit
    word = exit.word if exit is not None else move.word
    orders: tuple[Order, ...] = (explorer.menu[move.order],) if move.kind == "order" else ()
    signal = Signal(move.signal) if move.kind == "signal" else None
    told = (*exit.told, *move.told) if exit is not None else move.told
    answers = _told(word, told, move.forced)
    answers[0] = Answer(answers[0].word, answers[0].facts, orders, signal)
    return answers


def _told(word: str, told: Facts, forced: int) -> list[Answer]:
    """The answer with this word, and those forced after it, each with its facts."""
    facts: list[dict[str, bool]] = [{} for _ in range(forced + 1)]
    for (number, name), value in told:
        facts[number][name] = value
    first: Word = word  # type: ignore[assignment]
    return [Answer("done" if n else first, told) for n, told in enumerate(facts)]
