"""The ordinary courses of a game, from which searches start. On some nothing special happens, on others much does."""

from __future__ import annotations

from collections.abc import Iterator

from fsm.engine.requests import Answer, Over
from fsm.testing.generation.searchnode import AnswerStep, Here, tried

LONG = 150


def courses(here: Here) -> Iterator[list[AnswerStep]]:
    """Ways on from here, each the beginning of a longer one: first where nothing happens, then where much does."""
    for eventful in (False, True):
        place, steps = here, list[AnswerStep]()
        for _ in range(LONG):
            step = None if isinstance(place.controller.request, Over) else _on(place, eventful=eventful)
            if step is None:
                break
            steps = [*steps, step]
            place = step.here
            yield steps


def quiet_step(here: Here) -> AnswerStep | None:
    """One step on which nothing happens; None when there is none."""
    return _on(here, eventful=False)


def _on(here: Here, *, eventful: bool) -> AnswerStep | None:
    """Everybody passes; in a window nothing happens, elsewhere it does when it is to be eventful."""
    quiet = here.ground.quiet
    state = here.controller.waiting
    busy = eventful and not here.spot.frame
    names = here.ground.facts(*here.spot[:2])
    facts = {name: name in quiet or ((busy or name not in _asked_in_windows(here)) and eventful) for name in names}
    told = facts | dict.fromkeys(state.tells, busy)
    step = tried(here, Answer(state.words[-1], told))  # type: ignore[arg-type]
    if step is None:
        return None
    read = {name for record in step.records for name, _ in record.guards} | set(state.tells)
    needed = {name: value for name, value in told.items() if name in read}
    return AnswerStep(step.here, Answer(step.answer.word, needed), step.records, step.walks)


def _asked_in_windows(here: Here) -> frozenset[str]:
    window = here.ground.model.window
    return frozenset(fact.name for fact in window.facts) if window is not None else frozenset()
