"""What is still to come: the steps of this turn, with the facts that decide whether they come.

Nobody is asked. The preview tries both values of every fact that the game may report, and takes
into account what is scheduled. It does not foresee orders that are still to be given.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from typing import NamedTuple, TypeAlias

from fsm.engine.controller import TurnController
from fsm.engine.semantics import Choices, every_choice
from fsm.errors import PreviewError
from fsm.state.run import NOTHING
from fsm.wording import merged

MOST = 1_000
"""The preview follows at most this many ways through the rest of a turn."""
LONGEST = 2_000
"""At most this many transitions fire on one way."""

StepKey: TypeAlias = tuple[str, str, int]
"""The phase, the step, and how many times the step has begun this turn, this one included."""


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


Course: TypeAlias = tuple[list[StepKey], Mapping[str, bool]]
"""One way through the rest of the turn: the steps that begin, and the facts told."""


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
    courses = sorted(_courses(game), key=lambda course: -len(course[0]))
    order = list[StepKey]()
    for steps, _ in courses:
        order = merged(steps, order)
    return [_coming(step, courses) for step in order]


def _coming(step: StepKey, courses: Sequence[Course]) -> Coming:
    past = [told.items() for steps, told in courses if step not in steps]
    there = [told.items() for steps, told in courses if step in steps]
    opening = set().union(*there).difference(*past) if past else set[tuple[str, bool]]()
    decided = [(name, value) for name, value in opening if (name, not value) not in opening]
    return Coming(*step, certain=not past, opened_by=tuple(sorted(decided)))


def _courses(game: TurnController) -> Iterator[Course]:
    """Yield a way through the rest of the turn for each combination of its facts. In a window,
    nothing happens. A way that goes round and round is none.
    """
    quiet = game.semantics.quiet
    window = game.model.window
    inside = {fact.name for fact in window.facts if fact.timing == "live"} if window else set[str]()
    settled = {name: quiet[name] for name in inside & quiet.keys()}
    for number, choices in enumerate(every_choice(settled)):
        if number == MOST:
            raise PreviewError(f"the rest of turn {game.turn} can go in more than {MOST} ways")
        steps = _steps(game, choices)
        if steps is not None:
            yield steps, choices


def _steps(game: TurnController, choices: Choices) -> list[StepKey] | None:
    """Return the steps that begin until the turn ends, or None if it does not end."""
    run = copy(game.run)
    steps = list[StepKey]()
    known = len(run.begun)
    for _ in range(LONGEST):
        fired = game.semantics.quietly(run, choices)
        if fired is None or run.turns_begun:
            return steps
        phase = run.phase.current or NOTHING
        begun = [one for one in run.begun[known:] if one.level == "step"]
        steps.extend((phase.name, one.name, one.iteration) for one in begun)
        known = len(run.begun)
    return None
