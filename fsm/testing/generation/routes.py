"""Makes single paths: the shortest one to a state or target."""

from __future__ import annotations

from collections.abc import Iterable
from time import perf_counter

from fsm.coverage import Target, targets
from fsm.engine.semantics import WINDOW
from fsm.errors import CoverageError, ModelError, suggest
from fsm.model import Model
from fsm.model.graph import Arc, graphs_of
from fsm.model.model import per_model
from fsm.testing.budget import Budget
from fsm.testing.generation.abstractgraph import abstract_graph_of
from fsm.testing.generation.backbone import ordinary_courses
from fsm.testing.generation.bestfirst import BestFirstSearch
from fsm.testing.generation.candidate import Candidate
from fsm.testing.generation.generating import finished
from fsm.testing.generation.path import PathSet, Start, starts
from fsm.testing.generation.pruning import Pruner
from fsm.testing.generation.searchgoal import SearchGoal, search_goal
from fsm.testing.generation.searchnode import AnswerStep, first_step

TRIES = 3_750
"""At most this many answers are tried in each search for one path."""
FOR_WAYS, FOR_ONE, BEFORE = 3_000, 150, 150
"""The largest number of answers tried for all paths of a model and for one of them, and the cost of
starting one.
"""


def path_to(model: Model, state: str) -> PathSet:
    """Return the shortest path found to a state of turn or window. The set has no path if none was
    found.

    Raises ModelError if there is no such state.
    """
    named = [t for t in targets(model, "states") if t.id == state]
    if not named:
        known = [s.id for m in model.machines.values() for s in m.states]
        raise ModelError(f"state {state!r} is not in {model.name}{suggest(state, known)}")
    return path_taking(model, "states", *named)


def path_taking(model: Model, criterion: str, *asked: Target) -> PathSet:
    """Return the shortest path found that takes one of these targets. The set has no path if none
    was found.
    """
    abstract, since = abstract_graph_of(model), perf_counter()
    goal = search_goal(abstract, criterion).only(t.key for t in asked)
    for start in starts(model):
        first = first_step(abstract, start.controller(model))
        candidate = _shortest(goal, Candidate(start, first))
        if candidate is not None:
            made = tuple(finished(model, criterion, [candidate], {t.key: t for t in asked}))
            return PathSet(model, criterion, made, seconds=perf_counter() - since, only=asked)
    return PathSet(model, criterion, (), seconds=perf_counter() - since, only=asked)


def _shortest(goal: SearchGoal, candidate: Candidate) -> Candidate | None:
    """Return the first path found, shortened, or the path of a more patient search if that is
    shorter.
    """
    if goal.newly_taken_by(candidate.first):
        return candidate
    first = candidate.first.node
    far = [(steps[-1].node, steps) for steps in ordinary_courses(first)]
    found = BestFirstSearch(goal, [(first, [])], Budget(TRIES)).run()
    found = found or BestFirstSearch(goal, [(first, []), *far], Budget(TRIES)).run()
    if found is None:
        return None
    candidate.steps = found.steps
    [short] = Pruner(
        goal.only(goal.newly_taken_by(candidate.steps[-1])[:1]), [candidate], Budget(4 * TRIES)
    ).run()
    better = BestFirstSearch(goal, [(first, [])], Budget(TRIES), weight=1).run()
    if better is None or len(better.steps) >= len(short.steps):
        return short
    return Candidate(candidate.start, candidate.first, better.steps)


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
    return _walked(goal, target, [step, *(found.steps if found is not None else ())])


@per_model
def _budget_for_ways(model: Model) -> Budget:
    return Budget(FOR_WAYS)


@per_model
def _goal_of_ways(model: Model, criterion: str) -> SearchGoal:
    return search_goal(abstract_graph_of(model), criterion)


def _walked(goal: SearchGoal, target: Target, steps: Iterable[AnswerStep]) -> tuple[Arc, ...]:
    """Return the firings of the target's machine up to the one that takes the target.

    Those of a window begin where it opens.
    """
    walk: list[Arc] = []
    for step in steps:
        for fired, arc in zip(step.fired, step.arcs, strict=True):
            if fired.machine == target.machine:
                walk.append(arc)
                part = AnswerStep(step.node, step.answer, (fired,), (arc,))
                if target.key in goal.newly_taken_by(part):
                    return tuple(walk)
            inside = fired.machine == WINDOW
            closes = arc.to in goal.abstract.finals if inside else arc.row.target is not None
            if closes and target.machine == WINDOW:
                walk.clear()
    return ()
