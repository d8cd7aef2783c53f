"""A card: the title of a step with a few words, or with the numbered list of what happens in it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from fsm.views.overlays import Overlay
from fsm.views.reading import Line, Mark, Phase, Step
from fsm.views.svg import Box, Ink, Paint, Point, Svg, Word, width, wrap

ROW = 14
"""The height of a line of small text."""
SMALL, FINE, TEXT = Ink("muted"), Ink("muted", 11), Ink("ink", 12.5)
CHIPS = {"never": "jump", "gone": "jump", "new": "ok", "changed": "extra"}
"""The colours of short texts that say what an overlay found."""
_INKS = {"now": "onnow", "heat1": "ink", "heat2": "ink", "heat3": "onheat"}
TITLE_ROW = 16
_TITLE = 27
_LINE = 6
RULE = 200
"""The most room for the citation of a line."""


def chip_ink(chip: str) -> Ink:
    """Return how a short text of an overlay is written."""
    return Ink(CHIPS.get(chip, "ink"), 11, bold=True)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a card stands across: its edges, and where its texts begin."""

    x: float
    w: float
    left: float


class Card:
    """A card of which only the height is not yet decided.

    `whole` is the phase of the step if both are drawn as one. With `detail`, it has the list of
    what happens.
    """

    def __init__(
        self,
        step: Step,
        place: Place,
        hue: int,
        overlay: Overlay,
        *,
        detail: bool,
        whole: Phase | None,
    ) -> None:
        self.step, self.place, self.detail, self.overlay = step, place, detail, overlay
        fill = overlay.fills.get(step.id, "")
        self.gone = fill == "gone"
        tinted = detail or whole is not None
        painted = fill if fill and not detail else f"tint{hue}" if tinted else "surface"
        self.ground = "surface" if self.gone else painted
        self.ink = "" if detail else _INKS.get(fill, "")
        self.dot = self.ink or f"edge{hue}"
        self.paint = self._paint(hue, heavy=fill == "now" or step.id in overlay.edges)
        self.titles = self._titles(self.ink or (f"title{hue}" if tinted else "ink"), whole)
        self.chip = overlay.chips.get(step.id, "")
        self.words = [] if detail else self._words()
        self.rows = [_rows(line, place.w - 46) for line in step.lines] if detail else []

    def _paint(self, hue: int, *, heavy: bool) -> Paint:
        if self.gone:
            return Paint(self.ground, "jump", dash="5 4")
        edge = self.overlay.edges.get(self.step.id, f"edge{hue}")
        return Paint(self.ground, edge, 2.6 if heavy else 1.4)

    def _titles(self, colour: str, whole: Phase | None) -> list[list[Word]]:
        """The title and the citation, in lines. A card that is a whole phase is titled as one."""
        ink = Ink(colour, 13.5, bold=True)
        title, rule = self.step.title, Word(self.step.rule if self.detail else "", FINE)
        if whole is not None:
            ink, title = Ink(colour, 12.5, bold=True), title.upper()
            rule = Word(whole.rule, Ink(colour, 11))
        return label([Word(title, ink), rule], self._room)

    @property
    def _room(self) -> float:
        """How wide texts may be."""
        return self.place.x + self.place.w - self.place.left - 8

    def _words(self) -> list[str]:
        """The words below the title; an empty line where the chip would have no room."""
        lines = wrap(self.step.words, self._room)
        if self.chip:
            title = _width(self.titles[0])
            last = width(lines[-1]) if lines else title
            beside = min(title, last) if len(self.titles) == 1 else last
            if beside + width(self.chip, chip_ink(self.chip)) + 12 > self._room:
                lines.append("")
        return lines

    @property
    def height(self) -> float:
        """The least height."""
        words = ROW * len(self.words) + (5 if self.words else 3)
        titles = _TITLE + TITLE_ROW * (len(self.titles) - 1)
        return titles + words + sum(_LINE + ROW * len(row) for row in self.rows)

    def draw(self, svg: Svg, y: float, high: float, rail: float) -> Box:
        """Draw it, and return where. Its mark stands on the rail, or beside the lines that have
        one.
        """
        box = Box(self.place.x, y, self.place.w, high)
        svg.open("step", f"{self.step.title} {self.step.rule}".strip(), id=self.step.id)
        svg.rect(box, self.paint)
        end = write(svg, (self.place.left, y + 19), self.titles)
        if self.chip:
            self._chip(svg, box, end)
        if self.step.mark and not self.detail and not self.gone:
            mark(svg, (rail, y + 14.5), self.step.mark, self.dot, self.ground)
        foot = y + 19 + TITLE_ROW * (len(self.titles) - 1)
        for i, text in enumerate(self.words):
            svg.text((self.place.left, foot + ROW * (i + 1)), text, Ink(self.ink or "muted"))
        self._list(svg, foot + 2, box.right - 14)
        svg.close()
        return box

    def _chip(self, svg: Svg, box: Box, end: float) -> None:
        ink = Ink(self.ink, 11, bold=True) if self.ink else chip_ink(self.chip)
        alone = len(self.titles) == 1
        beside = alone and end + width(self.chip, ink) + 6 < box.right - 9
        foot = box.y + 18 if beside else box.bottom - 8
        svg.text((box.right - 9, foot), self.chip, ink, "end")

    def _list(self, svg: Svg, foot: float, right: float) -> None:
        left = self.place.left
        for line, rows in zip(self.step.lines, self.rows, strict=False):
            foot += _LINE + ROW
            if line.number:
                rows = self._lit(svg, line, rows, Box(left - 8, foot - 13, right - left + 14, 0))
            if line.mark:
                mark(svg, (left + 23, foot - 4.3), line.mark, self.dot, self.ground)
            svg.text((right, foot), line.rule, FINE, "end", RULE)
            indent = 34 if line.mark or not line.number else 18
            end = left
            for i, row in enumerate(rows):
                end = svg.words((left + indent, foot + ROW * i), row, 8)
            foot += ROW * (len(rows) - 1)
            if line.number:
                chip = self.overlay.chips.get(line.state, "")
                svg.text((end + 10, foot), chip, chip_ink(chip))

    def _lit(self, svg: Svg, line: Line, rows: list[list[Word]], box: Box) -> list[list[Word]]:
        """Draw the number of a line, on the ground of where a game stands if it stands there."""
        now = self.overlay.fills.get(line.state) == "now"
        ink = Ink("onnow" if now else "muted", 12.5)
        if now:
            svg.rect(box._replace(h=ROW * len(rows) + 3), Paint("now", round=4))
            rows = [[_lit(word) for word in row] for row in rows]
        svg.text((self.place.left + 10, box.y + 13), f"{line.number}.", ink, "end")
        return rows


