"""The host of a quiet game, which does nothing, and one that notes what it was asked."""

from __future__ import annotations

from collections.abc import Mapping

from fsm.engine.requests import (
    Answer,
    CheckState,
    Perform,
    PlaceTriggers,
    Priority,
    Request,
    Resolve,
)

COMBAT = {"attackers_declared": False, "first_strike_in_combat": False}
SETTLED = {"sba_performed": False, "triggers_waiting": False}
EMPTY = {"stack_empty": True}

DONE = Answer()
PERFORMED = Answer("done", COMBAT)
CHECKED = Answer("done", SETTLED)
PASSED = Answer("passed", EMPTY)


class NullHost:
    """Nobody does anything: ready-made answers that tell what may be asked, so that a host costs
    next to nothing.
    """

    def perform(self, request: Perform) -> Answer:
        return PERFORMED

    def priority(self, request: Priority) -> Answer:
        return PASSED

    def check(self, request: CheckState) -> Answer:
        return CHECKED

    def place(self, request: PlaceTriggers) -> Answer:
        return DONE

    def resolve(self, request: Resolve) -> Answer:
        return DONE

    def facts(self, names: tuple[str, ...]) -> Mapping[str, bool]:
        return {**COMBAT, **SETTLED, **EMPTY}

    def notice(self, expired: tuple[str, ...], triggered: tuple[str, ...]) -> None:
        return None


class Noting(NullHost):
    """A quiet host that keeps every request it was asked, in order."""

    def __init__(self) -> None:
        self.asked: list[Request] = []

    def perform(self, request: Perform) -> Answer:
        self.asked.append(request)
        return super().perform(request)

    def priority(self, request: Priority) -> Answer:
        self.asked.append(request)
        return super().priority(request)

    def check(self, request: CheckState) -> Answer:
        self.asked.append(request)
        return super().check(request)

    def place(self, request: PlaceTriggers) -> Answer:
        self.asked.append(request)
        return super().place(request)

    def resolve(self, request: Resolve) -> Answer:
        self.asked.append(request)
        return super().resolve(request)
