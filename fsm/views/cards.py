"""A card: the title of a step with a few words, or with the numbered list of what happens in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fsm.views.overlays import Overlay
from fsm.views.reading import Line, Mark, Phase, Step
from fsm.views.svg import Box, Ink, Paint, Point, Svg, Word, width, wrap

ROW = 14
TITLE_ROW = 16
"""The height of a line of small text, and of a title."""
SMALL = Ink("muted")
FINE = Ink("muted", 11)
NUMBER = Ink("muted", 12.5)
TEXT = Ink("ink", 12.5)
CHIPS = {"never": "jump", "gone": "jump", "new": "ok", "changed": "extra"}
"""The colours of short texts that say what an overlay found."""
_INKS = {"now": "onnow", "heat1": "ink", "heat2": "ink", "heat3": "onheat"}
RULE = 200
"""The most room for the citation of a line."""
_GAP = 6
_LINE = 6


def chip_word(text: str, colour: str = "") -> Word:
    """Return a short text of an overlay."""
    return Word(text, Ink(colour or CHIPS.get(text, "ink"), 11, bold=True))


@dataclass(frozen=True, slots=True)
class Card:
    """The card of a step.

    Attributes
    ----------
    step
        The step.
    place
        Where the card stands. Its height follows from what is in it.
    left
        Where its texts begin.
    hue
        The colour of its phase.
    overlay
        What is shown on it.
    detail
        Whether it has the list of what happens.
    whole
        The phase of the step if both are drawn as one.
    """

    step: Step
    place: Box
    left: float
    hue: int
    overlay: Overlay
    detail: bool = False
    whole: Phase | None = None

    @property
    def fill(self) -> str:
        """How an overlay fills it, or ""."""
        return self.overlay.fills.get(self.step.id, "")

    @property
    def ink(self) -> str:
        """The colour of all its texts, or "" if each has its own."""
        if self.detail:
            return ""
        return _INKS.get(self.fill, "")

    @property
    def dot(self) -> str:
        """The colour of its mark."""
        return self.ink or f"edge{self.hue}"

    @property
    def paint(self) -> Paint:
        """How its box is painted."""
        tinted = self.detail or self.whole is not None
        ground = f"tint{self.hue}" if tinted else "surface"
        if self.fill == "gone":
            return Paint("surface", "jump", dash="5 4")
        heavy = self.fill == "now" or self.step.id in self.overlay.edges
        edge = self.overlay.edges.get(self.step.id, f"edge{self.hue}")
        return Paint(ground if self.detail else self.fill or ground, edge, 2.6 if heavy else 1.4)

    def draw(self, svg: Svg, rail: float) -> Box:
        """Draw it, and return where. Its mark stands on the rail, or beside the lines that have
        one.
        """
        inside = Svg()
        step = self.step
        y = write(inside, (self.left, self.place.y + 19), self._title())
        if step.mark and not self.detail and self.fill != "gone":
            mark(inside, (rail, self.place.y + 14.5), step.mark, self.dot, self.paint.fill)
        for line in step.lines if self.detail else ():
            y = self._line(inside, line, y + _LINE)
        for text in () if self.detail else wrap(step.words, self._room):
            y += ROW
            inside.text((self.left, y), text, Ink(self.ink or "muted"))
        box = self.place._replace(h=y + 11 - self.place.y)
        svg.open("step", f"{step.title} {step.rule}".strip(), id=step.id)
        svg.rect(box, self.paint)
        svg += inside
        svg.close()
        return box

    @property
    def _room(self) -> float:
        """How wide texts may be."""
        return self.place.right - self.left - 8

    def _title(self) -> list[list[Word]]:
        """The title, the citation and what an overlay says. A card that is a whole phase is titled
        as one.
        """
        step = self.step
        whole = self.whole
        chip = chip_word(self.overlay.chips.get(step.id, ""), self.ink)
        tinted = self.detail or whole is not None
        colour = self.ink or (f"title{self.hue}" if tinted else "ink")
        if whole is not None:
            title = Word(step.title.upper(), Ink(colour, 12.5, bold=True))
            rule = Word(whole.rule, Ink(colour, 11))
        else:
            title = Word(step.title, Ink(colour, 13.5, bold=True))
            rule = Word(step.rule if self.detail else "", FINE)
        return label([title, rule, chip], self._room)

    def _line(self, svg: Svg, line: Line, y: float) -> float:
        """Draw a line of the list below y, and return where it ends."""
        left = self.left
        right = self.place.right - 14
        indent = 34 if line.mark or not line.number else 18
        rows = self._rows(line, right - left - indent - 16)
        first = y + ROW
        bottom = y + ROW * len(rows)
        number = NUMBER
        if self._is_now(line):
            number = NUMBER._replace(colour="onnow")
            lit = Box(left - 8, y + 1, right - left + 14, bottom - y + 3)
            svg.rect(lit, Paint("now", round=4))
        if line.number:
            svg.text((left + 10, first), f"{line.number}.", number, "end")
        if line.mark:
            mark(svg, (left + 23, first - 4.3), line.mark, self.dot, self.paint.fill)
        svg.text((right, first), line.rule, FINE, "end", RULE)
        write(svg, (left + indent, first), rows, ROW)
        return bottom

    def _is_now(self, line: Line) -> bool:
        """Whether a game stands at a line."""
        return line.number > 0 and self.overlay.fills.get(line.state) == "now"

    def _rows(self, line: Line, room: float) -> list[list[Word]]:
        """The texts of a line, beside its citation."""
        ink = TEXT._replace(bold=bool(line.mark)) if line.number else SMALL
        words = [Word(line.text, ink), Word(line.detail, SMALL)]
        if line.number:
            words.append(chip_word(self.overlay.chips.get(line.state, "")))
        if self._is_now(line):
            words = [Word(word.text, word.ink._replace(colour="onnow")) for word in words]
        return label(words, room - min(width(line.rule, FINE), RULE))


def mark(svg: Svg, at: Point, kind: Mark, colour: str, ground: str) -> None:
    """Draw whether players may act: always, or only if something triggered."""
    svg.signs.add(kind)
    full = kind == "full"
    svg.open(f"mark {kind}")
    svg.dot(at, 3.4 if full else 2.9, Paint(colour if full else ground, colour))
    svg.close()


def write(svg: Svg, at: Point, rows: Iterable[Iterable[Word]], row: float = TITLE_ROW) -> float:
    """Write rows of words, the first on this base line, and return the base line of the last."""
    y = at[1]
    for i, words in enumerate(rows):
        y = at[1] + row * i
        x = at[0]
        for word in words:
            x = svg.text((x, y), *word) + _GAP
    return y


def row_width(row: Iterable[Word]) -> float:
    """Return how wide a row is as `write` writes it."""
    return sum(width(*word) + _GAP for word in row) - _GAP


def label(words: Iterable[Word], room: float) -> list[list[Word]]:
    """Return words in lines that fit, several on a line where there is room."""
    lines: list[list[Word]] = []
    left = 0.0
    for word in words:
        for text in wrap(word.text, room, word.ink):
            wide = width(text, word.ink) + _GAP
            if wide - _GAP > left:
                lines.append([])
                left = room
            lines[-1].append(Word(text, word.ink))
            left -= wide
    return lines
