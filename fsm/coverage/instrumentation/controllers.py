"""Records every TurnController of the process, without a change to the code that uses them.

During a collection, a game is watched from its beginning, or from the first answer that it gets.
So each firing is recorded as soon as its answer is accepted, an answer that fails is not recorded,
and a killed run keeps what it took.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fsm.coverage.data import subject_of
from fsm.coverage.instrumentation.buffer import Buffer
from fsm.coverage.instrumentation.contexts import here
from fsm.coverage.instrumentation.games import firings_of, refused_signals
from fsm.coverage.instrumentation.passages import Places, Walk
from fsm.coverage.instrumentation.patching import Patches
from fsm.coverage.recorded import remember
from fsm.engine.automaton import Edge
from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Over, Request
from fsm.engine.semantics import TURN, WINDOW, Fired
from fsm.engine.watching import Answered
from fsm.errors import AnswerError
from fsm.state.calendar import Calendar
from fsm.state.orders import EndPhase, EndTurn, Signal

_PLACES = Places()
"""Where games have stood. What an answer adds is worked out once for all collections."""


class WatchedGame(Walk):
    """What watches one game. It goes with the game, and a fork has one of its own.

    `request` is that after the last answer: if the game stands elsewhere, another walk begins.
    """

    __slots__ = ("by", "fired", "request")

    def __init__(self, game: TurnController, by: ControllerInstrument) -> None:
        super().__init__(by.places.of(subject_of(game.model)), (id(game),))
        self.by, self.request = by, game.request
        self.fired: tuple[Fired, ...] = ()

    def __call__(self, answered: Answered) -> None:
        """Note what fired. It counts when all who watch have accepted it."""
        self.fired = answered.fired


class ControllerInstrument:
    """Records games into `buffers`."""

    def __init__(self, buffers: Sequence[Buffer]) -> None:
        self.buffers, self.patches, self.places = buffers, Patches(), _PLACES

    def watch(self) -> None:
        """Begin to record."""
        self.patches.wrap(TurnController, "_start", self._starts)
        self.patches.wrap(TurnController, "answer", self._answers)

    def stop(self) -> None:
        """Stop recording, and restore everything."""
        self.patches.undo()

    def _starts(self, original: Any) -> Any:
        def start(game: TurnController, edge: Edge, calendar: Calendar) -> None:
            original(game, edge, calendar)
            self._took(self._watched(game), game, edge.fired)

        return start

    def _answers(self, original: Any) -> Any:
        def answer(
            game: TurnController, answer: Answer, *, to: int | None = None
        ) -> Request | Over:
            watched, asked = self._watched(game), game.request
            try:
                request: Request | Over = original(game, answer, to=to)
            except AnswerError:
                self._refused(watched, game, answer)
                raise
            self._took(watched, game, watched.fired)
            watched.request = request
            if answer.orders:
                self._signalled(watched, game, asked, answer)
            return request

        return answer

    def _watched(self, game: TurnController) -> WatchedGame:
        """Return what watches a game, which stands where its last answer led."""
        for subscription in game._watchers:  # noqa: SLF001 -- nobody else asks who watches
            old: object = subscription.func
            if isinstance(old, WatchedGame) and old.by is self:
                if old.request is not game.request:
                    old.place, old.request = self.places.of(old.place.subject), game.request
                return old
        found = WatchedGame(game, self)
        remember(found.place.subject, game.model)
        game.watch(found)
        return found

    def _took(self, watched: WatchedGame, game: TurnController, fired: tuple[Fired, ...]) -> None:
        """Record what fired. Games that go the same way share it."""
        place = watched.place
        passage = place.passages.get(id(fired))
        if passage is None:
            passage = self.places.passage(place, fired, firings_of(game.model, fired))
        watched.place, context = passage.after, here().name
        for buffer in self.buffers:
            buffer.took(watched, passage, context)

    def _signalled(
        self, watched: WatchedGame, game: TurnController, asked: Request | Over, answer: Answer
    ) -> None:
        stage = asked.at.stage
        frame = asked.state if asked.state != stage else ""
        for refusal in refused_signals(game.model, answer, watched.fired, stage, frame):
            self._refuse(watched, game, *refusal)

    def _refused(self, watched: WatchedGame, game: TurnController, answer: object) -> None:
        """Record a refused answer if its event is impossible there. The answer may be any object."""
        if not isinstance(answer, Answer):
            return
        request, state = game.request, game.waiting
        machine = TURN if request.state == request.at.stage else WINDOW
        if answer.word not in state.words:
            self._refuse(watched, game, machine, request.state, answer.word)
        for order in answer.orders if isinstance(request, Over) else ():
            if isinstance(order, Signal | EndTurn | EndPhase):
                self._refuse(watched, game, machine, request.state, order.event)

    def _refuse(
        self, watched: WatchedGame, game: TurnController, machine: str, state: str, event: str
    ) -> None:
        """Record a refusal, unless it is of no event of the model."""
        if event in {each.name for each in game.model.machines[machine].events}:
            for buffer in self.buffers:
                buffer.refused(watched, machine, (state, event))