def _lit(word: Word) -> Word:
    """A word on the ground of where a game stands."""
    return Word(word.text, word.ink._replace(colour="onnow"))


def mark(svg: Svg, at: Point, kind: Mark, colour: str, ground: str) -> None:
    """Draw whether players may act: always, or only if something triggered."""
    full = kind == "full"
    svg.open(f"mark {kind}")
    svg.dot(at, 3.4 if full else 2.9, Paint(colour if full else ground, colour))
    svg.close()


def _rows(line: Line, room: float) -> list[list[Word]]:
    """A line in rows, with its detail beside it if there is room, else below."""
    ink = TEXT._replace(bold=bool(line.mark)) if line.number else SMALL
    room -= min(width(line.rule, FINE), RULE) + 50
    rows = [[Word(text, ink)] for text in wrap(line.text, room, ink)]
    if not line.detail:
        return rows
    if width(line.detail, SMALL) + width(*rows[-1][0]) + 8 <= room:
        rows[-1].append(Word(line.detail, SMALL))
        return rows
    return rows + [[Word(text, SMALL)] for text in wrap(line.detail, room, SMALL)]


def _width(words: Iterable[Word]) -> float:
    return sum(width(*word) + 6 for word in words) - 6


def write(svg: Svg, at: Point, titles: Iterable[Iterable[Word]]) -> float:
    """Write the lines of a title, and return where the last one ends."""
    x, y = at
    end = x
    for line in titles:
        end = svg.words((x, y), line, 6)
        y += TITLE_ROW
    return end


def label(words: Iterable[Word], room: float) -> list[list[Word]]:
    """Return words in lines that fit, several on a line where there is room."""
    lines: list[list[Word]] = []
    for word in words:
        for text in wrap(word.text, room, word.ink):
            piece = Word(text, word.ink)
            if lines and sum(width(*held) + 6 for held in [*lines[-1], piece]) <= room + 6:
                lines[-1].append(piece)
            else:
                lines.append([piece])
    return lines
