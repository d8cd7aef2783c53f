"""The host of a quiet game, which does nothing, and one that notes what it was asked."""

from __future__ import annotations

from fsm.embedding.host import BaseHost
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


class NullHost(BaseHost):
    """Nobody does anything: ready-made answers that tell what may be asked, so that a host costs
    next to nothing.
    """

    def on_perform(self, request: Perform) -> Answer:
        return PERFORMED

    def on_priority(self, request: Priority) -> Answer:
        return PASSED

    def on_check_state(self, request: CheckState) -> Answer:
        return CHECKED

    def on_place_triggers(self, request: PlaceTriggers) -> Answer:
        return DONE

    def on_resolve(self, request: Resolve) -> Answer:
        return DONE


class Noting(NullHost):
    """A quiet host that keeps every request it was asked, in order."""

    def __init__(self) -> None:
        self.asked: list[Request] = []

    def on_perform(self, request: Perform) -> Answer:
        self.asked.append(request)
        return super().on_perform(request)

    def on_priority(self, request: Priority) -> Answer:
        self.asked.append(request)
        return super().on_priority(request)

    def on_check_state(self, request: CheckState) -> Answer:
        self.asked.append(request)
        return super().on_check_state(request)

    def on_place_triggers(self, request: PlaceTriggers) -> Answer:
        self.asked.append(request)
        return super().on_place_triggers(request)

    def on_resolve(self, request: Resolve) -> Answer:
        self.asked.append(request)
        return super().on_resolve(request)
