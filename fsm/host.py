"""The callback front: a game implements `Host`, and `drive` plays the turns through it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from fsm.controller import TurnController
from fsm.requests import Answer, Check, Over, Perform, Place, Priority, Request, Resolve


class Host(Protocol):
    """What a game does for its turn. Each method returns the answer; facts it leaves out are asked by `facts`.

    A method that raises leaves the controller where it was: the same request is made again.
    """

    def perform(self, request: Perform) -> Answer:
        """Perform the turn-based action `request.action` for `request.players`."""

    def priority(self, request: Priority) -> Answer:
        """`request.player` has priority: answer with the word "acted" or "passed"."""

    def check(self, request: Check) -> Answer:
        """Perform the state-based actions that apply now; tell whether any was performed."""

    def place(self, request: Place) -> Answer:
        """Put waiting triggers on the stack, `request.players` in this order."""

    def resolve(self, request: Resolve) -> Answer:
        """Resolve the top of the stack."""

    def facts(self, names: tuple[str, ...]) -> Mapping[str, bool]:
        """The values, now, of these game facts; asked after each of the methods above."""

    def notice(self, expired: tuple[str, ...], triggered: tuple[str, ...]) -> None:
        """These durations have run out and these triggers have triggered, in this order."""


def drive(controller: TurnController, host: Host, *, until: Callable[[Request], bool] | None = None) -> Request:
    """Let `host` answer until the game is over, or `until` says so of the next request.

    Returns the request that was not answered. Whatever the host raises is passed on, and the controller
    is where it was before that request.
    """
    while not isinstance(controller.request, Over) and not (until and until(controller.request)):
        ask(controller, host)
    return controller.request


def ask(controller: TurnController, host: Host) -> Request:
    """Let `host` answer one request; returns the next."""
    request = controller.request
    if request.expired or request.triggered:
        host.notice(request.expired, request.triggered)
    answer = _answer(host, request)
    missing = tuple(name for name in request.facts if name not in answer.facts)
    if missing:
        answer = Answer(answer.word, {**host.facts(missing), **answer.facts}, answer.orders, answer.signal)
    return controller.answer(answer)


def _answer(host: Host, request: Request) -> Answer:
    match request:
        case Perform():
            return host.perform(request)
        case Priority():
            return host.priority(request)
        case Check():
            return host.check(request)
        case Place():
            return host.place(request)
        case Resolve():
            return host.resolve(request)
    raise AssertionError(f"{type(request).__name__} cannot be answered")
