"""Watches every TurnController of the process, without a change to the code that uses them.

During a collection, a game is watched from its beginning, or from the first answer that it gets.
So each firing is recorded as soon as its answer is accepted, an answer that fails is not recorded,
and a killed run keeps what it took.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from fsm.coverage.data import Data
from fsm.coverage.recording import (
    Buffer,
    Firing,
    Tried,
    Walk,
    Wrap,
    context as in_context,
    tried,
    watched_model,
)
from fsm.engine.automaton import Edge
from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Over, Request
from fsm.engine.semantics import TURN, WINDOW, Fired
from fsm.engine.trace import Answered, Record, Trace
from fsm.model import Model
from fsm.model.model import per_model
from fsm.state.calendar import Calendar


class GameWalk(Walk):
    """One game that is recorded into `buffers`. It goes with the game, and a fork has its own.

    `fired` is what the last answer fired, and `request` that after it: if the game stands
    elsewhere, another walk begins.
    """

    __slots__ = ("buffers", "fired", "request")

    def __init__(self, model: Model, buffers: Sequence[Buffer], game: Any = None) -> None:
        super().__init__(watched_model(model).start, (id(game),))
        self.buffers: Sequence[Buffer] = buffers
        self.fired: Sequence[Fired | Record] = ()
        self.request: object = None

    def __call__(self, answered: Answered) -> None:
        """Note what fired. It counts when all who watch have accepted it."""
        self.fired = answered.fired

    def took(self, fired: Sequence[Fired | Record]) -> None:
        """Record what fired. Games that go the same way share it."""
        place = self.place
        passage = place.passages.get(id(fired))
        if passage is None:
            firings = [firing_of(place.watched.model, one) for one in fired]
            passage = place.watched.passage(place, fired, firings)
        self.place = passage.after
        for buffer in self.buffers:
            buffer.took(self, passage)


class GameWatch:
    """Watches games and records them into `buffers`."""

    def __init__(self, buffers: Sequence[Buffer]) -> None:
        self.buffers = buffers

    def watch(self, wrap: Wrap) -> None:
        """Begin to record."""
        wrap(TurnController, "_start", self._starts)
        wrap(TurnController, "answer", self._answers)

    def _starts(self, original: Any) -> Any:
        def start(game: TurnController, edge: Edge, calendar: Calendar) -> None:
            original(game, edge, calendar)
            self._walk(game).took(edge.fired)

        return start

    def _answers(self, original: Any) -> Any:
        def answer(
            game: TurnController, answer: Answer, *, to: int | None = None
        ) -> Request | Over:
            walk = self._walk(game)
            request: Request | Over = original(game, answer, to=to)
            walk.took(walk.fired)
            walk.request = request
            return request

        return answer

    def _walk(self, game: TurnController) -> GameWalk:
        """Return the walk of a game, which stands where its last answer led."""
        for walk in game._watchers.values():  # noqa: SLF001 -- nobody else asks who watches
            if isinstance(walk, GameWalk) and walk.buffers is self.buffers:
                if walk.request is not game.request:
                    walk.place, walk.request = walk.place.watched.start, game.request
                return walk
        found = GameWalk(game.model, self.buffers, game)
        found.request = game.request
        game.watch(found)
        return found


# what fired ---------------------------------------------------------------------------------------


def firing_of(model: Model, fired: Fired | Record) -> Firing:
    """Return what fired. Where the turn goes on, its window ends."""
    row = fired.row.id if isinstance(fired, Fired) else fired.transition
    moves = fired.machine == TURN and model.transition(row).target is not None
    tries = _tried(model, fired.machine, fired.source, fired.event, row, fired.guards)
    return Firing(fired.machine, tries, WINDOW if moves else "")


@per_model
def _tried(
    model: Model,
    machine: str,
    at: str,
    event: str,
    fired: str,
    guards: tuple[tuple[str, bool], ...],
) -> tuple[Tried, ...]:
    """Return the transitions that were tried until this one fired, with the facts that were
    read.
    """
    found, values = list[Tried](), dict(guards)
    for row in model.machines[machine].rows(at, event):
        if row.id == fired:
            found.append(tried(row, at))
            break
        failing = [n for n, t in enumerate(row.guard) if values.get(t.fact, t.value) != t.value]
        found += [tried(row, at, failing[0])] if failing else []
    return tuple(found)


def data_of(model: Model, traces: Iterable[Trace], context: str = "") -> Data:
    """Return the coverage data of recorded games, as if it had been collected while they were
    played.

    Parameters
    ----------
    model
        The Model with which the games were played.
    traces
        The traces of the games.
    context
        The context (test) to which the data belongs.

    Returns
    -------
    Data
        The data of all the games.
    """
    data = Data()
    buffer = Buffer(data.update)
    with in_context(context):
        for trace in traces:
            walk = GameWalk(model, [buffer])
            for record in trace.records:
                walk.took([record])
        buffer.flush()
    return data
