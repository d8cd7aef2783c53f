"""The trace of a game, made when it is asked for: its answers are followed once more, firing by firing."""

from __future__ import annotations

from collections.abc import Sequence

from fsm.requests import Answer
from fsm.run import Run
from fsm.stepwise import stepwise_of
from fsm.trace import Head, Trace


class Recorder:
    """Follows a game from where it began (`start`), or was restored: then the trace is not complete."""

    def __init__(self, head: Head, start: Run, *, complete: bool = True) -> None:
        self.run, self.taken = start, 0
        self.trace = Trace(head, complete=complete)
        if complete:
            stepwise_of(start.model).onward(start, self.trace.entries.append)

    def upto(self, answers: Sequence[Answer]) -> Trace:
        """The trace, as far as these answers; they begin with those of the last time."""
        entries, stepwise = self.trace.entries, stepwise_of(self.run.model)
        for answer in answers[self.taken :]:
            entries.append(answer)
            stepwise.answered(self.run, answer, entries.append)
        self.taken = len(answers)
        return self.trace
