"""What is still to come: the steps of this turn, with the facts that decide whether they come, and
the next turn.

Nobody is asked. The preview of a turn tries both values of every fact that the game may report, and
it takes scheduled effects into account. It does not foresee orders and signals that are still to be
given.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from fsm.engine.internal_steps import Continuation, InternalSteps, equivalence_key
from fsm.engine.requesting import position_of
from fsm.engine.requests import Position
from fsm.engine.starting import begin_next_turn
from fsm.errors import PreviewError
from fsm.hosts.game import Game
from fsm.model import Model
from fsm.runs.visits import begun_level
from fsm.state.run import Run

MOST = 5_000
"""The preview follows at most this many ways through the rest of a turn."""

StepKey = tuple[str, int, str, int]
"""The phase, which phase of its name this turn, the step, and which step of its name in that phase,
counted from 1.
"""
ReportedFacts = frozenset[tuple[str, int, str, bool]]
"""The facts that the game reported where they mattered: the phase, which phase of its name this
turn, the fact, its value.
"""


@dataclass(frozen=True, slots=True)
class Coming:
    """A step that may still come this turn.

    Attributes
    ----------
    phase
        The name of its phase.
    phase_number
        Which phase of that name this is in the turn, counted from 1.
    step
        The name of the step.
    number
        Which step of that name this is in the phase, counted from 1.
    certain
        Whether the step comes whatever facts the game reports.
    opened_by
        For a step that is not certain: facts with the values that are reported only if the step
        comes. Other guards may matter, too.
    """

    phase: str
    phase_number: int
    step: str
    number: int
    certain: bool
    opened_by: tuple[tuple[str, bool], ...] = ()


@dataclass(frozen=True, slots=True)
class _Course:
    """One way through the rest of the turn: the phases and steps that begin, and the facts that are
    reported.
    """

    phases: tuple[str, ...] = ()
    steps: tuple[StepKey, ...] = ()
    told: ReportedFacts = frozenset()


def coming(game: Game) -> list[Coming]:
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
    courses = list(_courses(game.model, game.run.copy()))
    return [_coming(step, courses) for step in _in_order(courses)]


def next_turn(game: Game) -> Position | None:
    """Return who takes the next turn as things stand, after added and skipped turns and players who
    have left.

    Orders and departures that are still to be given may change it.

    Parameters
    ----------
    game
        The controller of the game, or a `History` of it. It is not changed.

    Returns
    -------
    Position or None
        The position at the beginning of the next turn: `turn`, `active`, `controller`, and `extra`
        if it is an extra turn. It is None if nobody takes one: the game is over, or all turns are
        skipped.

    Raises
    ------
    FsmError
        If turns do not follow one another in the model.
    """
    run = game.run.copy()
    over = game.waiting.kind == "final"
    return position_of(run) if not over and begin_next_turn(run) else None


def _coming(step: StepKey, courses: list[_Course]) -> Coming:
    past = [course.told for course in courses if step not in course.steps]
    if not past:
        return Coming(*step, certain=True)
    on_the_way = {literal for course in courses if step in course.steps for literal in course.told}
    opening = on_the_way - frozenset().union(*past)
    decided = {
        (f, value) for phase, nth, f, value in opening if (phase, nth, f, not value) not in opening
    }
    return Coming(*step, certain=False, opened_by=tuple(sorted(decided)))


def _in_order(courses: list[_Course]) -> Iterator[StepKey]:
    """Yield every step of the courses, each after the steps that precede it on all courses that
    have both.
    """
    waiting = [list(course.steps) for course in courses]
    while any(waiting):
        firsts = [steps[0] for steps in waiting if steps]
        later = {step for steps in waiting for step in steps[1:]}
        step = next((first for first in firsts if first not in later), firsts[0])
        yield step
        waiting = [[other for other in steps if other != step] for steps in waiting]


def _courses(model: Model, run: Run) -> Iterator[_Course]:
    """Yield every way through the rest of the turn.

    Ways that reach equivalent runs are followed once, and loops are followed once.
    """
    paths, turn = InternalSteps(model), run.agenda.turn
    begun = tuple(o.name for o in run.agenda.begun if o.level == "phase")
    queue, seen = [(replace(run, frame=""), _Course(begun), frozenset[object]())], set[object]()
    for here, course, passed in queue:
        for way in paths.onward(here):
            then, like = _further(model, course, way), equivalence_key(way.run)
            if way.run.agenda.turn != turn or model.state(way.run.state).kind == "final":
                yield then
            elif like not in passed and (like, then) not in seen:
                seen.add((like, then))
                queue.append((way.run, then, passed | {like}))
        if len(queue) > MOST:
            raise PreviewError(f"the rest of turn {turn} can go in more than {MOST} ways")


def _further(model: Model, course: _Course, way: Continuation) -> _Course:
    """Return the course with the phases and steps that this way begins and the facts that it
    reports.
    """
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
