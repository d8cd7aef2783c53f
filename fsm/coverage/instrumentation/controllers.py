"""Instruments every TurnController of the process, without a change to the code that uses them.

During a collection, controllers are watched. So each firing is recorded as soon as its answer is
accepted, a firing that is rolled back is not recorded, and a killed run keeps what it took.
(Following each game once more at its end would lose all of that.)
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from threading import Lock
from typing import Any

from fsm.coverage.instrumentation.buffer import Buffer
from fsm.coverage.instrumentation.contexts import here
from fsm.coverage.instrumentation.games import RecordedGame
from fsm.coverage.instrumentation.instrument import Instrument
from fsm.coverage.instrumentation.patching import Patches
from fsm.engine.answered import Firings
from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Over, Request
from fsm.engine.watching import Answered
from fsm.errors import AnswerError
from fsm.model import Model
from fsm.model.model import per_model

PENDING = 256
"""So many plain answers are recorded together."""
MOST_GAMES = 4096
"""At most this many games are followed at a time. The one with the oldest record is then treated as
over.
"""


class ControllerInstrument(Instrument):
    """Wraps `TurnController.__init__` and `answer` while it watches, and nothing otherwise."""

    def __init__(self, buffers: Sequence[Buffer]) -> None:
        self.buffers = buffers
        self.patches = Patches()
        self._games: OrderedDict[int, RecordedGame] = OrderedDict()
        self._pending = deque[tuple[RecordedGame, Firings, str]]()
        self.after_fork()

    def watch(self) -> None:
        """Begin to record."""
        self.patches.wrap(TurnController, "__init__", self._begins)
        self.patches.wrap(TurnController, "answer", self._answers)

    def stop(self) -> None:
        """Stop recording, and restore everything."""
        self.patches.undo()
        self.settle()
        while self._games:
            self._games.popitem()[1].ended()

    def settle(self) -> None:
        """Record the answers that are pending."""
        with self._lock:
            answers = [self._pending.popleft() for _ in range(len(self._pending))]
            game: RecordedGame
            for (game, context), run in groupby(answers, itemgetter(0, 2)):
                game.went([firings for _, firings, _ in run], context)
                if self._games.get(game.of[0]) is game:
                    self._games.move_to_end(game.of[0])

    def after_fork(self) -> None:
        """Begin anew in a forked child. The parent records what is pending."""
        self._lock = Lock()
        self._pending.clear()

    def _begins(self, original: Any) -> Any:
        def begun(controller: TurnController, *args: Any, **kwargs: Any) -> None:
            original(controller, *args, **kwargs)
            self._game(controller, start=True)

        return begun

    def _answers(self, original: Any) -> Any:
        games, pending = self._games, self._pending

        def answered(
            controller: TurnController, answer: Answer, *, to: int | None = None
        ) -> Request | Over:
            game, firings = games.get(id(controller)), controller.firings(answer)
            if game is None or game.request is not controller.request:
                game = self._game(controller)
            try:
                if firings is None:
                    request = self._watched(
                        game, controller, partial(original, controller, answer, to=to)
                    )
                else:
                    request = (
                        original(controller, answer)
                        if to is None
                        else original(controller, answer, to=to)
                    )
            except AnswerError:
                self._refused(game, controller.request, answer)
                raise
            game.request = request
            if firings is not None:
                pending.append((game, firings, here().name))
                if len(pending) >= PENDING:
                    self.settle()
            return request

        return answered

    def _watched(
        self, game: RecordedGame, controller: TurnController, answer: Callable[[], Request | Over]
    ) -> Request | Over:
        """Give an answer of which it is not known what it makes fire."""
        told = list[Answered]()
        game.stage = controller.position.stage
        with controller.watch_answers(told.append):
            request = answer()
        self.settle()
        game.answered(told[0].answer, told[0].records)
        return request

    def _game(self, controller: TurnController, *, start: bool = False) -> RecordedGame:
        """Return the record of a controller. An id may be used again, so its request is that after
        the last answer.
        """
        key, request = id(controller), controller.request
        game = self._games.get(key)
        if game is not None and game.request is request:
            return game
        self.settle()
        if game is not None:
            self._games.pop(key).ended()
        self._games[key] = game = RecordedGame(controller.model, self.buffers, of=key)
        game.request = request
        if start:
            self._pending.append((game, _beginning(controller), here().name))
        if len(self._games) > MOST_GAMES:
            self._games.popitem(last=False)[1].ended()
        return game

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


def _beginning(controller: TurnController) -> Firings:
    """Return what fired when the game began, but for the names of the players."""
    head = controller.head
    known, key = _beginnings(controller.model), (len(head.players), *head.settings.items())
    plain = not (head.teams or head.orders or head.start)
    found = known.get(key) if plain else None
    if found is None:
        found = Firings(
            Answer(), controller.fork().trace.records
        )  # the controller itself need not keep them
    if plain:
        known[key] = found
    return found


@per_model
def _beginnings(model: Model) -> dict[tuple[object, ...], Firings]:
    """Return what fired when games of this model began, by their number of players and their
    settings.
    """
    return {}
