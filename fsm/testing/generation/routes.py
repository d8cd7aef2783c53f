"""Makes single paths: the shortest one to a state or target, all simple ones through the graph, and random walks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import islice, pairwise
from random import Random
from time import perf_counter
from typing import Any

from fsm.analysis.feasibility.prover import prover_of
from fsm.coverage import CoverageError, Target, covered, data_of, targets
from fsm.errors import FsmError, ModelError, suggest
from fsm.model import Model
from fsm.model.graph import Arc, graphs_of
from fsm.testing.generation.abstractgraph import ground_of
from fsm.testing.generation.backbone import courses
from fsm.testing.generation.bestfirst import Seeking
from fsm.testing.generation.candidate import Draft
from fsm.testing.generation.generating import EFFORT, finished
from fsm.testing.generation.path import Path, PathSet, Start, starts
from fsm.testing.generation.pruning import Pruner
from fsm.testing.generation.randomwalk import Weights, wander
from fsm.testing.generation.searchnode import AnswerStep, backwards, begun
from fsm.testing.generation.wanted import Wanted, wanted


def path_to(model: Model, state: str, *, effort: int = EFFORT) -> PathSet:
    """The shortest path found to a state, of turn or window. Raises ModelError when there is no such state.

    The set has no path when none was found within the effort.
    """
    named = [t for t in targets(model, "states") if t.id == state]
    if not named:
        machines = [m for m in (model, model.window) if m is not None]
        known = [s.id for m in machines for s in m.states]
        raise ModelError(f"state {state!r} is not in {model.name}{suggest(state, known)}")
    return path_taking(model, "states", *named, effort=effort)


def path_taking(model: Model, criterion: str, *asked: Target, effort: int = EFFORT) -> PathSet:
    """The shortest path found that takes one of these targets; a set without a path when none was found."""
    ground, since = ground_of(model), perf_counter()
    goal = wanted(ground, criterion).only(t.key for t in asked)
    for start in starts(model):
        draft = _draft(goal, Draft(start, begun(ground, start.controller(model))), effort // 40)
        if draft is not None:
            made = tuple(finished(model, criterion, [draft], {t.key: t for t in asked}))
            return PathSet(model, criterion, made, seconds=perf_counter() - since, only=asked)
    return PathSet(model, criterion, (), seconds=perf_counter() - since, only=asked)


def _draft(goal: Wanted, draft: Draft, tries: int) -> Draft | None:
    """The first that is found, made short; or what a more patient search finds, if that is shorter."""
    if goal.taken(draft.first):
        return draft
    first = draft.first.here
    far = [(steps[-1].here, steps) for steps in courses(first)]
    searches = (Seeking(goal, [(first, [])], tries), Seeking(goal, [(first, []), *far], tries))
    found = next((found for search in searches if (found := search.run()) is not None), None)
    if found is None:
        return None
    draft.steps = found.steps
    [short] = Pruner(goal.only({next(iter(goal.met(draft.steps[-1])))}), [draft], 4 * tries).run()
    better = Seeking(goal, [(first, [])], tries, greed=1).run()
    return Draft(draft.start, draft.first, better.steps) if better and len(better.steps) < len(short.steps) else short


FOR_WAYS, FOR_ONE, BEFORE = 3_000, 150, 150
"""How many answers are tried at most for all paths of a model and for one of them, and the cost of starting one."""


def walk_to(model: Model, criterion: str, target: Target) -> tuple[Arc, ...]:
    """The firings of one machine on a path that takes a target, from its start; () when little trying finds none."""
    left = model.kept("tries for ways", lambda: [FOR_WAYS])
    if left[0] <= 0 or target.infeasible or not graphs_of(model)[0].played:
        return ()
    try:
        every = model.kept(("wanted for ways", criterion), lambda: wanted(ground_of(model), criterion))
    except CoverageError:
        return ()
    goal, step = every.only([target.key]), begun(ground_of(model), Start().controller(model))
    seeking = Seeking(goal, [(step.here, [])], FOR_ONE)
    found = None if goal.taken(step) else seeking.run()
    left[0] -= seeking.tried + BEFORE
    return _walked(goal, target, step if found is None else found.steps[-1])


def _walked(goal: Wanted, target: Target, last: AnswerStep) -> tuple[Arc, ...]:
    """The walk of the target's machine as it takes the target."""
    for number, (name, walk) in enumerate(last.walks, 1):
        part = AnswerStep(last.here, last.answer, last.records[:number], last.walks[:number])
        if target.key in goal.taken(part):
            return tuple(backwards(walk))[::-1] if name == target.machine else ()
    return ()


def random_path(
    model: Model, length: int, seed: int, *, until: Callable[[Path], bool] | None = None, weights: Weights | None = None
) -> PathSet:
    """One random game, by the seed: so many answers at most, and no more once `until` holds of the path so far."""
    ground, start, since = ground_of(model), Start(), perf_counter()
    first = begun(ground, start.controller(model))
    draft = Draft(start, first)

    def stops(step: AnswerStep) -> bool:
        draft.steps.append(step)
        return until is not None and until(_so_far(model, draft))

    for _ in wander(first.here, Random(seed), length, stops, weights or Weights()):
        pass
    return PathSet(model, "transitions", (_so_far(model, draft),), seconds=perf_counter() - since)


def _so_far(model: Model, draft: Draft) -> Path:
    return Path(model, draft.start, tuple(step.answer for step in draft.steps))


Stop = Callable[[Path], bool]


def comes_to(state: str) -> Stop:
    """A stop condition: a state has been entered, of turn or window."""
    return lambda path: any(record.target == state for record in path.trace.records)


def takes_share(criterion: str, share: float) -> Stop:
    """A stop condition: such a share of what can be taken of a criterion has been taken."""
    return lambda path: covered(path.model, criterion, data_of(path.model, [path.trace])).share >= share


def lasts(seconds: float) -> Stop:
    """A stop condition: so much time has gone by since this was called."""
    end = perf_counter() + seconds
    return lambda path: perf_counter() >= end


def any_of(*stops: Stop) -> Stop:
    """A stop condition: any of these holds."""
    return lambda path: any(stop(path) for stop in stops)


def simple_paths(model: Model, start: str, end: str, *, most: int = 100) -> list[tuple[Arc, ...]]:
    """The ways from state to state that come to no state twice, the shortest first: on the graph, not run.

    Guards that can never hold together are left out. Raises ModelError when one machine does not have both states,
    FsmError when the extra `paths` is not installed.
    """
    try:
        networkx: Any = import_module("networkx")
    except ImportError:
        raise FsmError("ways without a loop need the extra 'paths': run pip install 'turn-fsm[paths]'") from None
    for graph in ground_of(model).graphs.values():
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
    raise ModelError(f"no machine of {model.name} has both {start!r} and {end!r}; name two states of the turn, say")


def _possible(prover: Any, arcs: Any, ways: Iterator[list[str]]) -> Iterator[tuple[Arc, ...]]:
    for states in islice(ways, 10_000):
        chain = tuple(arcs[a, b] for a, b in pairwise(states))
        if not chain or all(prover.joins(a, b) for a, b in pairwise(chain)):
            yield chain
