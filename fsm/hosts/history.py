"""Undo and redo of answers: one by one, to a person's last decision, or to the start of a turn.

Where a game stands is a value (`TurnController.standing`). So the past is a list of such values,
and going back or forth repeats nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct

from fsm.engine.controller import TurnController, Watcher
from fsm.engine.possible import Option, Refusal
from fsm.engine.requests import Answer, Over, Position, Request
from fsm.engine.semantics import Semantics
from fsm.engine.watching import Watching
from fsm.errors import AnswerError, FsmError, SnapshotError
from fsm.hosts.hoststate import HostState
from fsm.model import Model, State
from fsm.model.likeness import ModelLike
from fsm.state.calendar import Calendar
from fsm.state.orders import Order
from fsm.state.run import Run

FORMAT: Literal["fsm-history-1"] = "fsm-history-1"


class Decision(NamedTuple):
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


class _State(Struct):
    """The state of the host after so many answers, until the next one."""

    after: int
    state: Any


class _Saved(Struct):
    """A history as it is written. `length`: how many answers are in force."""

    format: Literal["fsm-history-1"]
    start: dict[str, Any]
    answers: list[Answer]
    length: int
    states: list[_State]


class History:
    """A game whose answers can be taken back. Use it in place of its controller, also with `drive`
    and `saving`. What it lacks itself, it has from its controller.

    Answers that were given before the history was made cannot be undone. What watches the game is
    not told of what is undone and given again.

    Parameters
    ----------
    controller
        The controller of the game. Give all answers through the history from now on.
    state
        The host, or another object that has the state of your game. It goes back with the answers:
        by its methods `save()` and `load(saved)` if it has them, else by its attributes. What
        `save` returns, or all attributes, are copied at each answer: that takes a microsecond for
        each value in them. What `save` does not return, and what changes elsewhere, does not go
        back. An object that has only one of the two is refused. With a host like `AutoPass`, the
        stops go back, too.

    Attributes
    ----------
    controller
        The controller of the game. It stays the same object.

    Raises
    ------
    HostError
        If the state of the host cannot be copied, or if it has only one of `save` and `load`.
    """

    over: Over | None
    number: int
    turn: int
    players: tuple[str, ...]
    model: Model
    position: Position
    run: Run
    calendar: Calendar
    waiting: State
    semantics: Semantics
    possible: Callable[[], tuple[Option, ...]]
    why_not: Callable[[str | type[Order]], Refusal | None]
    watch: Callable[[Watcher], Watching]
    fork: Callable[[], TurnController]

    def __init__(self, controller: TurnController, *, state: object = None) -> None:
        self.controller = controller
        self._state = HostState(state, (self, controller))
        self._decisions = list[Decision]()
        """All that are known, also those that were undone."""
        self._states: list[Any] = [self._state.take()]
        """After each of them, and before the first one."""
        self._standings = [controller.standing]
        self._length = 0
        self._movers: tuple[Callable[[int], object], ...] = ()

    def __getattr__(self, name: str) -> Any:
        """Return what the controller has under this name."""
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.controller, name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._length} answers, {self.request}>"

    @property
    def request(self) -> Request | Over:
        """What the game needs next."""
        return self.controller.request

    @property
    def host(self) -> object:
        """The object whose state goes back with the answers, or None."""
        return self._state.given

    def watch_moves(self, watcher: Callable[[int], object]) -> Watching:
        """Call a function when the game goes back or forth. It gets the number of answers that are
        in force then. If it raises, the game stays where it is.
        """
        self._movers = (*self._movers, watcher)

        def end() -> None:
            self._movers = tuple(one for one in self._movers if one is not watcher)

        return Watching(end)

    # the past ------------------------------------------------------------------------------------

    @property
    def answers(self) -> list[Answer]:
        """The answers that are in force, in order."""
        return [one.answer for one in self._decisions[: self._length]]

    @property
    def undone(self) -> list[Answer]:
        """The answers that `redo` can give again. The last one is given first."""
        return [one.answer for one in reversed(self._decisions[self._length :])]

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The answers in force that somebody decided, in order."""
        past = self._decisions[: self._length]
        return tuple(one for one in past if not one.answer.automatic)

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
        state, length = self._state.take(), self._length
        undone = self._decisions[length:], self._states[length + 1 :]
        self._decisions[length:] = [Decision(length, self.request, answer)]
        self._states[length + 1 :] = [state]
        self._length += 1  # watchers see all this
        try:
            request = self.controller.answer(answer, to=to)
        except BaseException:
            self._decisions[length:], self._states[length + 1 :] = undone
            self._length = length
            raise
        self._standings[length + 1 :] = [self.controller.standing]
        return request

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

    # back and forth ------------------------------------------------------------------------------

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
        if not 0 <= count <= self._length:
            raise AnswerError(f"{count} answers cannot be undone: there are {self._length}")
        return self._go(self._length - count)

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
        for one in reversed(self.decisions):
            request = one.request
            if whose(request) if callable(whose) else whose in request.deciders:
                return self._go(one.number)
        raise AnswerError(f"there is no decision of {whose} to go back to")

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
        turns = [standing[-1].at.turn for standing in self._standings[: self._length + 1]]
        if turn not in turns:
            raise AnswerError(f"turn {turn} did not begin in this history")
        return self._go(turns.index(turn))

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
        undone = len(self._decisions) - self._length
        if not 0 <= count <= undone:
            raise AnswerError(f"{count} answers cannot be given again: {undone} were undone")
        return self._go(self._length + count)

    def _go(self, length: int) -> Request | Over:
        """Go to where the game stood after this many answers."""
        before = self.controller.standing
        self.controller.standing = self._standings[length]
        try:
            for watcher in self._movers:
                watcher(length)
        except BaseException:
            self.controller.standing = before
            raise
        self._length = length
        self._state.put(self._states[length])
        return self.request

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
        other = History(self.controller.fork(), state=state)
        other._decisions, other._length = [*self._decisions], self._length
        other._states, other._standings = [*self._states], [*self._standings]
        other._state.put(other._states[other._length])
        return other

    # keeping -------------------------------------------------------------------------------------

    def snapshot(self) -> dict[str, Any]:
        """Return the game and its past as plain JSON values, for `restore`.

        Raises
        ------
        HostError
            If the state of the host is not made of plain JSON values.
        """
        start, states = self.fork(), list[_State]()
        start.standing = self._standings[0]
        for number, state in enumerate(self._states):
            if not states or state != states[-1].state:
                self._state.encoded(state)
                states.append(_State(number, state))
        answers = [one.answer for one in self._decisions]
        saved = _Saved(FORMAT, start.snapshot(), answers, self._length, states)
        found: dict[str, Any] = msgspec.to_builtins(saved, enc_hook=dict)
        return found

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
        try:
            saved = msgspec.convert(data, _Saved)
            history = cls(TurnController.restore(model, saved.start))
            for answer in saved.answers:
                history.answer(answer)
            history.undo(len(saved.answers) - saved.length)
        except (msgspec.ValidationError, RecursionError, FsmError) as error:
            raise SnapshotError(f"this is not the history of a game ({FORMAT}): {error}") from None
        states = {one.after: one.state for one in saved.states}
        for number in range(1, len(history._states)):
            states.setdefault(number, states.get(number - 1))
        history._states = [states.get(number) for number in range(len(history._states))]
        history._state = HostState(state, (history, history.controller))
        history._state.put(history._states[saved.length])
        return history

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the history as its model, its snapshot and its host."""
        return _restored, (self.model, self.snapshot(), self.host)

    def __iter__(self) -> Iterator[Request]:
        """Yield one request after the other, as `TurnController` does."""
        return iter(self.controller)


def _restored(model: Model, data: object, host: object) -> History:
    return History.restore(model, data, state=host)


Game: TypeAlias = TurnController | History
"""A game that is asked and answered. What drives or watches a game takes either."""
