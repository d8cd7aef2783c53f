"""What a timeline says in words, to those who point at it and to those who do not see it."""

from __future__ import annotations

from collections.abc import Iterator

from fsm.runs.turns import Cell
from fsm.runs.turns import Turn as Played
from fsm.views.reading import Turn
from fsm.wording import citation, cited_rule, lower_first


def turn_words(turn: Turn, played: Played, player: str) -> str:
    """Return a turn in one sentence."""
    word = turn.word.capitalize()
    if not played.number:
        return f"A {turn.word} was skipped."
    steps = [
        f"({_left_out(turn, cell)})" if cell.skipped else turn.names[cell.step]
        for cell in played.cells
    ]
    return f"{word} {played.number}, {player}: {', '.join(steps) or 'nothing'}."


def cell_words(turn: Turn, cell: Cell) -> str:
    """Return one visit in a few lines: why it is special, what was done, who acted."""
    if cell.skipped:
        rule = cited_rule(cell.rule)
        return f"{_left_out(turn, cell)}{citation(rule)}"
    return "\n".join(_visit(turn, cell))


def _left_out(turn: Turn, cell: Cell) -> str:
    ids = [step.id for step in turn.steps]
    last = ids.index(cell.through or cell.step)
    steps = turn.steps[ids.index(cell.step) : last + 1]
    return f"left out: {', '.join(step.title for step in steps)}"


def _visit(turn: Turn, cell: Cell) -> Iterator[str]:
    again = f" (visit {cell.iteration})" if cell.iteration > 1 else ""
    yield f"{turn.names[cell.step]}{again}"
    signs = {
        "extra": cell.extra,
        "once more": cell.again,
        "back where it waited": cell.back,
        f"cut short{_cut_by(turn, cell)}": cell.cut,
    }
    yield from (words for words, shown in signs.items() if shown)
    yield from _done(turn, cell)
    if cell.priority:
        resolved = f", {cell.resolved} resolved" if cell.resolved else ""
        yield f"acted {_times(cell.acted)}, passed {_times(cell.passed)}{resolved}"


def _cut_by(turn: Turn, cell: Cell) -> str:
    words = [way.words for way in turn.ways if cell.cut_by in way.tells]
    if words:
        return f": {words[0]}"
    return ""


def _done(turn: Turn, cell: Cell) -> Iterator[str]:
    step = next(step for step in turn.steps if step.id == cell.step)
    own = [line for line in step.lines if line.number and not line.mark]
    lines = [line for line in own if line.state in cell.stages]
    if lines:
        yield f"done: {', '.join(lower_first(line.text) for line in lines)}"


def _times(number: int) -> str:
    return f"{number} time{'' if number == 1 else 's'}"
