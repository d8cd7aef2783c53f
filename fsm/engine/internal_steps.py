"""Silent paths: how a game goes on through its Model when nobody tells what the game answers.

Facts owned by the game are free: every answer is tried, and what is latched stays so. Facts of the
agenda and the controller are computed as in play, by the same machines and primitives.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

from fsm.engine.machine import Firing, machine_of
from fsm.engine.trace import Record
from fsm.model import Model, State
from fsm.state.agenda import Agenda, Occurrence
from fsm.state.run import Run
from fsm.state.setup import settings_of

TURN, WINDOW = "state", "frame"


@dataclass(frozen=True, slots=True)
class Continuation:
    """One way a run can go on: where it leads, what fired, and whether anybody could act on it."""

    run: Run
    records: tuple[Record, ...] = ()
    acted: bool = False


@dataclass(frozen=True, slots=True)
class _Passage:
    """One way through a window: the facts latched when it has closed, what fired, could anybody act."""

    latched: frozenset[str]
    firings: tuple[tuple[str, Firing, str, str], ...]
    acted: bool


class InternalSteps:
    """The silent steps of one Model. `start` begins a game, `onward` tries all that can come next."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._machines = {TURN: machine_of(model, TURN)}
        if model.window is not None:
            self._machines[WINDOW] = machine_of(model.window, WINDOW)
        self._free: dict[tuple[str, str, str], tuple[str, ...]] = {}
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
            yield from self._fired(run, "done")

    def begins(self, run: Run) -> State | None:
        """The turn, phase or step that begins where this run stands, if one does."""
        state = self.model.state(run.state)
        return self.model.state(state.parent) if state.role == "begin" and state.parent else None

    # firing --------------------------------------------------------------------------------------

    def _fired(self, run: Run, event: str, *, acted: bool = False) -> Iterator[Continuation]:
        for twin, firing in self._fire(run, event, TURN):
            yield Continuation(twin, (self._record(twin, "turn", event, firing, run.state, twin.state),), acted)

    def _fire(self, run: Run, event: str, attribute: str) -> Iterator[tuple[Run, Firing]]:
        """The event, once for each combination of game facts that the rows really read."""
        free = self._free_facts(attribute, getattr(run, attribute), event)
        for values in product((False, True), repeat=len(free)):
            told = dict(zip(free, values, strict=True))
            if any(name in run.latched and not value for name, value in told.items()):
                continue
            twin = run.copy()
            twin.told, twin.latched = told, run.latched | self._latches(attribute, told)
            firing = self._machines[attribute].fire(twin, event)
            if firing is not None and all(name in firing.guards for name, value in told.items() if value):
                yield twin, firing

    def _free_facts(self, attribute: str, state: str, event: str) -> tuple[str, ...]:
        key = (attribute, state, event)
        if key not in self._free:
            model = self._of(attribute)
            terms = [term for row in model.rows(state, event) for term in row.guard]
            names = dict.fromkeys(term.fact for term in terms if model.fact(term.fact).owner == "game")
            self._free[key] = tuple(names)
        return self._free[key]

    def _latches(self, attribute: str, told: dict[str, bool]) -> frozenset[str]:
        model = self._of(attribute)
        return frozenset(name for name, value in told.items() if value and model.fact(name).timing == "latched")

    def _of(self, attribute: str) -> Model:
        model = self._machines[attribute].definition
        assert model is not None
        return model

    # windows -------------------------------------------------------------------------------------

    def _through_window(self, run: Run) -> Iterator[Continuation]:
        own = {fact.name for fact in self._of(WINDOW).facts}
        for passage in self._passages_of(run, run.latched & own):
            twin = run.copy()
            twin.latched = run.latched - own | passage.latched
            window = tuple(self._record(run, "window", *firing) for firing in passage.firings)
            for way in self._fired(twin, "closed"):
                yield Continuation(way.run, (*window, *way.records), passage.acted)

    def _passages_of(self, run: Run, latched: frozenset[str]) -> tuple[_Passage, ...]:
        key = (self.model.state(run.state).opens, latched, len(run.agenda.living))
        if key not in self._passages:
            self._passages[key] = tuple(self._explore_window(run, latched))
        return self._passages[key]

    def _explore_window(self, run: Run, latched: frozenset[str]) -> Iterator[_Passage]:
        """The shortest way to each outcome of a window, breadth first."""
        window, outcomes, known = self._of(WINDOW), set(), set()
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
        window = self._of(WINDOW)
        acted = passage.acted or window.state(here.frame).asks == "priority"
        for event in window.events_at(here.frame):
            for twin, firing in self._fire(here, event, WINDOW) if event not in self.model.signals else ():
                firings = (*passage.firings, (event, firing, here.frame, twin.frame))
                yield twin, _Passage(twin.latched, firings, acted)

    def _told(self, latched: frozenset[str]) -> frozenset[str]:
        """What of it the turn ever reads."""
        return latched & {fact.name for fact in self.model.facts}

    # records -------------------------------------------------------------------------------------

    def _record(self, run: Run, machine: str, event: str, firing: Firing, source: str, target: str) -> Record:
        assert firing.transition is not None
        agenda, model = run.agenda, self.model
        phase, step = model.enclosing(run.state, "phase"), model.enclosing(run.state, "step")
        within_phase = agenda.current_phase if phase else None
        within_step = agenda.current_step if step else None
        return Record(
            machine=machine,
            event=event,
            transition=firing.transition.id,
            source=source,
            target=target,
            guards=tuple(firing.guards.items()),
            actions=tuple(map(str, firing.transition.actions)),
            turn=agenda.turn,
            active=agenda.active,
            extra=_extra(agenda.current_turn),
            phase=phase.name if phase else "",
            step=step.name if step else "",
            iteration=agenda.count("step", step.name) if step else 0,
            extra_phase=_extra(within_phase),
            extra_step=_extra(within_step),
            phase_id=within_phase.id if within_phase else 0,
            step_id=within_step.id if within_step else 0,
        )


def _extra(occurrence: Occurrence | None) -> bool:
    return occurrence is not None and occurrence.extra


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
