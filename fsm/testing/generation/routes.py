"""Makes single paths: the shortest one to a state or target, all simple ones through the graph, and
random walks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import islice, pairwise
from random import Random
from time import perf_counter
from typing import Any

from fsm.analysis.feasibility.prover import prover_of
from fsm.coverage import CoverageError, Target, covered, data_of, targets
from fsm.engine.requests import Answer
from fsm.errors import FsmError, ModelError, suggest
from fsm.model import Model
from fsm.model.graph import Arc, graphs_of
from fsm.model.permodel import per_model
from fsm.testing.budget import Budget
from fsm.testing.fuzzing.randomwalk import RandomAnswers, wanderings_of
from fsm.testing.fuzzing.weights import EVENTFUL, Weights
from fsm.testing.generation.abstractgraph import abstract_graph_of
from fsm.testing.generation.backbone import ordinary_courses
from fsm.testing.generation.bestfirst import BestFirstSearch
from fsm.testing.generation.candidate import Candidate
from fsm.testing.generation.generating import EFFORT, finished
from fsm.testing.generation.path import Path, PathSet, Start, starts
from fsm.testing.generation.pruning import Pruner
from fsm.testing.generation.searchgoal import SearchGoal, search_goal
from fsm.testing.generation.searchnode import AnswerStep, backwards, first_step


def path_to(model: Model, state: str, *, effort: int = EFFORT) -> PathSet:
    """Return the shortest path found to a state of turn or window. The set has no path if none was
    found.

    Raises ModelError if there is no such state.
    """
    named = [t for t in targets(model, "states") if t.id == state]
    if not named:
        known = [s.id for m in model.machines.values() for s in m.states]
        raise ModelError(f"state {state!r} is not in {model.name}{suggest(state, known)}")
    return path_taking(model, "states", *named, effort=effort)


def path_taking(model: Model, criterion: str, *asked: Target, effort: int = EFFORT) -> PathSet:
    """Return the shortest path found that takes one of these targets. The set has no path if none
    was found.
    """
    abstract, since = abstract_graph_of(model), perf_counter()
    goal = search_goal(abstract, criterion).only(t.key for t in asked)
    for start in starts(model):
        candidate = _shortest(
            goal, Candidate(start, first_step(abstract, start.controller(model))), effort // 40
        )
        if candidate is not None:
            made = tuple(finished(model, criterion, [candidate], {t.key: t for t in asked}))
            return PathSet(model, criterion, made, seconds=perf_counter() - since, only=asked)
    return PathSet(model, criterion, (), seconds=perf_counter() - since, only=asked)


def _shortest(goal: SearchGoal, candidate: Candidate, tries: int) -> Candidate | None:
    """Return the first path found, shortened, or the path of a more patient search if that is
    shorter.
    """
    if goal.newly_taken_by(candidate.first):
        return candidate
    first = candidate.first.node
    far = [(steps[-1].node, steps) for steps in ordinary_courses(first)]
    found = BestFirstSearch(goal, [(first, [])], Budget(tries)).run()
    found = found or BestFirstSearch(goal, [(first, []), *far], Budget(tries)).run()
    if found is None:
        return None
    candidate.steps = found.steps
    [short] = Pruner(
        goal.only(goal.newly_taken_by(candidate.steps[-1])[:1]), [candidate], Budget(4 * tries)
    ).run()
    better = BestFirstSearch(goal, [(first, [])], Budget(tries), weight=1).run()
    if better is None or len(better.steps) >= len(short.steps):
        return short
    return Candidate(candidate.start, candidate.first, better.steps)


FOR_WAYS, FOR_ONE, BEFORE = 3_000, 150, 150
"""The largest number of answers tried for all paths of a model and for one of them, and the cost of
starting one.
"""


def walk_to(model: Model, criterion: str, target: Target) -> tuple[Arc, ...]:
    """Return the firings of one machine on a path that takes a target. Return () if a short search
    finds none.
    """
    budget = _budget_for_ways(model)
    if not budget.lasts or target.infeasible or not graphs_of(model)[0].played:
        return ()
    try:
        every = _goal_of_ways(model, criterion)
    except CoverageError:
        return ()
    goal, step = (
        every.only([target.key]),
        first_step(abstract_graph_of(model), Start().controller(model)),
    )
    search = BestFirstSearch(goal, [(step.node, [])], budget.part(FOR_ONE))
    found = None if goal.newly_taken_by(step) else search.run()
    budget.spend(BEFORE)
    return _walked(goal, target, step if found is None else found.steps[-1])


@per_model
def _budget_for_ways(model: Model) -> Budget:
    return Budget(FOR_WAYS)


@per_model
def _goal_of_ways(model: Model, criterion: str) -> SearchGoal:
    return search_goal(abstract_graph_of(model), criterion)


def _walked(goal: SearchGoal, target: Target, last: AnswerStep) -> tuple[Arc, ...]:
    """Return the walk of the target's machine up to the firing that takes the target."""
    for number, (name, walk) in enumerate(last.walks, 1):
        part = AnswerStep(last.node, last.answer, last.fired[:number], last.walks[:number])
        if target.key in goal.newly_taken_by(part):
            return tuple(backwards(walk))[::-1] if name == target.machine else ()
    return ()


