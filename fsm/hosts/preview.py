"""What is still to come: the steps of this turn, with the facts that decide whether they come.

Nobody is asked. The preview tries both values of every fact that the game may report, and takes
into account what is scheduled. It does not foresee orders that are still to be given.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from copy import copy
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from fsm.engine.controller import TurnController
from fsm.engine.onward import ways_onward
from fsm.engine.semantics import Semantics
from fsm.errors import PreviewError
from fsm.state.run import NOTHING, Run

MOST = 5_000
"""The preview follows at most this many ways through the rest of a turn."""

StepKey: TypeAlias = tuple[str, str, int]
"""The phase, the step, and how many times the step has begun this turn, this one included."""
Reported: TypeAlias = tuple[str, int, str, bool]
"""A fact that was reported: the phase, which phase of its name this turn, the fact, its value."""


@dataclass(frozen=True, slots=True)
class Coming:
    """A step that may still come this turn.

    Attributes
    ----------
    phase
        The name of its phase.
    step
        The name of the step.
    iteration
        How many times the step will have begun this turn, this one included.
    certain
        Whether the step comes whatever facts the game reports.
    opened_by
        For a step that is not certain: facts with the values that are reported only if the step
        comes. Other guards may matter, too.
    """

    phase: str
    step: str
    iteration: int
    certain: bool
    opened_by: tuple[tuple[str, bool], ...] = ()


class _Course(NamedTuple):
    """One way through the rest of the turn: the steps that begin, and the facts told."""

    steps: tuple[StepKey, ...] = ()
    told: frozenset[Reported] = frozenset()


def coming(game: TurnController) -> list[Coming]:
    """Return the steps that are still to come this turn.

    Parameters
    ----------
    game
        The controller of the game, or a `History` of it. It is not changed.

    Returns
    -------
    list of Coming
        The steps, in the order in which they come.

    Raises
    ------
    PreviewError
        If the rest of the turn can go in too many ways.
    """
    courses = list(_courses(game.semantics, game.run, game.turn))
    return [_coming(step, courses) for step in _in_order(courses)]


def _coming(step: StepKey, courses: list[_Course]) -> Coming:
    past = [course.told for course in courses if step not in course.steps]
    if not past:
        return Coming(*step, certain=True)
    there = [course.told for course in courses if step in course.steps]
    opening = frozenset().union(*there).difference(*past)
    decided = set[tuple[str, bool]]()
    for phase, number, name, value in opening:
        if (phase, number, name, not value) not in opening:
            decided.add((name, value))
    return Coming(*step, certain=False, opened_by=tuple(sorted(decided)))


def _in_order(courses: list[_Course]) -> Iterator[StepKey]:
    """Yield every step of the courses, each after the steps that precede it on all courses that
    have both.
    """
    waiting = [list(course.steps) for course in courses]
    while any(waiting):
        firsts = [steps[0] for steps in waiting if steps]
        later = set[StepKey]().union(*(steps[1:] for steps in waiting))
        step = next((first for first in firsts if first not in later), firsts[0])
        yield step
        for steps in waiting:
            if step in steps:
                steps.remove(step)


# every way through the turn ----------------------------------------------------------------------


def _courses(semantics: Semantics, run: Run, turn: int) -> Iterator[_Course]:
    """Yield every way through the rest of the turn.

    Ways that reach equivalent runs are followed once, and loops are followed once.
    """
    first = copy(run)
    first.frame = ""
    queue = [(first, _Course(), frozenset[Hashable]())]
    seen = set[Hashable]()
    for here, course, passed in queue:
        for there, fired in ways_onward(semantics, here):
            told = [read for read in fired[-1].guards if read[0] in semantics.facts]
            then = _after(course, here, there, told)
            like = _alike(there)
            if there.current is None or semantics.waiting(there).kind == "final":
                yield then
            elif like not in passed and (like, then) not in seen:
                seen.add((like, then))
                queue.append((there, then, passed | {like}))
        if len(queue) > MOST:
            raise PreviewError(f"the rest of turn {turn} can go in more than {MOST} ways")


def _alike(run: Run) -> Hashable:
    """Return what is equal for runs whose futures are alike. How often a step has begun makes no
    difference, unless something is added.
    """
    begun: Hashable = frozenset((one.level, one.name) for one in run.begun)
    if run.extras or run.phase.returns or run.step.returns:
        begun = run.key
    now = tuple((one.name, one.only, one.under_way) for one in run.under_way)
    return run.state, run.latched, run.skips, begun, now


def _after(course: _Course, here: Run, there: Run, told: Iterable[tuple[str, bool]]) -> _Course:
    """Return the course after one firing, with what began and what the game reported."""
    phase = there.phase.current or NOTHING
    begun = there.begun[len(here.begun) :]
    steps = [(phase.name, one.name, one.iteration) for one in begun if one.level == "step"]
    reports = [(phase.name, phase.iteration, *read) for read in told]
    return _Course((*course.steps, *steps), course.told.union(reports))
