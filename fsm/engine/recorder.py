"""The recorder makes the trace of a game when it is read. It repeats the answers.

While the game is at a node of the memo of positions, the records are those of its edges. Otherwise
the interpreter makes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain

from fsm.engine.answer_log import NO_ANSWERS, AnswerLog
from fsm.engine.follower import Follower
from fsm.engine.interpreter import Interpreter
from fsm.engine.positions import GameMoment, Node, positions_of, progress, total
from fsm.engine.records import Record, tell
from fsm.engine.requests import Answer
from fsm.engine.starting import first_run
from fsm.engine.trace import Trace
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
        return chain.from_iterable(self._read.parts(self._given))

    def anew(self) -> Iterator[Answer | Record]:
        """Yield all entries, and keep none of them."""
        return chain.from_iterable(self._begin().parts(self._given))


class _Repeated(Follower):
    """The game, repeated as far as its entries have been read."""

    def __init__(self, model: Model, head: GameHeader, restored: Run | None) -> None:
        super().__init__(first_run(model, head) if restored is None else restored.copy())
        self.before, self.fired = list[Record](), list[Record]()
        self._interpreter, self._positions = Interpreter(model), positions_of(model)
        if restored is None:
            self._interpreter.onward(self.run, self.before.append)
        self._moment = GameMoment(head.players, progress(self.run))
        self._node: Node | None = self._positions.find(self.run)

    def parts(self, given: AnswerLog) -> Iterator[list[Answer | Record]]:
        """Yield the answers that are new, each with what fires after it: many together."""
        found: list[Answer | Record] = [*self.before]
        self.before.clear()
        for part in given.since(self.taken):
            if isinstance(part, bytes):
                found += self._along(part)
                self.taken += len(part)
            else:
                self.take(part)
                found += (part, *self.fired)
                self.taken += 1
            yield found
            found = []
        yield found

    def _along(self, codes: bytes) -> list[Answer | Record]:
        """Repeat plain answers, along the edges of the memo where there are any."""
        found: list[Answer | Record] = []
        node, moment = self._node, self._moment
        for code in codes:
            if node is not None and (edge := node.edges.get(code)) is not None:
                firings = edge.firings or node.firings(edge)
                found.append(firings.answer)
                tell(firings.shared, moment, found.append)
                if edge.later is not None:
                    moment = GameMoment(moment.players, total(moment.progress, edge.later))
                node = edge.node
            else:
                self._node, self._moment = node, moment
                answer = self.numbered(code)
                self.take(answer)
                found += (answer, *self.fired)
                node, moment = self._node, self._moment
        self._node, self._moment = node, moment
        return found

    def numbered(self, code: int) -> Answer:
        """Return the answer of this number."""
        return (
            super().numbered(code) if self._node is None else self._node.point.numbered[code].answer
        )

    def take(self, answer: Answer) -> None:
        """Repeat an answer."""
        if self._node is not None:
            self.run = self._node.made_run(self._moment.players, self._moment.progress)
        self.fired = []
        self._interpreter.answered(self.run, answer, self.fired.append)
        self._node = self._positions.find(self.run)
        self._moment = GameMoment(self._moment.players, progress(self.run))
