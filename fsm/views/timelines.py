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
from itertools import pairwise

from fsm.engine.trace import Record
from fsm.model import Model
from fsm.model.model import step_codes
from fsm.runs.turns import Cell, Turn as Played, passes_of, read_turns
from fsm.views.cards import FINE, mark
from fsm.views.pictures import short_titles
from fsm.views.reader import read
from fsm.views.reading import Mark, Phase, Turn, walk
from fsm.views.sheet import MARGIN, WIDE, Sheet
from fsm.views.svg import Box, Ink, Paint, Point, Svg, Theme, width, wrap
from fsm.wording import blanks, citation, cited_rule, few, lower_first, many, plain

SIDE = 102
"""The room at the left for the number of a turn, its player and its note."""
HIGH = 28
LINE = 38
PAD = 8
"""The height of a cell, that of a line of cells, and the room above it."""
GROUP = 700
"""The header is drawn again above turns that begin further down than this from the last one."""
MOST_TOLD = 12
"""How many turns are told in words."""
_BAND = 15
_FOOT = 6
_NAME = 12
_CODE = Ink(bold=True)
_NUMBER = Ink(size=15, bold=True)
_PLAYER = Ink(size=12.5, bold=True)
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
    """Draw several games of one model below each other. A single one has its heading as title."""
    turn = read(model)
    columns = _Columns(turn, step_codes(model))
    count = 0
    for section in sections:
        count += sum(played.number > 0 for played in section.turns)
    counted = many(count, turn.word)
    order = "A new line starts where the next step lies to the left"
    numbers = "Numbers: objects resolved in the step"
    caption = ". ".join(filter(None, [turn.edition, counted, order, numbers]))
    is_alone = len(sections) == 1
    own = title or (sections[0].heading if is_alone else "")
    heading = plain(own) or f"{turn.title}: a game turn by turn"
    sheet = Sheet(heading, f"{caption}.", max(columns.right + MARGIN, 420))
    drawing = _Timeline(turn, columns)
    y = sheet.y + 22
    told = list[str]()
    for section in sections:
        blocks = [_block(turn, columns, played, section) for played in section.turns]
        told += [turn_words(turn, block.played, block.player) for block in blocks]
        if section.heading and not is_alone:
            sheet.text((MARGIN, y), plain(section.heading), Ink(size=13, bold=True))
            y += 16
        for group in _groups(blocks):
            y = drawing.group(sheet, group, y) + 14
    keys = [key for key in (("full", turn.acting), *_KEYS) if key[0] in drawing.used]
    return sheet.finish(y, keys, few(told, MOST_TOLD, " "), theme)


class _Columns:
    """Where steps stand across, and what stands in their cells."""

    def __init__(self, turn: Turn, codes: Mapping[str, str]) -> None:
        room = WIDE - 2 * MARGIN - SIDE - 4 * (len(turn.phases) - 1)
        self.pitch = min(76.0, max(48.0, room / len(turn.steps)))
        self.cell = self.pitch - 6
        self.left: dict[str, float] = {}
        x = float(MARGIN + SIDE)
        for phase in turn.phases:
            for step in phase.steps:
                self.left[step.id] = x + 3
                x += self.pitch
            x += 4
        self.right = x - 4
        self.names = {}
        self.heads = {}
        for step in turn.steps:
            fits = width(step.title, _CODE) + (18 if step.mark else 9) < self.cell
            self.names[step.id] = step.title if fits else codes[step.id]
            longest = max(width(word, FINE) for word in step.title.split() or [""])
            self.heads[step.id] = wrap(step.title, max(self.pitch, longest), FINE)[:3]

    def right_of(self, cell: Cell) -> float:
        """Where a cell ends."""
        return self.left[cell.through or cell.step] + self.cell


@dataclass(frozen=True, slots=True)
class _Block:
    """A turn with its player, its note, and its lines of cells."""

    played: Played
    player: str
    note: list[str]
    lines: list[list[Cell]]

    @property
    def height(self) -> float:
        """How high it is."""
        lines = PAD + LINE * max(len(self.lines), 1) + 2
        return max(lines, self.note_top + _NAME * len(self.note))

    @property
    def note_top(self) -> float:
        """Where the note begins."""
        if self.played.extra:
            return 37
        return 32


def _block(turn: Turn, columns: _Columns, played: Played, section: Section) -> _Block:
    said = [f"extra {turn.word}"] if played.extra else []
    said += dict.fromkeys(map(blanks, played.signals))
    note = plain(played.note) or ", ".join(said)
    player = plain(section.names.get(played.active, played.active)) or "–"
    lines = passes_of(played.cells, columns.left)
    return _Block(played, player, wrap(note, SIDE - 14, FINE), lines)


