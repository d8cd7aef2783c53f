"""What comes next: the steps that this turn still has as things stand, and what those that are open depend on.

Nobody is asked. Whatever the game may tell is tried, both ways; what is scheduled is counted in. That somebody changes
the course of the turn (by an order, a signal) is not foreseen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from fsm.engine.controller import TurnController
from fsm.engine.internal_steps import Paths, Way, likeness
from fsm.errors import FsmError
from fsm.model import Model
from fsm.runs.visits import begun_level
from fsm.state.run import Run

MOST = 5_000
"""How many ways through the rest of a turn are followed."""

Step = tuple[str, int, str, int]
"""Phase, the how-manieth of its name this turn, step, the how-manieth of its name in that phase."""
Told = frozenset[tuple[str, int, str, bool]]
"""What the game told where it mattered: in which phase, the how-manieth, which fact, its value."""


class Unforeseen(FsmError):
    """There are too many ways through the rest of the turn to look at them all."""


@dataclass(frozen=True, slots=True)
class Coming:
    """A step still to come: the `number`-th of its name in the `phase_number`-th phase of its name this turn.

    `certain`: it comes whatever the game tells. Otherwise `opened_by` are facts with the values that are told on ways
    to it only; other guards may matter, too.
    """

    phase: str
    phase_number: int
    step: str
    number: int
    certain: bool
    opened_by: tuple[tuple[str, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class _Course:
    """One way through the rest of the turn: phase and how-manieth, the steps begun, what was told."""

    phases: tuple[str, ...] = ()
    steps: tuple[Step, ...] = ()
    told: Told = frozenset()


def coming(controller: TurnController) -> list[Coming]:
    """The steps still to come this turn, in order. Raises Unforeseen when there are too many ways."""
    courses = list(_courses(controller.model, controller.run.copy()))
    return [_coming(step, courses) for step in _in_order(courses)]


def _coming(step: Step, courses: list[_Course]) -> Coming:
    past = [course.told for course in courses if step not in course.steps]
    if not past:
        return Coming(*step, certain=True)
    on_the_way = {literal for course in courses if step in course.steps for literal in course.told}
    opening = on_the_way - frozenset().union(*past)
    decided = {(f, value) for phase, nth, f, value in opening if (phase, nth, f, not value) not in opening}
    return Coming(*step, certain=False, opened_by=tuple(sorted(decided)))


def _in_order(courses: list[_Course]) -> Iterator[Step]:
    """Every step of any course, each after those that come before it on all courses that have both."""
    waiting = [list(course.steps) for course in courses]
    while any(waiting):
        firsts = [steps[0] for steps in waiting if steps]
        later = {step for steps in waiting for step in steps[1:]}
        step = next((first for first in firsts if first not in later), firsts[0])
        yield step
        waiting = [[other for other in steps if other != step] for steps in waiting]


def _courses(model: Model, run: Run) -> Iterator[_Course]:
    """Every way through the rest of the turn; those that have come to the same are followed once, and loops once."""
    paths, turn = Paths(model), run.agenda.turn
    begun = tuple(o.name for o in run.agenda.begun if o.level == "phase")
    queue, seen = [(replace(run, frame=""), _Course(begun), frozenset[object]())], set[object]()
    for here, course, passed in queue:
        for way in paths.onward(here):
            then, like = _further(model, course, way), likeness(way.run)
            if way.run.agenda.turn != turn or model.state(way.run.state).kind == "final":
                yield then
            elif like not in passed and (like, then) not in seen:
                seen.add((like, then))
                queue.append((way.run, then, passed | {like}))
        if len(queue) > MOST:
            raise Unforeseen(f"the rest of turn {turn} can go in more than {MOST} ways")


def _further(model: Model, course: _Course, way: Way) -> _Course:
    """The course with what this way begins and tells."""
    phases, steps, told = course.phases, course.steps, course.told
    own = {fact.name for fact in model.facts if fact.owner == "game"}
    for record in way.records:
        level = begun_level(model, record) if record.turn else ""
        phases += (record.phase,) if level == "phase" else ()
        where = (record.phase, phases.count(record.phase))
        if level == "step":
            before = sum(step[:3] == (*where, record.step) for step in steps)
            steps += ((*where, record.step, before + 1),)
        if record.machine == "turn":
            told |= {(*where, *literal) for literal in record.guards if literal[0] in own}
    return _Course(phases, steps, told)
