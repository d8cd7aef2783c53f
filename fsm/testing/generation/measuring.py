"""Measures what each step of a path takes of a criterion. The result is the same as that of
`fsm.coverage`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from fsm.coverage.data import Literal
from fsm.coverage.instrumentation.games import decided
from fsm.coverage.simple import literal_id
from fsm.coverage.target import Key
from fsm.engine.semantics import Fired
from fsm.model import Term
from fsm.model.graph import Arc
from fsm.testing.generation.abstractgraph import AbstractGraph
from fsm.testing.generation.searchnode import AnswerStep, SearchNode

TakenBy = Callable[[AnswerStep], Iterator[Key]]
"""Yields the targets that a step takes, including those taken before. A target may occur twice."""


def targets_taken(
    abstract: AbstractGraph,
    criterion: str,
    arcs: Mapping[Key, Iterable[Arc]],
) -> TakenBy:
    """Return the function that yields the targets of a criterion that a step takes."""
    if criterion == "literals":
        return lambda step: _literals(abstract, step)
    if criterion == "refusals":
        return lambda step: _refusals(abstract, step)
    if criterion == "rules":
        return _rules(abstract, _by_arc(arcs))
    return _by_arc(arcs)


def _by_arc(arcs: Mapping[Key, Iterable[Arc]]) -> TakenBy:
    index: dict[Arc, list[Key]] = {}
    for key, ways in arcs.items():
        for arc in ways:
            index.setdefault(arc, []).append(key)
    return lambda step: (key for arc in step.arcs for key in index.get(arc, ()))


def _literals(abstract: AbstractGraph, step: AnswerStep) -> Iterator[Key]:
    for fired in step.fired:
        for literal in _decided(abstract, fired):
            yield fired.machine, literal_id(*literal)


def _decided(abstract: AbstractGraph, fired: Fired) -> Iterable[Literal]:
    """Return the literals that decided a firing. They are cached."""
    guards = tuple(fired.guards.items())
    key = (fired.machine, fired.row.number, fired.source, fired.event, guards)
    if key not in abstract.decided:
        id = fired.row.transition.id
        abstract.decided[key] = decided(
            abstract.model, fired.machine, fired.source, fired.event, id, guards
        )
    return abstract.decided[key]


def _rules(abstract: AbstractGraph, by_arc: TakenBy) -> TakenBy:
    """A rule is taken when a state or transition that cites it is taken, or a guard reads a fact
    that cites it.
    """
    models = {name: graph.model for name, graph in abstract.graphs.items()}
    cited = {
        (name, f.name): f.rule.split(",") for name, model in models.items() for f in model.facts
    }

    def taken_by(step: AnswerStep) -> Iterator[Key]:
        yield from by_arc(step)
        for fired in step.fired:
            for _, term, _ in _decided(abstract, fired):
                for rule in cited[fired.machine, Term(term).fact]:
                    yield fired.machine, rule.strip()

    return taken_by


def _refusals(abstract: AbstractGraph, step: AnswerStep) -> Iterator[Key]:
    """Yield the refused signal of the answer, and the words that can be tried, and refused, after
    the step.
    """
    if step.answer.signal is not None and step.fired:
        yield from _ignored_signal(abstract, step, step.answer.signal.event)
    for word in words_refused(abstract, step.node):
        machine, state = waiting_in(abstract, step.node)
        yield machine, f"{word} in {state}"


def _ignored_signal(abstract: AbstractGraph, step: AnswerStep, event: str) -> Iterator[Key]:
    first, turns = step.fired[0], [fired for fired in step.fired if fired.machine != "window"]
    stage = (
        first.target if first in turns else turns[0].source if turns else step.node.graph_node.state
    )
    rows = abstract.model.rows(stage, event)
    if not rows:
        yield abstract.turn, f"{event} in {stage}"
    window = abstract.model.window
    if window is None or first.machine != "window" or not any(row.target is None for row in rows):
        return
    if event in {e.name for e in window.events} and not window.rows(first.target, event):
        yield "window", f"{event} in {first.target}"


def waiting_in(abstract: AbstractGraph, node: SearchNode) -> Key:
    """Return the machine and the state in which a game waits for an answer."""
    graph_node = node.graph_node
    return ("window", graph_node.frame) if graph_node.frame else (abstract.turn, graph_node.state)


def words_refused(abstract: AbstractGraph, node: SearchNode) -> Iterator[str]:
    """Yield what is refused where a game waits: the other words, and when it is over, any word and
    signal.
    """
    machine, state = waiting_in(abstract, node)
    own = abstract.graphs[machine].model
    events = {event.name for event in own.events}
    over = node.over
    tried = (*abstract.words, *(abstract.signals if over else ()))
    yield from (word for word in tried if word in events and not own.rows(state, word))
