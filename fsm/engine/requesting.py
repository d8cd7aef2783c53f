"""From a waiting run to a request: where it stands, what is asked, of whom, and which facts may
have to be told.
"""

from __future__ import annotations

from fsm.engine.facts_ahead import facts_after
from fsm.engine.requests import (
    CheckState,
    Over,
    Perform,
    PlaceTriggers,
    Position,
    Priority,
    Request,
    Resolve,
)
from fsm.errors import StuckError
from fsm.model import Model, State
from fsm.model.model import per_model
from fsm.state.run import Run

SILENT_LIMIT = 10_000
"""A run is stuck if more firings, or more calls of generated functions, follow one another without
a request.
"""


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
        return Perform(
            at, state.id, facts, run.expired, run.triggered, state.action, state.manner, players
        )
    if asks == "place":
        players = tuple(p for side in agenda.from_active() for p in agenda.members(side))
        return PlaceTriggers(at, state.id, facts, run.expired, run.triggered, players, state.manner)
    if asks == "resolve":
        return Resolve(at, state.id, facts, run.expired, run.triggered)
    if state.kind == "final":
        winners = agenda.members(agenda.living[0]) if len(agenda.living) == 1 else ()
        return Over(at, state.id, (), run.expired, run.triggered, winners)
    raise StuckError(f"nothing can fire here: {state.id!r} is an action, but asks for nothing")


def endless() -> StuckError:
    """The error of a run that asks for nothing any more."""
    return StuckError(
        f"{SILENT_LIMIT} transitions fired and nothing was asked; every phase and turn seems to be skipped"
    )


def facts_asked(
    model: Model, state: str, waits: State, frame: str, *, busy: bool
) -> tuple[str, ...]:
    """The game facts that the answer must or may have to tell, in this state of the turn (and of
    its window).

    `busy`: phases or steps are added or interrupted, or, as one ends, skipped. Before it ends, the
    answer itself may order a skip.
    """
    left_out = () if busy else ("extras", "skips") if waits.role == "end" else ("extras",)
    asked = dict.fromkeys(waits.tells)
    inside = model.window if frame else model
    assert inside is not None
    asked.update(dict.fromkeys(_facts_of_signals(model, state, left_out)))
    for word in waits.words:
        facts, closes = facts_after(inside, waits.id, word, left_out)
        asked.update(dict.fromkeys(facts))
        if closes:
            asked.update(dict.fromkeys(facts_after(model, state, "closed", left_out)[0]))
    return tuple(asked)


@per_model
def _facts_of_signals(model: Model, state: str, left_out: tuple[str, ...]) -> tuple[str, ...]:
    """The game facts that may be read if a signal comes here."""
    told = (
        fact for event in model.signals for fact in facts_after(model, state, event, left_out)[0]
    )
    return tuple(dict.fromkeys(told))