def _groups(blocks: Sequence[_Block]) -> Iterator[list[_Block]]:
    """The turns that have one header."""
    group: list[_Block] = []
    high = 0.0
    for block in blocks:
        if group and high > GROUP:
            yield group
            group = []
            high = 0.0
        group.append(block)
        high += block.height
    yield group


class _Timeline:
    """Draws turns. `used` are the signs that the legend explains."""

    def __init__(self, turn: Turn, columns: _Columns) -> None:
        self.turn = turn
        self.columns = columns
        boxes = [part for part in walk(turn.phases) if isinstance(part, Phase)]
        self.hue: dict[str, int] = {}
        for phase in boxes:
            self.hue.update((step.id, phase.hue) for step in phase.steps)
        self.depth = 1 + any(turn.phase_of(phase.id) for phase in boxes)
        self.titles = short_titles(turn, columns.pitch, -4)
        self.used: set[str] = set()

    def group(self, svg: Svg, blocks: Sequence[_Block], top: float) -> float:
        """Draw turns below a header, and return where they end."""
        heads = self.columns.heads
        first = top + _BAND * self.depth + _NAME * max(map(len, heads.values())) + 10
        rows = Svg()
        y = first
        for block in blocks:
            self._block(rows, block, y)
            y += block.height
        for phase in self.turn.phases:
            self._band(svg, phase, top, y, inner=False)
        for id, lines in heads.items():
            middle = self.columns.left[id] + self.columns.cell / 2
            foot = first - _FOOT - _NAME * (len(lines) - 1)
            for text in lines:
                svg.text((middle, foot), text, FINE, "middle", self.columns.pitch - 1)
                foot += _NAME
        svg += rows
        return y

    def _band(self, svg: Svg, phase: Phase, top: float, bottom: float, *, inner: bool) -> None:
        """Draw the band of a phase, and of those inside it."""
        left = self.columns.left[phase.steps[0].id] - 3
        right = self.columns.left[phase.steps[-1].id] + self.columns.cell + 3
        edge = f"edge{phase.hue}" if inner else ""
        svg.rect(
            Box(left, top, right - left, bottom - top),
            Paint(f"tint{phase.hue}", edge, 0.8, round=7),
        )
        at = ((left + right) / 2, top + 12)
        ink = Ink(f"title{phase.hue}", 11, bold=True)
        svg.text(at, self.titles[phase.id], ink, "middle", right - left - 4)
        for part in phase.parts:
            if isinstance(part, Phase):
                self._band(svg, part, top + _BAND, bottom, inner=True)

    # turns ----------------------------------------------------------------------------------------

    def _block(self, svg: Svg, block: _Block, y: float) -> None:
        """Draw a turn: who and what at the left, then a line for each pass from left to right."""
        played = block.played
        svg.rule(MARGIN, self.columns.right, y)
        said = [f"{self.turn.word} {played.number}, {block.player}", *block.note]
        svg.open("turn", " ".join(said))
        if played.extra:
            self._double(svg, Box(MARGIN - 4, y + 8, 20, 19), "paper")
        number = str(played.number or "–")
        svg.text((MARGIN + 1, y + 23), number, _NUMBER)
        if played.number:
            x = MARGIN + max(22, width(number, _NUMBER) + 8)
            svg.text((x, y + 22.5), block.player, _PLAYER, most=SIDE - x + 10)
        else:
            self._no_turn(svg, played, y + PAD)
        foot = y + block.note_top + 5
        for text in block.note:
            svg.text((MARGIN, foot), text, FINE)
            foot += _NAME
        top = y + PAD
        for cells in block.lines:
            self._pass(svg, block, cells, top)
            top += LINE
        svg.close()

    def _no_turn(self, svg: Svg, played: Played, y: float) -> None:
        """Draw a turn that was skipped."""
        left = MARGIN + SIDE + 4
        said = f"a {self.turn.word} skipped {cited_rule(played.rule)}".strip()
        self._dashed(svg, Box(left, y, self.columns.right - left - 4, HIGH), "paper", [said])

    def _dashed(self, svg: Svg, box: Box, fill: str, lines: Sequence[str]) -> None:
        """Draw what was left out."""
        self.used.add("left")
        svg.rect(box, Paint(fill, "skip", dash="4 3", round=6))
        foot = box.y + HIGH / 2 + 3.8 - 5.5 * (len(lines) - 1)
        for text in lines:
            svg.text((box.x + box.w / 2, foot), text, Ink("skip", 11), "middle")
            foot += 11

    def _pass(self, svg: Svg, block: _Block, cells: Sequence[Cell], y: float) -> None:
        middle = y + HIGH / 2
        for before, after in pairwise(cells):
            points: list[Point] = [(self.columns.right_of(before), middle)]
            points.append((self.columns.left[after.step], middle))
            if before.cut:
                svg.line(points, "jump", "surface")
            else:
                left_out = before.skipped or after.skipped
                svg.line(points, "skip" if left_out else "core", head=False)
        whose = f"{self.turn.word} {block.played.number}, {block.player}"
        for cell in cells:
            svg.open("cell", f"{cell_words(self.turn, cell)}\n{whose}")
            if cell.skipped:
                left = self.columns.left[cell.step]
                box = Box(left, y, self.columns.right_of(cell) - left, HIGH)
                rule = cited_rule(cell.rule) or "left out"
                ink = Ink("skip", 11)
                whole = f"{cell.why} {rule}".strip()
                fits = width(whole, ink) < box.w - 8
                lines = wrap(whole if fits else rule, box.w - 4, ink)[:2]
                self._dashed(svg, box, f"tint{self.hue[cell.step]}", lines)
            else:
                self._visit(svg, cell, y)
            svg.close()

    def _visit(self, svg: Svg, cell: Cell, y: float) -> None:
        """Draw a visit: the step, what resolved, whether players could act, how it ended."""
        box = Box(self.columns.left[cell.step], y, self.columns.cell, HIGH)
        hue = self.hue[cell.step]
        middle = y + HIGH / 2
        if cell.extra or cell.again:
            self._double(svg, box, "surface")
        else:
            svg.rect(box, Paint("surface", "jump" if cell.cut else f"edge{hue}", round=6))
        back = "↩ " if cell.back else ""
        svg.text((box.x + 4.5, middle + 4), back + self.columns.names[cell.step], _CODE)
        end = box.right - 4.5
        if cell.priority:
            sign: Mark = "hollow" if cell.conditional else "full"
            self.used.add(sign)
            mark(svg, (end - 3, middle + 3), sign, f"title{hue}", "surface")
            end -= 8
        if cell.resolved:
            self.used.add("resolved")
            ink = Ink(f"title{hue}", bold=True)
            svg.text((end, middle + 7), str(cell.resolved), ink, "end")
        if cell.loops:
            svg.text((box.right - 5, y + 10), f"{cell.loops}×", Ink("extra", 10, bold=True), "end")
        if cell.cut:
            self.used.add("jump")
            x = box.right - 11
            cross = f"M{x:.1f} {y + 3.5:.1f}l5.5 5.5m0 -5.5l-5.5 5.5"
            svg.path(cross, "jump", 1.8)

    def _double(self, svg: Svg, box: Box, fill: str) -> None:
        """Draw the border of what is extra."""
        self.used.add("double")
        svg.rect(box.inset(-2.8), Paint(fill, "extra", 1.1, round=8))
        svg.rect(box, Paint(fill, "extra", round=6))


# words --------------------------------------------------------------------------------------------


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
    again = f" (visit {cell.visit.iteration})" if cell.visit.iteration > 1 else ""
    yield f"{turn.names[cell.step]}{again}"
    signs = {
        "extra": cell.extra,
        "once more": cell.again,
        "back where it waited": cell.back,
        f"cut short{_cut_by(turn, cell)}": bool(cell.cut),
    }
    yield from (words for words, shown in signs.items() if shown)
    yield from _done(turn, cell)
    if cell.priority:
        resolved = f", {cell.resolved} resolved" if cell.resolved else ""
        acted, passed = many(cell.visit.acted, "time"), many(cell.visit.passes, "time")
        yield f"acted {acted}, passed {passed}{resolved}"


def _cut_by(turn: Turn, cell: Cell) -> str:
    words = [way.words for way in turn.ways if cell.cut in way.tells]
    if words:
        return f": {words[0]}"
    return ""


def _done(turn: Turn, cell: Cell) -> Iterator[str]:
    step = next(step for step in turn.steps if step.id == cell.step)
    own = [line for line in step.lines if line.number and not line.mark]
    lines = [line for line in own if line.state in cell.stages]
    if lines:
        yield f"done: {', '.join(lower_first(line.text) for line in lines)}"
