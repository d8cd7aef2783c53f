"""The sheet: title, then groups of turns under a header each, then the legend."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from fsm.model import Model
from fsm.views.drawing.measures import HEADLINE, LEGEND, NARROWEST
from fsm.views.drawing.metrics import clip, text_width, wrap
from fsm.views.drawing.palette import ThemeName
from fsm.views.drawing.palette import theme as theme_of
from fsm.views.drawing.svg import add, headline, markup, page, resize, write
from fsm.views.drawing.timeline import Section, signs
from fsm.views.drawing.timeline.blocks import (
    NO_TURN,
    NOTE,
    NOTE_LINE,
    NOTE_TOP,
    PAD,
    Block,
    block_of,
    note_of,
)
from fsm.views.drawing.timeline.cells import RULE, Cells
from fsm.views.drawing.timeline.columns import GUTTER, LEFT, NAME, RIGHT, Band, Columns
from fsm.views.drawing.timeline.keys import draw_keys
from fsm.views.drawing.timeline.links import Links
from fsm.views.drawing.timeline.tips import step_tip, turn_said, turn_tip
from fsm.wording import cited_rule, few, plain

GROUP_HEIGHT = 700.0
"""The header is drawn again above turns that begin further down than this from the last one."""
_MOST_CAPTION_LINES, _BELOW_CAPTION, _BELOW_GROUP = 4, 14.0, 12.0
_MOST_TOLD = 12  # turns, to those who do not see them
_HEADING_SIZE, _HEADING_DROP, _HEADING_HEIGHT = 11.0, 6.0, 20.0

# The header of a group: bands of phases, in each the title of one, and under them the names of
# steps.
_BAND_LINE, _BAND_INSET, _TITLE_DROP = 14.5, 2.0, 10.5
_NAME_LINE, _NAME_FOOT, _HEAD_FOOT, _GROUP_FOOT = 9.4, 5.5, 9.0, 3.0

# At the left of a turn: its number and player.
_NUMBER, _NUMBER_DROP, _PLAYER = 12.0, 12.0, 10.0
_TO_PLAYER, _EXTRA_TO_PLAYER, _PLAYER_RIGHT = 6.0, 11.0, 4.0
_EXTRA_LEFT, _EXTRA_RISE, _EXTRA_HEIGHT = (
    2.0,
    10.5,
    12.5,
)  # the double border around the number of an extra turn
_NOTE_RISE = 1.5

_MORE_LEFT, _MORE_DROP = 6.0, 10.0  # the words in place of lines like the last
_NO_TURN_INSET, _NO_TURN_PAD, _NO_TURN_DROP = 4.0, 8.0, 11.0  # the box of a turn that was skipped


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
        self.width = max(self.columns.end + RIGHT, NARROWEST)

    def draw(self, sections: Sequence[Section]) -> str:
        """The picture as text."""
        turns = sum(1 for section in sections for turn in section.turns if turn.number)
        title = (
            self.title
            or f"{plain(self.model.title) or plain(self.model.name)}: a game turn by turn"
        )
        groups = list(self._groups(sections))
        told = [
            turn_said(self.model, block.turn, block.player)
            for group in groups
            for block in group.blocks
        ]
        root = page(title, self.theme, few(told, _MOST_TOLD, " "))
        y = self._headline(root, title, turns)
        for group in groups:
            y = self._group(root, group, y) + _BELOW_GROUP
        y += draw_keys(root, self.cells, self.width, y)
        resize(root, self.width, y)
        return markup(root)

    def _headline(self, root: ET.Element, title: str, turns: int) -> float:
        counted = f"{turns} turn{'' if turns == 1 else 's'}"
        how = "A new line starts where the next step lies to the left. Numbers: objects resolved in the step."
        said = ". ".join(part for part in (plain(self.model.edition), counted, how) if part)
        room = self.width - LEFT - RIGHT
        shown, caption = (
            clip(title, room, HEADLINE, True),
            wrap(said, room, LEGEND, _MOST_CAPTION_LINES),
        )
        return headline(root, [shown], caption, LEFT, self.theme) + _BELOW_CAPTION

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
            heading = clip(group.heading, self.width - LEFT - RIGHT, _HEADING_SIZE, True)
            write(root, heading, LEFT, y + _HEADING_DROP, _HEADING_SIZE, self.theme.ink, bold=True)
            y += _HEADING_HEIGHT
        part = add(root, "g", class_="stave")
        names = max((len(column.name) for column in self.columns.of.values()), default=0)
        head = _BAND_LINE * self.columns.depth + _NAME_LINE * names + _HEAD_FOOT
        bottom = y + head + sum(block.height for block in group.blocks) + _GROUP_FOOT
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
        hue, top = self.theme.hue(band.hue), y + _BAND_LINE * band.depth
        look = {"stroke": hue.border, "stroke_width": "0.8"} if band.depth else {}
        wide, high = band.right - band.left, bottom - top - _BAND_INSET * band.depth
        add(
            group,
            "rect",
            x=band.left,
            y=top,
            width=wide,
            height=high,
            rx="7",
            fill=hue.tint,
            **look,
        )
        middle = (band.left + band.right) / 2
        write(
            group,
            band.title,
            middle,
            top + _TITLE_DROP,
            band.size,
            hue.title,
            bold=True,
            anchor="middle",
        )

    def _names(self, group: ET.Element, bottom: float) -> None:
        """The steps' names, the last line of each just above the turns."""
        for id, column in self.columns.of.items():
            named = add(group, "g", class_="step")
            add(named, "title", step_tip(self.columns, id))
            for i, line in enumerate(reversed(column.name)):
                y = bottom - _NAME_FOOT - _NAME_LINE * i
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
                write(
                    group,
                    line.more,
                    LEFT + GUTTER + _MORE_LEFT,
                    top + line.y + _MORE_DROP,
                    NOTE,
                    self.theme.muted,
                )
        self.links.over(group, block.lines, top)

    def _side(self, parent: ET.Element, block: Block, y: float) -> None:
        """At the left: number, player, note."""
        group = add(parent, "g", class_="side")
        add(group, "title", turn_tip(block.turn, block.player, note_of(block.turn)))
        number, base = str(block.turn.number or "–"), y + PAD + _NUMBER_DROP
        wide = text_width(number, _NUMBER, True)
        if block.turn.extra:
            self.cells.used.add("extra")
            signs.double(
                group,
                LEFT - _EXTRA_LEFT,
                base - _EXTRA_RISE,
                wide + 2 * _EXTRA_LEFT,
                _EXTRA_HEIGHT,
                self.theme,
            )
        write(group, number, LEFT, base, _NUMBER, self.theme.ink, bold=True)
        x = LEFT + wide + (_EXTRA_TO_PLAYER if block.turn.extra else _TO_PLAYER)
        if block.turn.number:
            name = clip(block.player, LEFT + GUTTER - _PLAYER_RIGHT - x, _PLAYER, True)
            write(group, name, x, base, _PLAYER, self.theme.ink, bold=True)
        for i, line in enumerate(block.note):
            below = y + PAD + NOTE_TOP + NOTE_LINE * (i + 1) - _NOTE_RISE
            write(group, line, LEFT, below, NOTE, self.theme.muted)

    def _no_turn(self, parent: ET.Element, block: Block, y: float) -> None:
        """A turn that was skipped: one dashed box all across."""
        self.cells.used.add("skipped")
        group, colour = add(parent, "g", class_="no-turn skipped"), self.theme.layers["skip"]
        add(group, "title", turn_tip(block.turn, "", ""))
        left, right = LEFT + GUTTER + _NO_TURN_INSET, self.columns.end - _NO_TURN_INSET
        signs.left_out(group, left, y, right - left, NO_TURN, self.theme, fill=self.theme.paper)
        said = clip(
            " ".join(filter(None, ["a turn skipped", cited_rule(block.turn.rule)])),
            right - left - _NO_TURN_PAD,
            RULE,
        )
        write(group, said, (left + right) / 2, y + _NO_TURN_DROP, RULE, colour, anchor="middle")
