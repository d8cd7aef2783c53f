"""The callback front: a game implements `Host`, and `drive` plays the turns through it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, CheckState, Over, Perform, PlaceTriggers, Priority, Request, Resolve
from fsm.errors import AnswerError


class Host(Protocol):
    """What a game does for its turn. Each method returns the answer; facts it leaves out are asked by `facts`.

    A method that raises leaves the controller where it was: the same request is made again.
    """

    def perform(self, request: Perform) -> Answer:
        """Perform the turn-based action `request.action` for `request.players`."""

    def priority(self, request: Priority) -> Answer:
        """`request.player` has priority: answer with the word "acted" or "passed"."""

    def check(self, request: CheckState) -> Answer:
        """Perform the state-based actions that apply now; tell whether any was performed."""

    def place(self, request: PlaceTriggers) -> Answer:
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
    is where it was before that request. Raises AnswerError when something else has answered the request meanwhile.
    """
    ways, answer, request = ways_of(host), controller.answer, controller.request
    while request.__class__ is not Over and not (until and until(request)):
        if request.expired or request.triggered:  # as `_answered`, written out: this loop is the inner one
            host.notice(request.expired, request.triggered)
        given: Any = ways[request.__class__](request)
        for name in request.facts:
            if isinstance(given, Answer) and name not in given.facts:
                given = with_facts(given, host.facts(missing_facts(request, given)))
                break
        if controller.request is not request:
            raise went_on()
        request = answer(given)
    return request


def ask(controller: TurnController, host: Host) -> Request:
    """Let `host` answer one request; returns the next."""
    request = controller.request
    answer = _answered(host, ways_of(host), request)
    if controller.request is not request:
        raise went_on()
    return controller.answer(answer)


def went_on() -> AnswerError:
    """The error of a host that has answered the controller itself, while it was asked."""
    return AnswerError("the game went on while its host was asked: a host returns its answer, it does not give it")


Way = Callable[[Any], Any]


def ways_of(host: Any) -> dict[type[Request], Way]:
    """Which method of a host answers which request."""
    return {
        Perform: host.perform,
        Priority: host.priority,
        CheckState: host.check,
        PlaceTriggers: host.place,
        Resolve: host.resolve,
        Over: _over,
    }


def _over(request: Request) -> Answer:
    raise AnswerError("the game is over: there is nothing to answer")


def _answered(host: Host, ways: Mapping[type[Request], Way], request: Request) -> Answer:
    """The host's answer, with every fact that the request asks for."""
    if request.expired or request.triggered:
        host.notice(request.expired, request.triggered)
    answer: Answer = ways[request.__class__](request)
    missing = missing_facts(request, answer)
    return with_facts(answer, host.facts(missing)) if missing else answer


def missing_facts(request: Request, answer: object) -> tuple[str, ...]:
    """The facts that a request asks for and its answer leaves out. What is no answer is left to the controller."""
    if not isinstance(answer, Answer):
        return ()
    told = answer.facts
    for name in request.facts:
        if name not in told:
            return tuple(name for name in request.facts if name not in told)
    return ()


def with_facts(answer: Answer, facts: Mapping[str, bool]) -> Answer:
    """The answer with these facts beside its own, which prevail."""
    return Answer(answer.word, {**facts, **answer.facts}, answer.orders, answer.signal)
