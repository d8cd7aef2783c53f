"""The recorder makes the trace of a game when it is asked for. It repeats the answers in the interpreter."""

from __future__ import annotations

from fsm.engine.answer_log import AnswerLog
from fsm.engine.interpreter import Interpreter
from fsm.engine.trace import Trace
from fsm.engine.wait_points import ODD, wait_points_of
from fsm.model import Model
from fsm.state.run import Run
from fsm.state.setup import GameHeader, run_of


class Recorder:
    """Follows a game from its beginning. The trace of a restored game begins where it was restored."""

    def __init__(self, model: Model, head: GameHeader, restored: Run | None = None) -> None:
        complete = restored is None
        self.run = run_of(model, head) if restored is None else restored.copy()
        self.taken, self.odd = 0, 0
        self.trace = Trace(head, complete=complete, model=model)
        if complete:
            Interpreter(model).onward(self.run, self.trace.entries.append)

    def upto(self, given: AnswerLog) -> Trace:
        """Return the trace up to these answers. They must begin with the answers of the last call."""
        run, entries = self.run, self.trace.entries
        interpreter, points = Interpreter(run.model), wait_points_of(run.model)
        for code in given.codes[self.taken :]:
            if code != ODD:
                answer = points.at(run.state, run.frame).numbered[code].answer
            elif given.odd is not None:
                answer, self.odd = given.odd[self.odd], self.odd + 1
            entries.append(answer)
            interpreter.answered(run, answer, entries.append)
        self.taken = len(given.codes)
        return self.trace
