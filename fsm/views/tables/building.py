"""Computes the table of a Model: phases, their steps, the rows of each, and the footnotes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fsm.errors import DrawError
from fsm.model import Model, State
from fsm.views.drawing.shape import is_turn
from fsm.views.tables.destinations import is_ordinary, leaves, siblings
from fsm.views.tables.endings import chain, endings
from fsm.views.tables.expiry import expiries
from fsm.views.tables.flat import flat
from fsm.views.tables.stateorder import outgoing, reached, stops
from fsm.views.tables.steprows import StepRowsWriter
from fsm.views.tables.tidying import tidy_ending, tidy_footnote, tidy_phase
from fsm.views.tables.turntable import PhaseRows, Row, StepRows, TurnTable
from fsm.views.tables.windows import footnotes
from fsm.views.tables.wording import condition, sentence
from fsm.wording import label_of, line, lower_first, plain

HEADS = ("Phase", "Step", "Actions, in order", "Rule")
ROLES_AFTER_STEPS = ("end", "after")
ROLES_ELSEWHERE = ("procedure", "hub", "resume")


def table_of(model: Model, view: str = "turn") -> TurnTable:
    """Return the table of a model's turn, or of its window (`view="window"`).

    A model without phases and steps gives a table of its states. Raises DrawError if there is no
    such window.
    """
    if view == "window":
        if model.window is None:
            raise DrawError(
                f"{model.name!r} has no window model, so there is no table of it; show the turn"
            )
        return flat(model.window)
    if not is_turn(model):
        return flat(model)
    phases = tuple(tidy_phase(phase) for phase in _phases(model) if phase.height)
    used = {row.mark for phase in phases for step in phase.steps for row in step.rows}
    return TurnTable(
        title=line(model.title or model.name),
        edition=line(model.edition),
        heads=HEADS,
        phases=phases,
        footnotes=tuple(map(tidy_footnote, footnotes(model, used))),
        endings=tuple(map(tidy_ending, endings(model))),
        holes=tuple(_holes(model, phases)),
        options=tuple(
            (plain(name), plain(str(value).lower())) for name, value in model.options.items()
        ),
    )


def _holes(model: Model, phases: Sequence[PhaseRows]) -> Iterator[str]:
    described = {
        row.state
        for phase in phases
        for step in phase.steps
        for row in step.rows
        if row.kind == "hole"
    }
    for part in model.machines.values():
        for state in part.leaves:
            if state.id not in described and stops(part, state):
                yield label_of(state)


def _phases(model: Model) -> Iterator[PhaseRows]:
    turns = [state for state in model.states if state.kind == "turn"]
    yield from _outside(model)
    for turn in turns:
        yield _whole(turn, _edge_label(model, turn, "begin"), _lines(model, turn, late=False))
    for state in model.states:
        if state.kind == "phase":
            yield _phase(model, state)
        elif state.kind == "step" and model.enclosing(state.id, "phase") is None:
            yield PhaseRows(state.id, "", "", (_step(model, state),))
    for turn in turns:
        yield _whole(turn, _edge_label(model, turn, "end"), _lines(model, turn, late=True))


def _outside(model: Model) -> Iterator[PhaseRows]:
    """Yield what comes before the first turn, and what is in no turn, phase or step."""
    nowhere, first = State("", "turn"), model.state(model.initial)
    before = chain(model, first.id) if first.role == "procedure" else []
    loose = [
        s
        for s in model.leaves
        if not s.parent and s.kind in ("action", "window") and s.role not in ROLES_ELSEWHERE
    ]
    for label, members in (("Before the first turn", before), ("Outside the turn", loose)):
        yield _whole(nowhere, label, StepRowsWriter(model, nowhere, members).rows())


def _whole(home: State, label: str, rows: tuple[Row, ...]) -> PhaseRows:
    return PhaseRows(home.id, label, home.rule, (StepRows("", "", "", rows),))


def _phase(model: Model, phase: State) -> PhaseRows:
    steps = [s for s in model.of_kind("step") if model.enclosing(s.id, "phase") == phase]
    outer = model.enclosing(phase.parent, "phase") if phase.parent else None
    notes = [f"inside {label_of(outer)}"] if outer else []
    head = _lines(model, phase, late=False)
    inner = [_step(model, step) for step in steps]
    described = [row.text for step in inner for row in step.rows]
    tail = tuple(
        _without_repeated_expiries(
            (*_phase_expiries(model, phase), *_lines(model, phase, late=True)), described
        )
    )
    if len(steps) == 1 and _same_name(phase, steps[0]):
        notes += (
            [lower_first(label_of(steps[0]))]
            if label_of(steps[0]).lower() != label_of(phase).lower()
            else []
        )
        rows = (*head, *inner[0].rows, *tail)
        groups = [StepRows(steps[0].id, "", steps[0].rule, rows)]
    else:
        groups = [StepRows(phase.id, "", phase.rule, head), *inner]
        groups.append(
            StepRows(phase.id, _edge_label(model, phase, "end") if steps else "", phase.rule, tail)
        )
    kept = tuple(group for group in groups if group.rows)
    kept = kept or (StepRows(phase.id, "", phase.rule, _nothing(phase)),)
    return PhaseRows(phase.id, label_of(phase), phase.rule, kept, ", ".join(notes))


def _same_name(phase: State, step: State) -> bool:
    return phase.name == step.name != "" or label_of(phase) == label_of(step)


def _without_repeated_expiries(rows: Iterable[Row], described: list[str]) -> Iterator[Row]:
    """Drop rows about durations that end with the phase if a step has described them already."""
    for row in rows:
        if row.kind != "expiry" or not any(row.text in text for text in described):
            yield row
        described = [*described, row.text]


def _edge_label(model: Model, home: State, role: str) -> str:
    """Return a label for the beginning or the end of a phase or turn."""
    labels = [label_of(s) for s in model.children(home.id) if s.role == role and s.label]
    return labels[0] if labels else f"{label_of(home)} {role}s"


def _lines(model: Model, home: State, *, late: bool) -> tuple[Row, ...]:
    """Return the rows of states directly in a phase or turn, before its steps or after them."""
    own = [
        s
        for s in model.children(home.id)
        if not s.composite and s.role not in ROLES_ELSEWHERE and s.kind != "final"
    ]
    members = [s for s in own if (s.role in ROLES_AFTER_STEPS) == late]
    return StepRowsWriter(model, home, members).rows()


def _phase_expiries(model: Model, phase: State) -> Iterator[Row]:
    """Yield the durations that end with the phase, wherever in it the transition is that ends it."""
    own = [s.id for s in model.leaves if phase in model.path(s.id) and s.id in reached(model)]
    rows = [t for id in own for t in outgoing(model)[id] if t.layer != "jump" and t.target]
    yield from expiries(model, rows, "end", "phase", phase)


def _nothing(home: State) -> tuple[Row, ...]:
    return (Row("nothing", "Nothing happens.", home.rule, state=home.id),)


def _step(model: Model, step: State) -> StepRows:
    members = [s for s in model.leaves if s.parent == step.id]
    rows = StepRowsWriter(model, step, members).rows()
    if not any(s.id in reached(model) for s in members):
        rows = (Row("hole", "Nothing leads here.", step.rule, state=step.id),)
    rows = rows or _nothing(step)
    jumped = [
        row
        for row in _skipped_by_step_before(model, step)
        if row.text not in {r.text for r in rows}
    ]
    return StepRows(step.id, label_of(step), step.rule, (*jumped, *rows))


def _skipped_by_step_before(model: Model, step: State) -> Iterator[Row]:
    """Yield rows for the step before continuing elsewhere, past this step."""
    same = siblings(model, step)
    at = same.index(step)
    before = same[at - 1] if at else None
    if before is None:
        return
    leaving = [
        r
        for s in model.leaves
        if s.parent == before.id
        for r in outgoing(model)[s.id]
        if s.role == "after" and not r.generic and leaves(model, before, r)
    ]
    for row in leaving:
        when = condition(model, row)
        if when and not is_ordinary(model, before, row):
            yield Row("absent", sentence("", f"left out {when}"), row.rule, state=row.source)
