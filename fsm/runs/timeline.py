"""Writes turns as text: steps run across in the order of the model, and turns run down.

A new line starts when the next step is further to the left, so extra steps and phases need no other
rule. `fsm.runs.turns` reads the turns from a run's records, and `Timeline` lays them out.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from itertools import accumulate, groupby

from fsm.engine.records import Record
from fsm.model import Model, State
from fsm.model.stepcodes import step_codes
from fsm.runs.turns import Cell, Turn, passes_of, read_turns, skipped_steps
from fsm.wording import blanks

Style = str
Span = tuple[str, Style]

SIGNS = {
    "priority": ("•", "muted", "• players may act"),
    "resolved": ("•2", "muted", "•2 and two things resolved"),
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
NARROW = 5
"""The width of a step where there is no room for more."""
ALIKE = 4
"""How many equal lines in a row are printed in full."""
LONGEST_RULE = 9
"""Longer citations are moved to the legend."""


class Timeline:
    """Lays out turns of one Model in fixed columns, so that they can be printed as they come.

    Lines are lists of (text, style); `plain` joins them. A style is "", "head", "muted", "skip",
    "extra", "again", "back", "cut" or "kind:FAMILY" (a phase of that family). Where `room` columns
    are not enough, cells move closer together.
    """

    def __init__(self, model: Model, *, room: int | None = None) -> None:
        self.model = model
        self.steps, self.codes = model.of_kind("step"), step_codes(model)
        self.used = set[str]()
        self.footnotes = dict[str, str]()
        self._phases = {step.id: model.enclosing(step.id, "phase") for step in self.steps}
        widths = self._widths()
        if room is not None and GUTTER + sum(widths) > room:
            widths = [NARROW] * len(widths)
        *starts, self.width = accumulate(widths, initial=GUTTER)
        self.columns = {step.id: start for step, start in zip(self.steps, starts, strict=True)}

    def _widths(self) -> list[int]:
        """The width of each step: there is room for its cell, for a rule by which it is left out,
        and for the title of its phase.
        """
        widths = {step.id: 6 for step in self.steps}
        for row in self.model.transitions:
            left_out = skipped_steps(self.model, row)
            # what an effect may do to any step needs no room of its own
            if row.layer == "skip" and not row.generic and left_out:
                rule = f"({row.rule}) " if len(row.rule) <= LONGEST_RULE else ""
                widths[left_out[0].id] = max(widths[left_out[0].id], len(rule))
        for title, _, steps in self._groups():
            lacks = len(title) + 1 - sum(widths[step] for step in steps)
            widths[steps[-1]] += max(0, lacks)
        return [*widths.values()]

    def _groups(self) -> Iterable[tuple[str, Style, list[str]]]:
        """Yield each phase: its title, its style, and its steps."""
        for phase, group in groupby(self.steps, lambda step: self._phases[step.id]):
            steps = [step.id for step in group]
            yield blanks(_kind(phase)).upper(), self._style(steps[0]), steps

    def _style(self, step: str) -> Style:
        kind = _kind(self._phases[step])
        return f"kind:{kind}" if kind else ""

    def _next_column(self, step: str) -> int:
        """Where the step after this one stands, or where the lines end."""
        columns = [*self.columns.values(), self.width]
        return next(column for column in columns if column > self.columns[step])

    def header(self) -> list[list[Span]]:
        """Two lines: the phases above their steps' codes."""
        phases, codes = _Line(), _Line()
        for title, style, steps in self._groups():
            for step in steps:
                codes.to(self.columns[step]).add(self.codes[step], "muted")
            start, end = self.columns[steps[0]], self._next_column(steps[-1])
            room = end - start - 1 + (9 if end == self.width else 0)
            phases.to(start).add(_short(title, room), style)
        return [phases.spans, codes.spans]

    def turn(self, turn: Turn) -> list[list[Span]]:
        """The lines of one turn: its note if any, then a line for each pass from left to right."""
        first = _Line().add(f"{turn.number or '–':>3} ", "head")
        if turn.extra:
            self._sign(first, "extra")
        first.to(5).add(_short(turn.active, GUTTER - 6), "head")
        if not turn.number:
            self.used.add("skip")
            return [first.to(GUTTER).add(f"({turn.rule}) no turn", "skip").spans]
        lines = list[list[Span]]()
        for cells in passes_of(turn.cells, self.columns):
            lines.append(self._pass(_Line() if lines else first, cells))
        notes = [_note(turn.note)] if turn.note else []
        return [*notes, *(_folded(lines) or [first.spans])]

    def _pass(self, line: _Line, cells: list[Cell]) -> list[Span]:
        before: Cell | None = None
        for cell in cells:
            column = self.columns[cell.step]
            if before is None:
                line.to(column)
            elif before.cut:
                line.to(column - 1, "·", "cut").add("▸", "cut")
            elif before.skipped:
                line.to(column, "╌", "skip", at_least=1)
            else:
                line.to(column, "─", "muted", at_least=1)
            self._cell(line, cell)
            before = cell
        if before is not None and before.cut:
            line.add("··", "cut")
        return line.spans

    def _cell(self, line: _Line, cell: Cell) -> None:
        if cell.skipped:
            line.add(self._left_out(cell, line.length), "skip")
            return
        sign = next((name for name in ("back", "extra", "again") if getattr(cell, name)), "")
        if sign:
            self._sign(line, sign)
        line.add(self.codes[cell.step], sign or self._style(cell.step))
        if cell.priority:
            self._sign(line, "opened" if cell.conditional else "priority")
        if cell.resolved:
            self.used.add("resolved")
            line.add(str(cell.resolved), "muted")
        if cell.loops:
            self._sign(line, "again")
            line.add(str(cell.loops) if cell.loops > 1 else "", "again")
        if cell.cut:
            self._sign(line, "cut")

    def _sign(self, line: _Line, name: str) -> None:
        self.used.add(name)
        line.add(*SIGNS[name][:2])

    def _left_out(self, cell: Cell, column: int) -> str:
        """Why it is left out, or the rule, where there is room before the next step; the legend
        has the others.
        """
        room = self._next_column(cell.through or cell.step) - column
        for said in filter(None, (cell.why, cell.rule or "skipped")):
            if len(said) + 2 < room:
                self.used.add("skip")
                return f"({said})"
        said = f": {cell.why}" if cell.why and not cell.rule else f", by {cell.rule or 'an effect'}"
        letter = chr(ord("a") + len(self.footnotes) % 26)
        return self.footnotes.setdefault(said, f"({letter})")

    @cached_property
    def families(self) -> tuple[str, ...]:
        """The kinds of phases, in the model's order."""
        return tuple(dict.fromkeys(map(_kind, self.model.of_kind("phase"))))

    def key(self) -> list[list[Span]]:
        """What the codes mean."""
        codes = [(f"{self.codes[s.id]} {s.label or s.name}", "muted") for s in self.steps]
        return self._flow(codes)

    def legend(self) -> list[list[Span]]:
        """What the signs shown so far mean."""
        shown = [(means, style) for n, (_, style, means) in SIGNS.items() if n in self.used]
        for said, mark in self.footnotes.items():
            shown.append((f"{mark} left out{said}", "skip"))
        return self._flow(shown)

    def _flow(self, items: list[Span]) -> list[list[Span]]:
        """The items with blanks between them, in lines that fit."""
        lines = [_Line()]
        for text, style in items:
            if lines[-1].length and lines[-1].length + 3 + len(text) > self.width:
                lines.append(_Line())
            lines[-1].add("   " if lines[-1].length else "  ").add(text, style)
        return [line.spans for line in lines]


class _Line:
    """One line under construction."""

    def __init__(self) -> None:
        self.spans = list[Span]()
        self.length = 0

    def add(self, text: str, style: Style = "") -> _Line:
        if text:
            self.spans.append((text, style))
            self.length += len(text)
        return self

    def to(self, column: int, fill: str = " ", style: Style = "", *, at_least: int = 0) -> _Line:
        return self.add(fill * max(column - self.length, at_least), style)


def _note(text: str) -> list[Span]:
    return _Line().to(GUTTER).add(text, "muted").spans


def _folded(lines: list[list[Span]]) -> list[list[Span]]:
    """Of many lines alike in a row, the first two, and how many more there are."""
    found = list[list[Span]]()
    for _, alike in groupby(lines):
        some = list(alike)
        if len(some) > ALIKE:
            some[2:] = [_note(f"and {len(some) - 2} more lines like it")]
        found += some
    return found


def _kind(phase: State | None) -> str:
    return phase.family or phase.name if phase is not None else ""


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
    return [plain(line) for line in (*lines, *layout.key(), *layout.legend())]
