"""A sheet with a title, what is drawn on it, and a legend of what occurs."""

from __future__ import annotations

from collections.abc import Iterable

from fsm.views.cards import mark
from fsm.views.svg import LINES, Box, Ink, Paint, Point, Svg, Theme, width, wrap

MARGIN = 16
WIDE = 830
"""The margin of a sheet, and the width of a page."""
_SAID = Ink("muted", 12)
_SAMPLES = dict.fromkeys(LINES, 38) | {"left": 30, "double": 30, "final": 30, "resolved": 30}
"""How wide the samples of a legend are, if not as wide as a mark."""
_MARK = 18


class Sheet:
    """A sheet. What is drawn begins below `y`. A bare one shows neither title nor legend."""

    def __init__(self, title: str, caption: str, wide: float, *, bare: bool = False) -> None:
        self.svg = Svg()
        self.title = title
        self.caption = caption
        self.wide = wide
        self.bare = bare
        self.y = 8.0
        if bare:
            return
        heading = Ink(size=20, bold=True)
        for line in wrap(title, wide - 2 * MARGIN, heading):
            self.y += 24
            self.svg.text((MARGIN, self.y), line, heading)
        self.y = self.say(caption, self.y + 6, 16, _SAID)

    def say(self, text: str, y: float, row: float, ink: Ink) -> float:
        """Write a text in lines below y, and return the foot of the last one."""
        for line in wrap(text, self.wide - 2 * MARGIN, ink):
            y += row
            self.svg.text((MARGIN, y), line, ink)
        return y

    def finish(self, y: float, keys: Iterable[tuple[str, str]], doc: str, theme: Theme) -> str:
        """Add the legend below y, and return the file. `doc` is for those who do not see it."""
        rows = self._legend([] if self.bare else [*keys], y + 22)
        if rows > y:
            self.svg.rule(MARGIN, self.wide - MARGIN, y)
        return self.svg.svg((self.wide, rows), self.title, doc or self.caption, theme)

    def _legend(self, keys: list[tuple[str, str]], y: float) -> float:
        """Draw samples with their words, in rows, and return where they end."""
        if not keys:
            return y - 22
        x = float(MARGIN)
        for kind, words in keys:
            sample = _SAMPLES.get(kind, _MARK)
            if x + sample + 6 + width(words) > self.wide - MARGIN:
                x = float(MARGIN)
                y = y + 22
            _sample(self.svg, kind, x, y)
            x = self.svg.text((x + sample + 6, y), words) + 22
        return y + 18


def _sample(svg: Svg, kind: str, x: float, y: float) -> None:
    """Draw what the legend explains, with its foot at y."""
    middle = x + 8, y - 4
    wide = Box(x + 1, y - 12, 26, 16)
    if kind in LINES:
        svg.line([(x + 3, y - 4), (x + 36, y - 4)], kind)
    elif kind == "full":
        mark(svg, middle, "full", "ink", "paper")
    elif kind == "hollow":
        mark(svg, middle, "hollow", "ink", "paper")
    elif kind in _DIAMONDS:
        svg.diamond(middle, 7, Paint("surface", _DIAMONDS[kind]))
    elif kind == "resolved":
        svg.text((x + 6, y), "2", Ink(bold=True))
        mark(svg, (x + 21, y - 4), "full", "ink", "paper")
    elif kind == "left":
        svg.rect(wide, Paint("paper", "skip", 1.2, "4 3", 6))
    elif kind in _DOUBLE:
        paint = Paint("paper", _DOUBLE[kind], 1.2, round=6)
        svg.rect(wide, paint)
        svg.rect(wide.inset(3), paint._replace(round=4))
    elif kind == "start":
        disc(svg, middle)
    else:
        paint = _PAINTS.get(kind, Paint(kind, "muted", round=3))
        svg.rect(Box(x + 1, y - 10, 15, 12), paint)


_DIAMONDS = {"choice": "core", "place": "extra"}
_DOUBLE = {"double": "extra", "final": "core"}
_PAINTS = {
    "gone": Paint("surface", "jump", 2, "4 3", 3),
    "ok": Paint("surface", "ok", 2, round=3),
    "go": Paint("surface", "go", 2, round=3),
}


def disc(svg: Svg, at: Point, *, final: bool = False) -> None:
    """Draw where a turn begins, or ends."""
    if final:
        svg.dot(at, 8.5, Paint("paper", "core"))
    svg.dot(at, 5 if final else 6.5, Paint("core"))
