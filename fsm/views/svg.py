"""A small kit for pictures: texts of known width, boxes and rounded lines, in colours for light and
dark screens.

Coordinates and sizes are pixels, from the upper left corner.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from html import escape
from itertools import groupby
from typing import Literal, NamedTuple
from unicodedata import category, normalize

from fsm.wording import plain

Theme = Literal["auto", "light", "dark"]
"""The colours of a picture. "auto" follows the reader's screen."""
Point = tuple[float, float]

COLOURS: dict[str, tuple[str, str]] = {
    "paper": ("#FFFFFF", "#0D1117"),
    "surface": ("#FFFFFF", "#161B22"),
    "soft": ("#F6F8FA", "#12171E"),
    "ink": ("#1B1F24", "#E6EDF3"),
    "muted": ("#57606A", "#9DA7B3"),
    "rule": ("#D0D7DE", "#3D444D"),
    "core": ("#1B1F24", "#C9D1D9"),
    "skip": ("#0B6A94", "#58C4E8"),
    "extra": ("#8A5A00", "#E3B341"),
    "jump": ("#B3261E", "#FF8A80"),
    "ok": ("#177032", "#56D364"),
    "go": ("#0969DA", "#79B8FF"),
    "now": ("#FFD33D", "#FFD33D"),
    "onnow": ("#1B1F24", "#1B1F24"),
    "tint0": ("#EAF2FB", "#0F2238"),
    "edge0": ("#2F6DB3", "#5B9BE0"),
    "title0": ("#1F4E86", "#A5CDFA"),
    "tint1": ("#E8F5EC", "#0F271B"),
    "edge1": ("#2E8253", "#4DB37E"),
    "title1": ("#1C603B", "#8FDDB1"),
    "tint2": ("#FDEFE8", "#301A10"),
    "edge2": ("#C4501B", "#E8814D"),
    "title2": ("#93370D", "#FFB899"),
    "tint3": ("#F3EEFB", "#221A37"),
    "edge3": ("#7A52B3", "#A583E0"),
    "title3": ("#573490", "#D0BAFA"),
    "heat1": ("#CFE3F7", "#123456"),
    "heat2": ("#8FBCE6", "#1F5A99"),
    "heat3": ("#2F6DB3", "#5B9BE0"),
}
"""Each colour on light and on dark paper. There are four hues of phases: tint, edge and title."""
LONGEST_ID = 20_000
FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"
LINES = {
    "core": (1.7, ""),
    "skip": (1.7, ' stroke-dasharray="6 3.5"'),
    "extra": (5.0, ""),
    "jump": (2.4, ' stroke-dasharray="0.1 5.5" stroke-linecap="round"'),
}
"""The kinds of lines: the normal course, left out, extra or again, cut short; each with its width
and its style.
"""


class Ink(NamedTuple):
    """How a text is written: its colour, its size, and whether it is bold."""

    colour: str = "ink"
    size: float = 11.5
    bold: bool = False


PLAIN = Ink()


class Word(NamedTuple):
    """A piece of text."""

    text: str
    ink: Ink = PLAIN


class Box(NamedTuple):
    """A rectangle."""

    x: float
    y: float
    w: float
    h: float

    @property
    def right(self) -> float:
        """Its right edge."""
        return self.x + self.w

    @property
    def bottom(self) -> float:
        """Its lower edge."""
        return self.y + self.h

    def inset(self, by: float) -> Box:
        """Return the rectangle that is smaller by so much on each side."""
        return Box(self.x + by, self.y + by, self.w - 2 * by, self.h - 2 * by)


class Paint(NamedTuple):
    """How a shape is painted: its fill, its edge ("" for none), the width and the dashes of the
    edge, and the radius of its corners.
    """

    fill: str
    edge: str = ""
    line: float = 1.4
    dash: str = ""
    round: float = 9


# texts --------------------------------------------------------------------------------------------

_ADVANCES = {
    0.19: "'",
    0.22: "ijl",
    0.26: "|",
    0.28: " !,./:;I[\\]ft‘’·",
    0.33: "()-`r{}‹›",
    0.36: '"•',
    0.39: "*",
    0.47: "^",
    0.5: "Jcksvxyz“”",
    0.56: "#$0123456789?L_abdeghnopqu–",
    0.59: "+<=>~×−≤≥",
    0.61: "FTZ●○",
    0.67: "&ABEKPSVXY",
    0.73: "CDHNRUw",
    0.78: "GOQ",
    0.84: "Mm",
    0.89: "%",
    0.95: "W",
    1.02: "@—…→←↩",
}
_BOLDER = 1.07
_INVISIBLE = ("Mn", "Me", "Cf")


