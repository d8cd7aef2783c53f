"""Situations: wait points without what differs from game to game. Each situation is checked once
for a Model.

A game of twelve turns has a thousand wait points, but a Model has only some hundred situations. The
functions here read only the situation, so their result holds whenever a game is in it again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias, TypeVar

from fsm.engine.requests import Over, Perform, Priority, Request
from fsm.model import Model
from fsm.model.permodel import per_model
from fsm.state.entries import Occurrence
from fsm.testing.fuzzing.modelparameters import ModelParameters, model_parameters_of

_Says = TypeVar("_Says", bound=Callable[[Any], str | None])


@dataclass(frozen=True, slots=True)
class Situation:
    """The kind of a request, its state, and the position of the turn in the request.

    `phase_now` and `step_now` are the names of the phase and step under way in the agenda, or None.
    """

    parameters: ModelParameters
    kind: type[Request | Over]
    state: str
    stage: str
    phase: str
    step: str
    phase_now: str | None
    step_now: str | None


class Invariant(NamedTuple):
    """The name of an invariant, and the function that says what is wrong."""

    name: str
    broken: Callable[[Any], str | None]


class Violation(NamedTuple):
    """An invariant that does not hold, and what is wrong."""

    invariant: Invariant
    what: str


class SituationResult(NamedTuple):
    """The result of checking a situation: the first broken invariant, if there is one, and whether
    players may act.

    `phase_ends` and `step_ends` are the actions that end the phase and step under way, if an action
    is requested.
    """

    violation: Violation | None
    acts: bool
    phase_ends: frozenset[str]
    step_ends: frozenset[str]


SITUATIONS: list[Invariant] = []
"""Checked once for each situation."""
NOTHING: frozenset[str] = frozenset()
Key: TypeAlias = tuple[type[Request | Over], str, str, str, str, str | None, str | None]


class Situations:
    """The results for the situations that games of one Model have been in."""

    def __init__(self, model: Model) -> None:
        self.parameters = model_parameters_of(model)
        self.found: dict[Key, SituationResult] = {}

    def of(
        self, request: Request | Over, phase: Occurrence | None, step: Occurrence | None
    ) -> SituationResult:
        """Return the result for the situation of a request."""
        at = request.at
        names = (phase.name if phase is not None else None, step.name if step is not None else None)
        key = (request.__class__, request.state, at.stage, at.phase, at.step, *names)
        return self.found.get(key) or self._look(key)

    def _look(self, key: Key) -> SituationResult:
        situation = Situation(self.parameters, *key)
        violation = first_broken(SITUATIONS, situation)
        asks, ends = issubclass(situation.kind, Perform), self.parameters.ends
        phase, step = (("phase", situation.phase_now or ""), ("step", situation.step_now or ""))
        phase_ends, step_ends = (
            ends.get(one, NOTHING) if asks else NOTHING for one in (phase, step)
        )
        result = self.found[key] = SituationResult(
            violation, issubclass(situation.kind, Priority), phase_ends, step_ends
        )
        return result


@per_model
def situations_of(model: Model) -> Situations:
    """Return the results that all games of this model share."""
    return Situations(model)


def first_broken(invariants: list[Invariant], seen: object) -> Violation | None:
    """Return the first of these invariants that does not hold, or None."""
    for invariant in invariants:
        what = invariant.broken(seen)
        if what:
            return Violation(invariant, what)
    return None


def invariant_of(group: list[Invariant]) -> Callable[[_Says], _Says]:
    """Register a function that says what is wrong as an invariant of this group, by its name."""

    def note(function: _Says) -> _Says:
        group.append(Invariant(function.__name__, function))
        return function

    return note


@invariant_of(SITUATIONS)
def exactly_one_state(situation: Situation) -> str | None:
    """A game waits in one state: in a state of the window if one is open, and otherwise in a state
    of the turn.
    """
    kind = situation.parameters.kinds.get(situation.stage, "")
    if situation.state != situation.stage:
        fits = kind == "window" and situation.state in situation.parameters.asking
    else:
        fits = kind == ("final" if issubclass(situation.kind, Over) else "action")
    return (
        None
        if fits
        else f"it waits in {situation.state!r} while the turn stands in {situation.stage!r}, {_a(kind)}"
    )


@invariant_of(SITUATIONS)
def state_stands_in_its_step(situation: Situation) -> str | None:
    """The state belongs to the step under way, or between steps to the phase. An extra step may be
    in any phase.
    """
    step, phase = situation.parameters.homes.get(situation.stage, ("", ""))
    if (step and step != situation.step) or (not step and phase and phase != situation.phase):
        found = f"{situation.phase or 'no phase'}/{situation.step or 'no step'}"
        return f"{situation.stage!r} belongs to {phase}/{step}, but {found} is under way"
    return None


@invariant_of(SITUATIONS)
def nobody_acts_without_a_window(situation: Situation) -> str | None:
    """In a step without a window, such as untap, nobody has priority and nothing resolves."""
    if situation.state == situation.stage or situation.step_now in situation.parameters.open:
        return None
    return f"{situation.state!r} is asked for in {situation.step_now or 'no step'}, in which nobody can act"


def _a(kind: str) -> str:
    return f"which is a {kind}" if kind else "which the model does not have"
