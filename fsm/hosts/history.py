"""Undo and redo of answers: one by one, or to a person's last decision.

Where a game stands is a value (`TurnController.standing`). So the past is a list of such values,
and going back or forth repeats nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

import msgspec
from msgspec import Struct

from fsm.engine.controller import Standing, TurnController
from fsm.engine.requests import Answer, Over, Request
from fsm.engine.snapshot import Migrate, unpacked
from fsm.errors import AnswerError, FsmError, SnapshotError
from fsm.hosts.hoststate import HostState
from fsm.model import Model
from fsm.model.model import ModelLike

if TYPE_CHECKING:
    from fsm.engine.machine import Machine

FORMAT: Literal["fsm-history-2"] = "fsm-history-2"


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


class _Point(NamedTuple):
    """Where the game and its host stood after a decision, or at the start."""

    standing: Standing
    state: Any
    decision: Decision | None = None


class Line(Struct, omit_defaults=True):
    """What happened to a game: an answer was given, while its host had this state, or the game went
    to where so many answers are in force. If the host has changed, its new state is there.
    """

    answer: Answer | None = None
    length: int | None = None
    state: Any = None


class Journal(Struct):
    """A game as it was at its start, with the state of its host, and what has happened since."""

    format: Literal["fsm-history-2"]
    start: dict[str, Any]
    state: Any
    lines: list[Line]


class History(TurnController):
    """A game whose answers can be taken back. It goes on from where a controller stands, which is
    then left behind. Give all answers to the history, also by `drive`.

    Answers that were given before the history was made cannot be undone. What watches the game is
    not told of what is undone and given again.

    Parameters
    ----------
    controller
        The controller of the game. What watches it, its trace and its machine go over.
    state
        The host, or another object that has the state of your game. It goes back with the answers:
        by its methods `save()` and `load(saved)` if it has them, else by its attributes. What
        `save` returns, or all attributes, are copied at each answer: that takes a microsecond for
        each value in them. What `save` does not return, and what changes elsewhere, does not go
        back. An object that has only one of the two is refused. With a host like `Stops`, these
        go back, too.

    Raises
    ------
    HostError
        If the state of the host cannot be copied, or if it has only one of `save` and `load`.
    """

    def __init__(self, controller: TurnController, *, state: object = None) -> None:
        for name in TurnController.__slots__:
            setattr(self, name, getattr(controller, name))
        self._state = HostState(state, (self, controller))
        self._points = [_Point(self.standing, self._state.take())]
        """Where the game stood, also where it stood before answers were undone."""
        self._length = 0
        self._movers = dict[object, Callable[[int], object]]()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._length} answers, {self.request}>"

    @property
    def host(self) -> object:
        """The object whose state goes back with the answers, or None."""
        return self._state.given

    def watch_moves(self, watcher: Callable[[int], object]) -> ExitStack:
        """Call a function when the game goes back or forth. It gets the number of answers that are
        in force then. If it raises, the game stays where it is.
        """
        key = object()  # one function may watch twice
        self._movers[key] = watcher
        subscription = ExitStack()
        subscription.callback(self._movers.pop, key, None)
        return subscription

    # the past ------------------------------------------------------------------------------------

    def _past(self) -> list[Decision]:
        return [point.decision for point in self._points if point.decision is not None]

    @property
    def answers(self) -> list[Answer]:
        """The answers that are in force, in order."""
        return [one.answer for one in self._past()[: self._length]]

    @property
    def undone(self) -> list[Answer]:
        """The answers that `redo` can give again. The last one is given first."""
        return [one.answer for one in reversed(self._past()[self._length :])]

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The answers in force that somebody decided, in order."""
        return tuple(one for one in self._past()[: self._length] if not one.answer.automatic)

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
        length = self._length
        undone = self._points[length + 1 :]
        decision = Decision(length, self.request, answer)
        point = _Point(self.standing, self._state.take(), decision)
        self._points[length + 1 :] = [point]
        self._length += 1  # watchers see all this
        try:
            request = super().answer(answer, to=to)
        except BaseException:
            self._points[length + 1 :] = undone
            self._length = length
            raise
        self._points[-1] = point._replace(standing=self.standing)
        return request

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
        refusal = f"{count} answers cannot be undone: there are {self._length}"
        return self._move(self._length - count, refusal)

    def undo_to(self, whose: str | Callable[[Request | Over], bool]) -> Request | Over:
        """Go back to the last decision of a player, or to the last one whose request satisfies a
        condition.

        Answers that nobody decided are passed over: those of a host that returned None,
        `request.quiet()`, and those of `Stops` and `TimeLimit`.

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
                return self.undo(self._length - one.number)
        raise AnswerError(f"there is no decision of {whose} to go back to")

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
        refusal = f"{count} answers cannot be given again: {len(self.undone)} were undone"
        return self._move(self._length + count, refusal)

    def _move(self, length: int, refusal: str) -> Request | Over:
        """Go to where the game stood after this many answers."""
        if not 0 <= length < len(self._points):
            raise AnswerError(refusal)
        before = self.standing
        standing, state, _ = self._points[length]
        self.standing = standing
        try:
            for watcher in [*self._movers.values()]:
                watcher(length)
        except BaseException:
            self.standing = before
            raise
        self._length = length
        self._state.put(state)
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
        other = History(self.fork(), state=state)
        other._points, other._length = [*self._points], self._length
        other._state.put(self._points[self._length].state)
        return other

    # keeping -------------------------------------------------------------------------------------

    def snapshot(self) -> dict[str, Any]:
        """Return the game and its past as plain JSON values, for `restore`.

        Raises
        ------
        HostError
            If the state of the host is not made of plain JSON values.
        """
        start = self.fork()
        start.standing, first, _ = self._points[0]
        before = self._state.encoded(first)
        lines = list[Line]()
        now = _Point(self.standing, self._state.now())
        for _, state, decision in (*self._points[1:], now):
            encoded = self._state.encoded(state, before)
            line = Line(decision.answer) if decision else Line(length=self._length)
            if encoded != before:
                line.state = state
            lines.append(line)
            before = encoded
        saved = Journal(FORMAT, start.snapshot(), first, lines)
        found: dict[str, Any] = msgspec.to_builtins(saved, enc_hook=dict)
        return found

    @classmethod
    def restore(
        cls,
        model: ModelLike,
        data: object,
        *,
        machine: Machine | None = None,
        migrate: Migrate | None = None,
        state: object = None,
    ) -> Self:
        """Return the history that a snapshot describes. The host gets its state.

        Parameters
        ----------
        model
            The model with which the snapshot was taken.
        data
            What `snapshot` or `token` returned.
        machine, migrate
            As for `TurnController.restore`.
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
            If the state of the host cannot be copied, or is not in the data.
        """
        try:
            given = unpacked(data) if isinstance(data, str) else data
            saved = msgspec.convert(given, Journal)
            game = TurnController.restore(model, saved.start, machine=machine, migrate=migrate)
            history = cls(game)
            points = history._points
            points[0] = _Point(history.standing, saved.state)
            now = saved.state
            for line in saved.lines:
                if line.answer is not None:
                    history.answer(line.answer)
                elif line.length is not None:
                    history.undo(history._length - line.length)
                    now = points[line.length].state
                now = now if line.state is None else line.state
                if line.answer is not None:
                    points[-1] = points[-1]._replace(state=now)
        except (msgspec.ValidationError, RecursionError, FsmError) as error:
            raise SnapshotError(f"this is not the history of a game ({FORMAT}): {error}") from None
        host = HostState(state, (history,))
        for point in points:
            host.check(point.state)
        host.put(now)
        history._state = host
        return history

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the history as its model, its snapshot and its host."""
        return _unpickled, (self.model, self.snapshot(), self.host)


def _unpickled(model: Model, data: object, host: object) -> History:
    return History.restore(model, data, state=host)
