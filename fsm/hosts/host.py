"""Hosts: your game, asked by `drive` what happens. `BaseHost` has a default for everything."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from fsm.engine.requests import (
    Answer,
    CheckState,
    Over,
    Perform,
    PlaceTriggers,
    Priority,
    Request,
    Resolve,
)
from fsm.errors import HostError
from fsm.hosts.endless import LIMIT, Watch
from fsm.hosts.game import Game
from fsm.hosts.responding import (
    HandlerHost,
    WrappingHost,
    default,
    over,
    responder_of,
    settled,
    waits,
    went_on,
)

if TYPE_CHECKING:
    from fsm.engine.order_results import Result


class BaseHost(HandlerHost):
    """A host with a default for everything: nobody does anything.

    Write the methods that your game needs. `on_draw_card(request)` is called to perform the action
    `draw_card`, and so for every action of the model; `on_perform` takes the actions without such a
    method. A method returns the answer, or None if nobody has decided anything.

    A fact that an answer leaves out is told by the member of its name: an attribute, a property or
    a method without arguments. If there is none, `fact` is asked.
    """

    @default
    def on_perform(self, request: Perform) -> Answer | None:
        """Perform the turn-based action `request.action` for `request.by`.

        Parameters
        ----------
        request
            The request.

        Returns
        -------
        Answer or None
            `request.done(...)`, or None if there is nothing to tell.
        """
        return None

    @default
    def on_priority(self, request: Priority) -> Answer | None:
        """Let the player who has priority act or pass.

        Parameters
        ----------
        request
            The request. `request.player` has priority.

        Returns
        -------
        Answer or None
            `request.acted(...)` or `request.passed()`, or None: the player passes without being
            asked.
        """
        return None

    @default
    def on_check_state(self, request: CheckState) -> Answer | None:
        """Perform the state-based actions that apply now.

        Parameters
        ----------
        request
            The request.

        Returns
        -------
        Answer or None
            `request.done(...)`, whose facts say whether any was performed, or None if none was.
        """
        return None

    @default
    def on_place_triggers(self, request: PlaceTriggers) -> Answer | None:
        """Put the waiting triggers on the stack.

        Parameters
        ----------
        request
            The request. `request.by` place theirs in this order.

        Returns
        -------
        Answer or None
            `request.done(...)`, or None if there is nothing to tell.
        """
        return None

    @default
    def on_resolve(self, request: Resolve) -> Answer | None:
        """Resolve the top of the stack.

        Parameters
        ----------
        request
            The request.

        Returns
        -------
        Answer or None
            `request.done(...)`, with the orders of what resolves, or None if there is nothing to
            tell.
        """
        return None

    @default
    def on_result(self, result: Result) -> None:
        """Process what became of an order. It is called before the next request.

        Parameters
        ----------
        result
            The order and what became of it.
        """

    @default
    def on_expired(self, id: str) -> None:
        """Process that a duration has ended. It is called before the next request.

        Parameters
        ----------
        id
            The id of the order.
        """

    @default
    def on_triggered(self, id: str) -> None:
        """Process that an "at the beginning of" trigger has triggered. It is called before the next
        request.

        Parameters
        ----------
        id
            The id of the order.
        """

    @default
    def fact(self, name: str) -> bool | None:
        """Tell a fact that an answer left out and for which the host has no member.

        Parameters
        ----------
        name
            The name of the fact.

        Returns
        -------
        bool or None
            Its value, or None for its quiet value: what it is when nothing happens.
        """
        return None


class Stacked:
    """The stack of a game, and the triggers that wait to be put on it.

    Parameters
    ----------
    stack
        What is on the stack, the top last.
    waiting
        The triggers that wait.
    """

    def __init__(self, stack: Iterable[Any] = (), waiting: Iterable[Any] = ()) -> None:
        self.stack: list[Any] = list(stack)
        self.waiting: list[Any] = list(waiting)

    @property
    def stack_empty(self) -> bool:
        """Whether nothing is on the stack."""
        return not self.stack

    @property
    def triggers_waiting(self) -> bool:
        """Whether triggers wait to be put on the stack."""
        return bool(self.waiting)

    def on_place_triggers(self, request: PlaceTriggers) -> Answer | None:
        """Put all waiting triggers on the stack, in the order in which they wait."""
        self.stack += self.waiting
        self.waiting.clear()
        return None

    def _top(self) -> Any:
        if not self.stack:
            raise HostError(
                f"{type(self).__name__}.stack is empty, but the turn was told that it is not"
            )
        return self.stack[-1]

    def _resolved(self, top: Any) -> None:
        """Take what has resolved off the stack, unless it has left the stack already."""
        where = next((n for n, one in reversed(list(enumerate(self.stack))) if one is top), None)
        if where is not None:
            del self.stack[where]


class StackHost(Stacked, BaseHost):
    """A host that keeps the stack, tells the facts about it, and resolves its top.

    Put spells and abilities on `stack` before you answer "acted", and triggers on `waiting`.

    Parameters
    ----------
    stack
        What is on the stack, the top last.
    waiting
        The triggers that wait to be put on the stack.
    """

    def resolve(self, top: Any, request: Resolve) -> Answer | None:
        """Resolve the top of the stack. It is taken off when this returns; if this raises, it
        stays.

        Parameters
        ----------
        top
            The top of the stack.
        request
            The request.

        Returns
        -------
        Answer or None
            `request.done(...)`, with the orders of what resolves, or None if there is nothing to
            tell.
        """
        return None

    def on_resolve(self, request: Resolve) -> Answer | None:
        """Resolve the top of the stack by `resolve`, then take it off."""
        top = self._top()
        answer = self.resolve(top, request)
        self._resolved(top)
        return answer


def drive(
    game: Game,
    host: BaseHost | WrappingHost,
    *,
    until: Callable[[Request], bool] | None = None,
    limit: int = LIMIT,
) -> Request | Over:
    """Let a host answer until the game is over.

    Parameters
    ----------
    game
        The controller of the game, or a `History` of it.
    host
        The host that answers.
    until
        A function that gets each request before it is answered. If it returns True, `drive` stops
        there.
    limit
        A host is stopped if it gives more than this many answers in the same step of a turn, and
        nobody acts.

    Returns
    -------
    Request or Over
        The request that was not answered, or how the game ended.

    Raises
    ------
    HostError
        If the host has a method that the model never asks for, if it has to be awaited, if it does
        not tell what is needed, or if it passes the limit. The message says what would be right.
    AnswerError
        If something else answered the request while the host was asked.

    An error of the host is passed on. The game then still has the request that the host was asked.
    """
    responder = responder_of(host, game)
    if responder.waits:
        raise waits(responder)
    ways, hears, answer, request = responder.ways, responder.hears, game.answer, game.request
    watch, left = Watch(game, limit), limit
    while type(request) is not Over and not (until is not None and until(request)):
        if hears or request.expired or request.triggered:
            given = settled(responder.answering(request), responder)
        else:
            given = ways[request.__class__](request)
            whole = given.__class__ is Answer and given.word != "acted" and not given.orders
            if whole:
                told = given.facts
                for name in (
                    request.facts
                ):  # here, since a call of a function would cost more than all of it
                    if name not in told:
                        whole = False
                        break
            if not whole:
                given = settled(responder.finishing(request, given), responder)
        if game.request is not request:
            raise went_on()
        left -= 1
        if not left:
            left = watch.look(request, given)
        request = answer(given)
    return request


def ask(game: Game, host: BaseHost | WrappingHost) -> Request | Over:
    """Let a host answer one request.

    Parameters
    ----------
    game
        The controller of the game, or a `History` of it.
    host
        The host that answers.

    Returns
    -------
    Request or Over
        The next request.

    Raises
    ------
    AnswerError
        If the game is over, or if something else answered the request while the host was asked.
    HostError
        As `drive` does.
    """
    responder, request = responder_of(host, game), game.request
    if isinstance(request, Over):
        raise over()
    answer = settled(responder.answering(request), responder)
    if game.request is not request:
        raise went_on()
    return game.answer(answer)
