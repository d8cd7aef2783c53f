"""Records one game of a TurnController: its firings, and the events that were refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fsm.coverage.data import Data, Literal, OpenWalk, subject_of
from fsm.coverage.datareader import DataReader
from fsm.coverage.extension import Recorder, Recording
from fsm.coverage.instrumentation.buffer import Buffer
from fsm.coverage.instrumentation.contexts import context as in_context
from fsm.coverage.instrumentation.models import remember
from fsm.engine.requests import Answer
from fsm.engine.trace import Record
from fsm.model import Model
from fsm.model.permodel import per_model

Guards = tuple[tuple[str, bool], ...]


class RecordedGame:
    """Records one game. Its turn is one walk, and each window that opens is a walk of its own."""

    def __init__(self, model: Model, buffers: Sequence[Recorder], stage: str = "", of: int = 0) -> None:
        self.model, self.buffers, self.stage, self.frame = model, buffers, stage, ""
        self.subject = subject_of(model)
        remember(self.subject, model)
        self.inside = _staying(model)
        self.of = (of,)
        self.turn = OpenWalk(self.subject, "turn", self.of)
        self.window = OpenWalk(self.subject, "window", self.of)

    @classmethod
    def of_trace(cls, model: Model, trace: Recording, context: str = "") -> Data:
        """Return the data of a recorded game."""
        reader = DataReader()
        buffer = Buffer(reader.take_all)
        with in_context(context):
            game = cls(model, (buffer,))
            for answer, records in _answers(trace):
                game.answered(answer, records)
            game.ended()
        buffer.flush()
        return reader.data

    def answered(self, answer: Answer | None, records: Sequence[Record]) -> None:
        """Record the firings of an answer."""
        for number, record in enumerate(records):
            self._fired(record)
            if number == 0 and answer is not None and answer.interruptions:
                self._signalled(answer.interruptions[0].event)

    def _fired(self, record: Record) -> None:
        turn = record.machine == "turn"
        literals = decided(self.model, record.machine, record.source, record.event, record.transition, record.guards)
        walk = self.turn if turn else self.window
        for buffer in self.buffers:
            buffer.fired(walk, (record.transition, record.source), literals)
        if turn:
            self.stage = record.target
            if record.transition not in self.inside:
                self._closed()
        else:
            self.frame = record.target
            if self.model.window is not None and self.model.window.state(record.target).kind == "final":
                self._closed()
                self.frame = record.target

    def _closed(self) -> None:
        """End the walk of the window."""
        if self.frame:
            for buffer in self.buffers:
                buffer.ended(self.window)
            self.window, self.frame = OpenWalk(self.subject, "window", self.of), ""

    def _signalled(self, event: str) -> None:
        """Record a signal that no transition takes right after the first firing of its answer."""
        rows = self.model.rows(self.stage, event) if self.stage else ()
        if self.stage and not rows:
            self.refused("turn", self.stage, event)
        window = self.model.window
        if window is None or not self.frame or not any(row.target is None for row in rows):
            return
        if event in {e.name for e in window.events} and not window.rows(self.frame, event):
            self.refused("window", self.frame, event)

    def refused(self, machine: str, state: str, event: object) -> None:
        """Record that an event was tried where it is not possible. What is no event of the model is not recorded."""
        model = self.model if machine == "turn" else self.model.window
        if model is not None and isinstance(event, str) and event in {e.name for e in model.events}:
            for buffer in self.buffers:
                buffer.refused(self.turn if machine == "turn" else self.window, (state, event))

    def ended(self) -> None:
        """End the game and its walks."""
        for buffer in self.buffers:
            buffer.ended(self.turn)
            buffer.ended(self.window)


@per_model
def _staying(model: Model) -> frozenset[str]:
    """Return the ids of the transitions that do not change the state."""
    return frozenset(row.id for row in model.transitions if row.target is None)


@per_model
def decided(model: Model, machine: str, at: str, event: str, fired: str, guards: Guards) -> tuple[Literal, ...]:
    """Return the literals that decided a firing: the first that failed in each row above, and all of the row itself."""
    own = model if machine == "turn" or model.window is None else model.window
    return tuple(_decided(own, at, event, fired, dict(guards)))


def _decided(model: Model, at: str, event: str, fired: str, values: dict[str, bool]) -> Iterable[Literal]:
    for row in model.rows(at, event):
        if row.id == fired:
            yield from ((row.id, str(term), True) for term in row.guard)
            return
        term = next((term for term in row.guard if values.get(term.fact, term.value) != term.value), None)
        if term is not None:
            yield row.id, str(term), False


def _answers(trace: Recording) -> Iterable[tuple[Answer | None, list[Record]]]:
    """Yield each answer with its firings. What fired before the first answer comes with None."""
    answer: Answer | None = None
    records: list[Record] = []
    for entry in trace.entries:
        if isinstance(entry, Record):
            records.append(entry)
        elif isinstance(entry, Answer):
            yield answer, records
            answer, records = entry, []
    yield answer, records
