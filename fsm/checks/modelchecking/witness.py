"""Finds the shortest path to a problem, and the answers with which a real game takes it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter

from fsm.checks.modelchecking.exploration import BEYOND, BadPosition, Explorer, TurnEdge
from fsm.checks.modelchecking.propertychecker import PropertyChecker
from fsm.checks.modelchecking.windows import FactItems, WindowAnswer
from fsm.engine.requests import Answer, Signal, Word
from fsm.rulesets.properties import Property, Response, Safe
from fsm.state.orders import Order

WitnessPosition = tuple[int, int, int]
"""A node of the graph, a wait point inside its window (-1 for none), and the state of an automaton."""
Automaton = Callable[[int, int], int]
"""The transition function of an automaton: from a state and the number of a label to the state
after it.
"""
ARMED, VIOLATED = 1, 2
"""The states of an automaton: armed (or waiting, for a response), and violated."""


@dataclass(frozen=True, slots=True)
class WitnessStep:
    """One answer and the forced ones after it. `edge` leaves the node, `inner` stays in its window."""

    edge: TurnEdge | None = None
    inner: WindowAnswer | None = None


WitnessPath = tuple[WitnessStep, ...]


def path_to_breach(
    explorer: Explorer, checker: PropertyChecker, property: Property
) -> WitnessPath | None:
    """Return the shortest path that breaks this safety property. None if there is none, or it is no
    safety property.
    """
    if not isinstance(property.form, Safe):
        return None
    return _search(
        explorer,
        int(property.form.start),
        _automaton(checker, property),
        lambda position: position[2] == VIOLATED,
    )


def pending_cycle(
    explorer: Explorer, checker: PropertyChecker, property: Property
) -> tuple[WitnessPath, WitnessPath] | None:
    """Return the shortest path to where this response is pending for ever, and the cycle from
    there.

    The cycle has only quiet moves. It is None if there is no such cycle, or if the property is no
    response.
    """
    if not isinstance(property.form, Response):
        return None
    step = _automaton(checker, property)
    pending: dict[WitnessPosition, None] = {}

    def note(position: WitnessPosition) -> bool:
        if position[2] == ARMED and position[0] != BEYOND:
            pending[position] = None
        return False

    _search(explorer, 0, step, note)
    onward = {
        position: {
            there: taken
            for taken, there in _onward(explorer, position, step)
            if there in pending and _quiet(taken)
        }
        for position in pending
    }
    round = _cycle(onward)
    ends: list[WitnessPosition] = []
    there = _search(explorer, 0, step, lambda position: position in round, ends)
    return (there, _back_to(ends[0], onward)) if there is not None else None


def _automaton(checker: PropertyChecker, property: Property) -> Automaton:
    """Return the transition function of this property's automaton."""
    bit = 1 << checker.properties.index(property)

    def step(state: int, label: int) -> int:
        change = checker.change(label)
        if state == 0:
            return VIOLATED if change.breaks & bit else ARMED if change.arms & bit else 0
        return VIOLATED if change.broken & bit else ARMED if change.stays & bit else 0

    return step


def _quiet(step: WitnessStep) -> bool:
    """Say whether the step starts nothing new."""
    return step.inner.quiet if step.inner is not None else step.edge is not None and step.edge.quiet


def _cycle(
    onward: Mapping[WitnessPosition, Mapping[WitnessPosition, WitnessStep]],
) -> frozenset[WitnessPosition]:
    """Return the positions of a cycle, or none if there is no cycle."""
    try:
        tuple(TopologicalSorter(onward).static_order())
    except CycleError as error:
        return frozenset(error.args[1])
    return frozenset()


def _back_to(
    position: WitnessPosition,
    onward: Mapping[WitnessPosition, Mapping[WitnessPosition, WitnessStep]],
) -> WitnessPath:
    """Return the shortest cycle through this position. There is one."""
    came: dict[WitnessPosition, WitnessPath] = {position: ()}
    queue = deque([position])
    while True:
        here = queue.popleft()
        for there, taken in onward[here].items():
            if there == position:
                return (*came[here], taken)
            if there not in came:
                came[there] = (*came[here], taken)
                queue.append(there)


def path_to(explorer: Explorer, node: int) -> WitnessPath:
    """Return the shortest path to a node of the graph."""
    path = _search(explorer, 0, lambda state, label: 0, lambda position: position[0] == node)
    assert path is not None, "every node was reached"
    return path


