"""A candidate path: its steps, and how it continues when some of its answers are left out or
changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from fsm.coverage.target import Key
from fsm.engine.requests import Answer
from fsm.testing.generation.backbone import quiet_step
from fsm.testing.generation.path import Start
from fsm.testing.generation.searchgoal import SearchGoal
from fsm.testing.generation.searchnode import AnswerStep, SearchNode, try_answer

AHEAD, MOST_INSERTED = 60, 12
"""How far ahead in a script an answer for the same states is looked for, and how many quiet answers
may be inserted.
"""
StatePair = tuple[str, str]
Script = Sequence[tuple[StatePair, Answer]]


@dataclass(eq=False)
class Candidate:
    """A path that is being made. `first` is the step to the first wait point of its game."""

    start: Start
    first: AnswerStep
    steps: list[AnswerStep] = field(default_factory=list)

    def extend(self, goal: SearchGoal, steps: Iterable[AnswerStep]) -> None:
        """Add steps. What the path takes is no longer open."""
        goal.mark_taken(goal.taken_by(self.first))
        for step in steps:
            self.steps.append(step)
            goal.mark_taken(goal.newly_taken_by(step))

    @property
    def node(self) -> SearchNode:
        """The node at the end of the path."""
        return (self.steps or [self.first])[-1].node

    def node_after(self, number: int) -> SearchNode:
        """Return the node after this number of answers."""
        return self.steps[number - 1].node if number else self.first.node

    @property
    def script(self) -> list[tuple[StatePair, Answer]]:
        """The answers, each with the states in which it was given."""
        return self.script_from(0)

    def script_from(self, at: int) -> list[tuple[StatePair, Answer]]:
        """Return the script without this number of answers."""
        return [
            (state_pair(self.node_after(n)), self.steps[n].answer)
            for n in range(at, len(self.steps))
        ]

    def taken_by(self, goal: SearchGoal) -> list[set[Key]]:
        """Return the targets that the first step and each other step takes."""
        return [goal.taken_by(step) for step in (self.first, *self.steps)]


def state_pair(node: SearchNode) -> StatePair:
    """Return the states of turn and window."""
    run = node.run
    return run.state, run.frame


def replayed(node: SearchNode, script: Script) -> Iterator[AnswerStep]:
    """Replay a script from another node. Each answer is given in its states, with quiet answers in
    between.
    """
    return (step for step, _ in replay_progress(node, script))


def replay_progress(node: SearchNode, script: Script) -> Iterator[tuple[AnswerStep, int]]:
    """Yield the steps of `replayed`, each with the number of answers of the script that have been
    used.
    """
    number, inserted = 0, 0
    while number < len(script) and not node.over:
        pair = state_pair(node)
        ahead = range(number, min(number + AHEAD, len(script)))
        found = next((n for n in ahead if script[n][0] == pair), None)
        step = try_answer(node, completed(node, script[found][1])) if found is not None else None
        if step is not None and found is not None:
            number = found + 1
        else:
            inserted += 1
            step = quiet_step(node) if inserted <= MOST_INSERTED else None
        if step is None:
            return
        yield step, number
        node = step.node


def completed(node: SearchNode, answer: Answer) -> Answer:
    """Return the answer with all facts that may be asked for here. Missing ones have their quiet
    values.
    """
    quiet = {
        name: name in node.abstract.quiet for name in node.abstract.facts(*node.graph_node[:2])
    }
    reported = dict.fromkeys(node.waiting.tells, False)
    return Answer(answer.word, {**reported, **quiet, **answer.facts}, answer.orders, answer.signal)


def replayed_exactly(node: SearchNode, answers: Iterable[Answer]) -> list[AnswerStep] | None:
    """Return the steps of exactly these answers, or None if one is refused."""
    steps: list[AnswerStep] = []
    for answer in answers:
        step = try_answer(node, answer)
        if step is None:
            return None
        steps.append(step)
        node = step.node
    return steps


def trimmed(step: AnswerStep, before: SearchNode) -> AnswerStep:
    """Return the step with only those facts in its answer that are read, must be reported, or stay
    true.
    """
    reported = before.waiting.tells
    kept = {*reported, *(name for name, _ in step.read)}
    latched = before.abstract.latched
    return step.reporting(
        {n: v for n, v in step.answer.facts.items() if n in kept or (v and n in latched)}
    )
