"""A game that waits, and how it came there: a search goes back along it, and on from anywhere."""

from __future__ import annotations

from dataclasses import dataclass

from fsm.paths.here import Here, Step
from fsm.paths.path import Start
from fsm.requests import Answer


@dataclass(frozen=True, slots=True)
class Place:
    """Where a game waits; `before` and `answer`: how it came there, None at its beginning."""

    start: Start
    here: Here
    before: Place | None = None
    answer: Answer | None = None

    def after(self, step: Step) -> Place:
        """The place to which this step led."""
        return Place(self.start, step.here, self, step.answer)

    @property
    def answers(self) -> tuple[Answer, ...]:
        """All answers from the beginning of the game."""
        found, place = list[Answer](), self
        while place.before is not None and place.answer is not None:
            found.append(place.answer)
            place = place.before
        return tuple(reversed(found))
