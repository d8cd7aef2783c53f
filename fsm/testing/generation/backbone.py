"""The ordinary courses of a game, from which searches start: one quiet course and one eventful
course.
"""

from __future__ import annotations

from collections.abc import Iterator

from fsm.engine.requests import Answer
from fsm.testing.generation.searchnode import AnswerStep, SearchNode, try_answer

MOST_STEPS = 150


def ordinary_courses(node: SearchNode) -> Iterator[list[AnswerStep]]:
    """Yield the beginnings of the quiet course, each one step longer, and then those of the
    eventful course.
    """
    for eventful in (False, True):
        end, steps = node, list[AnswerStep]()
        for _ in range(MOST_STEPS):
            step = _next_step(end, eventful=eventful)
            if step is None:
                break
            steps = [*steps, step]
            end = step.node
            yield steps


def quiet_step(node: SearchNode) -> AnswerStep | None:
    """Return a step on which nothing happens, or None if there is none."""
    return _next_step(node, eventful=False)


def _next_step(node: SearchNode, *, eventful: bool) -> AnswerStep | None:
    """Return the next step of a course. Everybody passes. On an eventful course, things happen
    outside of windows.
    """
    quiet = node.abstract.quiet
    state = node.waiting
    busy = eventful and not node.graph_node.frame
    names = node.abstract.facts(*node.graph_node[:2])
    facts = {
        name: name in quiet or ((busy or name not in _asked_in_windows(node)) and eventful)
        for name in names
    }
    reported = facts | dict.fromkeys(state.tells, busy)
    step = try_answer(node, Answer(state.words[-1], reported))  # type: ignore[arg-type]
    if step is None:
        return None
    read = {name for name, _ in step.read} | set(state.tells)
    return step.reporting({name: value for name, value in reported.items() if name in read})


def _asked_in_windows(node: SearchNode) -> frozenset[str]:
    window = node.abstract.model.window
    return frozenset(fact.name for fact in window.facts) if window is not None else frozenset()
