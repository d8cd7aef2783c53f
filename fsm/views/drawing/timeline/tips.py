"""What the tooltips of a timeline say."""

from __future__ import annotations

from collections.abc import Iterator

from fsm.model import Model
from fsm.runs.turns import Cell, Turn
from fsm.views.drawing.rowlabels import event_words
from fsm.views.drawing.timeline.columns import Columns
from fsm.views.drawing.tooltips import cite
from fsm.wording import citation, cited_rule, label_of, plain

TIMES = {1: "", 2: "2nd time this turn", 3: "3rd time this turn"}


def step_tip(columns: Columns, step: str) -> str:
    """Above a column: the step with its code, its phases, its rule."""
    column, model = columns.of[step], columns.model
    inside = " in ".join(label_of(phase) for phase in reversed(columns.phases[step]))
    lines = [
        f"{column.code}: {label_of(column.step)}",
        f"in {inside}" if inside else "",
        plain(column.step.doc),
    ]
    return _said([*lines, cite(model, column.step.rule)])


def cell_tip(columns: Columns, turn: Turn, cell: Cell, player: str) -> str:
    """One visit: where and when, why it is special, what was done, who acted, its rule."""
    model, step = columns.model, columns.of[cell.step].step
    when = f"turn {turn.number}, {player}"
    if cell.skipped:
        return _said([*_skipped(model, cell), when, cite(model, cell.rule)])
    lines = [
        f"{label_of(step)}, {when}",
        _times(cell.iteration),
        *_special(model, cell),
        _done(model, cell),
    ]
    return _said([*lines, _acting(cell), cite(model, step.rule)])


def turn_tip(turn: Turn, player: str, note: str) -> str:
    """A turn: whose, which, and its note in full."""
    if not turn.number:
        return _said(["a turn was skipped", cited_rule(turn.rule)])
    return _said([f"turn {turn.number}, {player}", note])


def turn_said(model: Model, turn: Turn, player: str) -> str:
    """A turn in one sentence, for those who do not see it."""
    if not turn.number:
        return "A turn was skipped."
    steps = (
        f"({', '.join(_skipped(model, c))})" if c.skipped else label_of(model.state(c.step))
        for c in turn.cells
    )
    return f"Turn {turn.number}, {player}: {', '.join(steps) or 'nothing'}."


def _times(iteration: int) -> str:
    return TIMES.get(iteration, f"{iteration}th time this turn")


def _skipped(model: Model, cell: Cell) -> Iterator[str]:
    """The steps left out, from the first to the last of them in the model's order."""
    steps = list(model.of_kind("step"))
    ends = [steps.index(model.state(id)) for id in (cell.step, cell.through or cell.step)]
    yield "skipped: " + ", ".join(label_of(step) for step in steps[ends[0] : ends[1] + 1])


def _special(model: Model, cell: Cell) -> Iterator[str]:
    if cell.extra:
        yield "extra"
    if cell.again:
        yield "begins again by itself"
    if cell.back:
        yield "back where it waited"
    if cell.loops:
        yield f"went back within itself {_many(cell.loops, 'time')}"
    if cell.cut:
        yield _cut(model, cell.cut_by)


def _cut(model: Model, id: str) -> str:
    row = next((t for t in model.transitions if t.id == id), None)
    by = event_words(model, row) if row else ""
    return (
        "cut short" + (f" by {by}" if by else "") + (citation(cited_rule(row.rule)) if row else "")
    )


def _done(model: Model, cell: Cell) -> str:
    """The actions performed, in order; one performed several times in a row is told once."""
    names = list(dict.fromkeys(label_of(model.state(id)) for id in cell.stages))
    return f"done: {', '.join(names)}" if names else ""


def _acting(cell: Cell) -> str:
    if not cell.priority:
        return "nobody could act"
    why = " because something happened" if cell.conditional else ""
    said = [f"acted {_many(cell.acted, 'time')}", f"passed {_many(cell.passed, 'time')}"]
    said += [f"{cell.resolved} resolved"] if cell.resolved else []
    return f"players could act{why}: {', '.join(said)}"


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _said(lines: list[str]) -> str:
    return "\n".join(line for line in lines if line)
