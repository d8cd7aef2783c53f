"""A small kit for pictures: texts of known width, boxes and rounded lines, in colours for light and
dark screens.

Coordinates and sizes are pixels, from the upper left corner.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from typing import Literal, NamedTuple
from unicodedata import category, normalize

from fsm.views.cells import wrapped
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
    "onheat": ("#FFFFFF", "#0D1117"),
}
"""Each colour on light and on dark paper. There are four hues of phases: tint, edge and title."""
LONGEST_ID = 20_000
FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"
LINES = ("core", "skip", "extra", "jump")
"""The kinds of lines: the normal course, left out, extra or again, cut short."""


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
_WIDTHS = {letter: wide for wide, letters in _ADVANCES.items() for letter in letters}
_BOLDER = 1.07
_INVISIBLE = ("Mn", "Me", "Cf")


@cache
def _advance(letter: str) -> float:
    """The width of a letter in Helvetica, at size 1."""
    base = normalize("NFD", letter)[0]
    if category(base) in _INVISIBLE:
        return 0
    return _WIDTHS.get(base, 1.0 if base >= "\u1100" else 0.62)


def width(text: str, ink: Ink = PLAIN) -> float:
    """Return the width of a text in Helvetica. That of unknown letters is a little generous."""
    return sum(map(_advance, text)) * ink.size * (_BOLDER if ink.bold else 1)


def wrap(text: str, room: float, ink: Ink = PLAIN) -> list[str]:
    """Return the text in lines that fit, none if it is empty."""
    return [line for line in wrapped(text, room, lambda part: width(part, ink)) if line]


# colours ------------------------------------------------------------------------------------------


def css(theme: Theme, names: Iterable[str]) -> str:
    """Return the style sheet of the colours: the class `f-NAME` fills with one, `s-NAME` strokes
    with it.
    """
    chosen = sorted(names)
    if theme != "auto":
        return _classes(chosen, dark=theme == "dark")
    night = _classes(chosen, dark=True)
    light = _classes(chosen, dark=False)
    return f"{light}@media(prefers-color-scheme:dark){{{night}}}"


def variables(theme: Theme) -> str:
    """Return the colours as variables of a page."""
    roots = []
    for side in (0, 1):
        colours = [f"--{name}:{pair[side]};" for name, pair in COLOURS.items()]
        roots.append(f":root{{{''.join(colours)}}}")
    light, dark = roots
    if theme != "auto":
        return dark if theme == "dark" else light
    return f"{light}@media screen and (prefers-color-scheme:dark){{{dark}}}"


def _classes(names: Iterable[str], *, dark: bool) -> str:
    rules = []
    for name in names:
        colour = COLOURS[name][dark]
        rules.append(f".f-{name}{{fill:{colour}}}.s-{name}{{stroke:{colour}}}")
    return "".join(rules)


# drawing ------------------------------------------------------------------------------------------


class Svg:
    """A picture that grows as it is drawn."""

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.used: set[str] = {"paper"}

    def __iadd__(self, other: Svg) -> Svg:
        """Draw all of another picture on top."""
        self.parts += other.parts
        self.used |= other.used
        return self

    def raw(self, markup: str, *colours: str) -> None:
        """Add markup that uses these colours."""
        self.used.update(colour for colour in colours if colour)
        self.parts.append(markup)

    def open(self, kind: str, tip: str = "", **data: str) -> None:
        """Begin a group, which scripts find by its class and data. `tip` is shown to those who
        point at it.
        """
        known = {name: plain(value, LONGEST_ID) for name, value in data.items() if value}
        named = "".join(f' data-{name}="{escape(value)}"' for name, value in known.items())
        title = f"<title>{escape(tip)}</title>" if tip else ""
        self.raw(f'<g class="{kind}"{named}>{title}')

    def close(self) -> None:
        """End the group that was begun last."""
        self.raw("</g>")

    def text(
        self,
        at: Point,
        text: str,
        ink: Ink = PLAIN,
        anchor: str = "start",
        most: float = float("inf"),
    ) -> float:
        """Write a text on a base line, and return where it ends. It keeps its width in any font.

        A text that is wider than `most` is squeezed.
        """
        if not text:
            return at[0]
        wide = min(width(text, ink), most)
        place = f' text-anchor="{anchor}"' if anchor != "start" else ""
        weight = ' font-weight="700"' if ink.bold else ""
        self.raw(
            f'<text class="f-{ink.colour}" x="{at[0]:.1f}" y="{at[1]:.1f}"'
            f' font-size="{ink.size:g}"{weight}{place} textLength="{wide:.1f}"'
            f' lengthAdjust="spacingAndGlyphs">{escape(text)}</text>',
            ink.colour,
        )
        return at[0] + wide

    def words(self, at: Point, words: Iterable[Word], gap: float = 5) -> float:
        """Write pieces of text in a row, and return where the last one ends."""
        x, y = at
        end = x
        for word in words:
            if word.text:
                end = self.text((x, y), word.text, word.ink)
                x = end + gap
        return end

    def rect(self, box: Box, paint: Paint) -> None:
        """Draw a rectangle with round corners."""
        place = f'x="{box.x:.1f}" y="{box.y:.1f}" width="{box.w:.1f}" height="{box.h:.1f}"'
        self._shape(f'rect {place} rx="{paint.round:g}"', paint)

    def dot(self, at: Point, r: float, paint: Paint) -> None:
        """Draw a circle."""
        self._shape(f'circle cx="{at[0]:.1f}" cy="{at[1]:.1f}" r="{r:g}"', paint)

    def diamond(self, at: Point, r: float, paint: Paint) -> None:
        """Draw a diamond."""
        x, y = at
        self.polygon([(x - r, y), (x, y - r), (x + r, y), (x, y + r)], paint)

    def polygon(self, points: Sequence[Point], paint: Paint) -> None:
        """Draw a closed shape."""
        corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self._shape(f'polygon points="{corners}"', paint)

    def _shape(self, shape: str, paint: Paint) -> None:
        stroke = f' s-{paint.edge}" stroke-width="{paint.line:g}' if paint.edge else ""
        dash = f' stroke-dasharray="{paint.dash}"' if paint.dash else ""
        self.raw(f'<{shape} class="f-{paint.fill}{stroke}"{dash}/>', paint.fill, paint.edge)

    def rule(self, x: float, right: float, y: float) -> None:
        """Draw a thin level line that separates."""
        self.raw(f'<path class="s-rule" d="M{x:.1f} {y:.1f}H{right:.1f}"/>', "rule")

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
        corners = [p for i, p in enumerate(points) if i == 0 or p != points[i - 1]]
        end = corners[-1]
        across, down = _direction(corners)
        shaft = corners
        if head:
            shaft = [*corners[:-1], (end[0] - 8 * across, end[1] - 8 * down)]
        self._shaft(_rounded(shaft), kind, ground)
        if kind == "jump":
            self.dot(corners[0], 3.2, Paint(ground, "jump", 2))
        if head:
            left = end[0] - 9 * across - 4 * down, end[1] - 9 * down - 4 * across
            right = end[0] - 9 * across + 4 * down, end[1] - 9 * down + 4 * across
            fill = ground if kind == "skip" else kind
            self.polygon([left, end, right], Paint(fill, kind, 1.2))

    def _shaft(self, path: str, kind: str, ground: str) -> None:
        style = _STYLES.get(kind, "")
        wide = _PENS.get(kind, 1.7)
        self.raw(
            f'<path class="s-{kind}" fill="none" stroke-width="{wide:g}"{style} d="{path}"/>', kind
        )
        if kind == "extra":
            self.raw(
                f'<path class="s-{ground}" fill="none" stroke-width="2.2" d="{path}"/>', ground
            )

    def svg(self, size: Point, title: str, doc: str = "", theme: Theme = "auto") -> str:
        """Return the whole file, on paper.

        Parameters
        ----------
        size
            The width and height.
        title, doc
            What the picture is called, and what it says, for those who do not see it.
        theme
            Its colours.
        """
        paper = f'<rect class="f-paper" width="{size[0]:.0f}" height="{size[1]:.0f}"/>'
        return self.clear(size, title, doc, theme).replace("</style>", f"</style>{paper}", 1)

    def clear(self, size: Point, title: str, doc: str = "", theme: Theme = "auto") -> str:
        """Return the whole file, on a transparent ground."""
        wide, high = size
        return (
            '<svg xmlns="http://www.w3.org/2000/svg" role="img"'
            f' width="{wide:.0f}" height="{high:.0f}" viewBox="0 0 {wide:.0f} {high:.0f}"'
            f' font-family="{FONT}"><title>{escape(title)}</title><desc>{escape(doc)}</desc>'
            f"<style>{css(theme, self.used)}</style>{''.join(self.parts)}</svg>\n"
        )


_PENS = {"extra": 5.0, "jump": 2.4}
_STYLES = {
    "skip": ' stroke-dasharray="6 3.5"',
    "jump": ' stroke-dasharray="0.1 5.5" stroke-linecap="round"',
}


def _direction(points: Sequence[Point]) -> tuple[int, int]:
    """Where the last part of a line leads: right or left, down or up."""
    (ax, ay), (bx, by) = points[-2:]
    return (bx > ax) - (bx < ax), (by > ay) - (by < ay)


def _rounded(points: Sequence[Point]) -> str:
    """The path along these points, with round corners."""
    d = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        r = min(8, _far(before, corner) / 2, _far(corner, after) / 2)
        x, y = _towards(corner, before, r)
        d += f"L{x:.1f} {y:.1f}"
        x, y = _towards(corner, after, r)
        d += f"Q{corner[0]:.1f} {corner[1]:.1f} {x:.1f} {y:.1f}"
    return f"{d}L{points[-1][0]:.1f} {points[-1][1]:.1f}"


def _far(a: Point, b: Point) -> float:
    return abs(a[0] - b[0]) + abs(a[1] - b[1])


def _towards(start: Point, goal: Point, far: float) -> Point:
    """The point that lies so far from the start in the direction of the goal."""
    share = far / (_far(start, goal) or 1)
    return start[0] + (goal[0] - start[0]) * share, start[1] + (goal[1] - start[1]) * share