@cache
def _advance(letter: str) -> float:
    """The width of a letter in Helvetica, at size 1."""
    base = normalize("NFD", letter)[0]
    if category(base) in _INVISIBLE:
        return 0
    for wide, letters in _ADVANCES.items():
        if base in letters:
            return wide
    return 1.0 if base >= "\u1100" else 0.62


def width(text: str, ink: Ink = PLAIN) -> float:
    """Return the width of a text in Helvetica. That of unknown letters is a little generous."""
    return sum(map(_advance, text)) * ink.size * (_BOLDER if ink.bold else 1)


def wrapped(text: str, room: float, width: Callable[[str], float]) -> list[str]:
    """Return the lines of a text, broken at blanks so that each fits, none if it is empty. A word
    that is too long for a line is broken anywhere.
    """
    lines: list[str] = []
    for word in text.split():
        gap = " "
        for piece in word if width(word) > room else [word]:
            if lines and width(lines[-1] + gap + piece) <= room:
                lines[-1] += gap + piece
            else:
                lines.append(piece)
            gap = ""
    return lines


def wrap(text: str, room: float, ink: Ink = PLAIN) -> list[str]:
    """Return the text in lines that fit, none if it is empty."""
    return wrapped(text, room, lambda part: width(part, ink))


# colours ------------------------------------------------------------------------------------------


CLASSES = ".f-{0}{{fill:{1}}}.s-{0}{{stroke:{1}}}"
VARIABLE = "--{}:{};"
"""How a style sheet says a colour: as classes, and as a variable."""


def css(theme: Theme, names: Iterable[str]) -> str:
    """Return the style sheet of the colours: the class `f-NAME` fills with one, `s-NAME` strokes
    with it.
    """
    light, dark = sheets(CLASSES, sorted(names))
    both = f"{light}@media screen and (prefers-color-scheme:dark){{{dark}}}"
    return {"light": light, "dark": dark}.get(theme, both)


def sheets(rule: str, names: Iterable[str] = COLOURS) -> tuple[str, str]:
    """Return a rule for each colour, for light and for dark paper."""
    light = dark = ""
    for name in names:
        on_light, on_dark = COLOURS[name]
        light += rule.format(name, on_light)
        dark += rule.format(name, on_dark)
    return light, dark


# drawing ------------------------------------------------------------------------------------------


