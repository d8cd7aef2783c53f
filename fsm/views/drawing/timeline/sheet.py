"""The sheet: title, then groups of turns under a header each, then the legend."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from fsm.model import Model
from fsm.views.drawing.metrics import clip, text_width, wrap
from fsm.views.drawing.palette import ThemeName
from fsm.views.drawing.palette import theme as theme_of
from fsm.views.drawing.svg import add, markup, page, resize, write
from fsm.views.drawing.timeline import Section, signs
from fsm.views.drawing.timeline.blocks import NO_TURN, NOTE, NOTE_LINE, NOTE_TOP, PAD, Block, block_of, note_of
from fsm.views.drawing.timeline.cells import RULE, Cells
from fsm.views.drawing.timeline.columns import GUTTER, LEFT, NAME, RIGHT, Band, Columns
from fsm.views.drawing.timeline.keys import draw_keys
from fsm.views.drawing.timeline.links import Links
from fsm.views.drawing.timeline.tips import step_tip, turn_tip
from fsm.wording import plain

GROUP_HEIGHT = 700.0
"""The header is drawn again above turns that begin further down than this from the last one."""
BAND_LINE, NAME_LINE, HEADING = 14.5, 9.4, 20.0


@dataclass(frozen=True, slots=True)
class TurnGroup:
    """Turns under one header; `heading` is the game's, on its first group."""

    heading: str
    blocks: tuple[Block, ...]


