"""The ordinary courses of a game, from which searches start. On some nothing special happens, on others much does."""

from __future__ import annotations

from collections.abc import Iterator

from fsm.engine.requests import Answer, Over
from fsm.testing.generation.searchnode import AnswerStep, SearchNode, try_answer

LONG = 150


def ordinary_courses(node: SearchNode) -> Iterator[list[AnswerStep]]:
    """Ways on from here, each the beginning of a longer one: first where nothing happens, then where much does."""
    for eventful in (False, True):
        end, steps = node, list[AnswerStep]()
        for _ in range(LONG):
            step = None if isinstance(end.controller.request, Over) else _next_step(end, eventful=eventful)
            if step is None:
                break
            steps = [*steps, step]
            end = step.node
            yield steps


def quiet_step(node: SearchNode) -> AnswerStep | None:
    """One step on which nothing happens; None when there is none."""
    return _next_step(node, eventful=False)


def _next_step(node: SearchNode, *, eventful: bool) -> AnswerStep | None:
    """Everybody passes; in a window nothing happens, elsewhere it does when it is to be eventful."""
    quiet = node.abstract.quiet
    state = node.controller.waiting
    busy = eventful and not node.graph_node.frame
    names = node.abstract.facts(*node.graph_node[:2])
    facts = {name: name in quiet or ((busy or name not in _asked_in_windows(node)) and eventful) for name in names}
    told_facts = facts | dict.fromkeys(state.tells, busy)
    step = try_answer(node, Answer(state.words[-1], told_facts))  # type: ignore[arg-type]
    if step is None:
        return None
    read = {name for record in step.records for name, _ in record.guards} | set(state.tells)
    needed = {name: value for name, value in told_facts.items() if name in read}
    return AnswerStep(step.node, Answer(step.answer.word, needed), step.records, step.walks)


def _asked_in_windows(node: SearchNode) -> frozenset[str]:
    window = node.abstract.model.window
    return frozenset(fact.name for fact in window.facts) if window is not None else frozenset()
