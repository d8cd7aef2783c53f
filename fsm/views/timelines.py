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

from fsm.engine.trace import Record
from fsm.model import Model
from fsm.model.model import step_codes
from fsm.runs.turns import Cell, Turn as Played, passes_of, read_turns
from fsm.views.cards import FINE, mark, write
from fsm.views.pictures import short_title
from fsm.views.reader import read
from fsm.views.reading import Turn
from fsm.views.sheet import MARGIN, WIDE, Sheet
from fsm.views.svg import Box, Ink, Paint, Svg, Theme, Word, width, wrap
from fsm.wording import blanks, cited_rule, few, lower_first, many, plain

SIDE = 96
LEAST_SIDE = 60
"""The room at the left for the number of a turn, its player and its note, and the least of it where
there are many steps.
"""
ROOMY = 50
LEAST = 40
"""The width of the column of a step where there is room, and the least of it."""
HIGH = 35
LINE = 38
"""The height of the row of a cell, and that of a line of cells."""
BAND = 17
HEAD = 40
"""The height of the title of a phase, and that of the titles of steps."""
GROUP = 700
"""The header is drawn again above turns that begin further down than this from the last one."""
MOST_TOLD = 12
"""How many turns are told in words."""
_TITLE = Ink(size=13, bold=True)
_CODE = Ink(bold=True)
_LEFT_OUT = Ink("skip", 11)
_CAPTION = (
    "A new line starts where the next step lies to the left. Numbers: objects resolved in the step."
)
_SIGNS = {
    "resolved": "and two objects resolved",
    "hollow": "only because something triggered",
    "skip dashes": "left out",
    "extra double": "extra, or once more",
    "jump line": "cut short",
}
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
    turn = read(model)
    drawing = _Timeline(model)
    played = [*chain.from_iterable(turns for _, turns in games)]
    counted = many(sum(each.number > 0 for each in played), turn.word)
    sheet = Sheet(
        plain(title) or f"{turn.title}: a game turn by turn",
        ". ".join(filter(None, [turn.edition, counted, _CAPTION])),
        max(drawing.right + MARGIN, 420),
    )
    y = sheet.y + 6
    for heading, turns in games:
        if len(games) > 1:
            y = sheet.say(plain(heading), y, 16, _TITLE)
        rest = [*turns]
        while rest:
            y = drawing.group(sheet, rest, y + 16)
    told = [turn_words(turn, each) for each in played]
    signs = {"full": turn.acting} | _SIGNS
    if any(cell.rule for each in played for cell in each.cells if cell.left_out):
        signs["skip dashes"] = "left out, with the rule"
    return sheet.finish(y + 16, signs, few(told, MOST_TOLD, " "), theme)