class Svg:
    """A picture that grows as it is drawn. `signs` is what a legend can explain of it: marks, the
    colours of shapes, and "core line", "go edge", "jump dashes", "extra diamond" or "core double"
    with their colour. Thin edges need no words. With `ink`, all its texts have this colour.
    """

    def __init__(self, ink: str = "") -> None:
        self.ink = ink
        self.parts: list[str] = []
        self.signs: set[str] = set()

    def __iadd__(self, other: Svg) -> Svg:
        """Draw all of another picture on top."""
        self.parts += other.parts
        self.signs |= other.signs
        return self

    def raw(self, markup: str) -> None:
        """Add markup."""
        self.parts.append(markup)

    @contextmanager
    def group(self, kind: str, tip: str = "", **data: str) -> Iterator[None]:
        """Put what is drawn meanwhile in a group, which scripts find by its class and data. `tip`
        is shown to those who point at it.
        """
        named = ""
        for name, value in data.items():
            text = plain(value, LONGEST_ID)
            named += f' data-{name}="{escape(text)}"' if text else ""
        title = f"<title>{escape(tip)}</title>" if tip else ""
        self.raw(f'<g class="{kind}"{named}>{title}')
        yield
        self.raw("</g>")

    def text(
        self,
        at: Point,
        text: str,
        ink: Ink = PLAIN,
        anchor: str = "",
        most: float = float("inf"),
    ) -> float:
        """Write a text on a base line, and return where it ends. It keeps its width in any font.

        A text that is wider than `most` is squeezed.
        """
        if not text:
            return at[0]
        wide = min(width(text, ink), most)
        weight = ' font-weight="700"' if ink.bold else ""
        place = f' text-anchor="{anchor}"' if anchor else ""
        look = f'class="f-{self.ink or ink.colour}" font-size="{ink.size:g}"{weight}{place}'
        form = 'x="{:.1f}" y="{:.1f}" textLength="{:.1f}" lengthAdjust="spacingAndGlyphs"'
        self.raw(f"<text {look} {form.format(*at, wide)}>{escape(text)}</text>")
        return at[0] + wide

    def centred(self, box: Box, lines: Sequence[str], ink: Ink) -> None:
        """Write lines in the middle of a box. Those that are too wide are squeezed."""
        y = box.y + box.h / 2 + 4 - 6.5 * (len(lines) - 1)
        for text in lines:
            self.text((box.x + box.w / 2, y), text, ink, "middle", box.w - 4)
            y += 13

    def rect(self, box: Box, paint: Paint) -> None:
        """Draw a rectangle with round corners."""
        form = 'rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="{:g}"'
        self._shape(form.format(*box, paint.round), paint)

    def dot(self, at: Point, r: float, paint: Paint) -> None:
        """Draw a circle."""
        self._shape('circle cx="{:.1f}" cy="{:.1f}" r="{:g}"'.format(*at, r), paint)

    def diamond(self, at: Point, r: float, paint: Paint) -> None:
        """Draw a diamond."""
        self.signs.add(f"{paint.edge} diamond")
        self._polygon([complex(*at) + r * side for side in (-1, -1j, 1, 1j)], paint)

    def _polygon(self, corners: Iterable[complex], paint: Paint) -> None:
        points = " ".join(f"{at.real:.1f},{at.imag:.1f}" for at in corners)
        self._shape(f'polygon points="{points}"', paint)

    def _shape(self, shape: str, paint: Paint) -> None:
        stroke = f' s-{paint.edge}" stroke-width="{paint.line:g}' if paint.edge else ""
        dash = f' stroke-dasharray="{paint.dash}"' if paint.dash else ""
        edge = "dashes" if paint.dash else "edge" if paint.line >= 2 else "thin edge"
        self.signs |= {paint.fill, f"{paint.edge} {edge}"}
        self.raw(f'<{shape} class="f-{paint.fill}{stroke}"{dash}/>')

    def path(self, d: str, colour: str, wide: float, style: str = "") -> None:
        """Draw a line along a path."""
        look = f'class="s-{colour}" fill="none" stroke-width="{wide:g}"{style}'
        self.raw(f'<path {look} d="{d}"/>')

    def line(
        self,
        points: Sequence[Point],
        kind: str = "core",
        ground: str = "paper",
        *,
        head: bool = True,
    ) -> None:
        """Draw a rounded line of level and upright parts, in the style of its kind (see `LINES`).

        `ground` is the colour of the paper below it.
        """
        self.signs.add(f"{kind} line")
        corners = [complex(*at) for at, _ in groupby(points)]
        end = corners[-1]
        ahead = (end - corners[-2]) / abs(end - corners[-2])
        if head:
            corners[-1] -= 8 * ahead
        d = _rounded(corners)
        self.path(d, kind, *LINES[kind])
        if kind == "extra":
            self.path(d, ground, 2.2)
        elif kind == "jump":
            self.dot(points[0], 3.2, Paint(ground, "jump", 2))
        if head:
            fill = ground if kind == "skip" else kind
            self.arrow(end - 9 * ahead, end, Paint(fill, kind, 1.2))

    def arrow(self, base: complex, tip: complex, paint: Paint, wide: float = 4.0) -> None:
        """Draw the head of a line."""
        side = 1j * wide * (tip - base) / abs(tip - base)
        self._polygon((base - side, tip, base + side), paint)

    def svg(
        self, size: Point, title: str, doc: str = "", theme: Theme = "auto", *, clear: bool = False
    ) -> str:
        """Return the whole file.

        Parameters
        ----------
        size
            The width and height.
        title, doc
            What the picture is called, and what it says, for those who do not see it.
        theme
            Its colours.
        clear
            Whether its ground is transparent.
        """
        wide, high = size
        sides = f'width="{wide:.0f}" height="{high:.0f}"'
        paper = "" if clear else f'<rect class="f-paper" {sides}/>'
        drawing = "".join(self.parts)
        used = COLOURS.keys() & {"paper", *re.findall(r"\b[fs]-(\w+)", drawing)}
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {sides}'
            f' viewBox="0 0 {wide:.0f} {high:.0f}" font-family="{FONT}">'
            f"<title>{escape(title)}</title><desc>{escape(doc)}</desc>"
            f"<style>{css(theme, used)}</style>{paper}{drawing}</svg>\n"
        )


def _rounded(corners: Sequence[complex]) -> str:
    """The path along these corners, which are rounded."""
    d = f"M{_at(corners[0])}"
    for before, corner, after in zip(corners, corners[1:], corners[2:], strict=False):
        begin = corner + _part(before - corner)
        end = corner + _part(after - corner)
        d += f"L{_at(begin)}Q{_at(corner)} {_at(end)}"
    return f"{d}L{_at(corners[-1])}"


def _part(way: complex) -> complex:
    """The first 8 pixels of a way, at most half of it."""
    return way * min(8 / (abs(way) or 1), 0.5)


def _at(point: complex) -> str:
    return f"{point.real:.1f} {point.imag:.1f}"
