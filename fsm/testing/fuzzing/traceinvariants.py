"""The invariants of the trace of a whole game: its phases and steps end, and it can be replayed."""

from __future__ import annotations

from dataclasses import dataclass

from fsm.engine.controller import TurnController
from fsm.engine.replay import replay
from fsm.engine.trace import Trace
from fsm.errors import FsmError
from fsm.model import Action


def every_begun_phase_ends(trace: Trace) -> str | None:
    """A phase or step that begins ends before the next one begins, unless it is suspended, and
    before the turn ends.
    """
    occurrences = _Occurrences()
    for record in trace.records:
        for text in record.actions:
            wrong = occurrences.take(Action.parse(text))
            if wrong:
                return f"{wrong} (turn {record.turn}, at {record.transition!r})"
    return None


@dataclass(eq=False)
class _Occurrence:
    level: str
    name: str
    ended: bool = False


class _Occurrences:
    """What has begun this turn, what is current and what is suspended, derived from the actions
    that were taken.
    """

    def __init__(self) -> None:
        self.begun: list[_Occurrence] = []
        self.current: dict[str, _Occurrence | None] = {"phase": None, "step": None}
        self.waiting: list[dict[str, _Occurrence | None]] = []

    def take(self, action: Action) -> str | None:
        """Process one action. Return what it leaves open, or None."""
        level = action.args[0] if action.args else ""
        if action.name in ("begin", "begin_quietly") and level in self.current:
            return self._begin(level, action.args[1])
        current = self.current.get(level)
        if action.name == "end" and current is not None:
            current.ended = True
        elif action.name == "suspend":
            self.waiting.append(dict(self.current))
        elif action.name == "resume" and self.waiting:
            self.current = self.waiting.pop()
        elif action.name == "end_turn":
            return self._end_turn()
        return None

    def _begin(self, level: str, name: str) -> str | None:
        old = self.current[level]
        waits = any(old is each[level] for each in self.waiting)
        self.current[level] = now = _Occurrence(level, name)
        self.begun.append(now)
        if old is None or old.ended or waits:
            return None
        return f"{level} {name!r} begins, but {old.name!r} has not ended"

    def _end_turn(self) -> str | None:
        left = [each for each in self.begun if not each.ended]
        self.begun, self.current, self.waiting = [], {"phase": None, "step": None}, []
        return (
            f"the turn ends, but {left[0].level} {left[0].name!r} has not ended" if left else None
        )


def trace_replays(controller: TurnController) -> str | None:
    """The trace leads to the same position after it was written and read as JSON Lines."""
    try:
        trace = Trace.read(controller.trace.lines())
        replayed = replay(trace, controller.model)
    except FsmError as error:
        return f"its trace cannot be replayed: {error}"
    if replayed.request != controller.request or replayed.snapshot() != controller.snapshot():
        return f"the replay of its trace stands in {replayed.request.at.stage!r}, not {controller.request.at.stage!r}"
    return None
