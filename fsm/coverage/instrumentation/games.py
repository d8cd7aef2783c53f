"""Records one game of a TurnController: its firings, and the events that were refused."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from fsm.coverage.data import Data, Literal, OpenWalk, Passage, subject_of
from fsm.coverage.datareader import DataReader
from fsm.coverage.instrumentation.buffer import Buffer
from fsm.coverage.instrumentation.contexts import context as in_context
from fsm.coverage.instrumentation.models import remember
from fsm.engine.answered import Firings
from fsm.engine.requests import Answer, Over, Request
from fsm.engine.trace import Record, Trace
from fsm.model import Model
from fsm.model.model import per_model

Guards = tuple[tuple[str, bool], ...]


class RecordedGame:
    """Records one game. Its turn is one walk, and each window that opens is a walk of its own."""

    def __init__(
        self, model: Model, buffers: Sequence[Buffer], stage: str = "", of: int = 0
    ) -> None:
        self.model, self.buffers, self.stage, self.frame = model, buffers, stage, ""
        self.subject = subject_of(model)
        remember(self.subject, model)
        self.of = (of,)
        self.request: Request | Over | None = None  # that of the controller after the last answer
        self.turn = OpenWalk(self.subject, "turn", self.of)
        self.window = OpenWalk(self.subject, "window", self.of)

    @classmethod
    def of_trace(cls, model: Model, trace: Trace, context: str = "") -> Data:
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
        signals = answer.interruptions if answer is not None and records else ()
        if signals:
            self._answered(records[:1])
            self._signalled(signals[0].event)
        self._answered(records[1:] if signals else records)

    def _answered(self, records: Sequence[Record]) -> None:
        effect = _effect(self.model, records, self.frame)
        self.stage, self.frame = effect.stage or self.stage, effect.frame
        self._took((effect,))

    def went(self, answers: Iterable[Firings], context: str) -> None:
        """Record what fired after plain answers, in a context. What it does to the walks is worked
        out once.
        """
        effects, frame = list[_Effect](), self.frame
        for firings in answers:
            effect = firings.noted.get(frame != "")
            if effect is None:
                effect = firings.noted[frame != ""] = _effect(self.model, firings.records, frame)
            effects.append(effect)
            frame = effect.frame
        self.frame = frame
        self._took(effects, context)

    def _took(self, effects: Sequence[_Effect], context: str | None = None) -> None:
        """Record what firings have done to the walks, in a context, or in the current one."""
        turn = [effect.turn for effect in effects if effect.turn is not None]
        window, whole = list[Passage](), dict[tuple[Passage, ...], int]()
        ended: list[Passage] | None = None
        for effect in effects:
            for passage, closes in effect.windows:
                if passage is not None:
                    window.append(passage)
                if closes and ended is None:
                    ended, window = window, []
                elif closes and window:
                    passages, window = tuple(window), []
                    whole[passages] = whole.get(passages, 0) + 1
        for buffer in self.buffers:
            if buffer.listening:
                buffer.hear(self.of, [firing for effect in effects for firing in effect.firings])
            if turn:
                buffer.took(self.turn, turn, context)
            if ended:
                buffer.took(self.window, ended, context)
            if ended is not None:
                buffer.ended(self.window)
                buffer.walked(self.window, whole, context)
        if ended is not None:
            self.window = OpenWalk(self.subject, "window", self.of)
        for buffer in self.buffers if window else ():
            buffer.took(self.window, window, context)

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
        """Record that an event was tried where it is not possible. What is no event of the model is
        not recorded.
        """
        model = self.model if machine == "turn" else self.model.window
        if model is not None and isinstance(event, str) and event in {e.name for e in model.events}:
            for buffer in self.buffers:
                buffer.refused(self.turn if machine == "turn" else self.window, (state, event))

    def ended(self) -> None:
        """End the game and its walks."""
        for buffer in self.buffers:
            buffer.ended(self.turn)
            buffer.ended(self.window)


@dataclass(frozen=True, slots=True, eq=False)
class _Effect:
    """What firings do to the walks of a game.

    Attributes
    ----------
    firings
        All of them in order: machine, transition and state.
    turn
        What is added to the walk of the turn, or None.
    windows
        What is added to the walk of the window, or None, and whether this walk ends then and
        another one begins.
    stage, frame
        The states of turn and window afterwards. The stage is "" if the turn has stayed where it
        was.
    """

    firings: Sequence[tuple[str, str, str]]
    turn: Passage | None
    windows: Sequence[tuple[Passage | None, bool]]
    stage: str
    frame: str


def _effect(model: Model, records: Sequence[Record], frame: str) -> _Effect:
    """Return what firings do to the walks of a game whose window is in the state `frame`, or "" if
    none is open.
    """
    turn, window, windows, stage = (
        list[Record](),
        list[Record](),
        list[tuple[Passage | None, bool]](),
        "",
    )
    for record in records:
        if record.machine == "turn":
            turn.append(record)
            stage = record.target
            if record.transition in _staying(model):
                continue
            closes, frame = bool(frame), ""
        else:
            window.append(record)
            frame = record.target
            closes = model.window is not None and model.window.state(frame).kind == "final"
        if closes:
            windows.append((_passage(model, window), True))
            window = []
    if window:
        windows.append((_passage(model, window), False))
    firings = [(record.machine, record.transition, record.source) for record in records]
    return _Effect(firings, _passage(model, turn), windows, stage, frame)


def _passage(model: Model, records: Sequence[Record]) -> Passage | None:
    literals = (
        decided(model, r.machine, r.source, r.event, r.transition, r.guards) for r in records
    )
    steps = [(r.transition, r.source) for r in records]
    return Passage(steps, chain.from_iterable(literals)) if steps else None


@per_model
def _staying(model: Model) -> frozenset[str]:
    """Return the ids of the transitions that do not change the state."""
    return frozenset(row.id for row in model.transitions if row.target is None)


@per_model
def decided(
    model: Model, machine: str, at: str, event: str, fired: str, guards: Guards
) -> tuple[Literal, ...]:
    """Return the literals that decided a firing: the first that failed in each row above, and all
    of the row itself.
    """
    own = model if machine == "turn" or model.window is None else model.window
    return tuple(_decided(own, at, event, fired, dict(guards)))


def _decided(
    model: Model, at: str, event: str, fired: str, values: dict[str, bool]
) -> Iterable[Literal]:
    for row in model.rows(at, event):
        if row.id == fired:
            yield from ((row.id, str(term), True) for term in row.guard)
            return
        term = next(
            (term for term in row.guard if values.get(term.fact, term.value) != term.value), None
        )
        if term is not None:
            yield row.id, str(term), False


def _answers(trace: Trace) -> Iterable[tuple[Answer | None, list[Record]]]:
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
