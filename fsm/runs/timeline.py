"""Writes turns as text: steps run across in the order of the model, and turns run down.

A new line starts when the next step is further to the left, so extra steps and phases need no other
rule. `fsm.runs.turns` reads the turns from a run's records, and `Timeline` lays them out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from fsm.engine.records import Record
from fsm.model import Model, State
from fsm.model.stepcodes import step_codes
from fsm.runs.turns import Cell, Turn, passes_of, read_turns, skipped_steps
from fsm.wording import blanks

Style = str
Span = tuple[str, Style]


@dataclass(frozen=True, slots=True)
class Marks:
    """The signs of a timeline: drawn, or for terminals without Unicode."""

    line: str = "─"
    gone: str = "╌"
    jump: str = "·"
    head: str = "▸"
    priority: str = "•"
    opened: str = "○"
    extra: str = "+"
    again: str = "↻"
    back: str = "↩"
    cut: str = "×"
    no_turn: str = "–"


ASCII = Marks("-", "~", ".", ">", "*", "o", "+", "@", "<", "x", "-")

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

    gutter = 13

    def __init__(
        self, model: Model, marks: Marks | None = None, *, room: int | None = None
    ) -> None:
        self.model, self.marks = model, marks or Marks()
        self.steps = model.of_kind("step")
        self.codes = step_codes(model)
        self.used: set[str] = set()
        self.short: dict[str, str] = {}
        widths = [
            max(6, *(len(f"({rule})") + 1 for rule in rules))
            for rules in map(self._rules, self.steps)
        ]
        for phase, last in {
            p.id: i for i, p in enumerate(map(self._phase, self.steps)) if p
        }.items():
            own = [
                i for i, step in enumerate(self.steps) if (p := self._phase(step)) and p.id == phase
            ]
            widths[last] += max(
                0, len(self._title(self.steps[last])) + 1 - sum(widths[i] for i in own)
            )
        if room is not None and self.gutter + sum(widths) > room:
            widths = [5] * len(self.steps)
        starts = [self.gutter + sum(widths[:i]) for i in range(len(widths))]
        self.columns = {step.id: start for step, start in zip(self.steps, starts, strict=True)}
        self.width = self.gutter + sum(widths)

    def _rules(self, step: State) -> list[str]:
        """The rules by which this step is left out (what an effect may do to any step needs no room
        of its own).
        """
        rows = [t for t in self.model.transitions if t.layer == "skip" and not t.generic]
        found = [
            t.rule for t in rows if [s.id for s in skipped_steps(self.model, t)][:1] == [step.id]
        ]
        return ["", *(rule for rule in found if len(rule) <= LONGEST_RULE)]

    def _phase(self, step: State) -> State | None:
        return self.model.enclosing(step.id, "phase")

    def _title(self, step: State) -> str:
        phase = self._phase(step)
        return blanks(phase.family or phase.name or phase.id).upper() if phase else ""

    def header(self) -> list[list[Span]]:
        """Two lines: the phases above their steps' codes."""
        phases, codes = _Line(), _Line()
        for phase, group in groupby(self.steps, self._phase):
            steps = list(group)
            ends = [c for c in self.columns.values() if c > self.columns[steps[-1].id]]
            start = self.columns[steps[0].id]
            if phase is not None:
                name = _short(self._title(steps[0]), min([*ends, self.width + 9]) - start - 1)
                phases.to(start).add(name, self._style(steps[0]))
        for step in self.steps:
            codes.to(self.columns[step.id]).add(self.codes[step.id], "muted")
        return [phases.spans, codes.spans]

    def turn(self, turn: Turn) -> list[list[Span]]:
        """The lines of one turn: its note if any, then a line for each pass from left to right."""
        first = _Line().add(f"{turn.number or self.marks.no_turn:>3} ", "head")
        first.add(self.marks.extra if turn.extra else " ", "extra").add(
            _short(turn.active, self.gutter - 6), "head"
        )
        self.used |= {"extra"} if turn.extra else set()
        if not turn.number:
            self.used.add("skip")
            return [first.to(self.gutter).add(f"({turn.rule}) no turn", "skip").spans]
        notes = [_Line().to(self.gutter).add(turn.note, "muted").spans] if turn.note else []
        lines = [
            self._pass(first if not i else _Line(), cells)
            for i, cells in enumerate(self.passes(turn.cells))
        ]
        return [*notes, *(self._folded(lines) or [first.spans])]

    def _folded(self, lines: list[list[Span]]) -> list[list[Span]]:
        """Of many lines alike in a row, the first two, and how many more there are."""
        found: list[list[Span]] = []
        for _, alike in groupby(lines):
            some = list(alike)
            found += some if len(some) <= ALIKE else some[:2]
            if len(some) > ALIKE:
                found.append(
                    _Line()
                    .to(self.gutter)
                    .add(f"and {len(some) - 2} more lines like it", "muted")
                    .spans
                )
        return found

    def passes(self, cells: list[Cell]) -> list[list[Cell]]:
        """The cells in lines: a new one starts where the next one lies to the left, or on the same
        place.
        """
        return passes_of(cells, self.columns)

    def _pass(self, line: _Line, cells: list[Cell]) -> list[Span]:
        before: Cell | None = None
        for cell in cells:
            self._connect(line, before, self.columns[cell.step])
            self._cell(line, cell)
            before = cell
        if before is not None and before.cut:
            line.add(self.marks.jump * 2, "cut")
        return line.spans

    def _connect(self, line: _Line, before: Cell | None, column: int) -> None:
        if before is None:
            line.to(column)
        elif before.cut:
            line.to(column - 1, self.marks.jump, "cut").add(self.marks.head, "cut")
        elif before.skipped:
            line.to(column, self.marks.gone, "skip", at_least=1)
        else:
            line.to(column, self.marks.line, "muted", at_least=1)

    def _cell(self, line: _Line, cell: Cell) -> None:
        marks = self.marks
        if cell.skipped:
            line.add(self._left_out(cell, line.length), "skip")
            return
        sign = next((name for name in ("back", "extra", "again") if getattr(cell, name)), "")
        if sign:
            self.used.add(sign)
            line.add(getattr(marks, sign), sign)
        line.add(self.codes[cell.step], sign or self._style(self.model.state(cell.step)))
        if cell.priority:
            name = "opened" if cell.conditional else "priority"
            self.used |= {name, "resolved"} if cell.resolved else {name}
            line.add(f"{getattr(marks, name)}{cell.resolved or ''}", "muted")
        if cell.loops:
            self.used.add("again")
            line.add(f"{marks.again}{cell.loops if cell.loops > 1 else ''}", "again")
        if cell.cut:
            self.used.add("cut")
            line.add(marks.cut, "cut")

    def _left_out(self, cell: Cell, column: int) -> str:
        """The rule by which it is left out, where there is room before the next step; the legend
        has the others.
        """
        text = f"({cell.rule or 'skipped'})"
        end = min(
            (c for c in self.columns.values() if c > self.columns[cell.through or cell.step]),
            default=self.width,
        )
        if column + len(text) < end:
            self.used.add("skip")
            return text
        self.short.setdefault(cell.rule, f"({chr(ord('a') + len(self.short) % 26)})")
        return self.short[cell.rule]

    def _style(self, step: State) -> Style:
        phase = self.model.enclosing(step.id, "phase")
        return f"kind:{phase.family or phase.name}" if phase else ""

    @cached_property
    def families(self) -> tuple[str, ...]:
        """The kinds of phases, in the model's order."""
        return tuple(dict.fromkeys(p.family or p.name for p in self.model.of_kind("phase")))

    def legend(self) -> list[list[Span]]:
        """What the codes and the signs shown so far mean."""
        codes = [(f"{self.codes[s.id]} {s.label or s.name}", "muted") for s in self.steps]
        m = self.marks
        signs = {
            "priority": (f"{m.priority} players may act", "muted"),
            "resolved": (f"{m.priority}2 and two things resolved", "muted"),
            "opened": (f"{m.opened} they may because something happened", "muted"),
            "skip": ("(rule) left out, by this rule", "skip"),
            "extra": (f"{m.extra} extra", "extra"),
            "again": (f"{m.again} again", "again"),
            "back": (f"{m.back} back where it waited", "back"),
            "cut": (f"{m.cut} cut short", "cut"),
        }
        shown = [text for name, text in signs.items() if name in self.used]
        shown += [
            (f"{mark} left out, by {rule or 'an effect'}", "skip")
            for rule, mark in self.short.items()
        ]
        return [*self._flow(codes), *self._flow(shown)]

    def _flow(self, items: list[Span]) -> list[list[Span]]:
        """The items with blanks between them, in lines that fit."""
        lines = [_Line()]
        for text, style in items:
            if lines[-1].length and lines[-1].length + 3 + len(text) > self.width:
                lines.append(_Line())
            lines[-1].add("   " if lines[-1].length else "  ", "").add(text, style)
        return [line.spans for line in lines]


class _Line:
    """One line under construction."""

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self.length = 0

    def add(self, text: str, style: Style = "") -> _Line:
        if text:
            self.spans.append((text, style))
            self.length += len(text)
        return self

    def to(self, column: int, fill: str = " ", style: Style = "", *, at_least: int = 0) -> _Line:
        return self.add(fill * max(column - self.length, at_least), style)


def plain(line: Iterable[Span]) -> str:
    """A line without its styles."""
    return "".join(text for text, _ in line).rstrip()


def timeline(records: Iterable[Record], model: Model, *, marks: Marks | None = None) -> list[str]:
    """Return the turns of a run as lines of text, with header and legend.

    Parameters
    ----------
    records
        The firings of the run, such as `trace.records`.
    model
        The model of the run.
    marks
        The signs. The default ones are drawn.

    Returns
    -------
    list of str
        The lines.
    """
    layout = Timeline(model, marks)
    turns = [line for turn in read_turns(records, model) for line in layout.turn(turn)]
    return [plain(line) for line in (*layout.header(), *turns, *layout.legend())]


def _short(name: str, room: int) -> str:
    return name if len(name) <= room else f"{name[: room - 1]}."
