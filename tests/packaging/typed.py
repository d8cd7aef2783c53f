"""What type checkers say of requests and answers: an ignored error that is none is an error.

mypy checks this file with the others, and `.ci/public_types.py` has pyright check it.
"""

from __future__ import annotations

from typing import assert_never

import fsm


def wrong(perform: fsm.Perform, priority: fsm.Priority) -> None:
    """Each line is an error."""
    perform.passed()  # type: ignore[attr-defined]
    priority.done()  # type: ignore[attr-defined]
    perform.done("end_turn")  # type: ignore[arg-type]
    perform.done(stack_empty="yes")  # type: ignore[arg-type]
    perform.quiet(fsm.SkipTurn())  # type: ignore[call-arg]


def complete(request: fsm.Request) -> fsm.Answer:
    """A match that needs no default."""
    match request:
        case fsm.Perform():
            return request.done()
        case fsm.Priority():
            return request.passed()
        case fsm.CheckState() | fsm.PlaceTriggers() | fsm.Resolve():
            return request.done()


def incomplete(request: fsm.Request) -> fsm.Answer:
    """A match that forgets a kind of request."""
    match request:
        case fsm.Perform() | fsm.CheckState() | fsm.PlaceTriggers():
            return request.done()
        case fsm.Priority():
            return request.passed()
        case _:
            assert_never(request)  # type: ignore[arg-type]


class Plain(fsm.BaseHost):
    """Handlers of a plain host."""

    def on_priority(self, request: fsm.Priority) -> fsm.Answer:
        """A handler may always answer."""
        return request.acted(fsm.AddPhase("combat"), stack_empty=False)

    def on_resolve(self, request: fsm.Priority) -> None:  # type: ignore[override]
        """A handler for the wrong request is an error."""


class Waiting(fsm.hosts.StackHost):
    """Handlers of a host for asyncio may be plain or coroutines."""

    async def on_priority(self, request: fsm.Priority) -> fsm.Answer:
        """It waits."""
        return request.passed()

    def on_check_state(self, request: fsm.CheckState) -> None:
        """It does not wait."""

    async def resolve(self, top: object, request: fsm.Resolve) -> None:
        """It waits."""


def driven(controller: fsm.TurnController, host: Plain) -> None:
    """Controller and history can be driven."""
    fsm.drive(controller, host)
    fsm.drive(fsm.History(controller, state=host), host, until=lambda request: request.at.turn == 2)
