"""Measures what each step of a path takes of a criterion. The result is the same as that of
`fsm.coverage`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice

from fsm.coverage import Target
from fsm.coverage.data import Literal
from fsm.coverage.primes import Part, part_named
from fsm.coverage.simple import literal_id
from fsm.coverage.target import Key
from fsm.engine.semantics import Fired
from fsm.model import Term
from fsm.model.graph import Arc
from fsm.testing.generation.abstractgraph import AbstractGraph
from fsm.testing.generation.searchnode import (
    AnswerStep,
    Firings,
    SearchNode,
    backwards,
    last_firings,
)
from fsm.testing.instruments.games import decided

Chain = tuple[Arc, ...]
TakenBy = Callable[[AnswerStep], Iterator[Key]]
"""Yields the targets that a step takes, including those taken before. A target may occur twice."""


def targets_taken(
    abstract: AbstractGraph,
    criterion: str,
    chains: Mapping[Key, Iterable[Chain]],
    targets: Iterable[Target],
) -> TakenBy:
    """Return the function that yields the targets of a criterion that a step takes."""
    if criterion == "literals":
        return lambda step: _literals(abstract, step)
    if criterion == "round-trips":
        return _trips
    if criterion == "refusals":
        return lambda step: _refusals(abstract, step)
    if criterion == "rules":
        return _rules(abstract, _chains(chains))
    if criterion.startswith("prime-paths"):
        return _primes(abstract, criterion.partition(":")[2], targets)
    return _chains(chains)


def _chains(chains: Mapping[Key, Iterable[Chain]]) -> TakenBy:
    index: dict[tuple[int, ...], list[Key]] = {}
    for key, ways in chains.items():
        for chain in ways:
            index.setdefault(tuple(map(id, chain)), []).append(key)
    lengths = sorted({len(arcs) for arcs in index})
    single = {arcs[0]: keys for arcs, keys in index.items()} if lengths == [1] else None

    def taken_by(step: AnswerStep) -> Iterator[Key]:
        for _, walk in step.walks:
            if single is not None and walk is not None:
                yield from single.get(id(walk[0]), ())
                continue
            arcs = tuple(map(id, last_firings(walk, lengths[-1]))) if lengths else ()
            for length in lengths:
                yield from index.get(arcs[-length:], ())

    return taken_by


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


def _rules(abstract: AbstractGraph, chains: TakenBy) -> TakenBy:
    """A rule is taken when a state or transition that cites it is taken, or a guard reads a fact
    that cites it.
    """
    models = {name: graph.model for name, graph in abstract.graphs.items()}
    cited = {
        (name, f.name): f.rule.split(",") for name, model in models.items() for f in model.facts
    }

    def taken_by(step: AnswerStep) -> Iterator[Key]:
        yield from chains(step)
        for fired in step.fired:
            for _, term, _ in _decided(abstract, fired):
                for rule in cited[fired.machine, Term.parse(term).fact]:
                    yield fired.machine, rule.strip()

    return taken_by


def _trips(step: AnswerStep) -> Iterator[Key]:
    """A round trip ends in the state in which it began, and visits no other state twice."""
    for name, walk in step.walks:
        assert walk is not None
        home, seen = walk[0].to, set[str]()
        for arc in backwards(walk):
            if arc.at == home:
                yield name, arc.row.id
                break
            if arc.at in seen:
                break
            seen.add(arc.at)


def _primes(abstract: AbstractGraph, part: str, targets: Iterable[Target]) -> TakenBy:
    asked: dict[str, set[tuple[str, ...]]] = {}
    for target in targets:
        asked.setdefault(target.machine, set()).add(tuple(target.id.split(" > ")))
    parts = {
        name: found
        for name in asked
        if (found := part_named(abstract.graphs[name], part)) is not None
    }
    lengths = {name: sorted(map(len, paths)) for name, paths in asked.items()}

    def taken_by(step: AnswerStep) -> Iterator[Key]:
        for name, walk in step.walks:
            if name in parts:
                nodes = tuple(islice(_nodes(parts[name], walk), lengths[name][-1]))[::-1]
                for length in dict.fromkeys(lengths[name]):
                    if nodes[-length:] in asked[name]:
                        yield name, " > ".join(nodes[-length:])

    return taken_by


def _nodes(part: Part, walk: Firings) -> Iterator[str]:
    """Yield the nodes of a part on a walk, the last one first, back to where the walk entered the
    part.
    """
    before, arc = "", None
    for arc in backwards(walk):
        node = part.nodes.get(arc.to)
        if node is None and arc.to not in part.between:
            return
        if node is not None and arc.row.target is not None and (part.plain or node != before):
            yield node
            before = node
    node = part.nodes.get(arc.at) if arc is not None else None
    if node is not None and (part.plain or node != before):
        yield node


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
