"""The recorder makes the trace of a game when it is asked for. It repeats the answers in the interpreter."""

from __future__ import annotations

from fsm.engine.answer_log import AnswerLog
from fsm.engine.follower import Follower
from fsm.engine.interpreter import Interpreter
from fsm.engine.requests import Answer
from fsm.engine.starting import first_run
from fsm.engine.trace import Trace
from fsm.model import Model
from fsm.state.run import Run
from fsm.state.setup import GameHeader


class Recorder(Follower):
    """Follows a game from its beginning. The trace of a restored game begins where it was restored."""

    def __init__(self, model: Model, head: GameHeader, restored: Run | None = None) -> None:
        complete = restored is None
        super().__init__(first_run(model, head) if restored is None else restored.copy())
        self.interpreter = Interpreter(model)
        self.trace = Trace(head, complete=complete, model=model)
        if complete:
            self.interpreter.onward(self.run, self.trace.entries.append)

    def upto(self, given: AnswerLog) -> Trace:
        """Return the trace up to these answers. They must begin with the answers of the last call."""
        self.follow(given)
        return self.trace

    def take(self, answer: Answer) -> None:
        """Record an answer and what fires."""
        self.trace.entries.append(answer)
        self.interpreter.answered(self.run, answer, self.trace.entries.append)
