"""The recorder makes the trace of a game when it is read. It repeats the answers.

While the game is at a node of the memo of positions, the records are those of its edges. Otherwise the interpreter
makes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from fsm.engine.answer_log import NO_ANSWERS, AnswerLog
from fsm.engine.follower import Follower
from fsm.engine.interpreter import Interpreter
from fsm.engine.positions import Node, positions_of, progress, total
from fsm.engine.requests import Answer
from fsm.engine.starting import first_run
from fsm.engine.trace import Record, Trace
from fsm.model import Model
from fsm.state.run import Run
from fsm.state.setup import GameHeader


class Recorder:
    """Has the trace of a game. The trace of a restored game begins where it was restored."""

    def __init__(self, model: Model, head: GameHeader, restored: Run | None = None) -> None:
        self.trace = Trace(head, complete=restored is None, model=model)
        self._begin = partial(_Repeated, model, head, restored)
        self._read: _Repeated | None = None
        self._given = NO_ANSWERS

    def upto(self, given: AnswerLog) -> Trace:
        """Return the trace up to these answers. They must begin with the answers of the last call."""
        self._given, self.trace.unread = given, self
        return self.trace

    def rest(self) -> Iterator[Answer | Record]:
        """Yield the entries that it did not yield before."""
        self._read = self._read or self._begin()
        return self._read.entries(self._given)

    def anew(self) -> Iterator[Answer | Record]:
        """Yield all entries, and keep none of them."""
        return self._begin().entries(self._given)


class _Repeated(Follower):
    """The game, repeated as far as its entries have been read."""

    def __init__(self, model: Model, head: GameHeader, restored: Run | None) -> None:
        super().__init__(first_run(model, head) if restored is None else restored.copy())
        self.before, self.fired = list[Record](), list[Record]()
        self._interpreter, self._positions = Interpreter(model), positions_of(model)
        if restored is None:
            self._interpreter.onward(self.run, self.before.append)
        self._players, self._progress = head.players, progress(self.run)
        self._node: Node | None = self._positions.find(self.run)

    def entries(self, given: AnswerLog) -> Iterator[Answer | Record]:
        """Yield the answers that are new, each with what fires after it."""
        before, self.before = self.before, []
        yield from before
        for answer in self.following(given):
            yield answer
            yield from self.fired

    def numbered(self, code: int) -> Answer:
        """Return the answer of this number."""
        return super().numbered(code) if self._node is None else self._node.point.numbered[code].answer

    def take(self, answer: Answer) -> None:
        """Repeat an answer."""
        node = self._node
        if node is not None:
            edge = node.edges.get(id(answer)) or node.edge(answer)
            if edge is not None:
                self.fired = node.firings(edge).of(self._players, self._progress.turn, self._progress.base)
                self._node = edge.node
                self._progress = self._progress if edge.later is None else total(self._progress, edge.later)
                return
            self.run = node.made_run(self._players, self._progress)
        self.fired = []
        self._interpreter.answered(self.run, answer, self.fired.append)
        self._node = self._positions.find(self.run)
        self._progress = progress(self.run)
