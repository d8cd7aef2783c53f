"""Instruments every TurnController of the process, without a change to the code that uses them.

During a collection, controllers are watched. So each firing is recorded as soon as its answer is accepted, a firing
that is rolled back is not recorded, and a killed run keeps what it took. (Following each game once more at its end
would lose all of that.)
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fsm.coverage.instrumentation.patching import Patches
from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Over, Request
from fsm.engine.trace import Record
from fsm.errors import AnswerError
from fsm.testing.instruments.games import RecordedGame

if TYPE_CHECKING:
    from fsm.coverage.extension import Recorder

MOST_GAMES = 4096
"""At most this many games are followed at a time. The one with the oldest record is then treated as over."""


class ControllerInstrument:
    """Wraps `TurnController.__init__` and `answer` while it watches, and nothing otherwise."""

    def __init__(self, buffers: Sequence[Recorder]) -> None:
        self.buffers = buffers
        self.patches = Patches()
        self._games: OrderedDict[int, tuple[object, RecordedGame]] = OrderedDict()

    def watch(self) -> None:
        """Begin to record."""
        self.patches.wrap(TurnController, "__init__", self._begins)
        self.patches.wrap(TurnController, "answer", self._answers)

    def stop(self) -> None:
        """Stop recording, and restore everything."""
        self.patches.undo()
        while self._games:
            self._games.popitem()[1][1].ended()

    def _begins(self, original: Any) -> Any:
        def begun(controller: TurnController, *args: Any, **kwargs: Any) -> None:
            original(controller, *args, **kwargs)
            self._game(controller, start=True)

        return begun

    def _answers(self, original: Any) -> Any:
        def answered(controller: TurnController, answer: Answer, *, to: int | None = None) -> Request | Over:
            game, fired = self._game(controller), list[Record]()
            game.stage = controller.position.stage
            note = fired.append
            unwatch = controller.watch(note)
            try:
                request: Request | Over = original(controller, answer, to=to)
            except AnswerError:
                self._refused(game, controller.request, answer)
                raise
            finally:
                unwatch()
            self._games[id(controller)] = request, game
            game.answered(answer, fired)
            return request

        return answered

    def _game(self, controller: TurnController, *, start: bool = False) -> RecordedGame:
        """Return the record of a controller. An id may be used again, so its request is that after the last answer."""
        key, request = id(controller), controller.request
        known = self._games.pop(key, None)
        if known is None or known[0] is not request:
            if known is not None:
                known[1].ended()
            known = (request, RecordedGame(controller.model, self.buffers, of=key))
            if start:
                known[1].answered(None, _firings(controller))
        self._games[key] = known
        if len(self._games) > MOST_GAMES:
            self._games.popitem(last=False)[1][1].ended()
        return known[1]

    def _refused(self, game: RecordedGame, request: Request | Over, answer: object) -> None:
        """Record a refused answer if its event is impossible there. The answer may be any object."""
        if not isinstance(answer, Answer):
            return
        machine = "turn" if request.state == request.at.stage else "window"
        model = game.model if machine == "turn" else game.model.window
        words = model.state(request.state).words if model is not None else ()
        if answer.word not in words:
            game.refused(machine, request.state, answer.word)
        for interruption in answer.interruptions if isinstance(request, Over) else ():
            game.refused(machine, request.state, interruption.event)


def _firings(controller: TurnController) -> list[Record]:
    """Return what fired when the game began."""
    return controller.fork().trace.records  # the controller itself need not keep them
