"""Internal steps: how a game can go on through its Model if nobody says what the game reports.

Every value of a fact of the game is tried, and what is latched stays so. Facts of the agenda and
the controller are computed as in play.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from fsm.engine.records import Record, record_of
from fsm.engine.semantics import (
    CLOSED,
    DONE,
    TURN,
    WINDOW,
    Fired,
    NothingFires,
    chosen_by,
    every_choice,
    semantics_of,
)
from fsm.model import Model, State
from fsm.state.agenda import Agenda
from fsm.state.run import Run
from fsm.state.setup import settings_of


@dataclass(frozen=True, slots=True)
class Continuation:
    """One way a run can go on: where it leads, what fired, and whether anybody could act on it."""

    run: Run
    records: tuple[Record, ...] = ()
    acted: bool = False


@dataclass(frozen=True, slots=True)
class _Passage:
    """One way through a window: the facts latched when it has closed, what fired, could anybody
    act.
    """

    latched: frozenset[str]
    firings: tuple[Fired, ...]
    acted: bool


class InternalSteps:
    """The silent steps of one Model. `start` begins a game, `onward` tries all that can come next."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._semantics = semantics_of(model)
        self._passages: dict[tuple[object, ...], tuple[_Passage, ...]] = {}

    def start(self, players: Iterable[str]) -> Run:
        """A new game of these players in turn order; the first takes the first turn."""
        agenda = Agenda(tuple(players))
        settings = settings_of(self.model, agenda.sides, {})
        return Run(self.model, agenda, settings=settings, state=self.model.initial)

    def onward(self, run: Run, *, jumps: bool = False) -> Iterator[Continuation]:
        """All that one step can make of this run. With `jumps`, effects may end what is under way."""
        state = self.model.state(run.state)
        if state.kind == "window":
            yield from self._through_window(run)
            for event in self.model.events_at(run.state) if jumps else ():
                if event in self.model.signals:
                    yield from self._fired(run, event, acted=True)
        elif state.kind != "final":
            yield from self._fired(run, DONE)

    def begins(self, run: Run) -> State | None:
        """The turn, phase or step that begins where this run stands, if one does."""
        state = self.model.state(run.state)
        return self.model.state(state.parent) if state.role == "begin" and state.parent else None

    # firing --------------------------------------------------------------------------------------

    def _fired(self, run: Run, event: str, *, acted: bool = False) -> Iterator[Continuation]:
        for twin, fired in self._fire(run, event, TURN):
            yield Continuation(twin, (record_of(twin, fired),), acted)

    def _fire(self, run: Run, event: str, machine: str) -> Iterator[tuple[Run, Fired]]:
        """The event, once for each combination of game facts that are read."""
        for choices in every_choice(dict[str, bool]()):
            twin, fired = run.copy(), list[Fired]()
            with suppress(NothingFires):
                self._semantics.microstep(twin, machine, event, chosen_by(choices), fired.append)
                yield twin, fired[0]

    # windows -------------------------------------------------------------------------------------

    def _through_window(self, run: Run) -> Iterator[Continuation]:
        own = {fact.name for fact in self._window().facts}
        for passage in self._passages_of(run, run.latched & own):
            twin = run.copy()
            twin.latched = run.latched - own | passage.latched
            window = tuple(record_of(run, fired) for fired in passage.firings)
            for way in self._fired(twin, CLOSED):
                yield Continuation(way.run, (*window, *way.records), passage.acted)

    def _passages_of(self, run: Run, latched: frozenset[str]) -> tuple[_Passage, ...]:
        key = (self.model.state(run.state).opens, latched, len(run.agenda.living))
        if key not in self._passages:
            self._passages[key] = tuple(self._explore_window(run, latched))
        return self._passages[key]

    def _explore_window(self, run: Run, latched: frozenset[str]) -> Iterator[_Passage]:
        """The shortest way to each outcome of a window, breadth first."""
        window, outcomes, known = self._window(), set(), set()
        first = run.copy()
        first.frame, first.latched = window.initial, latched
        queue = [(first, _Passage(latched, (), False))]
        for here, passage in queue:
            if window.state(here.frame).kind == "final":
                outcome = (self._told(here.latched), passage.acted)
                if outcome not in outcomes:
                    outcomes.add(outcome)
                    yield _Passage(outcome[0], passage.firings, passage.acted)
                continue
            for onward, longer in self._in_window(here, passage):
                key = (onward.frame, onward.holder, onward.passed, onward.latched, longer.acted)
                if key not in known:
                    known.add(key)
                    queue.append((onward, longer))

    def _in_window(self, here: Run, passage: _Passage) -> Iterator[tuple[Run, _Passage]]:
        """All that one event can make of a window under way; that somebody leaves is not among it."""
        window = self._window()
        acted = passage.acted or window.state(here.frame).asks == "priority"
        for event in window.events_at(here.frame):
            for twin, fired in (
                self._fire(here, event, WINDOW) if event not in self.model.signals else ()
            ):
                yield twin, _Passage(twin.latched, (*passage.firings, fired), acted)

    def _window(self) -> Model:
        assert self.model.window is not None
        return self.model.window

    def _told(self, latched: frozenset[str]) -> frozenset[str]:
        """What of it the turn ever reads."""
        return latched & {fact.name for fact in self.model.facts}


def equivalence_key(run: Run) -> tuple[object, ...]:
    """A key that is equal for runs whose futures are the same."""
    a = run.agenda
    begun = frozenset((o.level, o.name) for o in a.begun)
    under_way = tuple((o.name, o.only, o.under_way) for o in (a.current_phase, a.current_step) if o)
    anchors = (a.begun, a.extras, a.returns_phase, a.returns_step, a.cursor_phase, a.cursor_step)
    anchored = anchors if a.extras or a.returns_phase or a.returns_step else ()
    coming = (a.candidate_turn, a.candidate_turn_extra, a.candidate_phase, a.candidate_step)
    turns = (a.turn, a.active, a.natural, a.turns, a.left)
    return (run.state, run.latched, turns, coming, begun, under_way, a.missed, a.skips, anchored)
