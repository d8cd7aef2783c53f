"""How a game can go on when nobody says what the game reports: every value of a fact is tried.

What is latched stays so. A window is gone through as a whole.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from copy import copy
from typing import NamedTuple

from fsm.engine.semantics import TURN, WINDOW, Fired, NothingFires, every_choice, semantics_of
from fsm.model import Model
from fsm.model.model import per_model
from fsm.state.run import Run


class Way(NamedTuple):
    """One way a run can go on.

    Attributes
    ----------
    run
        Where it leads.
    fired
        What fires. The last firing is that of the turn.
    acted
        Whether anybody could act on it.
    """

    run: Run
    fired: tuple[Fired, ...] = ()
    acted: bool = False


class Onward:
    """How games of one Model can go on."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._semantics = semantics_of(model)
        self._of_turn = {fact.name for fact in model.facts}
        self._of_window = {fact.name for fact in model.window.facts} if model.window else set()
        self._through: dict[Hashable, tuple[Way, ...]] = {}

    def ways(self, run: Run, *, jumps: bool = False) -> Iterator[Way]:
        """Yield all that one transition of the turn can make of a run that stands in no window.

        With `jumps`, effects may end what is under way where players can act.
        """
        state = self.model.state(run.state)
        if state.kind == "window":
            yield from self._past_window(run)
            for event in self.model.signals if jumps else ():
                if self.model.rows(run.state, event):
                    yield from self._fired(run, TURN, event, acted=True)
        elif state.kind != "final":
            yield from self._fired(run, TURN, "done")

    def _fired(self, run: Run, machine: str, event: str, *, acted: bool = False) -> Iterator[Way]:
        """Yield what an event makes of a run, for each combination of the facts that are read."""
        for choices in every_choice():
            twin = copy(run)
            fired = list[Fired]()
            try:
                self._semantics.microstep(twin, machine, event, choices, fired)
            except NothingFires:
                continue
            twin.moments = ()
            twin.results = ()
            yield Way(twin, tuple(fired), acted)

    def _past_window(self, run: Run) -> Iterator[Way]:
        """Yield what comes after a window. What happens in it depends on little of the run."""
        latched = run.latched & self._of_window
        state = self.model.state(run.state)
        waits = run.interrupted[-1:], run.appointed
        key = state.opens, state.enters, state.by, waits, latched, len(run.living)
        if key not in self._through:
            self._through[key] = tuple(self._through_window(run, latched))
        active = run.head(run.active)
        now = (run.turns_begun, active, run.current, run.phase.current, run.step.current)
        for through in self._through[key]:
            twin = copy(run)
            twin.latched = run.latched - self._of_window | through.run.latched
            fired = tuple(Fired(*one[:6], *now) for one in through.fired)
            for way in self._fired(twin, TURN, "closed"):
                yield Way(way.run, (*fired, *way.fired), through.acted)

    def _through_window(self, run: Run, latched: frozenset[str]) -> Iterator[Way]:
        """Yield the shortest way to each outcome of a window, breadth first."""
        window = self.model.window
        assert window is not None
        first = copy(run)
        outcomes = set[Hashable]()
        known = set[Hashable]()
        first.frame = window.initial
        first.latched = latched
        queue = [Way(first)]
        for here in queue:
            state = window.state(here.run.frame)
            if state.kind == "final":
                here.run.latched &= self._of_turn
                outcome = here.run.latched, here.acted
                if outcome not in outcomes:
                    outcomes.add(outcome)
                    yield here
                continue
            acted = here.acted or state.asks == "priority"
            for event in window.events_at(state.id):
                if event in self.model.signals:
                    continue
                for way in self._fired(here.run, WINDOW, event):
                    if (way.run.key, acted) not in known:
                        known.add((way.run.key, acted))
                        queue.append(Way(way.run, here.fired + way.fired, acted))


@per_model
def onward_of(model: Model) -> Onward:
    """Return how games of a model can go on. What was found about windows is shared."""
    return Onward(model)
