"""Undo and redo of answers: one by one, to a person's last decision, or to the start of a turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from fsm.engine.codec import decode, encode
from fsm.engine.controller import TurnController
from fsm.engine.options import Option
from fsm.engine.order_results import Result
from fsm.engine.refusals import Refusal
from fsm.engine.requests import Answer, Over, Position, Request, Signal
from fsm.engine.trace import Record, Trace
from fsm.engine.watching import Answered, Watching
from fsm.errors import AnswerError, OrderError, SnapshotError, StuckError, shown
from fsm.hosts.hoststate import HostState
from fsm.model import Model, State
from fsm.model.likeness import ModelLike
from fsm.state.agenda import Agenda
from fsm.state.calendar import Calendar
from fsm.state.orders import Order
from fsm.state.run import Run

EVERY = 64
"""A fork is kept after at most this many answers. Undo starts from a fork and repeats the answers
after it.
"""
FORMAT = "fsm-history-1"
_CLASSES = (Answer, Signal, *get_args(Order))


@dataclass(frozen=True, slots=True)
class Decision:
    """An answer of the past, with the request that it answered.

    Attributes
    ----------
    number
        How many answers came before it in the history.
    request
        The request.
    answer
        The answer. `answer.automatic` says that nobody decided it.
    """

    number: int
    request: Request | Over
    answer: Answer


@dataclass(frozen=True, slots=True)
class _Undone:
    """An answer that was taken back, and the state of the host after it."""

    answer: Answer
    state: Any


class History:
    """A game whose answers can be taken back. Use it in place of its controller, also with `drive`
    and `saving`.

    Answers that were given before the history was made cannot be undone.

    Parameters
    ----------
    controller
        The controller of the game. Give all answers through the history from now on.
    state
        The host, or another object that has the state of your game. It goes back with the answers:
        by its methods `save()` and `load(saved)` if it has them, else all its attributes are copied
        at each answer. What `save` does not return, and what changes elsewhere, does not go back.
        An object that has only one of the two is refused, and so is a `load` after which `save`
        returns other plain values than before.

    Attributes
    ----------
    controller
        The controller of the game. It stays the same object.

    Raises
    ------
    HostError
        If the state of the host cannot be copied, or if it has only one of `save` and `load`.
    """

    def __init__(self, controller: TurnController, *, state: object = None) -> None:
        self.controller = controller
        self._start(HostState(state, (self, controller)))

    def _start(self, state: HostState) -> None:
        self._state = state
        self._past: list[Decision] = []
        self._undone: list[_Undone] = []
        self._movers: tuple[Callable[[int], object], ...] = ()
        self._states: list[Any] = [state.take()]
        self._marks: list[tuple[int, TurnController]] = [(0, self.controller.fork())]

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self._past)} answers, {self.request}>"

    @property
    def host(self) -> object:
        """The object whose state goes back with the answers, or None."""
        return self._state.host

    def watch_moves(self, watcher: Callable[[int], object]) -> Watching:
        """Call a function before the game goes back. It gets the number of answers that will then
        be in force. If it raises, the game does not go back.
        """
        self._movers = (*self._movers, watcher)

        def end() -> None:
            self._movers = tuple(one for one in self._movers if one is not watcher)

        return Watching(end)

    # the past ------------------------------------------------------------------------------------

    @property
    def answers(self) -> list[Answer]:
        """The answers that are in force, in order."""
        return [one.answer for one in self._past]

    @property
    def undone(self) -> list[Answer]:
        """The answers that `redo` can give again. The last one is given first."""
        return [one.answer for one in self._undone]

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The answers in force that somebody decided, in order."""
        return tuple(one for one in self._past if not one.answer.automatic)

    def answer(self, answer: Answer, *, to: int | None = None) -> Request | Over:
        """Answer the request of the game. The answers that were undone cannot be given again after
        that.

        Parameters
        ----------
        answer
            The answer, as for `TurnController.answer`.
        to
            The `number` of the request that is answered, as for `TurnController.answer`.

        Returns
        -------
        Request
            The next request.

        Raises
        ------
        AnswerError, OrderError, StuckError
            As `TurnController.answer` does. Then nothing has changed.
        """
        state, undone = self._state.take(), self._undone
        self._undone = []
        try:
            return self._give(answer, state, to)
        except BaseException:
            self._undone = undone
            raise

    def order(self, *orders: Order, **facts: bool) -> Request | Over:
        """Give orders between two answers. They are undone like an answer.

        Parameters
        ----------
        *orders, **facts
            As for `TurnController.order`.

        Returns
        -------
        Request
            The request that is to be answered now.

        Raises
        ------
        AnswerError, OrderError, StuckError
            As `TurnController.order` does. Then nothing has changed.
        """
        return self.answer(Answer("", facts, orders))

    def undo(self, count: int = 1) -> Request | Over:
        """Take back the last answers, whether somebody decided them or not.

        Parameters
        ----------
        count
            How many answers are taken back.

        Returns
        -------
        Request
            The request to which the game has gone back.

        Raises
        ------
        AnswerError
            If the history has fewer answers.
        """
        if not 0 <= count <= len(self._past):
            raise AnswerError(f"{count} answers cannot be undone: there are {len(self._past)}")
        return self._back_to(len(self._past) - count)

    def undo_to(self, whose: str | Callable[[Request | Over], bool]) -> Request | Over:
        """Go back to the last decision of a player, or to the last one whose request satisfies a
        condition.

        Answers that nobody decided are passed over: those of a host that returned None,
        `request.quiet()`, and those of `AutoPass` and `TimeLimit`.

        Parameters
        ----------
        whose
            The name of the player, or a function that gets requests, the latest first.

        Returns
        -------
        Request
            The request, which can be decided again.

        Raises
        ------
        AnswerError
            If there is no such decision.
        """
        if isinstance(whose, str) and whose not in self.agenda.players:
            raise AnswerError(
                f"player {whose!r} is not in this game; known: {', '.join(self.agenda.players)}"
            )
        for one in reversed(self.decisions):
            if whose in _decided_by(one.request) if isinstance(whose, str) else whose(one.request):
                return self._back_to(one.number)
        raise AnswerError(
            f"there is no decision {f'of {whose} ' if isinstance(whose, str) else ''}to go back to"
        )

    def redo(self, count: int = 1) -> Request | Over:
        """Give answers again that were undone.

        Parameters
        ----------
        count
            How many answers are given again.

        Returns
        -------
        Request
            The next request.

        Raises
        ------
        AnswerError
            If fewer answers were undone.
        """
        if not 0 <= count <= len(self._undone):
            raise AnswerError(
                f"{count} answers cannot be given again: {len(self._undone)} were undone"
            )
        for _ in range(count):
            one = self._undone.pop()
            try:
                self._give(one.answer, one.state)
            except BaseException:
                self._undone.append(one)
                raise
        self._state.put(self._states[-1])
        return self.request

    def to_turn(self, turn: int) -> Request | Over:
        """Go back to the first request of a turn.

        Parameters
        ----------
        turn
            The number of the turn, counted from 1.

        Returns
        -------
        Request
            The first request of that turn.

        Raises
        ------
        AnswerError
            If the turn did not begin in this history.
        """
        found = next(
            (
                index
                for index, mark in self._marks
                if mark.position.turn == turn and self._begins(index)
            ),
            None,
        )
        if found is None:
            raise AnswerError(f"turn {turn} did not begin in this history")
        return self._back_to(found)

    def branch(self, *, state: object = None) -> History:
        """Return a history of a fork of the game. Both have the same past and go on independently.

        Parameters
        ----------
        state
            Another host, which gets the state of this one. Without it, the branch has no state of a
            host.

        Returns
        -------
        History
            The branch.
        """
        other: History = History.__new__(History)
        other.controller = self.controller.fork()
        other._state = HostState(state, (other, other.controller))
        other._past, other._undone, other._marks = list(self._past), [], list(self._marks)
        other._movers = ()
        other._states = list(self._states)
        other._state.put(other._states[-1])
        return other

    # saving --------------------------------------------------------------------------------------

    def snapshot(self) -> dict[str, object]:
        """Return the game and its past as plain JSON values, for `restore`.

        Raises
        ------
        HostError
            If the state of the host is not made of plain JSON values.
        """
        states: list[Any] = []
        which = []
        for saved in (*self._states, *(one.state for one in self._undone)):
            if not states or saved != states[-1]:
                states.append(self._state.plain(saved))
            which.append(len(states) - 1)
        return {
            "format": FORMAT,
            "start": self._marks[0][1].snapshot(),
            "answers": [encode(answer) for answer in self.answers],
            "undone": [encode(answer) for answer in self.undone],
            "states": states,
            "state_of": which,
        }

    @classmethod
    def restore(cls, model: ModelLike, data: object, *, state: object = None) -> History:
        """Return the history that a snapshot describes. The host gets its state.

        Parameters
        ----------
        model
            The model with which the snapshot was taken.
        data
            What `snapshot` returned, perhaps after a way through JSON.
        state
            The host, as for `History`.

        Returns
        -------
        History
            The history.

        Raises
        ------
        SnapshotError
            If the data is not from `snapshot`, or was taken with another model.
        HostError
            If the state of the host cannot be copied.
        """
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            found = data.get("format") if isinstance(data, Mapping) else type(data).__name__
            raise SnapshotError(
                f'not the history of a game: "format" must be {FORMAT!r}, not {shown(found)}'
            )
        history: History = cls.__new__(cls)
        history.controller = TurnController.restore(model, data.get("start"))
        try:
            answers, undone, states = _read(data)
            history._start(HostState(state, (history, history.controller)))
            history._states = states[:1]
            for answer, saved in zip(answers, states[1:], strict=False):
                history._give(answer, saved)
        except (
            KeyError,
            IndexError,
            TypeError,
            ValueError,
            RecursionError,
            AnswerError,
            OrderError,
            StuckError,
        ) as error:
            raise SnapshotError(f"this history of a game is damaged: {error}") from None
        history._undone = [
            _Undone(*one) for one in zip(undone, states[len(answers) + 1 :], strict=True)
        ]
        history._state.put(history._states[-1])
        return history

    # going back and forth ------------------------------------------------------------------------

    def _give(self, answer: Answer, state: Any, to: int | None = None) -> Request | Over:
        """Give an answer after which the host has this state. A watcher already sees the answer in
        the history.
        """
        turn = self.controller.position.turn
        self._past.append(Decision(len(self._past), self.controller.request, answer))
        self._states.append(state)
        try:
            request = self.controller.answer(answer, to=to)
        except BaseException:
            self._past.pop()
            self._states.pop()
            raise
        if request.at.turn != turn or len(self._past) - self._marks[-1][0] >= EVERY:
            self._marks.append((len(self._past), self.controller.fork()))
        return request

    def _back_to(self, length: int) -> Request | Over:
        """Go back to the state after this many answers.

        The history starts from the last fork before that state and repeats the answers after the
        fork.
        """
        for watcher in self._movers:
            watcher(length)
        while self._marks[-1][0] > length:
            self._marks.pop()
        start, mark = self._marks[-1]
        then = mark.fork()
        for one in self._past[start:length]:
            then.answer(one.answer)
        request = self.controller.become(then)
        gone = zip(self._past[length:], self._states[length + 1 :], strict=True)
        self._undone += reversed([_Undone(one.answer, saved) for one, saved in gone])
        del self._past[length:], self._states[length + 1 :]
        self._state.put(self._states[-1])
        return request

    def _begins(self, index: int) -> bool:
        """Did the game or a turn begin with this mark?"""
        before = [mark.position.turn for at, mark in self._marks if at < index]
        now = next(mark.position.turn for at, mark in self._marks if at == index)
        return not before or before[-1] != now

    # the face of the controller ------------------------------------------------------------------

    @property
    def request(self) -> Request | Over:
        """What the game needs next."""
        return self.controller.request

    @property
    def over(self) -> Over | None:
        """The end of the game, or None while it goes on."""
        return self.controller.over

    @property
    def number(self) -> int:
        """The number of `request`, as `TurnController.number`. It goes back with the game."""
        return self.controller.number

    @property
    def model(self) -> Model:
        """The Model whose turns it runs."""
        return self.controller.model

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self.controller.position

    @property
    def facts(self) -> frozenset[str]:
        """The latched facts that hold now."""
        return self.controller.facts

    @property
    def agenda(self) -> Agenda:
        """What is scheduled; to be read, not changed."""
        return self.controller.agenda

    @property
    def calendar(self) -> Calendar:
        """Durations and triggers waited for; to be read, not changed."""
        return self.controller.calendar

    @property
    def run(self) -> Run:
        """All that the run remembers; to be read, or copied, not changed."""
        return self.controller.run

    @property
    def waiting(self) -> State:
        """The state that waits for the answer to `request`."""
        return self.controller.waiting

    @property
    def results(self) -> tuple[Result, ...]:
        """What became of orders by the last answer."""
        return self.controller.results

    @property
    def trace(self) -> Trace:
        """The record of the run so far, without what was undone."""
        return self.controller.trace

    def possible(self) -> tuple[Option, ...]:
        """Return what can be answered and ordered now, as `TurnController.possible` does."""
        return self.controller.possible()

    def why_not(self, asked: str | type[Order]) -> Refusal | None:
        """Say why something is not possible now.

        Parameters
        ----------
        asked
            A word, the name of an event or the class of an order, as for `TurnController.why_not`.

        Returns
        -------
        Refusal or None
            The reasons, or None if it is possible.
        """
        return self.controller.why_not(asked)

    def watch(self, watcher: Callable[[Record], object]) -> Watching:
        """Call a function with every record, as `TurnController.watch` does. What is undone is not
        told.

        Parameters
        ----------
        watcher
            The function to call.

        Returns
        -------
        Watching
            Call it to end the watching, or use it in a `with` statement.
        """
        return self.controller.watch(watcher)

    def watch_answers(self, watcher: Callable[[Answered], object]) -> Watching:
        """Call a function once for each answer, as `TurnController.watch_answers` does. What is
        undone is not told.

        Parameters
        ----------
        watcher
            The function to call.

        Returns
        -------
        Watching
            Call it to end the watching, or use it in a `with` statement.
        """
        return self.controller.watch_answers(watcher)

    def fork(self) -> TurnController:
        """Return an independent controller of the same game, without the history. `branch` keeps
        the history.
        """
        return self.controller.fork()

    def __iter__(self) -> Iterator[Request]:
        """Yield one request after the other, as `TurnController` does. The body of the loop may
        also go back.
        """
        while not isinstance(request := self.request, Over):
            yield request
            if self.request is request:
                raise AnswerError("the loop went on without an answer: give one to each request")


def _decided_by(request: Request | Over) -> tuple[str, ...]:
    """Return the players who decide what is asked."""
    return request.by or (request.at.controller,)


def _read(data: Mapping[str, Any]) -> tuple[list[Answer], list[Answer], list[Any]]:
    """Return the answers in force, those that were undone, and the states of the host."""
    answers, undone = ([_answer(one) for one in data[name]] for name in ("answers", "undone"))
    states = [data["states"][which] for which in data["state_of"]]
    if len(states) != len(answers) + 1 + len(undone):
        raise ValueError("it does not have one state for each answer")
    return answers, undone, states


def _answer(data: object) -> Answer:
    answer = decode(data, _CLASSES)
    if not isinstance(answer, Answer):
        raise ValueError("it has something else in place of an answer")
    return answer
