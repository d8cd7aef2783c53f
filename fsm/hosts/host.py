"""Hosts: your game, asked by `drive` what happens. `BaseHost` has a default for everything."""

# mypy: disable-error-code="empty-body"
# pyright: reportReturnType=false
from __future__ import annotations

from collections.abc import Awaitable
from inspect import isawaitable
from typing import Any, Self, TypeAlias

from fsm.engine.requests import (
    Answer,
    CheckState,
    Perform,
    PlaceTriggers,
    Priority,
    Request,
    Resolve,
)
from fsm.state.orders import Result

Answered: TypeAlias = Answer | Awaitable[Answer | None] | None
Done: TypeAlias = Awaitable[None] | None


class BaseHost:
    """A host with a default for everything: nobody does anything.

    Write the methods that your game needs. `on_draw_card(request)` is called to perform the action
    `draw_card`, and so for every action of the model; `on_perform` takes the actions without such a
    method. A method returns the answer, or None if nobody has decided anything. It may be a
    coroutine if `fsm.aio.drive` drives the host.

    A fact that an answer leaves out is told by the member of its name: an attribute, a property or
    a method without arguments. If there is none, `fact` is asked. Facts are told at once.
    """

    def before_asking(self, request: Request) -> Done:
        """Do what is to be done before each request of which this host is asked: show where the
        game stands, or save it. It comes after the notices.

        Parameters
        ----------
        request
            The request.
        """

    def on_perform(self, request: Perform) -> Answered:
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

    def on_priority(self, request: Priority) -> Answered:
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

    def on_check_state(self, request: CheckState) -> Answered:
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

    def on_place_triggers(self, request: PlaceTriggers) -> Answered:
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

    def on_resolve(self, request: Resolve) -> Answered:
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

    def on_result(self, result: Result) -> Done:
        """Process what became of an order. It is called before the next request.

        Parameters
        ----------
        result
            The order and what became of it.
        """

    def on_expired(self, id: str) -> Done:
        """Process that a duration has ended. It is called before the next request.

        Parameters
        ----------
        id
            The id of the order.
        """

    def on_triggered(self, id: str) -> Done:
        """Process that an "at the beginning of" trigger has triggered. It is called before the next
        request.

        Parameters
        ----------
        id
            The id of the order.
        """

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


class StackHost(BaseHost):
    """A host that keeps the stack, tells the facts about it, and resolves its top.

    Put spells and abilities on `stack` before you answer "acted", and triggers on `waiting`.

    Attributes
    ----------
    stack
        What is on the stack, the top last.
    waiting
        The triggers that wait to be put on the stack.
    """

    stack: list[Any]
    waiting: list[Any]

    def __new__(cls, *args: object, **more: object) -> Self:
        """Make a host with an empty stack, also if its class does not call this `__init__`."""
        host = super().__new__(cls)
        host.stack = []
        host.waiting = []
        return host

    @property
    def stack_empty(self) -> bool:
        """Whether nothing is on the stack."""
        return not self.stack

    @property
    def triggers_waiting(self) -> bool:
        """Whether triggers wait to be put on the stack."""
        return bool(self.waiting)

    def on_place_triggers(self, request: PlaceTriggers) -> Any:
        """Put all waiting triggers on the stack, in the order in which they wait."""
        self.stack += self.waiting
        self.waiting.clear()

    def on_exile_stack(self, request: Perform) -> None:
        """Take everything off the stack, as the turn or the phase ends (CR 723.1b, 723.2b)."""
        self.stack.clear()

    def on_remove_stack(self, request: Perform) -> None:
        """Take everything off the stack: so older rules of Magic call it."""
        self.on_exile_stack(request)

    def on_banish_stack(self, request: Perform) -> None:
        """Take everything off the stack: so Grand Archive calls it."""
        self.on_exile_stack(request)

    def on_cease_triggers(self, request: Perform) -> None:
        """Forget the triggers that wait, as the turn or the phase ends (CR 723.1a, 723.2a)."""
        self.waiting.clear()

    def resolve(self, top: Any, request: Resolve) -> Answered:
        """Resolve the top of the stack. It is taken off when this has returned; if this raises, it
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

    def on_resolve(self, request: Resolve) -> Any:
        """Resolve the top of the stack by `resolve`, then take it off."""
        top = self.stack[-1]
        answer = self.resolve(top, request)
        if isawaitable(answer):
            return self._awaited(top, answer)
        self._resolved(top)
        return answer

    async def _awaited(self, top: Any, answer: Any) -> Any:
        answer = await answer
        self._resolved(top)
        return answer

    def _resolved(self, top: Any) -> None:
        """Take what has resolved off the stack, unless it has left the stack already."""
        for place in reversed(range(len(self.stack))):
            if self.stack[place] is top:
                del self.stack[place]
                return


class WrappingHost:
    """A host that answers for another host, in `host`. It may wrap one that wraps another."""

    host: Any

    def instead(self, request: Request) -> Answer | None:
        """Return an answer for which the host is not asked, or None to ask it."""
        return None

    def waiting(self, request: Request, awaitable: Any) -> Any:
        """Return what is awaited in place of what the host returned."""
        return awaitable

    def heard(self, request: Request, answer: Answer) -> None:
        """Hear an answer, right before it is given to the game."""

    def save(self) -> Any:
        """Return what this host remembers itself, as plain JSON values."""
        return None

    def load(self, saved: Any) -> None:
        """Remember what `save` returned."""


def unwrapped(host: Any) -> tuple[list[WrappingHost], Any]:
    """Return the hosts that wrap others, the outermost first, and the one inside."""
    wrappers = list[WrappingHost]()
    while isinstance(host, WrappingHost):
        wrappers.append(host)
        host = host.host
    return wrappers, host
