"""A sheet with a title, what is drawn on it, the boxes beside its columns, and a legend."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from fsm.views.cards import FINE, chip_word, mark, write
from fsm.views.overlays import Overlay
from fsm.views.reading import Phase, Turn, walk
from fsm.views.svg import Box, Ink, Paint, Point, Svg, Theme, Word, width
from fsm.views.ways import grouped, joined
from fsm.wording import citation

MARGIN = 16
WIDE = 830
"""The margin of a sheet, and the width of a page."""
SIGNS = {
    "hollow": "only if something triggered",
    "core diamond": "one of the ways applies",
    "extra diamond": "place for what an effect adds",
    "core line": "normal course",
    "skip line": "left out",
    "extra line": "again",
    "jump line": "cut short",
}
"""What signs mean in the picture of a turn."""
BOLD = Ink(bold=True)


class Sheet(Svg):
    """A picture with a title. What is drawn begins below `y`. A bare one shows neither title nor
    legend.
    """

    def __init__(self, title: str, caption: str, wide: float, *, bare: bool = False) -> None:
        super().__init__()
        self.title = title
        self.caption = caption
        self.wide = wide
        self.bare = bare
        self.y = 8.0
        if not bare:
            foot = self.say(title, self.y, 24, Ink(size=20, bold=True))
            self.y = self.say(caption, foot + 6, 16, Ink("muted", 12))

    def say(self, text: str, y: float, row: float, ink: Ink) -> float:
        """Write a text in lines below y, and return the foot of the last one."""
        return write(self, (MARGIN, y), [Word(text, ink)], self.wide - 2 * MARGIN, row)

    def finish(self, y: float, legend: Mapping[str, str], doc: str, theme: Theme) -> str:
        """Add the legend below y, and return the file.

        The legend has the words of those signs that are drawn. `doc` is for those who do not see
        the picture.
        """
        keys = [] if self.bare else [key for key in legend.items() if key[0] in self.signs]
        foot = self._legend(keys, y) if keys else y
        return self.svg((self.wide, foot), self.title, doc or self.caption, theme)

    def _legend(self, keys: Iterable[tuple[str, str]], top: float) -> float:
        """Draw samples with their words, in rows below a line, and return where they end."""
        x = float(MARGIN)
        y = top + 22
        for kind, words in keys:
            wide = 44 if kind.endswith("line") else 24
            if x + wide + width(words) > self.wide - MARGIN:
                x = float(MARGIN)
                y += 22
            _sample(self, kind, x, y)
            x = self.text((x + wide, y), words) + 22
        self.path(f"M{MARGIN} {top:.1f}H{self.wide - MARGIN:.1f}", "rule", 1)
        return y + 18


def _sample(svg: Svg, sign: str, x: float, y: float) -> None:
    """Draw what the legend explains, with its foot at y."""
    colour, _, shape = sign.partition(" ")
    middle = x + 8, y - 4
    box = Box(x + 1, y - 10, 15, 12)
    if shape == "line":
        svg.line([(x + 3, y - 4), (x + 36, y - 4)], colour)
    elif shape == "diamond":
        svg.diamond(middle, 7, Paint("surface", colour))
    elif shape == "double":
        paint = Paint("paper", colour, 1.2, round=4)
        svg.rect(box, paint)
        svg.rect(box.inset(2.5), paint._replace(round=2))
    elif shape:
        svg.rect(box, Paint("surface", colour, 2, "4 3" if shape == "dashes" else "", 3))
    elif sign == "start":
        svg.dot(middle, 6.5, Paint("core"))
    elif sign in ("hollow", "full"):
        mark(svg, middle, sign, Paint("paper", "ink"))
    elif sign == "resolved":
        svg.text((x, y), "2", BOLD)
        _sample(svg, "full", x + 5, y)
    else:
        svg.rect(box, Paint(sign, "muted", round=3))


# boxes --------------------------------------------------------------------------------------------


BOX = 242.0
"""How wide a box is."""


class Aside(NamedTuple):
    """A box beside the columns: its colour, a heading, and texts, each with the places to which it
    leads.
    """

    edge: str
    heading: Sequence[Word]
    texts: Mapping[str, Sequence[Sequence[Word]]]


def draw_aside(svg: Svg, box: Aside, at: Point) -> float:
    """Draw a box, and return where it ends."""
    x, y = at
    inside = Svg()
    foot = write(inside, (x + 16, y + 7), box.heading, BOX - 46)
    for text, goals in box.texts.items():
        foot = write(inside, (x + 16, foot + 8), [Word(text, Ink(box.edge))], BOX - 28)
        for goal in goals:
            inside.line([(x + 20, foot + 14), (x + 50, foot + 14)], box.edge)
            foot = write(inside, (x + 56, foot + 4), goal, BOX - 68)
    frame = Box(x, y, BOX, foot + 12 - y)
    svg.rect(frame, Paint("paper", box.edge, round=11))
    if box.edge == "extra":
        svg.diamond((frame.right - 22, y + 17), 6, Paint("surface", "extra"))
    svg += inside
    return frame.bottom


def extra_box(turn: Turn, overlay: Overlay) -> Iterator[Aside]:
    """Say where extra phases and steps come in, if they can."""
    if turn.extra is not None:
        rule = citation(turn.extra.rule)
        said = f"if an effect has added one: newest first, then the {turn.word} goes on{rule}"
        heading = Word(turn.extra.text.upper(), Ink("extra", bold=True))
        yield Aside("extra", [heading, chip_word(overlay, turn.extra)], {said: []})


def cut_box(turn: Turn, phases: Sequence[Phase], overlay: Overlay) -> Iterator[Aside]:
    """Say what cuts the turn or these phases short, if anything does, and where it then goes on."""
    sources = {"", *(part.id for part in walk(phases) if isinstance(part, Phase))}
    cuts = [way for way in turn.ways if way.kind == "cut short" and way.source in sources]
    onward = {(a.id, b.steps[0].id) for a, b in pairwise(turn.phases)}
    texts: dict[str, list[list[Word]]] = {}
    for words, alike in grouped(cuts, lambda way: way.words).items():
        rule = Word(joined(*(way.rule for way in alike)), FINE)
        texts[words] = []
        # what leads from several phases to the next one is said once
        for ways in grouped(alike, lambda way: (way.source, way.target) in onward or way).values():
            way = ways[0]
            goal = turn.place(way.target)
            where = f"in {turn.names[way.source]}" if way.source and len(sources) > 2 else ""
            if len(ways) > 1:
                goal = "what follows it"
                where = ""
            chip = chip_word(overlay, way)
            texts[words].append([Word(goal, BOLD), Word(where, FINE), rule, chip])
    if cuts:
        yield Aside("jump", [Word("FROM ANY STEP", Ink("jump", bold=True))], texts)
