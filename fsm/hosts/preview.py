"""What is still to come: the steps of this turn, with the facts that decide whether they come.

Nobody is asked. The preview tries both values of every fact that the game may report, and takes
into account what is scheduled. It does not foresee orders that are still to be given.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from copy import copy
from typing import NamedTuple, TypeAlias

from fsm.engine.controller import TurnController
from fsm.engine.possible import ways_onward
from fsm.errors import PreviewError
from fsm.state.run import NOTHING, Run

MOST = 5_000
"""The preview follows at most this many ways through the rest of a turn."""

StepKey: TypeAlias = tuple[str, str, int]
"""The phase, the step, and how many times the step has begun this turn, this one included."""
Place: TypeAlias = tuple[str, int]
"""The phase, and which phase of its name this turn it is."""


class Coming(NamedTuple):
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
    """One way through the rest of the turn: the steps that begin, and the facts told in phases."""

    steps: tuple[StepKey, ...] = ()
    told: frozenset[tuple[Place, str, bool]] = frozenset()


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
    courses = list(_courses(game))
    return [_coming(step, courses) for step in _in_order(courses)]


def _coming(step: StepKey, courses: Sequence[_Course]) -> Coming:
    past = [course.told for course in courses if step not in course.steps]
    if not past:
        return Coming(*step, certain=True)
    there = [course.told for course in courses if step in course.steps]
    opening = frozenset().union(*there).difference(*past)
    decided = [told for told in opening if (*told[:2], not told[2]) not in opening]
    facts = {(name, value) for _, name, value in decided}
    return Coming(*step, certain=False, opened_by=tuple(sorted(facts)))


def _in_order(courses: Sequence[_Course]) -> list[StepKey]:
    """Return every step of the courses. Of the longest, each step follows the one before it."""
    found = list[StepKey]()
    for course in sorted(courses, key=lambda course: -len(course.steps)):
        place = 0
        for step in course.steps:
            if step not in found:
                found.insert(place, step)
            place = found.index(step) + 1
    return found


def _courses(game: TurnController) -> Iterator[_Course]:
    """Yield every way through the rest of the turn.

    Ways that reach equivalent runs are followed once, and loops are followed once.
    """
    semantics = game.semantics
    first = copy(game.run)
    first.frame = ""
    queue = [(first, _Course(), frozenset[Hashable]())]
    seen = set[Hashable]()
    for here, course, passed in queue:
        for there, fired in ways_onward(semantics, here):
            phase = there.phase.current or NOTHING
            began = [one for one in there.begun[len(here.begun) :] if one.level == "step"]
            steps = [(phase.name, one.name, one.iteration) for one in began]
            place = phase.name, phase.iteration
            told = [(place, *read) for read in fired[-1].guards if read[0] in semantics.facts]
            then = _Course((*course.steps, *steps), course.told.union(told))
            like = _alike(there)
            if there.turn.current is None or semantics.waiting(there).kind == "final":
                yield then
            elif like not in passed and (like, then) not in seen:
                seen.add((like, then))
                queue.append((there, then, passed | {like}))
        if len(queue) > MOST:
            raise PreviewError(f"the rest of turn {game.turn} can go in more than {MOST} ways")


def _alike(run: Run) -> Hashable:
    """Return what is equal for runs whose futures are alike. How often a step has begun makes no
    difference, unless something is added.
    """
    begun: Hashable = frozenset((one.level, one.name) for one in run.begun)
    if run.extras or run.phase.returns or run.step.returns:
        begun = run.key
    now = tuple((one.name, one.only, one.under_way) for one in run.under_way)
    return run.state, run.latched, run.skips, begun, now