class Sheet:
    """Draws sections of turns of one model."""

    def __init__(self, model: Model, theme: ThemeName, title: str) -> None:
        self.model, self.title = model, plain(title)
        self.theme = theme_of(theme)
        self.columns = Columns(model)
        self.cells, self.links = Cells(self.columns, self.theme), Links(self.columns, self.theme)
        self.width = max(self.columns.end + RIGHT, 360.0)

    def draw(self, sections: Sequence[Section]) -> str:
        """The picture as text."""
        turns = sum(1 for section in sections for turn in section.turns if turn.number)
        title = self.title or f"{plain(self.model.title) or plain(self.model.name)}: a game turn by turn"
        root = page(title, self.theme)
        y = self._headline(root, title, turns)
        for group in self._groups(sections):
            y = self._group(root, group, y) + 12
        y += draw_keys(root, self.cells, self.width, y)
        resize(root, self.width, y)
        return markup(root)

    def _headline(self, root: ET.Element, title: str, turns: int) -> float:
        shown = clip(title, self.width - LEFT - RIGHT, 16, True)
        write(root, shown, LEFT, 26.0, 16.0, self.theme.ink, bold=True)
        counted = f"{turns} turn{'' if turns == 1 else 's'}"
        how = "A new line starts where the next step lies to the left. Numbers: objects resolved in the step."
        said = ". ".join(part for part in (plain(self.model.edition), counted, how) if part)
        y = 30.0
        for line in wrap(said, self.width - LEFT - RIGHT, 9, 4):
            y += 12.0
            write(root, line, LEFT, y, 9.0, self.theme.muted)
        return y + 14

    def _groups(self, sections: Sequence[Section]) -> Iterator[TurnGroup]:
        for section in sections:
            heading, blocks = plain(section.heading), list[Block]()
            for turn in section.turns:
                if blocks and sum(block.height for block in blocks) > GROUP_HEIGHT:
                    yield TurnGroup(heading, tuple(blocks))
                    heading, blocks = "", []
                blocks.append(block_of(turn, self.columns, section.names))
            yield TurnGroup(heading, tuple(blocks))

    def _group(self, root: ET.Element, group: TurnGroup, y: float) -> float:
        """Draw header and turns from `y` down; where they end."""
        if group.heading:
            heading = clip(group.heading, self.width - LEFT - RIGHT, 11, True)
            write(root, heading, LEFT, y + 6, 11.0, self.theme.ink, bold=True)
            y += HEADING
        part = add(root, "g", class_="stave")
        head = BAND_LINE * self.columns.depth + NAME_LINE * self.columns.lines + 9
        bottom = y + head + sum(block.height for block in group.blocks) + 3
        for band in self.columns.bands:
            self._band(part, band, y, bottom)
        self._names(part, y + head)
        y += head
        for block in group.blocks:
            self._rule(part, y)
            self._block(part, block, y)
            y += block.height
        return bottom

    def _band(self, group: ET.Element, band: Band, y: float, bottom: float) -> None:
        hue, top = self.theme.hue(band.hue), y + BAND_LINE * band.depth
        look = {"stroke": hue.border, "stroke_width": "0.8"} if band.depth else {}
        wide, high = band.right - band.left, bottom - top - 2.0 * band.depth
        add(group, "rect", x=band.left, y=top, width=wide, height=high, rx="7", fill=hue.tint, **look)
        middle = (band.left + band.right) / 2
        write(group, band.title, middle, top + 10.5, band.size, hue.title, bold=True, anchor="middle")

    def _names(self, group: ET.Element, bottom: float) -> None:
        """The steps' names, the last line of each just above the turns."""
        for id, column in self.columns.of.items():
            named = add(group, "g", class_="step")
            add(named, "title", step_tip(self.columns, id))
            for i, line in enumerate(reversed(column.name)):
                y = bottom - 5.5 - NAME_LINE * i
                write(named, line, column.middle, y, NAME, self.theme.muted, anchor="middle")

    def _rule(self, group: ET.Element, y: float) -> None:
        path = f"M{LEFT:.2f} {y:.2f}H{self.columns.end:.2f}"
        add(group, "path", d=path, stroke=self.theme.rule_line, stroke_width="1", fill="none")

    def _block(self, parent: ET.Element, block: Block, y: float) -> None:
        group = add(parent, "g", class_="turn")
        self._side(group, block, y)
        top = y + PAD
        if not block.turn.number:
            self._no_turn(group, block, top)
        self.links.under(group, block.lines, top)
        for line in block.lines:
            for cell in line.cells:
                self.cells.draw(group, cell, block.turn, block.player, top + line.y)
            if line.more:
                write(group, line.more, self.columns.start + 6, top + line.y + 10, NOTE, self.theme.muted)
        self.links.over(group, block.lines, top)

    def _side(self, parent: ET.Element, block: Block, y: float) -> None:
        """At the left: number, player, note."""
        group = add(parent, "g", class_="side")
        add(group, "title", turn_tip(block.turn, block.player, note_of(block.turn)))
        number, base = str(block.turn.number or "–"), y + PAD + 12
        wide = text_width(number, 12, True)
        if block.turn.extra:
            self.cells.used.add("extra")
            signs.double(group, LEFT - 2, base - 10.5, wide + 4, 12.5, self.theme)
        write(group, number, LEFT, base, 12.0, self.theme.ink, bold=True)
        x = LEFT + wide + (11 if block.turn.extra else 6)
        if block.turn.number:
            name = clip(block.player, LEFT + GUTTER - 4 - x, 10, True)
            write(group, name, x, base, 10.0, self.theme.ink, bold=True)
        for i, line in enumerate(block.note):
            below = y + PAD + NOTE_TOP + NOTE_LINE * (i + 1) - 1.5
            write(group, line, LEFT, below, NOTE, self.theme.muted)

    def _no_turn(self, parent: ET.Element, block: Block, y: float) -> None:
        """A turn that was skipped: one dashed box all across."""
        self.cells.used.add("skipped")
        group, colour = add(parent, "g", class_="no-turn skipped"), self.theme.layers["skip"]
        add(group, "title", turn_tip(block.turn, "", ""))
        left, right = self.columns.start + 4, self.columns.end - 4
        look = {"fill": self.theme.paper, "stroke": colour, "stroke_dasharray": "4,2", "stroke_width": "1.3"}
        add(group, "rect", x=left, y=y, width=right - left, height=NO_TURN, rx="5.5", **look)
        said = clip(" ".join(filter(None, ["a turn skipped", plain(block.turn.rule)])), right - left - 8, RULE)
        write(group, said, (left + right) / 2, y + 11, RULE, colour, anchor="middle")
