"""Callbacks for a game. The game implements `Host`, and `drive` plays the turns through it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from fsm.engine.controller import TurnController
from fsm.engine.requests import (
    Answer,
    CheckState,
    Moment,
    Over,
    Perform,
    PhaseBegins,
    PlaceTriggers,
    Priority,
    Request,
    Resolve,
    StepBegins,
    TurnBegins,
    TurnEnds,
    WouldBegin,
)
from fsm.errors import AnswerError


class Host(Protocol):
    """The methods that a game implements. Each of the first five returns the answer to a request.

    An answer may leave out facts. `facts` is then asked for them. If a method raises, the controller has not changed
    and makes the same request again.

    Models with the options `moments` and `would_begin` make more requests. A host may have a method for each:
    `turn_begins`, `phase_begins`, `step_begins`, `turn_ends` and `would_begin` get the request and return the answer.
    Without the method the answer is "done", or "begin" for `would_begin`.
    """

    def perform(self, request: Perform) -> Answer:
        """Perform the turn-based action `request.action` for `request.players`.

        Parameters
        ----------
        request
            The request.

        Returns
        -------
        Answer
            The answer, with the word "done".
        """

    def priority(self, request: Priority) -> Answer:
        """Let the player who has priority act or pass.

        Parameters
        ----------
        request
            The request. `request.player` has priority.

        Returns
        -------
        Answer
            The answer, with the word "acted" or "passed".
        """

    def check(self, request: CheckState) -> Answer:
        """Perform the state-based actions that apply now.

        Parameters
        ----------
        request
            The request.

        Returns
        -------
        Answer
            The answer, with the word "done". Its facts say whether any was performed.
        """

    def place(self, request: PlaceTriggers) -> Answer:
        """Put the waiting triggers on the stack.

        Parameters
        ----------
        request
            The request. `request.players` place theirs in this order.

        Returns
        -------
        Answer
            The answer, with the word "done".
        """

    def resolve(self, request: Resolve) -> Answer:
        """Resolve the top of the stack.

        Parameters
        ----------
        request
            The request.

        Returns
        -------
        Answer
            The answer, with the word "done".
        """

    def facts(self, names: tuple[str, ...]) -> Mapping[str, bool]:
        """Return the current values of facts that the answer to a request has left out.

        Parameters
        ----------
        names
            The names of the facts.

        Returns
        -------
        Mapping of str to bool
            The value of each of these facts.
        """

    def notice(self, expired: tuple[str, ...], triggered: tuple[str, ...]) -> None:
        """Process what happened before the next request. It is called before the request is put to the host.

        Parameters
        ----------
        expired
            The ids of the durations that have ended.
        triggered
            The ids of the triggers that have triggered, in this order.
        """


def drive(controller: TurnController, host: Host, *, until: Callable[[Request], bool] | None = None) -> Request | Over:
    """Let a host answer until the game is over.

    Parameters
    ----------
    controller
        The controller of the game.
    host
        The host that answers.
    until
        A function that gets each request before it is answered. If it returns True, `drive` stops there.

    Returns
    -------
    Request
        The request that was not answered.

    Raises
    ------
    AnswerError
        If something else answered the request while the host was asked.

    An error of the host is passed on. The controller then still has the request that the host was asked.
    """
    ways, answer, request = ways_of(host), controller.answer, controller.request
    while not isinstance(request, Over) and not (until and until(request)):
        if request.expired or request.triggered:  # the same as `_answered`, inlined for speed
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


def ask(controller: TurnController, host: Host) -> Request | Over:
    """Let a host answer one request.

    Parameters
    ----------
    controller
        The controller of the game.
    host
        The host that answers.

    Returns
    -------
    Request
        The next request.

    Raises
    ------
    AnswerError
        If the game is over, or if something else answered the request while the host was asked.
    """
    request = controller.request
    answer = _answered(host, ways_of(host), request)
    if controller.request is not request:
        raise went_on()
    return controller.answer(answer)


def went_on() -> AnswerError:
    """Return the error for a request that was answered by something else while the host was asked."""
    return AnswerError("the game went on while its host was asked: a host returns its answer, it does not give it")


Way = Callable[[Any], Any]
OPTIONAL: Mapping[str, type[Moment | WouldBegin]] = {
    "turn_begins": TurnBegins,
    "phase_begins": PhaseBegins,
    "step_begins": StepBegins,
    "turn_ends": TurnEnds,
    "would_begin": WouldBegin,
}
"""The methods that a host may have, and what each is asked."""


def ways_of(host: Any) -> dict[type[Request | Over], Way]:
    """Return the method of a host for each type of request."""
    return {
        Perform: host.perform,
        Priority: host.priority,
        CheckState: host.check,
        PlaceTriggers: host.place,
        Resolve: host.resolve,
        **{kind: getattr(host, name, _quietly) for name, kind in OPTIONAL.items()},
        Over: _over,
    }


def _quietly(request: Request) -> Answer:
    return Answer(request.quiet_word)


def _over(request: Over) -> Answer:
    raise AnswerError("the game is over: there is nothing to answer")


def _answered(host: Host, ways: Mapping[type[Request | Over], Way], request: Request | Over) -> Answer:
    """Return the host's answer, completed by every fact that the request asks for."""
    if request.expired or request.triggered:
        host.notice(request.expired, request.triggered)
    answer: Answer = ways[request.__class__](request)
    missing = missing_facts(request, answer)
    return with_facts(answer, host.facts(missing)) if missing else answer


def missing_facts(request: Request | Over, answer: object) -> tuple[str, ...]:
    """Return the facts that a request asks for and its answer leaves out.

    A value that is not an Answer lacks no facts. The controller refuses it.
    """
    if not isinstance(answer, Answer):
        return ()
    told = answer.facts
    for name in request.facts:
        if name not in told:
            return tuple(name for name in request.facts if name not in told)
    return ()


def with_facts(answer: Answer, facts: Mapping[str, bool]) -> Answer:
    """Return the answer with these facts added. The answer's own facts prevail."""
    return Answer(answer.word, {**facts, **answer.facts}, answer.orders, answer.signal)
