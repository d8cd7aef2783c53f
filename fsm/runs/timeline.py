"""Writes turns as text: steps run across in the order of the model, and turns run down.

A new line starts when the next step is further to the left, so extra steps and phases need no other
rule. `fsm.runs.turns` reads the turns from a run's records, and `Timeline` lays them out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate, groupby, pairwise

from fsm.engine.trace import Record
from fsm.model import Model
from fsm.model.model import step_codes
from fsm.runs.turns import Cell, Turn, passes_of, read_turns, skipped_steps
from fsm.wording import blanks, citation

Span = tuple[str, str]
Line = list[Span]

SIGNS = {
    "priority": ("•", "muted", "• players may act"),
    "resolved": ("", "muted", "•2 and two things resolved"),
    "opened": ("○", "muted", "○ they may because something happened"),
    "skip": ("(...)", "skip", "(...) left out, and why"),
    "extra": ("+", "extra", "+ extra"),
    "again": ("↻", "again", "↻ again"),
    "back": ("↩", "back", "↩ back where it waited"),
    "cut": ("×", "cut", "× cut short"),
}
"""The signs of a timeline: how each looks, its style, and what it means."""
ASCII = str.maketrans("─╌·▸•○↻↩×–", "-~.>*o@<x-")
"""Translates a timeline for terminals without Unicode."""

GUTTER = 13
"""The columns for the number of a turn and its player."""
WIDE, NARROW = 6, 5
"""The width of a step, and where there is no room for more."""
LONGEST_RULE = 9
"""Longer citations are moved to the legend."""


class Timeline:
    """Lays out turns of one Model in fixed columns, so that they can be printed as they come.

    Lines are lists of (text, style); `plain` joins them. A style is "", "head", "muted", "skip",
    "extra", "again", "back" or "cut". Where `room` columns are not enough, cells move closer
    together.

    Attributes
    ----------
    used, footnotes
        What the legend explains so far: signs, and letters for why steps were left out.
    """

    def __init__(self, model: Model, *, room: int | None = None) -> None:
        self.model = model
        self.codes = step_codes(model)
        self.used = set[str]()
        self.footnotes = dict[str, str]()
        widths = self._widths()
        if room is not None and GUTTER + sum(widths) > room:
            widths = [NARROW] * len(widths)
        starts = [*accumulate(widths, initial=GUTTER)]
        self.width = starts[-1]
        self.columns = dict(zip(self.codes, starts, strict=False))
        self._ends = dict(zip(self.codes, starts[1:], strict=True))

    def _phases(self) -> Iterator[tuple[str, list[str]]]:
        """Yield the title of each phase and its steps."""
        phases = {id: self.model.enclosing(id, "phase") for id in self.codes}
        for phase, steps in groupby(self.codes, phases.get):
            name = phase.family or phase.name if phase is not None else ""
            yield blanks(name).upper(), [*steps]

    def _widths(self) -> list[int]:
        """The width of each step: there is room for its cell, for a rule by which it is left out,
        and for the title of its phase.
        """
        widths = dict.fromkeys(self.codes, WIDE)
        for row in self.model.transitions:
            # what an effect may do to any step needs no room of its own
            if row.layer == "skip" and not row.generic and len(row.rule) <= LONGEST_RULE:
                for step in skipped_steps(self.model, row)[:1]:
                    widths[step.id] = max(widths[step.id], len(f"({row.rule}) "))
        for title, steps in self._phases():
            lacks = len(title) + 1 - sum(widths[step] for step in steps)
            widths[steps[-1]] += max(0, lacks)
        return [*widths.values()]

    def header(self) -> list[Line]:
        """Two lines: the phases above their steps' codes."""
        phases = _Line()
        codes = _Line()
        for title, steps in self._phases():
            start = self.columns[steps[0]]
            phases.to(start).add(_short(title, self._ends[steps[-1]] - start - 1))
            for step in steps:
                codes.to(self.columns[step]).add(self.codes[step], "muted")
        return [phases, codes]

    def turn(self, turn: Turn) -> list[Line]:
        """The lines of one turn: its note if any, then a line for each pass from left to right."""
        first = _Line().add(f"{turn.number or '–':>3} ", "head")
        if turn.extra:
            self._sign(first, "extra")
        first.to(5).add(_short(turn.active, GUTTER - 6), "head")
        if not turn.number:
            return [first.to(GUTTER).add(f"no turn{citation(turn.rule)}", "skip")]
        lines: list[Line] = [_Line().to(GUTTER).add(turn.note, "muted")] if turn.note else []
        for cells in passes_of(turn.cells, self.columns):
            lines.append(self._pass(first, cells))
            first = _Line()
        return lines or [first]

    def _pass(self, line: _Line, cells: list[Cell]) -> Line:
        self._cell(line.to(self.columns[cells[0].step]), cells[0])
        for before, cell in pairwise(cells):
            column = self.columns[cell.step]
            if before.cut:
                line.to(column - 1, "·", "cut").add("▸", "cut")
            else:
                fill = ("╌", "skip") if before.left_out else ("─", "muted")
                line.to(column, *fill, at_least=1)
            self._cell(line, cell)
        if cells[-1].cut:
            line.add("··", "cut")
        return line

    def _cell(self, line: _Line, cell: Cell) -> None:
        if cell.left_out:
            line.add(self._left_out(cell, line.length), "skip")
            return
        before = [name for name in ("back", "extra", "again") if getattr(cell, name)][:1]
        after = {
            "opened" if cell.conditional else "priority": cell.priority,
            "resolved": cell.resolved,
            "again": cell.loops,
            "cut": bool(cell.cut),
        }
        for name in before:
            self._sign(line, name)
        line.add(self.codes[cell.step], *before)
        for name, count in after.items():
            if count:
                self._sign(line, name, int(count))

    def _sign(self, line: _Line, name: str, count: int = 1) -> None:
        """Add a sign, and how often. One that has no text is its number."""
        self.used.add(name)
        text, style, _ = SIGNS[name]
        line.add(f"{text}{count}" if count > 1 or not text else text, style)

    def _left_out(self, cell: Cell, column: int) -> str:
        """Why it is left out, or the rule, where there is room before the next step; the legend
        has the others.
        """
        room = self._ends[cell.last] - column - len("() ")
        why = cell.why or "otherwise"
        for said in (why, cell.rule or why):
            if len(said) <= room:
                self.used.add("skip")
                return f"({said})"
        letter = chr(ord("a") + len(self.footnotes))
        return self.footnotes.setdefault(why + citation(cell.rule), f"({letter})")

    def key(self) -> list[Line]:
        """What the codes mean."""
        steps = self.model.of_kind("step")
        return self._flow([(f"{self.codes[s.id]} {s.label or s.name}", "muted") for s in steps])

    def legend(self) -> list[Line]:
        """What the signs shown so far mean."""
        shown = [(means, style) for name, (_, style, means) in SIGNS.items() if name in self.used]
        for said, mark in self.footnotes.items():
            shown.append((f"{mark} left out: {said}", "skip"))
        return self._flow(shown)

    def _flow(self, items: list[Span]) -> list[Line]:
        """The items with blanks between them, in lines that fit."""
        lines = list[_Line]()
        for text, style in items:
            if not lines or lines[-1].length + len(text) > self.width:
                lines.append(_Line().to(2))
            lines[-1].add(text, style).add("   ")
        return [*lines]


class _Line(list[Span]):
    """One line under construction."""

    length = 0

    def add(self, text: str, style: str = "") -> _Line:
        if text:
            self.append((text, style))
            self.length += len(text)
        return self

    def to(self, column: int, fill: str = " ", style: str = "", *, at_least: int = 0) -> _Line:
        return self.add(fill * max(column - self.length, at_least), style)


def _short(name: str, room: int) -> str:
    return name if len(name) <= room else f"{name[: room - 1]}."


def plain(line: Iterable[Span]) -> str:
    """A line without its styles."""
    return "".join(text for text, _ in line).rstrip()


def timeline(records: Iterable[Record], model: Model) -> list[str]:
    """Return the turns of a run as lines of text, with header, key and legend.

    Parameters
    ----------
    records
        The firings of the run, such as `trace.records`.
    model
        The model of the run.

    Returns
    -------
    list of str
        The lines.
    """
    layout = Timeline(model)
    lines = layout.header()
    for turn in read_turns(records, model):
        lines += layout.turn(turn)
    lines += layout.key()
    lines += layout.legend()
    return [*map(plain, lines)]
