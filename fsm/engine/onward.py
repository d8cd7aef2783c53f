"""How a game can go on when nobody says what the game reports: every value of a fact is tried.

What is latched stays so. A window is gone through as a whole.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import suppress
from copy import copy
from typing import NamedTuple

from fsm.engine.semantics import TURN, WINDOW, Fired, NothingFires, Semantics, every_choice
from fsm.state.run import Run


class Way(NamedTuple):
    """One way a run can go on: where it leads, and what fires."""

    run: Run
    fired: tuple[Fired, ...] = ()


def ways_onward(semantics: Semantics, run: Run, *, jumps: bool = False) -> Iterator[Way]:
    """Yield all that one transition of the turn can make of a run that stands in no window. It is
    the last that fires.

    With `jumps`, effects may end what is under way where players can act.
    """
    model = semantics.model
    kind = model.state(run.state).kind
    if kind == "window":
        for through in _through_window(semantics, run):
            yield from _fired(semantics, through, TURN, "closed")
        for event in model.signals if jumps else ():
            if model.rows(run.state, event):
                yield from _fired(semantics, Way(run), TURN, event)
    elif kind != "final":
        yield from _fired(semantics, Way(run), TURN, "done")


def _fired(semantics: Semantics, way: Way, machine: str, event: str) -> Iterator[Way]:
    """Yield how a way goes on with an event, for each combination of the facts that are read."""
    for choices in every_choice():
        twin = copy(way.run)
        fired = list[Fired]()
        with suppress(NothingFires):
            semantics.microstep(twin, machine, event, choices, fired)
            twin.moments = twin.results = ()
            yield Way(twin, (*way.fired, *fired))


def _through_window(semantics: Semantics, run: Run) -> Iterator[Way]:
    """Yield the shortest way to each outcome of a window, breadth first: what is latched of the
    turn's facts.
    """
    window = semantics.model.window
    assert window is not None
    first = copy(run)
    first.frame = window.initial
    of_turn = {fact.name for fact in semantics.model.facts}
    outcomes = set[frozenset[str]]()
    known = set[Hashable]()
    queue = [Way(first)]
    for here in queue:
        state = window.state(here.run.frame)
        latched = here.run.latched & of_turn
        if state.kind == "final" and latched not in outcomes:
            outcomes.add(latched)
            after = copy(run)
            after.latched = latched
            yield Way(after, here.fired)
        for event in window.events_at(state.id):
            is_signal = event in semantics.model.signals
            for way in () if is_signal else _fired(semantics, here, WINDOW, event):
                if way.run.key not in known:
                    known.add(way.run.key)
                    queue.append(way)
