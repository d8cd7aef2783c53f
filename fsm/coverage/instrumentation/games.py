"""What fired in games, as firings of the machines turn and window."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fsm.coverage.data import Data, Literal, subject_of
from fsm.coverage.entries import DataReader
from fsm.coverage.instrumentation.buffer import Buffer
from fsm.coverage.instrumentation.passages import Firing, Places, Walk
from fsm.coverage.recorded import remember
from fsm.engine.records import Record
from fsm.engine.requests import Answer
from fsm.engine.semantics import TURN, WINDOW, Fired
from fsm.engine.trace import Trace
from fsm.model import Model
from fsm.model.model import per_model
from fsm.state.orders import EndPhase, EndTurn, Signal

Refusal = tuple[str, str, str]
"""The machine, its state, and the event that no transition takes there."""


def firings_of(model: Model, fired: Iterable[Fired | Record]) -> Iterator[Firing]:
    """Yield what fired. Where the turn goes on, its window ends."""
    for one in fired:
        id = one.row.id if isinstance(one, Fired) else one.transition
        literals = decided(model, one.machine, one.source, one.event, id, one.guards)
        ends = WINDOW if one.machine == TURN and id not in _staying(model) else ""
        yield Firing(one.machine, (id, one.source), literals, ends)


@per_model
def _staying(model: Model) -> frozenset[str]:
    """Return the ids of the transitions that do not change the state."""
    return frozenset(row.id for row in model.transitions if row.target is None)


@per_model
def decided(
    model: Model,
    machine: str,
    at: str,
    event: str,
    fired: str,
    guards: tuple[tuple[str, bool], ...],
) -> tuple[Literal, ...]:
    """Return the literals that decided a firing: the first that failed in each row above, and all
    of the row itself.
    """
    return tuple(_decided(model.machines[machine], at, event, fired, dict(guards)))


def _decided(
    model: Model, at: str, event: str, fired: str, values: dict[str, bool]
) -> Iterable[Literal]:
    for row in model.rows(at, event):
        if row.id == fired:
            yield from ((row.id, str(term), True) for term in row.guard)
            return
        for term in row.guard:
            if values.get(term.fact, term.value) != term.value:
                yield row.id, str(term), False
                break


def refused_signals(
    model: Model, answer: Answer, fired: Sequence[Fired | Record], stage: str, frame: str
) -> Iterator[Refusal]:
    """Yield the events of an answer that no transition takes.

    `stage` and `frame` are the states of turn and window when it was given; `frame` is "" if no
    window was open.
    """
    events = [o.event for o in answer.orders if isinstance(o, Signal | EndTurn | EndPhase)]
    due = list(fired)
    if answer.word and due and events:
        first = due.pop(0)
        stage, frame = (first.target, "") if first.machine == TURN else (stage, first.target)
    for event in events:
        if event == model.leaving:
            continue
        if not (due and due[0].machine == TURN and due[0].event == event):
            yield TURN, stage, event
            continue
        taken = due.pop(0)
        stays = taken.source == taken.target and not _moves(model, taken)
        stage = taken.target
        if due and due[0].machine == WINDOW and due[0].event == event:
            frame = due.pop(0).target
        elif stays and frame and model.window is not None:
            if event in {each.name for each in model.window.events}:
                yield WINDOW, frame, event
        else:
            frame = ""


def _moves(model: Model, fired: Fired | Record) -> bool:
    id = fired.row.id if isinstance(fired, Fired) else fired.transition
    return id not in _staying(model)


def data_of_trace(model: Model, trace: Trace, context: str) -> Data:
    """Return the data of a recorded game."""
    reader, places, subject = DataReader(), Places(), subject_of(model)
    buffer, walk = Buffer(reader.take_all), Walk(places.of(subject))
    remember(subject, model)
    stage = frame = ""
    for answer, records in _answers(trace):
        passage = places.passage(walk.place, records, firings_of(model, records))
        walk.place = passage.after
        buffer.took(walk, passage, context)
        for machine, *refused in (
            refused_signals(model, answer, records, stage, frame) if stage else ()
        ):
            buffer.refused(walk, machine, (refused[0], refused[1]))
        for record in records:
            if record.machine == TURN:
                stage, frame = record.target, "" if _moves(model, record) else frame
            else:
                frame = record.target
    buffer.flush()
    return reader.data


def _answers(trace: Trace) -> Iterator[tuple[Answer, list[Record]]]:
    """Yield each answer with its records. What fired before the first one comes with one that says
    nothing.
    """
    answer, records = Answer(""), list[Record]()
    for entry in trace.entries:
        if isinstance(entry, Record):
            records.append(entry)
        else:
            yield answer, records
            answer, records = entry, []
    yield answer, records