class _Timeline:
    """Draws turns."""

    def __init__(self, model: Model) -> None:
        self.turn = read(model)
        self.codes = step_codes(model)
        steps = self.turn.steps
        room = WIDE - 2 * MARGIN - 8
        self.side = min(SIDE, max(LEAST_SIDE, room - ROOMY * len(steps)))
        self.pitch = min(76.0, max(LEAST, (room - self.side) / len(steps)))
        left = MARGIN + self.side + 8
        self.left = {step.id: left + self.pitch * i for i, step in enumerate(steps)}
        self.right = left + self.pitch * len(steps)

    def group(self, svg: Svg, turns: list[Played], top: float) -> float:
        """Draw a header, take turns and draw them below it, and return where they end."""
        inside = Svg()
        y = self._heads(inside, top)
        while turns and y < top + GROUP:
            y = self._turn(inside, turns.pop(0), y)
        self._bands(svg, top, y)
        svg += inside
        return y

    def _bands(self, svg: Svg, top: float, bottom: float) -> None:
        """Draw the bands of the phases, with their titles."""
        for phase in self.turn.all_phases:
            edge = ""
            y = top
            if self.turn.phase_of(phase.id):
                edge = f"edge{phase.hue}"
                y += BAND
            band = self._across(phase.steps[0].id, phase.steps[-1].id, y, bottom - y)
            svg.rect(band.inset(1.5), Paint(f"tint{phase.hue}", edge))
            ink = Ink(f"title{phase.hue}", bold=True)
            svg.centred(band._replace(h=BAND + 2), [short_title(phase, band.w - 4)], ink)

    def _heads(self, svg: Svg, y: float) -> float:
        """Write the titles of the steps below those of the phases, and return where they end."""
        y += BAND * (2 if self.turn.all_phases != self.turn.phases else 1)
        for step in self.turn.steps:
            words = [width(word, FINE) for word in step.title.split()]
            lines = wrap(step.title, max([self.pitch, *words]), FINE)[:3]
            svg.centred(self._across(step.id, step.id, y, HEAD), lines, FINE)
        return y + HEAD

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
        player = plain(played.active) or "–"
        whose = f"{word} {played.number}, {player}"
        svg.path(f"M{MARGIN} {y:.1f}H{self.right:.1f}", "rule", 1)
        svg.open("turn", whose)
        number = str(played.number or "")
        wide = width(number, _TITLE) + 8
        if played.extra:
            self._double(svg, Box(MARGIN - 4, y + 8, wide, 19))
        svg.text((MARGIN, y + 23), number, _TITLE)
        notes = [f"extra {word}"] if played.extra else []
        notes += dict.fromkeys(map(blanks, played.signals))
        note = Word(plain(played.note) or ", ".join(notes), FINE)
        x = MARGIN + wide + 3
        foot = write(svg, (x, y + 9), [Word(player, _TITLE)], self.side - wide)
        foot = write(svg, (x, foot), [note], self.side - wide)
        cells = played.cells
        if not played.number:
            steps = [*self.left]
            cells = [Cell(steps[0], rule=played.rule, why=f"a {word} skipped", left_out=steps)]
        bottom = y + 4
        for line in passes_of(cells, self.left):
            self._pass(svg, line, whose, bottom)
            bottom += LINE
        svg.close()
        return max(bottom, foot) + 7

    def _pass(self, svg: Svg, cells: Sequence[Cell], whose: str, y: float) -> None:
        """Draw cells with the lines between them."""
        places = [(cell, self._across(cell.step, cell.last, y, HIGH).inset(3.5)) for cell in cells]
        middle = y + HIGH / 2
        for (before, box), (after, next_box) in pairwise(places):
            kind = "core"
            if before.cut:
                kind = "jump"
            elif before.left_out or after.left_out:
                kind = "skip"
            ends = [(box.right, middle), (next_box.x, middle)]
            svg.line(ends, kind, "surface", head=kind == "jump")
        for cell, box in places:
            svg.open("cell", f"{cell_words(self.turn, cell)}\n{whose}")
            draw = self._left_out if cell.left_out else self._visit
            draw(svg, cell, box)
            svg.close()

    def _left_out(self, svg: Svg, cell: Cell, box: Box) -> None:
        """Draw steps that were left out, with the reason if there is room, and the rule."""
        svg.rect(box, Paint("paper", "skip", dash="4 3"))
        rule = cited_rule(cell.rule)
        lines = wrap(f"{cell.why} {rule}", box.w - 8, _LEFT_OUT)
        if len(lines) != 1:
            lines = wrap(rule or "left out", box.w - 4, _LEFT_OUT)[:2]
        svg.centred(box, lines, _LEFT_OUT)

    def _visit(self, svg: Svg, cell: Cell, box: Box) -> None:
        """Draw a visit: the step, what resolved, whether players could act, how it ended."""
        hue = self.turn.hue_of(cell.step)
        if cell.extra or cell.again:
            self._double(svg, box)
        else:
            svg.rect(box, Paint("surface", "jump" if cell.cut else f"edge{hue}"))
        ink = Ink(f"title{hue}", bold=True)
        count = str(cell.resolved or "")
        air = 4.5 if self.pitch >= ROOMY else 3
        back = "↩ " if cell.back else ""
        name = back + self.turn.names[cell.step]
        beside = 9 if cell.priority or cell.cut else 0  # a mark or a cross
        room = box.w - 2 * air - beside - width(count, ink)
        if width(name, _CODE) > room:
            name = back + self.codes[cell.step]
        foot = box.y + 18
        svg.text((box.x + air, foot), name, _CODE, most=room)
        end = box.right - air
        if cell.priority:
            kind = "hollow" if cell.conditional else "full"
            mark(svg, (end - 3, foot - 1), kind, Paint("surface", ink.colour))
            end -= 8
        if cell.resolved:
            svg.signs.add("resolved")
            svg.text((end, foot + 3), count, ink, "end")
        if cell.loops:
            often = f"{cell.loops}×"
            end = box.right - (11 if cell.cut else 3)
            svg.text((end, foot - 9), often, Ink("extra", 11, bold=True), "end")
        if cell.cut:
            svg.signs.add("jump line")
            svg.text((box.right - 3, foot - 9), "×", Ink("jump", bold=True), "end")

    def _double(self, svg: Svg, box: Box) -> None:
        """Draw the border of what is extra."""
        svg.signs.add("extra double")
        svg.rect(box.inset(-2.8), Paint("surface", "extra", round=12))
        svg.rect(box, Paint("surface", "extra"))


# words --------------------------------------------------------------------------------------------


def turn_words(turn: Turn, played: Played) -> str:
    """Return a turn in one sentence."""
    if not played.number:
        return f"A {turn.word} was skipped."
    names = ", ".join(_name(turn, cell) for cell in played.cells)
    whose = f"{turn.word.capitalize()} {played.number}, {plain(played.active) or '–'}"
    return f"{whose}: {names or 'nothing'}."


def cell_words(turn: Turn, cell: Cell) -> str:
    """Return a cell in a few lines: why it is special, what was done, who acted."""
    rule = cited_rule(cell.rule)
    cut = ["cut short", *(way.words for way in turn.ways if cell.cut in way.tells)]
    done = []
    for step in turn.steps:
        for line in step.lines:
            if line.number and not line.mark and line.state in cell.stages:
                done.append(lower_first(line.text))
    acted = f"acted {many(cell.visit.acted, 'time')}, passed {many(cell.visit.passes, 'time')}"
    if cell.resolved:
        acted += f", {cell.resolved} resolved"
    said = {
        _name(turn, cell): True,
        rule: rule,
        f"visit {cell.visit.iteration}": cell.visit.iteration > 1,
        "extra": cell.extra,
        "once more": cell.again,
        "back where it waited": cell.back,
        ": ".join(cut): cell.cut,
        f"done: {', '.join(done)}": done,
        acted: cell.priority,
    }
    return "\n".join(words for words, applies in said.items() if applies)


def _name(turn: Turn, cell: Cell) -> str:
    """What a cell stands for."""
    if cell.left_out:
        return f"(left out: {', '.join(turn.names[step] for step in cell.left_out)})"
    return turn.names[cell.step]
