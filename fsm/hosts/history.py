"""Undo and redo of answers: one by one, to a person's last decision, or to the start of a turn.

Where a game stands is a value (`TurnController.standing`). So the past is a list of such values,
and going back repeats nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct

from fsm.engine.controller import Standing, TurnController, Watcher
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


class _Undone(NamedTuple):
    """An answer that was taken back, and the state of the host after it."""

    answer: Answer
    state: Any


class _Saved(Struct):
    """A history as it is written. `state_of` says which of the states came after each answer."""

    format: Literal["fsm-history-1"]
    start: dict[str, Any]
    answers: list[Answer]
    undone: list[Answer]
    states: list[Any]
    state_of: list[int]


def _same(name: str) -> Any:
    """Return a property for what the controller has under this name."""
    return property(
        lambda history: getattr(history.controller, name), doc=getattr(TurnController, name).__doc__
    )


class History:
    """A game whose answers can be taken back. Use it in place of its controller, also with `drive`
    and `saving`.

    Answers that were given before the history was made cannot be undone. What watches the game is
    told of answers that are given again, but not of what is undone.

    Parameters
    ----------
    controller
        The controller of the game. Give all answers through the history from now on.
    state
        The host, or another object that has the state of your game. It goes back with the answers:
        by its methods `save()` and `load(saved)` if it has them, else all its attributes are copied
        at each answer. What `save` does not return, and what changes elsewhere, does not go back.
        An object that has only one of the two is refused, and so is a `load` after which `save`
        returns other plain values than before. With a host like `AutoPass`, the stops go back, too.

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
        self._begin(controller, state)
        self._states.append(self._state.take())

    def _begin(self, controller: TurnController, state: object) -> None:
        self.controller = controller
        self._state = HostState(state, (self, controller))
        self._past: list[Decision] = []
        self._states: list[Any] = []
        self._standings: list[Standing] = [controller.standing]
        self._undone: list[_Undone] = []
        self._movers: tuple[Callable[[int], object], ...] = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self._past)} answers, {self.request}>"

    @property
    def host(self) -> object:
        """The object whose state goes back with the answers, or None."""
        return self._state.given

    def watch_moves(self, watcher: Callable[[int], object]) -> Watching:
        """Call a function when the game goes back. It gets the number of answers that are in force
        then. If it raises, the game does not go back.
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
        return self._give(answer, self._state.take(), [], to)

    def _give(
        self, answer: Answer, state: Any, undone: list[_Undone], to: int | None = None
    ) -> Request | Over:
        """Give an answer. After it, the host has this state, and `redo` can give what was undone.

        Watchers see all this in the history.
        """
        before, self._undone = self._undone, undone
        self._past.append(Decision(len(self._past), self.request, answer))
        self._states.append(state)
        try:
            request = self.controller.answer(answer, to=to)
        except BaseException:
            self._undone = before
            self._past.pop()
            self._states.pop()
            raise
        self._standings.append(self.controller.standing)
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
        player = ""
        if isinstance(whose, str):
            if whose not in self.players:
                players = ", ".join(self.players)
                raise AnswerError(f"player {whose!r} is not in this game; known: {players}")
            player = f"of {whose} "
        for one in reversed(self.decisions):
            request = one.request
            if callable(whose):
                wanted = whose(request)
            else:
                wanted = whose in (request.by or (request.at.controller,))
            if wanted:
                return self._back_to(one.number)
        raise AnswerError(f"there is no decision {player}to go back to")

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
        requests = [*(one.request for one in self._past), self.request]
        turns = [request.at.turn for request in requests]
        if turn not in turns:
            raise AnswerError(f"turn {turn} did not begin in this history")
        return self._back_to(turns.index(turn))

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
            one = self._undone[-1]
            self._give(one.answer, one.state, self._undone[:-1])
        self._state.put(self._states[-1])
        return self.request

    def _back_to(self, length: int) -> Request | Over:
        """Go back to where the game stood after this many answers."""
        before = self.controller.standing
        self.controller.standing = self._standings[length]
        try:
            for watcher in self._movers:
                watcher(length)
        except BaseException:
            self.controller.standing = before
            raise
        gone = zip(self._past[length:], self._states[length + 1 :], strict=True)
        self._undone += reversed([_Undone(one.answer, state) for one, state in gone])
        del self._past[length:], self._states[length + 1 :], self._standings[length + 1 :]
        self._state.put(self._states[-1])
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
        other: History = History.__new__(History)
        other._begin(self.controller.fork(), state)
        other._past, other._states = [*self._past], [*self._states]
        other._standings = [*self._standings]
        other._state.put(other._states[-1])
        return other

    # keeping -------------------------------------------------------------------------------------

    def _start(self) -> TurnController:
        """Return the game at the beginning of the history."""
        start = self.fork()
        start.standing = self._standings[0]
        return start

    def snapshot(self) -> dict[str, Any]:
        """Return the game and its past as plain JSON values, for `restore`.

        Raises
        ------
        HostError
            If the state of the host is not made of plain JSON values.
        """
        states, which = list[Any](), list[int]()
        for state in (*self._states, *(one.state for one in self._undone)):
            if not states or state != states[-1]:
                states.append(self._state.plain(state))
            which.append(len(states) - 1)
        saved = _Saved(FORMAT, self._start().snapshot(), self.answers, self.undone, states, which)
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
            states = [saved.states[which] for which in saved.state_of]
            if len(states) != 1 + len(saved.answers) + len(saved.undone):
                raise SnapshotError("it does not have one state for each answer")
            history: History = cls.__new__(cls)
            history._begin(TurnController.restore(model, saved.start), state)
            history._repeat(saved.answers, saved.undone, states)
        except (msgspec.ValidationError, IndexError, RecursionError, FsmError) as error:
            raise SnapshotError(f"this is not the history of a game ({FORMAT}): {error}") from None
        history._state.put(history._states[-1])
        return history

    def _repeat(self, answers: list[Answer], undone: list[Answer], states: list[Any]) -> None:
        """Give the answers of the past again, without asking the host."""
        self._states = states[:1]
        count = len(answers)
        for answer, state in zip(answers, states[1 : count + 1], strict=True):
            self._give(answer, state, [])
        self._undone = [*map(_Undone, undone, states[count + 1 :])]

    def __getstate__(self) -> tuple[Any, ...]:
        """Return the past as answers. Where the game stood is found by giving them again."""
        states = [*self._states, *(one.state for one in self._undone)]
        return self._start(), self.controller, self.host, self.answers, self.undone, states

    def __setstate__(self, kept: tuple[Any, ...]) -> None:
        """Give the answers of the past again."""
        start, controller, host, *past = kept
        controller.standing = start.standing
        self._begin(controller, host)
        self._repeat(*past)

    # what the controller has, too ----------------------------------------------------------------

    @property
    def request(self) -> Request | Over:
        """What the game needs next."""
        return self.controller.request

    over: Over | None = _same("over")
    number: int = _same("number")
    turn: int = _same("turn")
    players: tuple[str, ...] = _same("players")
    model: Model = _same("model")
    position: Position = _same("position")
    run: Run = _same("run")
    calendar: Calendar = _same("calendar")
    waiting: State = _same("waiting")
    semantics: Semantics = _same("semantics")
    possible: Callable[[], tuple[Option, ...]] = _same("possible")
    why_not: Callable[[str | type[Order]], Refusal | None] = _same("why_not")
    watch: Callable[[Watcher], Watching] = _same("watch")
    fork: Callable[[], TurnController] = _same("fork")

    def __iter__(self) -> Iterator[Request]:
        """Yield one request after the other, as `TurnController` does. The body of the loop may
        also go back.
        """
        while not isinstance(request := self.request, Over):
            standing = self._standings[-1]
            yield request
            if self._standings[-1] is standing:
                raise AnswerError("the loop went on without an answer: give one to each request")


Game: TypeAlias = TurnController | History
"""A game that is asked and answered. What drives or watches a game takes either."""
