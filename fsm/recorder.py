"""The trace of a game, made when it is asked for: its answers are followed once more, firing by firing."""

from __future__ import annotations

from fsm.given import Given
from fsm.places import ODD, places_of
from fsm.run import Run
from fsm.stepwise import stepwise_of
from fsm.trace import Head, Trace


class Recorder:
    """Follows a game from where it began (`start`), or was restored: then the trace is not complete."""

    def __init__(self, head: Head, start: Run, *, complete: bool = True) -> None:
        self.run, self.taken, self.odd = start, 0, 0
        self.trace = Trace(head, complete=complete)
        if complete:
            stepwise_of(start.model).onward(start, self.trace.entries.append)

    def upto(self, given: Given) -> Trace:
        """The trace, as far as these answers; they begin with those of the last time."""
        run, entries, stepwise, places = (
            self.run,
            self.trace.entries,
            stepwise_of(self.run.model),
            places_of(self.run.model),
        )
        for code in given.codes[self.taken :]:
            if code != ODD:
                answer = places.at(run.state, run.frame).numbered[code].answer
            elif given.odd is not None:
                answer, self.odd = given.odd[self.odd], self.odd + 1
            entries.append(answer)
            stepwise.answered(run, answer, entries.append)
        self.taken = len(given.codes)
        return self.trace
