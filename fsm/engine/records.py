"""What watchers of a game are told: what fired, also as records, which are plain values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from fsm.engine.requests import Answer, Request
from fsm.engine.semantics import Fired
from fsm.state.orders import Plain
from fsm.state.run import NOTHING

if TYPE_CHECKING:
    from fsm.engine.controller import TurnController


class Record(Plain, frozen=True):
    """One firing of a transition.

    Attributes
    ----------
    machine
        The machine that fired: "turn" or "window".
    event
        The name of the event.
    transition
        The id of the transition.
    source, target
        The ids of the states before and after the firing.
    guards
        The facts that the guards read, in order, with their values.
    actions
        The actions that were performed, as the model writes them.
    turn, active, extra, phase, step, iteration
        The position of the run after the firing. See `fsm.engine.requests.Position`.
    extra_phase, extra_step
        Whether the phase or step is an extra one.
    phase_id, step_id
        Numbers that tell the phases and steps of a turn apart, also those of the same name.
    """

    machine: str
    event: str
    transition: str
    source: str
    target: str
    guards: tuple[tuple[str, bool], ...]
    actions: tuple[str, ...]
    turn: int
    active: str
    extra: bool
    phase: str
    step: str
    iteration: int
    extra_phase: bool
    extra_step: bool
    phase_id: int
    step_id: int


def records_of(fired: Iterable[Fired], players: Sequence[str], turn: int) -> Iterator[Record]:
    """Yield the records of what fired in a game of these players since a request in this turn."""
    names = (*players, "")  # the last one is nobody
    for machine, event, row, source, target, guards, turns, active, now, phase, step in fired:
        phase = phase or NOTHING
        step = step or NOTHING
        yield Record(
            machine,
            event,
            row.id,
            source,
            target,
            guards,
            row.written,
            turn + turns,
            names[active],
            now is not None and now.extra,
            phase.name,
            step.name,
            step.iteration,
            phase.extra,
            step.extra,
            phase.id,
            step.id,
        )


class Answered(NamedTuple):
    """One answer that was processed.

    Attributes
    ----------
    game
        The game, which waits for the next answer.
    request
        The request that was answered.
    answer
        The answer.
    fired
        What fired, in order.
    """

    game: TurnController
    request: Request
    answer: Answer
    fired: tuple[Fired, ...]

    @property
    def records(self) -> tuple[Record, ...]:
        """What fired, as records, in order. They are made when they are read."""
        return tuple(records_of(self.fired, self.game.players, self.request.at.turn))
