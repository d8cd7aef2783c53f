"""The timeline of a game that was played, as a picture: steps across in the turn's order, turns
down.

    from fsm.views.timelines import timeline
    svg = timeline(model, trace.records, title="Friday, table 3")

A new line starts where the next step lies to the left, so extra steps and phases need no other
rule. `fsm.runs.turns` reads the turns, for this picture and for the terminal alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain, pairwise
from textwrap import TextWrapper

from fsm.engine.trace import Record
from fsm.model import Model
from fsm.model.model import step_codes
from fsm.runs.turns import Cell, Turn as Played, passes_of, read_turns
from fsm.views.cards import FINE, mark, write
from fsm.views.pictures import short_title
from fsm.views.reader import read
from fsm.views.reading import Turn
from fsm.views.sheet import BOLD, MARGIN, WIDE, Sheet
from fsm.views.svg import Box, Ink, Paint, Svg, Theme, Word, width, wrap
from fsm.wording import blanks, cited_rule, few, many, plain, plain_words

SIDE = 80
"""The room at the left for the number of a turn, its player and its note."""
LEAST = 39
"""The least width of the column of a step."""
LINE = 36
"""The height of a line of cells."""
GAP = 3.5
"""The distance of a cell from the edges of its line and its columns."""
BAND = 17
HEAD = 40
"""The height of the title of a phase, and that of the titles of steps."""
LETTER = 5.4
"""The width of a letter in them, about: a word that is too long is squeezed, not broken."""
GROUP = 700
"""The header is drawn again above turns that begin further down than this from the last one."""
MOST_TOLD = 12
"""How many turns are told in words."""
_TITLE = Ink(size=13, bold=True)
_LEFT_OUT = Ink("skip", 11)
_CAPTION = (
    "A new line starts where the next step lies to the left. Numbers: objects resolved in the step."
)
Game = tuple[str, Sequence[Played]]
"""A heading, and turns (see `fsm.runs.turns`)."""


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
    return timelines(model, [("", [*read_turns(records, model)])], theme=theme, title=title)


def timelines(
    model: Model, games: Sequence[Game], *, theme: Theme = "auto", title: str = ""
) -> str:
    """Draw several games of one model below each other, each with its heading. A single one needs
    none.
    """
    drawing = _Timeline(model)
    turn = drawing.turn
    played = [*chain.from_iterable(turns for _, turns in games)]
    counted = many(sum(each.number > 0 for each in played), turn.word)
    sheet = Sheet(
        plain(title) or f"{turn.title}: a game turn by turn",
        ". ".join(filter(None, [turn.edition, counted, _CAPTION])),
        drawing.right + MARGIN,
    )
    y = sheet.y + 6
    for heading, turns in games:
        if len(games) > 1:
            y = sheet.say(plain(heading), y, 16, _TITLE)
        rest = [*turns]
        while rest:
            y = drawing.group(sheet, rest, y + 16)
    cited = any(cell.rule for each in played for cell in each.cells)
    signs = {
        "full": turn.acting,
        "resolved": "and two objects resolved",
        "hollow": "only because something triggered",
        "skip dashes": "left out, with the rule" if cited else "left out",
        "extra double": "extra, or once more",
        "jump line": "cut short",
    }
    told = [turn_words(turn, each) for each in played]
    return sheet.finish(y + 16, signs, few(told, MOST_TOLD, " "), theme)


class _Timeline:
    """Draws turns."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.turn = read(model)
        self.pitch = max(LEAST, (WIDE - 2 * MARGIN - SIDE) / len(self.turn.steps))
        self.names = step_codes(model)
        self.left: dict[str, float] = {}
        self.right: float = MARGIN + SIDE
        for step in self.turn.steps:
            if width(step.title, BOLD) <= self.pitch - 16:
                self.names[step.id] = step.title
            self.left[step.id] = self.right
            self.right += self.pitch

    def group(self, svg: Svg, turns: list[Played], top: float) -> float:
        """Draw a header, take turns and draw them below it, and return where they end. The bands of
        the phases lie below all that.
        """
        inside = Svg()
        heads = TextWrapper(
            int(self.pitch / LETTER), break_long_words=False, break_on_hyphens=False
        )
        y = top + BAND * (2 if self.turn.all_phases != self.turn.phases else 1)
        for step in self.turn.steps:
            box = Box(self.left[step.id], y, self.pitch, HEAD)
            inside.centred(box, heads.wrap(step.title)[:3], FINE)
        y += HEAD
        while turns and y < top + GROUP:
            y = self._turn(inside, turns.pop(0), y)
        for phase in self.turn.all_phases:
            start = top if phase in self.turn.phases else top + BAND
            band = self._across(phase.steps[0].id, phase.steps[-1].id, start, y - start)
            svg.rect(band.inset(1.5), Paint(f"tint{phase.hue}"))
            ink = Ink(f"title{phase.hue}", bold=True)
            svg.centred(band._replace(h=BAND + 2), [short_title(phase, band.w - 4)], ink)
        svg += inside
        return y

    def _across(self, first: str, last: str, y: float, high: float) -> Box:
        """The columns of some steps."""
        left = self.left[first]
        return Box(left, y, self.left[last] + self.pitch - left, high)

    # turns ----------------------------------------------------------------------------------------

    def _turn(self, svg: Svg, played: Played, y: float) -> float:
        """Draw a turn: who and what at the left, then a line for each pass from left to right.
        Return where it ends.
        """
        word = self.turn.word
        cells = played.cells
        if not played.number:
            steps = [*self.left]
            cells = [Cell(steps[0], rule=played.rule, why=f"a {word} skipped", left_out=steps)]
        svg.path(f"M{MARGIN} {y:.1f}H{self.right:.1f}", "rule", 1)
        note = plain(played.note) or ", ".join(map(blanks, dict.fromkeys(played.signals)))
        words = [
            Word(str(played.number or "–"), _TITLE),
            Word(plain(played.active), _TITLE),
            Word(f"extra {word}" if played.extra else "", Ink("extra", 11, bold=True)),
            Word(note, FINE),
        ]
        foot = write(svg, (MARGIN, y + 9), words, SIDE - 8)
        y += 4
        for line in passes_of(cells, self.left):
            self._pass(svg, line, y)
            y += LINE
        return max(y, foot) + 7

    def _pass(self, svg: Svg, cells: Sequence[Cell], y: float) -> None:
        """Draw cells with the lines between them."""
        places = [(cell, self._across(cell.step, cell.last, y, LINE).inset(GAP)) for cell in cells]
        middle = y + LINE / 2
        for (before, box), (after, next_box) in pairwise(places):
            kind = "core"
            if before.cut:
                kind = "jump"
            elif before.left_out or after.left_out:
                kind = "skip"
            ends = [(box.right, middle), (next_box.x, middle)]
            svg.line(ends, kind, "surface", head=kind == "jump")
        for cell, box in places:
            draw = _left_out if cell.left_out else self._visit
            with svg.group("cell", self._words(cell)):
                draw(svg, cell, box)

    def _visit(self, svg: Svg, cell: Cell, box: Box) -> None:
        """Draw a visit: the step, and below it how it came about and ended, what resolved, and
        whether players could act.
        """
        hue = self.turn.hue_of(cell.step)
        ink = Ink(f"title{hue}", bold=True)
        edge = "jump" if cell.cut else f"edge{hue}"
        if cell.extra or cell.again:
            edge = "extra"
            svg.signs.add("extra double")
            svg.rect(box.inset(-2.8), Paint("surface", edge, round=12))
        svg.rect(box, Paint("surface", edge))
        svg.centred(box._replace(h=20), [self.names[cell.step]], BOLD)
        row = box.inset(4)
        end = row.right
        if cell.priority:
            paint = Paint("surface", ink.colour)
            mark(svg, (end - 3, row.bottom - 4), "hollow" if cell.conditional else "full", paint)
            end -= 8
        if cell.resolved:
            svg.signs.add("resolved")
            count = str(cell.resolved)
            svg.text((end, row.bottom), count, ink, "end")
            end -= width(count, ink)
        signs = "↩" if cell.back else ""
        if cell.loops:
            signs += f" {cell.loops}×"
        if cell.cut:
            svg.signs.add("jump line")
            signs += " ×"
        ink = Ink(edge, 11, bold=True)
        svg.text((row.x, row.bottom), signs.strip(), ink, most=end - row.x)

    def _words(self, cell: Cell) -> str:
        """A cell in a few lines: the step, why it is left out or special, what was done in it, who
        acted.
        """
        model = self.model
        cut = plain_words(model, model.transition(cell.cut)) if cell.cut else ""
        stages = map(model.state, cell.stages)
        done = [plain_words(model, stage) for stage in stages if stage.kind == "action"]
        visit = cell.visit
        acted = f"acted {many(visit.acted, 'time')}, passed {many(visit.passes, 'time')}"
        said = {
            _name(self.turn, cell): True,
            cell.why: True,
            cited_rule(cell.rule): True,
            "extra": cell.extra,
            "once more": cell.again,
            "back where it waited": cell.back,
            f"cut short: {cut}": cell.cut,
            f"done: {', '.join(dict.fromkeys(done))}": done,
            f"{acted}, {cell.resolved} resolved": cell.priority,
        }
        return "\n".join(words for words, holds in said.items() if words and holds)


def _left_out(svg: Svg, cell: Cell, box: Box) -> None:
    """Draw steps that were left out, with the reason if there is room, or else the rule."""
    svg.rect(box, Paint("paper", "skip", dash="4 3"))
    rule = cited_rule(cell.rule)
    lines = wrap(f"{cell.why} {rule}", box.w - 8, _LEFT_OUT)
    if len(lines) != 1:
        lines = wrap(rule or "left out", box.w - 4, _LEFT_OUT)[:2]
    svg.centred(box, lines, _LEFT_OUT)


# words --------------------------------------------------------------------------------------------


def turn_words(turn: Turn, played: Played) -> str:
    """Return a turn in one sentence."""
    if not played.number:
        return f"A {turn.word} was skipped."
    names = ", ".join(_name(turn, cell) for cell in played.cells) or "nothing"
    player = plain(played.active) or "–"
    return f"{turn.word.capitalize()} {played.number}, {player}: {names}."


def _name(turn: Turn, cell: Cell) -> str:
    """What a cell stands for."""
    names = ", ".join(turn.names[step] for step in cell.left_out or [cell.step])
    return f"(left out: {names})" if cell.left_out else names
