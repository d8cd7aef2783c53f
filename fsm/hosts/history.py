"""Undo and redo of answers: one by one, or to a person's last decision.

Where a game stands is a value (`TurnController.standing`). So the past is a list of such values,
and going back or forth repeats nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import ExitStack, suppress
from copy import deepcopy
from typing import Any, NamedTuple

import msgspec

from fsm.engine.controller import Standing, TurnController
from fsm.engine.requests import Answer, Over, Request
from fsm.errors import AnswerError, HostError
from fsm.hosts.host import unwrapped

_REMEDY = "give the host the methods save() and load(saved)"


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


class Point(NamedTuple):
    """Where the game and its host stood after a decision, or at the start."""

    standing: Standing
    state: list[Any]
    decision: Any = None


class HostState:
    """Takes the state of a host, and puts it back.

    The state is a list: what each host that wraps another saves, the outermost first, and then what
    the host inside saves, or its attributes.

    Parameters
    ----------
    host
        The host, or None if there is no state.
    shared
        Objects that an attribute may refer to, and that are not copied.
    """

    def __init__(self, host: Any, shared: Iterable[object] = ()) -> None:
        self.host = host
        wrappers, inside = unwrapped(host)
        self._parts = [*wrappers, inside] if inside is not None else wrappers
        self._shared = {id(one): one for one in (*self._parts, *shared)}
        saves = hasattr(inside, "save")
        is_kept = saves == hasattr(inside, "load") and (saves or hasattr(inside, "__dict__"))
        if inside is not None and not is_kept:
            name = type(inside).__name__
            raise HostError(f"{name}: write both save() and load(saved), or attributes and neither")

    def now(self) -> list[Any]:
        """Return the state of the host. Later changes of the host may change it."""
        return [part.save() if hasattr(part, "save") else vars(part) for part in self._parts]

    def take(self) -> list[Any]:
        """Return the state of the host now. Later changes of the host do not change it."""
        return self._copied(self.now())

    def put(self, taken: list[Any]) -> None:
        """Give the host the state that was taken. Raises HostError if it is of another host."""
        if not self._parts:
            return
        loads = hasattr(self._parts[-1], "load")
        if len(taken) != len(self._parts) or not (loads or isinstance(taken[-1], dict)):
            raise HostError(
                f"this is not the state of a {type(self.host).__name__}: give the host with whose "
                f"state the game was kept"
            )
        for part, saved in zip(self._parts, self._copied(taken), strict=True):
            if hasattr(part, "load"):
                part.load(saved)
            else:
                vars(part).clear()
                vars(part).update(saved)

    def _copied(self, state: list[Any]) -> list[Any]:
        try:
            return deepcopy(state, dict(self._shared))
        except Exception as error:
            name = type(self._parts[-1]).__name__
            raise HostError(f"{name} cannot be copied ({error}); {_REMEDY}") from error

    def encoded(self, state: list[Any], before: bytes = b"") -> bytes:
        """Return a state as JSON. It is checked only if it is not the same as before.

        Raises HostError if it is not made of plain JSON values. The message names the attribute.
        """
        text = _plain_json(state, before)
        if text is None:
            values = state[-1] if isinstance(state[-1], dict) else {}
            wrong = [f".{name}" for name, value in values.items() if _plain_json(value) is None]
            place = "".join([type(self._parts[-1]).__name__, *wrong[:1]])
            what = "cannot be written as JSON: make lists of tuples and sets"
            raise HostError(f"{place} {what}, or {_REMEDY}")
        return text


def _plain_json(value: object, before: bytes = b"") -> bytes | None:
    """Return a value as JSON, or None if that does not give it back as it is."""
    with suppress(TypeError, ValueError, OverflowError, RecursionError):
        text = msgspec.json.encode(value)
        if text == before or msgspec.json.decode(text) == value:
            return text
    return None


class History(TurnController):
    """A game whose answers can be taken back. It goes on from where a controller stands, which is
    then left behind. Give all answers to the history, also by `drive`.

    Answers that were given before the history was made cannot be undone. What watches the game is
    not told of what is undone and given again. A fork, a copy and a snapshot have no past:
    `fsm.hosts.saving` keeps it.

    Parameters
    ----------
    controller
        The controller of the game. What watches it, its trace and its machine go over. If it is a
        history, as `load_game` may return it, its past goes over, too.
    state
        The host, or another object that has the state of your game. It goes back with the answers:
        by its methods `save()` and `load(saved)` if it has them, else by its attributes. What
        `save` returns, or all attributes, are copied at each answer: that takes a microsecond for
        each value in them. What `save` does not return, and what changes elsewhere, does not go
        back. An object that has only one of the two is refused. With a host like `Stops`, these
        go back, too.

    Attributes
    ----------
    points
        Where the game stood at the start and after each answer, also those that were undone.
    length
        How many answers are in force.

    Raises
    ------
    HostError
        If the state of the host cannot be copied, or if it has only one of `save` and `load`.
    """

    def __init__(self, controller: TurnController, *, state: object = None) -> None:
        for name in TurnController.__slots__:
            setattr(self, name, getattr(controller, name))
        self._state = HostState(state, (self, controller))
        self._movers: list[Callable[[int], object]] = []
        self.points: list[Point] = [Point(self.standing, self._state.take())]
        self.length: int = 0
        if isinstance(controller, History):
            self._go_on_from(controller)

    def _go_on_from(self, other: History) -> None:
        self.points, self.length = [*other.points], other.length

    @property
    def host(self) -> object:
        """The object whose state goes back with the answers, or None."""
        return self._state.host

    def watch_moves(self, watcher: Callable[[int], object]) -> ExitStack:
        """Call a function when the game goes back or forth. It gets the number of answers that are
        in force then. If it raises, the game stays where it is.
        """
        self._movers.append(watcher)
        subscription = ExitStack()
        subscription.callback(self._movers.remove, watcher)
        return subscription

    # the past ------------------------------------------------------------------------------------

    @property
    def past(self) -> tuple[Decision, ...]:
        """The answers in force, in order, also those that nobody decided."""
        return tuple(point.decision for point in self.points[1 : self.length + 1])

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The answers in force that somebody decided, in order."""
        return tuple(one for one in self.past if not one.answer.automatic)

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
        length = self.length
        undone = self.points[length + 1 :]
        decision = Decision(length, self.request, answer)
        point = Point(self.standing, self._state.take(), decision)
        self.points[length + 1 :] = [point]
        self.length += 1  # watchers see all this
        try:
            request = super().answer(answer, to=to)
        except BaseException:
            self.points[length + 1 :] = undone
            self.length = length
            raise
        self.points[-1] = point._replace(standing=self.standing)
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
        return self._move(self.length - count)

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
            If there is no such decision, or no such player.
        """
        if not callable(whose):
            AnswerError.known_name("player", whose, self.players, "this game")
        for number, request, _ in reversed(self.decisions):
            if whose(request) if callable(whose) else whose in request.deciders:
                return self._move(number)
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
        return self._move(self.length + count)

    def _move(self, length: int) -> Request | Over:
        """Go to where the game stood after this many answers."""
        if not 0 <= length < len(self.points):
            undone = len(self.points) - 1 - self.length
            text = f"only {self.length} answers can be undone, and {undone} given again"
            raise AnswerError(text)
        before = self.standing
        self.standing, state, _ = self.points[length]
        try:
            for watcher in tuple(self._movers):
                watcher(length)
        except BaseException:
            self.standing = before
            raise
        self.length = length
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
        other._go_on_from(self)
        other._state.put(self.points[self.length].state)
        return other
