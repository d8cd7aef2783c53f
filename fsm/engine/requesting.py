"""From a waiting run to a request: where it stands, what is asked, of whom, and which facts may have to be told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from fsm.engine.requests import (
    CheckState,
    Moment,
    Over,
    Perform,
    PhaseBegins,
    PlaceTriggers,
    Position,
    Priority,
    Request,
    Resolve,
    StepBegins,
    TurnBegins,
    TurnEnds,
    WouldBegin,
)
from fsm.errors import StuckError
from fsm.model import Fact, Model, State, Term, Transition
from fsm.model.permodel import per_model
from fsm.state.primitives import TESTS
from fsm.state.run import Run

MOMENTS: Mapping[str, type[Moment]] = {
    "turn_begins": TurnBegins,
    "phase_begins": PhaseBegins,
    "step_begins": StepBegins,
    "turn_ends": TurnEnds,
}
"""The request of each moment, by what its state asks."""
SILENT_LIMIT = 10_000
"""A run is stuck if more firings, or more calls of generated functions, follow one another without a request."""


def position_of(run: Run) -> Position:
    """Where the run stands."""
    agenda, phase, step = run.agenda, run.agenda.current_phase, run.agenda.current_step
    return Position(
        agenda.turn,
        agenda.active,
        agenda.decider,
        agenda.current_turn is not None and agenda.current_turn.extra,
        phase.name if phase is not None else "",
        step.name if step is not None else "",
        step.iteration if step is not None else 0,
        run.state,
    )


def request_of(run: Run, state: State, facts: tuple[str, ...], at: Position) -> Request | Over:
    """What this waiting state asks. Raises StuckError when it is an action that asks for nothing."""
    agenda, asks = run.agenda, state.asks
    if asks == "priority":
        players = agenda.members(run.holder)
        player = players[0] if players else ""
        return Priority(at, state.id, facts, run.expired, run.triggered, player, players)
    if asks == "check":
        return CheckState(at, state.id, facts, run.expired, run.triggered)
    if asks == "perform":
        players = agenda.performers(state.by)
        return Perform(at, state.id, facts, run.expired, run.triggered, state.action, state.manner, players)
    if asks == "place":
        players = tuple(p for side in agenda.from_active() for p in agenda.members(side))
        return PlaceTriggers(at, state.id, facts, run.expired, run.triggered, players, state.manner)
    if asks == "resolve":
        return Resolve(at, state.id, facts, run.expired, run.triggered)
    if asks in MOMENTS:
        players = agenda.members(agenda.active)
        return MOMENTS[asks](at, state.id, facts, run.expired, run.triggered, asks, "", players)
    if asks == "would_begin":
        return _would_begin(run, state, facts, at)
    if state.kind == "final":
        winners = agenda.members(agenda.living[0]) if len(agenda.living) == 1 else ()
        return Over(at, state.id, (), run.expired, run.triggered, winners)
    raise StuckError(f"nothing can fire here: {state.id!r} is an action, but asks for nothing")


def _would_begin(run: Run, state: State, facts: tuple[str, ...], at: Position) -> WouldBegin:
    agenda, home = run.agenda, run.model.state(state.parent)
    level, what, side = home.kind, home.family or home.name, agenda.active
    if level == "turn":
        side, extra, label = agenda.candidate_turn, agenda.candidate_turn_extra, agenda.candidate_turn_label
    else:
        candidate = agenda.candidate_phase if level == "phase" else agenda.candidate_step
        extra, label = candidate.extra, candidate.label
    players = agenda.members(side)
    asked = tuple(s.label for s in agenda.asked_before(level, what) if s.label)
    player = players[0] if players else ""
    return WouldBegin(
        at, state.id, facts, run.expired, run.triggered, level, what, player, players, extra, label, asked
    )


def endless() -> StuckError:
    """The error of a run that asks for nothing any more."""
    return StuckError(
        f"{SILENT_LIMIT} transitions fired and nothing was asked; every phase and turn seems to be skipped"
    )


def facts_asked(model: Model, state: str, waits: State, frame: str, *, busy: bool) -> tuple[str, ...]:
    """The game facts that the answer must or may have to tell, in this state of the turn (and of its window).

    `busy`: phases or steps are added or interrupted, or, as one ends, skipped. Before it ends, the answer itself may
    order a skip; at a moment it may order anything.
    """
    left_out = () if busy or waits.moment else ("extras", "skips") if waits.role == "end" else ("extras",)
    asked = dict.fromkeys(waits.tells)
    inside = model.window if frame else model
    assert inside is not None
    signals = (model.leaving,) if waits.moment else model.signals
    asked.update(dict.fromkeys(_facts_of_signals(model, state, signals, left_out)))
    for word in waits.words:
        facts, closes = _facts_after(inside, waits.id, word, left_out)
        asked.update(dict.fromkeys(facts))
        if closes:
            asked.update(dict.fromkeys(_facts_after(model, state, "closed", left_out)[0]))
    return tuple(asked)


@per_model
def _facts_of_signals(model: Model, state: str, signals: tuple[str, ...], left_out: tuple[str, ...]) -> tuple[str, ...]:
    """The game facts that may be read if one of these signals comes here."""
    told = (fact for event in signals for fact in _facts_after(model, state, event, left_out)[0])
    return tuple(dict.fromkeys(told))


@per_model
def _facts_after(model: Model, state: str, event: str, left_out: tuple[str, ...]) -> tuple[tuple[str, ...], bool]:
    """The game facts that may be read before the next request, and whether a window may close.

    Transitions are left out whose guards contradict what is known of latched facts, or only hold if something is
    scheduled in these fields of the agenda.
    """
    found: dict[str, None] = {}
    seen: set[tuple[str, frozenset[Term]]] = set()
    todo, closes = [(state, event, frozenset[Term]())], False
    while todo:
        here, word, known = todo.pop()
        for row in model.rows(here, word):
            if any(replace(term, value=not term.value) in known for term in row.guard):
                continue
            if any(term.value and _needs(model.fact(term.fact), left_out) for term in row.guard):
                continue
            found.update((t.fact, None) for t in row.guard if _is_told(model.fact(t.fact)))
            target = model.state(row.target) if row.target is not None else None
            if target is None:
                continue
            closes = closes or target.kind == "final"
            then = _latched_after(model, row, known)
            if target.kind in ("choice", "stage") and (target.id, then) not in seen:
                seen.add((target.id, then))
                todo.append((target.id, "done", then))
    return tuple(found), closes


def _latched_after(model: Model, row: Transition, known: frozenset[Term]) -> frozenset[Term]:
    """Return what is known of latched facts after a transition: what its guard says, unless it changes such facts."""
    if any(action.name in ("latch", "clear") for action in row.actions):
        return frozenset()
    return known.union(term for term in row.guard if model.fact(term.fact).timing == "latched")


def _needs(fact: Fact, fields: tuple[str, ...]) -> bool:
    """Say whether this is false as long as nothing is scheduled in these fields, nor a phase or step interrupted."""
    test = TESTS.get(fact.test[0]) if fact.test else None
    if test is None or not test.scheduled:
        return False
    read = test.fields_read(fact.test[1:]) or _ELSEWHERE
    kind = "skips" if "skips" in read else "extras"
    return kind in fields and _ELSEWHERE.isdisjoint(read)


_ELSEWHERE = frozenset(("turns", "candidate_turn", "left"))
"""Fields of the agenda that say nothing of phases and steps."""


def _is_told(fact: Fact) -> bool:
    return fact.owner == "game" and fact.timing != "latched"
