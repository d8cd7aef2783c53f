"""A candidate path: its steps, and how it continues when some of its answers are left out or changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from fsm.coverage.target import Key
from fsm.engine.requests import Answer, Over
from fsm.testing.generation.backbone import quiet_step
from fsm.testing.generation.path import Start
from fsm.testing.generation.searchgoal import SearchGoal
from fsm.testing.generation.searchnode import AnswerStep, SearchNode, try_answer

AHEAD, FILLED = 60, 12
"""How far ahead an answer is looked for that was given in the same place, and how many answers may be inserted before
it."""
StatePair = tuple[str, str]
Script = Sequence[tuple[StatePair, Answer]]


@dataclass(eq=False)
class Candidate:
    """A path in the making. `first`: the beginning of the game; what fired there counts."""

    start: Start
    first: AnswerStep
    steps: list[AnswerStep] = field(default_factory=list)

    @property
    def node(self) -> SearchNode:
        """Where it stands."""
        return (self.steps or [self.first])[-1].node

    def at(self, number: int) -> SearchNode:
        """Where it stood after so many answers."""
        return self.steps[number - 1].node if number else self.first.node

    @property
    def script(self) -> list[tuple[StatePair, Answer]]:
        """Its answers, each with the place where it was given."""
        return [(state_pair(self.at(number)), step.answer) for number, step in enumerate(self.steps)]

    def taken_by(self, goal: SearchGoal) -> list[set[Key]]:
        """What the beginning and then each step takes."""
        return [goal.taken_by(step) for step in (self.first, *self.steps)]


def state_pair(node: SearchNode) -> StatePair:
    """The states of turn and window."""
    run = node.controller.run
    return run.state, run.frame


def replayed(node: SearchNode, script: Script) -> Iterator[AnswerStep]:
    """The steps of these answers from another place: each where it was given before, and quiet ones in between."""
    return (step for step, _ in replayed_with_progress(node, script))


def replayed_with_progress(node: SearchNode, script: Script) -> Iterator[tuple[AnswerStep, int]]:
    """The same, each with how much of the script has been followed."""
    number, filled = 0, 0
    while number < len(script) and not isinstance(node.controller.request, Over):
        place = state_pair(node)
        ahead = range(number, min(number + AHEAD, len(script)))
        found = next((n for n in ahead if script[n][0] == place), None)
        step = try_answer(node, completed(node, script[found][1])) if found is not None else None
        if step is not None and found is not None:
            number = found + 1
        else:
            filled += 1
            step = quiet_step(node) if filled <= FILLED else None
        if step is None:
            return
        yield step, number
        node = step.node


def completed(node: SearchNode, answer: Answer) -> Answer:
    """The answer, with all that it may have to tell here; what it does not say is as while nothing happens."""
    quiet = {name: name in node.abstract.quiet for name in node.abstract.facts(*node.graph_node[:2])}
    tells = dict.fromkeys(node.controller.waiting.tells, False)
    return Answer(answer.word, {**tells, **quiet, **answer.facts}, answer.orders, answer.signal)


def replayed_exactly(node: SearchNode, answers: Iterable[Answer]) -> list[AnswerStep] | None:
    """The steps of these very answers; None when one is refused."""
    steps: list[AnswerStep] = []
    for answer in answers:
        step = None if isinstance(node.controller.request, Over) else try_answer(node, answer)
        if step is None:
            return None
        steps.append(step)
        node = step.node
    return steps


def trimmed(step: AnswerStep, before: SearchNode) -> AnswerStep:
    """The same step, of an answer that tells no more than is read, must be told, or stays true."""
    tells = before.controller.waiting.tells
    kept = {*tells, *(name for record in step.records for name, _ in record.guards)}
    latched = before.abstract.latched
    facts = {n: v for n, v in step.answer.facts.items() if n in kept or (v and n in latched)}
    a = step.answer
    return AnswerStep(step.node, Answer(a.word, facts, a.orders, a.signal), step.records, step.walks)
