"""Situations: wait points without anything that tells one game from another. Each is checked once for a Model.

A game of twelve turns has a thousand wait points, but a Model has only some hundred situations. The functions here can
see only what makes up the situation, so their result holds whenever a game is in it again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias, TypeVar

from fsm.engine.requests import Over, Perform, Priority, Request
from fsm.model import Model
from fsm.state.agenda import Occurrence
from fsm.testing.fuzzing.known import Known, known_of

_Says = TypeVar("_Says", bound=Callable[[Any], str | None])


@dataclass(frozen=True, slots=True)
class Situation:
    """What is asked (`kind`), in which state, and where the request says that the turn stands.

    `phase_now`, `step_now`: what the agenda calls the phase and step under way, None when there is none.
    """

    known: Known
    kind: type[Request]
    state: str
    stage: str
    phase: str
    step: str
    phase_now: str | None
    step_now: str | None


class Invariant(NamedTuple):
    """Its name, and the function that says what is wrong."""

    name: str
    broken: Callable[[Any], str | None]


class Broke(NamedTuple):
    """An invariant that does not hold, and what is wrong."""

    invariant: Invariant
    what: str


class View(NamedTuple):
    """What is known of a situation: the first invariant that it breaks, if it does; may players act?

    `phase_ends`, `step_ends`: the actions that end the phase and step under way, if one is asked for.
    """

    broke: Broke | None
    acts: bool
    phase_ends: frozenset[str]
    step_ends: frozenset[str]


SITUATIONS: list[Invariant] = []
"""Checked once for each situation."""
NOTHING: frozenset[str] = frozenset()
Key: TypeAlias = tuple[type[Request], str, str, str, str, str | None, str | None]


class Views:
    """The situations of one Model that games have been in."""

    def __init__(self, model: Model) -> None:
        self.known = known_of(model)
        self.found: dict[Key, View] = {}

    def of(self, request: Request, phase: Occurrence | None, step: Occurrence | None) -> View:
        """What is known of the situation in which this is asked."""
        at = request.at
        names = (phase.name if phase is not None else None, step.name if step is not None else None)
        key = (request.__class__, request.state, at.stage, at.phase, at.step, *names)
        return self.found.get(key) or self._look(key)

    def _look(self, key: Key) -> View:
        situation = Situation(self.known, *key)
        broke = first_broken(SITUATIONS, situation)
        asks, ends = issubclass(situation.kind, Perform), self.known.ends
        phase, step = (("phase", situation.phase_now or ""), ("step", situation.step_now or ""))
        phase_ends, step_ends = (ends.get(one, NOTHING) if asks else NOTHING for one in (phase, step))
        view = self.found[key] = View(broke, issubclass(situation.kind, Priority), phase_ends, step_ends)
        return view


def views_of(model: Model) -> Views:
    """The one that all games of this model share."""
    return model.kept("situations", lambda: Views(model))


def first_broken(invariants: list[Invariant], seen: object) -> Broke | None:
    """The first of these invariants that does not hold there."""
    for invariant in invariants:
        what = invariant.broken(seen)
        if what:
            return Broke(invariant, what)
    return None


def noted(group: list[Invariant]) -> Callable[[_Says], _Says]:
    """A function that says what is wrong is an invariant of this group, by its name."""

    def note(function: _Says) -> _Says:
        group.append(Invariant(function.__name__, function))
        return function

    return note


@noted(SITUATIONS)
def exactly_one_state(here: Situation) -> str | None:
    """A game waits in one state: of its window if one is open, and then in a window stage; else of the turn."""
    kind = here.known.kinds.get(here.stage, "")
    if here.state != here.stage:
        fits = kind == "window" and here.state in here.known.asking
    else:
        fits = kind == ("final" if issubclass(here.kind, Over) else "action")
    return None if fits else f"it waits in {here.state!r} while the turn stands in {here.stage!r}, {_a(kind)}"


@noted(SITUATIONS)
def state_stands_in_its_step(here: Situation) -> str | None:
    """The step under way is the one that holds the state; between steps, the phase. An extra step may be in any."""
    step, phase = here.known.homes.get(here.stage, ("", ""))
    if (step and step != here.step) or (not step and phase and phase != here.phase):
        found = f"{here.phase or 'no phase'}/{here.step or 'no step'}"
        return f"{here.stage!r} belongs to {phase}/{step}, but {found} is under way"
    return None


@noted(SITUATIONS)
def nobody_acts_without_a_window(here: Situation) -> str | None:
    """In a step that has no window (untap, say) nobody has priority, and nothing resolves there by a window."""
    if here.state == here.stage or here.step_now in here.known.open:
        return None
    return f"{here.state!r} is asked for in {here.step_now or 'no step'}, in which nobody can act"


def _a(kind: str) -> str:
    return f"which is a {kind}" if kind else "which the model does not have"
