"""The timeline of a game that was played, as a picture: steps across in the turn's order, turns
down.

    from fsm.views.timelines import timeline
    svg = timeline(model, trace.records, title="Friday, table 3")

A new line starts where the next step lies to the left, so extra steps and phases need no other
rule. `fsm.runs.turns` reads the turns, for this picture and for the terminal alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, pairwise

from fsm.engine.records import Record
from fsm.model import Model
from fsm.model.stepcodes import step_codes
from fsm.runs.turns import Cell, passes_of, read_turns
from fsm.runs.turns import Turn as Played
from fsm.views.bar import short_titles
from fsm.views.cards import FINE, mark
from fsm.views.reader import read
from fsm.views.reading import Mark, Phase, Step, walk
from fsm.views.sheet import MARGIN, WIDE, Sheet
from fsm.views.svg import Box, Ink, Paint, Svg, Theme, width, wrap
from fsm.views.timelinewords import cell_words, turn_words
from fsm.wording import blanks, cited_rule, few, plain

SIDE = 102
"""The room at the left for the number of a turn, its player and its note."""
HIGH, LINE, PAD = 28, 38, 8
"""The height of a cell, that of a line of cells, and the room above it."""
GROUP = 700
"""The header is drawn again above turns that begin further down than this from the last one."""
ALIKE, MOST_TOLD = 4, 12
"""How many lines alike in a row are drawn in full, and how many turns are told in words."""
_BAND, _FOOT, _NAME = 15, 14, 12
_CODE = Ink(bold=True)
_KEYS = (
    ("resolved", "and two objects resolved"),
    ("hollow", "only because something triggered"),
    ("left", "left out, with the rule"),
    ("double", "extra, or once more"),
    ("jump", "cut short"),
)


@dataclass(frozen=True, slots=True)
class Section:
    """One game: its turns (see `fsm.runs.turns`), its heading, and what to call players."""

    turns: Sequence[Played]
    heading: str = ""
    names: Mapping[str, str] = field(default_factory=dict)


def timeline(
    model: Model, records: Iterable[Record], *, theme: Theme = "auto", title: str = ""
) -> str:
    """Draw the run of these records.

    Parameters
    ----------
    model
        The model of the game.
    records
        The records. Those of another model are ignored.
    theme
        The colours.
    title
        The title. By default, it is the name of the game.

    Returns
    -------
    str
        The picture, as SVG.
    """
    return timelines(model, [Section([*read_turns(records, model)])], theme=theme, title=title)


def timelines(
    model: Model, sections: Sequence[Section], *, theme: Theme = "auto", title: str = ""
) -> str:
    """Draw several games of one model below each other."""
    return _Timeline(model, theme, title).draw(sections)


@dataclass(frozen=True, slots=True)
class _Block:
    """A turn with its player, its lines of cells, and how many lines more are like the last."""

    played: Played
    player: str
    note: list[str]
    lines: list[tuple[Sequence[Cell], int]]

    @property
    def height(self) -> float:
        """How high it is."""
        lines = PAD + LINE * max(len(self.lines), 1) + 2
        lines += sum(_NAME for _, more in self.lines if more)
        return max(lines, self.note_top + _NAME * len(self.note))

    @property
    def note_top(self) -> float:
        """Where the note begins."""
        return 37 if self.played.extra else 32


class _Timeline:
    def __init__(self, model: Model, theme: Theme, title: str) -> None:
        self.turn, self.theme = read(model), theme
        self.title = plain(title) or f"{self.turn.title}: a game turn by turn"
        phases = self.turn.phases
        room = WIDE - 2 * MARGIN - SIDE - 4 * (len(phases) - 1)
        self.pitch = min(76.0, max(48.0, room / len(self.turn.steps)))
        self.cell = self.pitch - 6
        self.left: dict[str, float] = {}
        x = float(MARGIN + SIDE)
        for phase in phases:
            for step in phase.steps:
                self.left[step.id] = x + 3
                x += self.pitch
            x += 4
        self.right = x - 4
        boxes = [part for part in walk(phases) if isinstance(part, Phase)]
        self.hue = {step.id: phase.hue for phase in boxes for step in phase.steps}
        self.depth = 1 + any(self.turn.phase_of(phase.id) for phase in boxes)
        self.titles = short_titles(self.turn, lambda phase: len(phase.steps) * self.pitch - 4)
        self.names = self._names(step_codes(model))
        self.steps = {step.id: step for step in self.turn.steps}
        self.used: set[str] = set()

    def _names(self, codes: dict[str, str]) -> dict[str, str]:
        """What stands in cells: the names of steps if all have room, else their codes."""
        steps = self.turn.steps
        fits = all(width(step.title, _CODE) + 18 < self.cell for step in steps)
        return {step.id: step.title if fits else codes[step.id] for step in steps}

    # the sheet ------------------------------------------------------------------------------------

    def draw(self, sections: Sequence[Section]) -> str:
        """Draw the games."""
        turns = sum(1 for section in sections for played in section.turns if played.number)
        counted = f"{turns} {self.turn.word}{'' if turns == 1 else 's'}"
        said = "A new line starts where the next step lies to the left"
        numbers = "Numbers: objects resolved in the step"
        caption = ". ".join(filter(None, [self.turn.edition, counted, said, numbers]))
        sheet = Sheet(self.title, f"{caption}.", max(self.right + MARGIN, 420))
        y, told = sheet.y + 22, list[str]()
        for section in sections:
            blocks = [self._block(played, section) for played in section.turns]
            told += [turn_words(self.turn, block.played, block.player) for block in blocks]
            if section.heading:
                sheet.svg.text((MARGIN, y), plain(section.heading), Ink(size=13, bold=True))
                y += 16
            for group in _groups(blocks):
                y = self._group(sheet.svg, group, y) + 14
        keys = [("full", self.turn.acting), *_KEYS]
        shown = [key for key in keys if key[0] in self.used]
        return sheet.finish(y, shown, few(told, MOST_TOLD, " "), self.theme)

    def _block(self, played: Played, section: Section) -> _Block:
        signals = [*dict.fromkeys(map(blanks, played.signals))]
        extra = [f"extra {self.turn.word}"] if played.extra else []
        note = plain(played.note) or ", ".join([*extra, *signals])
        player = plain(section.names.get(played.active, played.active)) or "–"
        lines = [*_folded(passes_of(played.cells, self.left))]
        return _Block(played, player, wrap(note, SIDE - 14, FINE), lines)

    def _group(self, svg: Svg, blocks: Sequence[_Block], top: float) -> float:
        """Draw turns below a header, and return where they end."""
        named = max(len(self._title_lines(step)) for step in self.turn.steps)
        head = _BAND * self.depth + _NAME * named + 10
        rows = Svg()
        y = top + head
        for block in blocks:
            self._draw_block(rows, block, y)
            y += block.height
        for phase in self.turn.phases:
            self._band(svg, phase, 0, top, y)
        for step in self.turn.steps:
            for i, text in enumerate(reversed(self._title_lines(step))):
                at = self.left[step.id] + self.cell / 2, top + head - 6 - _NAME * i
                svg.text(at, text, FINE, "middle", self.pitch - 1)
        svg += rows
        return y

    def _title_lines(self, step: Step) -> list[str]:
        longest = max(width(word, FINE) for word in step.title.split() or [""])
        return wrap(step.title, max(self.pitch, longest), FINE)[:3]

    def _band(self, svg: Svg, phase: Phase, depth: int, top: float, bottom: float) -> None:
        """Draw the band of a phase, and of those inside it."""
        left = self.left[phase.steps[0].id] - 3
        right = self.left[phase.steps[-1].id] + self.cell + 3
        box = Box(left, top + _BAND * depth, right - left, bottom - top - _BAND * depth)
        edge = f"edge{phase.hue}" if depth else ""
        svg.rect(box, Paint(f"tint{phase.hue}", edge, 0.8, round=7))
        inner = [part for part in phase.parts if isinstance(part, Phase)]
        ink = Ink(f"title{phase.hue}", 11, bold=True)
        at = (left + right) / 2, box.y + 12
        svg.text(at, self.titles[phase.id], ink, "middle", right - left - 4)
        for part in inner:
            self._band(svg, part, 1, top, bottom)

    # turns ----------------------------------------------------------------------------------------

    def _draw_block(self, svg: Svg, block: _Block, y: float) -> None:
        """Draw a turn: who and what at the left, then a line for each pass from left to right."""
        svg.rule(MARGIN, self.right, y)
        played = block.played
        svg.open(
            "turn", " ".join([f"{self.turn.word} {played.number}, {block.player}", *block.note])
        )
        if played.extra:
            self.used.add("double")
            _double(svg, Box(MARGIN - 4, y + 8, 20, 19), "paper")
        svg.text((MARGIN + 1, y + 23), str(played.number or "–"), Ink(size=15, bold=True))
        x = MARGIN + max(22, width(str(played.number), Ink(size=15, bold=True)) + 8)
        if played.number:
            svg.text((x, y + 22.5), block.player, Ink(size=12.5, bold=True), most=SIDE - x + 10)
        for i, text in enumerate(block.note):
            svg.text((MARGIN, y + block.note_top + 5 + _NAME * i), text, FINE)
        self._no_turn(svg, block, y)
        foot = y + PAD
        for cells, more in block.lines:
            self._pass(svg, block, cells, foot)
            foot += LINE
            if more:
                said = f"and {more} more lines like it"
                svg.text((self.left[cells[0].step], foot + 4), said, FINE)
                foot += _NAME
        svg.close()

    def _no_turn(self, svg: Svg, block: _Block, y: float) -> None:
        """Draw a turn that was skipped."""
        if block.played.number:
            return
        self.used.add("left")
        box = Box(MARGIN + SIDE + 4, y + PAD, self.right - MARGIN - SIDE - 8, HIGH)
        svg.rect(box, Paint("paper", "skip", dash="4 3", round=6))
        rule = cited_rule(block.played.rule)
        said = f"a {self.turn.word} skipped {rule}".strip()
        svg.text((box.x + box.w / 2, y + PAD + 18), said, Ink("skip", 11), "middle")

    def _pass(self, svg: Svg, block: _Block, cells: Sequence[Cell], y: float) -> None:
        middle = y + HIGH / 2
        for before, after in pairwise(cells):
            points = [(self._right(before), middle), (self.left[after.step], middle)]
            if before.cut:
                svg.line(points, "jump", "surface")
            else:
                left = before.skipped or after.skipped
                svg.line(points, "skip" if left else "core", head=False)
        for cell in cells:
            title = cell_words(self.turn, cell)
            svg.open("cell", f"{title}\n{self.turn.word} {block.played.number}, {block.player}")
            if cell.skipped:
                self._left_out(svg, cell, y)
            else:
                self._visited(svg, cell, y)
            svg.close()

    def _right(self, cell: Cell) -> float:
        return self.left[cell.through or cell.step] + self.cell

    def _left_out(self, svg: Svg, cell: Cell, y: float) -> None:
        """Draw steps that were left out, with the rule."""
        self.used.add("left")
        left, right = self.left[cell.step], self._right(cell)
        box = Box(left, y, right - left, HIGH)
        svg.rect(box, Paint(f"tint{self.hue[cell.step]}", "skip", dash="4 3", round=6))
        ink = Ink("skip", 11)
        lines = wrap(cited_rule(cell.rule) or "left out", right - left - 4, ink)[:2]
        for i, text in enumerate(lines):
            foot = y + HIGH / 2 + 3.8 + 11 * (i - (len(lines) - 1) / 2)
            svg.text((left + (right - left) / 2, foot), text, ink, "middle")

    def _visited(self, svg: Svg, cell: Cell, y: float) -> None:
        """Draw a visit: the step, what resolved, whether players could act, how it ended."""
        box = Box(self.left[cell.step], y, self.cell, HIGH)
        hue, middle = self.hue[cell.step], y + HIGH / 2
        if cell.extra or cell.again:
            self.used.add("double")
            _double(svg, box, "surface")
        else:
            svg.rect(box, Paint("surface", "jump" if cell.cut else f"edge{hue}", round=6))
        name = f"↩ {self.names[cell.step]}" if cell.back else self.names[cell.step]
        svg.text((box.x + 4.5, middle + 4), name, _CODE)
        end = box.right - 4.5
        if cell.priority:
            kind: Mark = "hollow" if cell.conditional else "full"
            self.used.add(kind)
            mark(svg, (end - 3, middle + 3), kind, f"title{hue}", "surface")
            end -= 8
        if cell.resolved:
            self.used.add("resolved")
            ink = Ink(f"title{hue}", bold=True)
            svg.text((end, middle + 7), str(cell.resolved), ink, "end")
        if cell.loops:
            svg.text((box.right - 5, y + 10), f"{cell.loops}×", Ink("extra", 10, bold=True), "end")
        if cell.cut:
            self.used.add("jump")
            _cross(svg, box.right - 11, y + 3.5)


def _double(svg: Svg, box: Box, fill: str) -> None:
    svg.rect(box.inset(-2.8), Paint(fill, "extra", 1.1, round=8))
    svg.rect(box, Paint(fill, "extra", round=6))


def _cross(svg: Svg, x: float, y: float) -> None:
    for path in (f"M{x:.1f} {y:.1f}l5.5 5.5", f"M{x:.1f} {y + 5.5:.1f}l5.5 -5.5"):
        svg.raw(f'<path class="s-jump" fill="none" stroke-width="1.8" d="{path}"/>', "jump")


def _groups(blocks: Sequence[_Block]) -> Iterator[list[_Block]]:
    """The turns that have one header."""
    group: list[_Block] = []
    for block in blocks:
        if group and sum(held.height for held in group) > GROUP:
            yield group
            group = []
        group.append(block)
    yield group


def _folded(passes: Sequence[Sequence[Cell]]) -> Iterator[tuple[Sequence[Cell], int]]:
    """The lines of a turn. Of many alike in a row, two are drawn, with how many more there are."""
    for _, alike in groupby(passes, lambda cells: [_look(cell) for cell in cells]):
        lines = list(alike)
        if len(lines) <= ALIKE:
            yield from ((cells, 0) for cells in lines)
        else:
            yield lines[0], 0
            yield lines[1], len(lines) - 2


def _look(cell: Cell) -> tuple[object, ...]:
    """What of a cell is seen."""
    signs = (cell.extra, cell.again, cell.back, cell.cut, cell.skipped)
    counts = (cell.priority, cell.conditional, cell.resolved, cell.loops)
    return (cell.step, cell.through, cell.rule, *signs, *counts)