def path_to_trouble(
    explorer: Explorer, trouble: BadPosition
) -> tuple[WitnessPath, BadPosition] | None:
    """Return the shortest path to a position with this problem, and that position."""
    positions: dict[tuple[int, int], BadPosition] = {}
    for other in explorer.occurrences[trouble.what]:
        number, entry = explorer.nodes[other.node]
        windows, ats = explorer.turn_nodes[number].windows, [other.at]
        if other.exit is not None and windows is not None:
            ats = [*windows.exits_from(entry).positions[id(other.exit)]]
        for at in ats:
            positions.setdefault((number, at), other)

    def key(position: WitnessPosition) -> tuple[int, int]:
        return explorer.nodes[position[0]][0], position[1]

    ends: list[WitnessPosition] = []
    path = _search(
        explorer, 0, lambda state, label: 0, lambda position: key(position) in positions, ends
    )
    return (path, positions[key(ends[0])]) if path is not None else None


def _search(
    explorer: Explorer,
    first: int,
    step: Automaton,
    found: Callable[[WitnessPosition], bool],
    ends: list[WitnessPosition] | None = None,
) -> WitnessPath | None:
    came: dict[WitnessPosition, tuple[WitnessPosition | None, WitnessStep]] = {}
    queue: deque[WitnessPosition] = deque()
    for edge in explorer.starts:
        position = _at(explorer, edge.to, step(first, edge.label))
        came.setdefault(position, (None, WitnessStep(edge)))
        queue.append(position)
    while queue:
        here = queue.popleft()
        if found(here):
            if ends is not None:
                ends.append(here)
            return _back(came, here)
        if here[0] == BEYOND or here[2] == VIOLATED:
            continue
        for taken, there in _onward(explorer, here, step):
            if there not in came:
                came[there] = (here, taken)
                queue.append(there)
    return None


def _onward(
    explorer: Explorer, here: WitnessPosition, step: Automaton
) -> Iterator[tuple[WitnessStep, WitnessPosition]]:
    node, at, state = here
    number, entry = explorer.nodes[node]
    windows = explorer.turn_nodes[number].windows
    positions = windows.exits_from(entry).positions if windows is not None and at >= 0 else {}
    if windows is not None and at >= 0:
        for inner in windows.nodes[at].inner:
            yield WitnessStep(inner=inner), (node, inner.target, step(state, inner.label))
    for edge in explorer.edges[node]:
        if edge.exit is None or at in positions[id(edge.exit)]:
            yield WitnessStep(edge), _at(explorer, edge.to, step(state, edge.label))


def _at(explorer: Explorer, node: int, state: int) -> WitnessPosition:
    return node, explorer.nodes[node][1], state


def _back(
    came: dict[WitnessPosition, tuple[WitnessPosition | None, WitnessStep]],
    position: WitnessPosition,
) -> WitnessPath:
    path: list[WitnessStep] = []
    here: WitnessPosition | None = position
    while here is not None:
        here, step = came[here]
        path.append(step)
    return tuple(reversed(path))


# answers ------------------------------------------------------------------------------------------


def answers_of(explorer: Explorer, path: WitnessPath) -> list[Answer]:
    """Return the answers that lead a real game along this path."""
    found: list[Answer] = []
    for step in path:
        if step.inner is not None:
            found += _with_facts(step.inner.word, step.inner.facts, 0)
        elif step.edge is not None and step.edge.move.kind != "start":
            found += _of_edge(explorer, step.edge)
        elif step.edge is not None:
            found += _with_facts("", step.edge.move.facts, step.edge.move.forced)[1:]
    return found


def answers_into_trouble(explorer: Explorer, trouble: BadPosition) -> list[Answer]:
    """Return the answers that lead from the position into the problem."""
    if trouble.move is None or trouble.move.kind == "start":
        return []
    return _of_edge(explorer, TurnEdge(BEYOND, 0, trouble.move, False, trouble.exit))


def _of_edge(explorer: Explorer, edge: TurnEdge) -> list[Answer]:
    move, exit = edge.move, edge.exit
    word = exit.word if exit is not None else move.word
    orders: tuple[Order, ...] = (explorer.orders[move.order],) if move.kind == "order" else ()
    signal = Signal(move.signal) if move.kind == "signal" else None
    facts = (*exit.facts, *move.facts) if exit is not None else move.facts
    answers = _with_facts(word, facts, move.forced)
    answers[0] = Answer(answers[0].word, answers[0].facts, orders, signal)
    return answers


def _with_facts(word: str, items: FactItems, forced: int) -> list[Answer]:
    """Return the answer with this word and the forced ones after it, each with its facts."""
    facts: list[dict[str, bool]] = [{} for _ in range(forced + 1)]
    for (number, name), value in items:
        facts[number][name] = value
    first: Word = word  # type: ignore[assignment]
    return [Answer("done" if n else first, values) for n, values in enumerate(facts)]