def random_path(
    model: Model,
    length: int,
    seed: int,
    *,
    until: Callable[[Path], bool] | None = None,
    weights: Weights = EVENTFUL,
) -> PathSet:
    """Return one random game of at most `length` answers. It ends when `until` is true of the path
    so far.
    """
    start, since, answers = Start(), perf_counter(), list[Answer]()
    random = RandomAnswers(wanderings_of(model, weights), Random(seed), start.players)
    for answer in random.play(start.controller(model), length):
        answers.append(answer)
        if until is not None and until(Path(model, start, tuple(answers))):
            break
    path = Path(model, start, tuple(answers))
    return PathSet(model, "transitions", (path,), seconds=perf_counter() - since)


Stop = Callable[[Path], bool]


def comes_to(state: str) -> Stop:
    """A stop condition: this state of turn or window has been entered."""
    return lambda path: any(record.target == state for record in path.trace.records)


def takes_share(criterion: str, share: float) -> Stop:
    """A stop condition: this share of the targets of a criterion that can be taken has been taken."""
    return lambda path: (
        covered(path.model, criterion, data_of(path.model, [path.trace])).share >= share
    )


def simple_paths(model: Model, start: str, end: str, *, most: int = 100) -> list[tuple[Arc, ...]]:
    """Return the simple paths from state to state on the graph, the shortest first. They are not
    run.

    Paths whose guards can never hold in a row are left out. Raises ModelError if no machine has
    both states, and FsmError if the extra `paths` is not installed.
    """
    try:
        networkx: Any = import_module("networkx")
    except ImportError:
        raise FsmError(
            "ways without a loop need the extra 'paths': run pip install 'turn-fsm[paths]'"
        ) from None
    for graph in abstract_graph_of(model).graphs.values():
        if {start, end} <= set(graph.leaving):
            net: Any = networkx.DiGraph()
            net.add_nodes_from(graph.leaving)
            live = prover_of(graph).live
            arcs = {(a.at, a.to): a for a in reversed(graph.arcs) if a in live}
            net.add_edges_from(arcs)
            ways = networkx.shortest_simple_paths(net, start, end)
            if not networkx.has_path(net, start, end):
                return []
            return list(islice(_possible(prover_of(graph), arcs, ways), most))
    raise ModelError(
        f"no machine of {model.name} has both {start!r} and {end!r}; name two states of the turn, say"
    )


def _possible(prover: Any, arcs: Any, ways: Iterator[list[str]]) -> Iterator[tuple[Arc, ...]]:
    for states in islice(ways, 10_000):
        chain = tuple(arcs[a, b] for a, b in pairwise(states))
        if not chain or all(prover.joins(a, b) for a, b in pairwise(chain)):
            yield chain
