"""Watches every TurnController of the process, without a change to the code that uses them.

During a collection, a game is watched from its beginning, or from the first answer that it gets.
So each firing is recorded as soon as its answer is accepted, an answer that fails is not recorded,
and a killed run keeps what it took.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from fsm.coverage.contexts import context as in_context
from fsm.coverage.data import Data
from fsm.coverage.patching import Patches
from fsm.coverage.recording import Buffer, Firing, Tried, Walk, tried, watched_model
from fsm.engine.automaton import Edge
from fsm.engine.controller import TurnController
from fsm.engine.records import Record
from fsm.engine.requests import Answer, Over, Request
from fsm.engine.semantics import TURN, WINDOW, Fired
from fsm.engine.trace import Trace
from fsm.engine.watching import Answered
from fsm.errors import AnswerError
from fsm.model import Model
from fsm.model.model import per_model
from fsm.state.calendar import Calendar
from fsm.state.orders import EndPhase, EndTurn, Order, Signal


class GameWalk(Walk):
    """One game that is recorded into `buffers`."""

    __slots__ = ("buffers",)

    def __init__(self, model: Model, buffers: Sequence[Buffer], game: object = None) -> None:
        super().__init__(watched_model(model).place(), (id(game),))
        self.buffers = buffers

    def took(self, fired: Sequence[Fired | Record]) -> None:
        """Record what fired. Games that go the same way share it."""
        place = self.place
        passage = place.passages.get(id(fired))
        if passage is None:
            firings = [_firing(place.watched.model, one) for one in fired]
            passage = place.watched.passage(place, fired, firings)
        self.place = passage.after
        for buffer in self.buffers:
            buffer.took(self, passage)

    def refused(self, machine: str, state: str, event: str) -> None:
        """Record a refusal, unless it is of no event of the model."""
        model = self.place.watched.model
        if any(event == each.name for each in model.machines[machine].events):
            for buffer in self.buffers:
                buffer.refused(self, machine, state, event)

    def ignored(
        self, answer: Answer, fired: Sequence[Fired | Record], stage: str, frame: str
    ) -> None:
        """Record the events of an answer that no transition has taken.

        `stage` and `frame` are the states of turn and window when it was given; `frame` is "" if no
        window was open.
        """
        model, due = self.place.watched.model, list(fired)
        if answer.word and due:
            first = due.pop(0)
            stage, frame = (first.target, "") if first.machine == TURN else (stage, first.target)
        for event in _events(answer.orders):
            if event == model.leaving:
                continue
            if not (due and due[0].machine == TURN and due[0].event == event):
                self.refused(TURN, stage, event)
                continue
            taken = due.pop(0)
            stage = taken.target
            if due and due[0].machine == WINDOW and due[0].event == event:
                frame = due.pop(0).target
            elif _moves(model, taken) or not frame:
                frame = ""
            else:
                self.refused(WINDOW, frame, event)


class WatchedGame(GameWalk):
    """What watches one game. It goes with the game, and a fork has one of its own.

    `request` is that after the last answer: if the game stands elsewhere, another walk begins.
    """

    __slots__ = ("answered", "request")
    answered: Answered

    def __init__(self, game: TurnController, buffers: Sequence[Buffer]) -> None:
        super().__init__(game.model, buffers, game)
        self.request = game.request

    def __call__(self, answered: Answered) -> None:
        """Note what fired. It counts when all who watch have accepted it."""
        self.answered = answered

    def accepted(self) -> None:
        """Record the last answer."""
        game, asked, answer, fired = self.answered
        self.took(fired)
        self.request = game.request
        if answer.orders:
            stage = asked.at.stage
            self.ignored(answer, fired, stage, asked.state if asked.state != stage else "")

    def rejected(self, game: TurnController, answer: object) -> None:
        """Record a refused answer if its event is impossible there. The answer may be any object."""
        if not isinstance(answer, Answer):
            return
        request = game.request
        machine = TURN if request.state == request.at.stage else WINDOW
        if answer.word not in game.waiting.words:
            self.refused(machine, request.state, answer.word)
        for event in _events(answer.orders) if isinstance(request, Over) else ():
            self.refused(machine, request.state, event)


class GameWatch:
    """Watches games and records them into `buffers`."""

    def __init__(self, buffers: Sequence[Buffer]) -> None:
        self.buffers, self.patches = buffers, Patches()

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
            self._watched(game).took(edge.fired)

        return start

    def _answers(self, original: Any) -> Any:
        def answer(
            game: TurnController, answer: Answer, *, to: int | None = None
        ) -> Request | Over:
            watched = self._watched(game)
            try:
                request: Request | Over = original(game, answer, to=to)
            except AnswerError:
                watched.rejected(game, answer)
                raise
            watched.accepted()
            return request

        return answer

    def _watched(self, game: TurnController) -> WatchedGame:
        """Return what watches a game, which stands where its last answer led."""
        for subscription in game._watchers:  # noqa: SLF001 -- nobody else asks who watches
            old: object = subscription.func
            if isinstance(old, WatchedGame) and old.buffers is self.buffers:
                if old.request is not game.request:
                    old.place, old.request = old.place.watched.place(), game.request
                return old
        found = WatchedGame(game, self.buffers)
        game.watch(found)
        return found


# what fired ---------------------------------------------------------------------------------------


def _firing(model: Model, fired: Fired | Record) -> Firing:
    """Return what fired. Where the turn goes on, its window ends."""
    row = fired.row.id if isinstance(fired, Fired) else fired.transition
    ends = WINDOW if fired.machine == TURN and _moves(model, fired) else ""
    tries = _tried(model, fired.machine, fired.source, fired.event, row, fired.guards)
    return Firing(fired.machine, tries, ends)


def _moves(model: Model, fired: Fired | Record) -> bool:
    """Whether a transition of the turn changes the state."""
    row = fired.row.id if isinstance(fired, Fired) else fired.transition
    return model.transition(row).target is not None


@per_model
def _tried(
    model: Model,
    machine: str,
    at: str,
    event: str,
    fired: str,
    guards: tuple[tuple[str, bool], ...],
) -> tuple[Tried, ...]:
    """Return the transitions that were tried until this one fired, with the facts that were read."""
    found, values = list[Tried](), dict(guards)
    for row in model.machines[machine].rows(at, event):
        if row.id == fired:
            found.append(tried(row, at))
            break
        failing = [n for n, t in enumerate(row.guard) if values.get(t.fact, t.value) != t.value]
        found += [tried(row, at, failing[0])] if failing else []
    return tuple(found)


def _events(orders: Iterable[Order]) -> list[str]:
    return [order.event for order in orders if isinstance(order, Signal | EndTurn | EndPhase)]


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
    for trace in traces:
        walk, stage, frame = GameWalk(model, [buffer]), "", ""
        with in_context(context):
            for answer, records in _answers(trace):
                walk.took(records)
                if answer is not None and stage:
                    walk.ignored(answer, records, stage, frame)
                for record in records:
                    if record.machine == WINDOW:
                        frame = record.target
                    else:
                        stage, frame = record.target, "" if _moves(model, record) else frame
    buffer.flush()
    return data


def _answers(trace: Trace) -> Iterator[tuple[Answer | None, list[Record]]]:
    """Yield each answer with its records. What fired before the first one comes with none."""
    answer, records = None, list[Record]()
    for entry in trace.entries:
        if isinstance(entry, Record):
            records.append(entry)
        else:
            yield answer, records
            answer, records = entry, []
    yield answer, records
