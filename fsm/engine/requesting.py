"""From a waiting run to a request: where it stands, what is asked, of whom, and which facts may have to be told."""

from __future__ import annotations

from fsm.engine.requests import CheckState, Over, Perform, PlaceTriggers, Position, Priority, Request, Resolve
from fsm.errors import Stuck
from fsm.model import Fact, Model, State
from fsm.model.permodel import per_model
from fsm.state.run import Run

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


def request_of(run: Run, state: State, facts: tuple[str, ...], at: Position) -> Request:
    """What this waiting state asks. Raises Stuck when it is an action that asks for nothing."""
    agenda, asks = run.agenda, state.asks
    if asks == "priority":
        players = agenda.members(run.holder)
        player = players[0] if players else ""
        return Priority(at, state.id, facts, run.expired, run.triggered, player, players)
    if asks == "check":
        return CheckState(at, state.id, facts, run.expired, run.triggered)
    if asks == "perform":
        players = agenda.members(agenda.active)
        return Perform(at, state.id, facts, run.expired, run.triggered, state.action, state.manner, players)
    if asks == "place":
        players = tuple(p for side in agenda.from_active() for p in agenda.members(side))
        return PlaceTriggers(at, state.id, facts, run.expired, run.triggered, players, state.manner)
    if asks == "resolve":
        return Resolve(at, state.id, facts, run.expired, run.triggered)
    if state.kind == "final":
        winners = agenda.members(agenda.living[0]) if len(agenda.living) == 1 else ()
        return Over(at, state.id, (), run.expired, run.triggered, winners)
    raise Stuck(f"nothing can fire here: {state.id!r} is an action, but asks for nothing")


def endless() -> Stuck:
    """The error of a run that asks for nothing any more."""
    return Stuck(f"{SILENT_LIMIT} transitions fired and nothing was asked; every phase and turn seems to be skipped")


def facts_asked(model: Model, state: str, waits: State, frame: str, *, detours: bool) -> tuple[str, ...]:
    """The game facts that the answer must or may have to tell, in this state of the turn (and of its window).

    `detours`: an extra phase or step is due, or was interrupted by one.
    """
    asked = dict.fromkeys(waits.tells)
    inside = model.window if frame else model
    assert inside is not None
    asked.update(dict.fromkeys(_facts_of_signals(model, state, detours)))
    for word in waits.words:
        facts, closes = _facts_after(inside, waits.id, word, detours)
        asked.update(dict.fromkeys(facts))
        if closes:
            asked.update(dict.fromkeys(_facts_after(model, state, "closed", detours)[0]))
    return tuple(asked)


@per_model
def _facts_of_signals(model: Model, state: str, detours: bool) -> tuple[str, ...]:
    """The game facts that may be read if a signal comes here."""
    told = (fact for event in model.signals for fact in _facts_after(model, state, event, detours)[0])
    return tuple(dict.fromkeys(told))


@per_model
def _facts_after(model: Model, state: str, event: str, detours: bool) -> tuple[tuple[str, ...], bool]:
    """The game facts that may be read before the next request, and whether a window may close.

    Without `detours` nothing extra is pending, so rows that only lead to extras and back are left out.
    """
    found: dict[str, None] = {}
    seen: set[str] = set()
    todo, closes = [(state, event)], False
    while todo:
        here, word = todo.pop()
        for row in model.rows(here, word):
            if row.generic and row.layer == "extra" and not detours:
                continue
            found.update((t.fact, None) for t in row.guard if _is_told(model.fact(t.fact)))
            target = model.state(row.target) if row.target is not None else None
            if target is None or target.id in seen:
                continue
            seen.add(target.id)
            closes = closes or target.kind == "final"
            if target.kind in ("choice", "stage"):
                todo.append((target.id, "done"))
    return tuple(found), closes


def _is_told(fact: Fact) -> bool:
    return fact.owner == "game" and fact.timing != "latched"
