"""The recorder makes the trace of a game when it is asked for. It repeats the answers.

While the game is at a node of the memo of positions, the records are those of its edges. Otherwise the interpreter
makes them.
"""

from __future__ import annotations

from fsm.engine.answer_log import AnswerLog
from fsm.engine.edgerecords import records_along
from fsm.engine.follower import Follower
from fsm.engine.interpreter import Interpreter
from fsm.engine.positions import Node, positions_of, progress, total
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
        self.interpreter, self._positions = Interpreter(model), positions_of(model)
        self.trace = Trace(head, complete=complete, model=model)
        if complete:
            self.interpreter.onward(self.run, self.trace.entries.append)
        self._players, self._progress = head.players, progress(self.run)
        self._node: Node | None = self._positions.find(self.run)

    def upto(self, given: AnswerLog) -> Trace:
        """Return the trace up to these answers. They must begin with the answers of the last call."""
        self.follow(given)
        return self.trace

    def numbered(self, code: int) -> Answer:
        """Return the answer of this number."""
        return super().numbered(code) if self._node is None else self._node.point.numbered[code].answer

    def take(self, answer: Answer) -> None:
        """Record an answer and what fires."""
        entries, node = self.trace.entries, self._node
        entries.append(answer)
        edge = node.edge(answer) if node is not None else None
        if node is not None and edge is not None:
            entries += records_along(node, edge, self._players, self._progress)
            self._node = edge.node
            self._progress = self._progress if edge.later is None else total(self._progress, edge.later)
            return
        if node is not None:
            self.run = node.made_run(self._players, self._progress)
        self.interpreter.answered(self.run, answer, entries.append)
        self._node = self._positions.find(self.run)
        self._progress = progress(self.run)
