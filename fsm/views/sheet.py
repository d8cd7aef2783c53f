"""A sheet with a title, what is drawn on it, the boxes beside its columns, and a legend."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from fsm.views.cards import FINE, ROW, SMALL, chip_word, label, mark, write
from fsm.views.overlays import Overlay
from fsm.views.reading import HOLE, Step, Turn, Way, steps_of
from fsm.views.svg import LINES, Box, Ink, Paint, Point, Svg, Theme, Word, width, wrap
from fsm.views.ways import joined
from fsm.wording import citation

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


# boxes --------------------------------------------------------------------------------------------


BOX = 242.0
"""How wide a box is."""
RED = Ink("jump")


class Goal(NamedTuple):
    """Where a turn goes on when it is cut short: the name of the place, from where if not from
    everywhere, and the ways that lead there.
    """

    title: str
    where: str
    ways: Sequence[Way]


def extra_box(svg: Svg, turn: Turn, at: Point) -> float:
    """Draw where extra phases and steps come in, and return where the box ends."""
    x, y = at
    if turn.extra is None:
        return y
    rule = citation(turn.extra.rule)
    said = f"if an effect has added one: newest first, then the {turn.word} goes on{rule}"
    rows = label([Word(said, SMALL)], BOX - 56)
    box = Box(x, y, BOX, 34 + ROW * len(rows))
    svg.rect(box, Paint("paper", "extra", round=11))
    svg.rect(box.inset(3.5), Paint("surface", "extra", 1, round=8))
    svg.diamond((x + 28, y + 18), 6, Paint("surface", "extra"))
    x += 41
    svg.text((x, y + 22), turn.extra.text.upper(), Ink("extra", bold=True))
    write(svg, (x, y + 38), rows, ROW)
    return box.bottom


def cut_box(svg: Svg, turn: Turn, ways: Iterable[Way], overlay: Overlay, at: Point) -> float:
    """Draw what cuts a turn short and where it then goes on, and return where the box ends."""
    x, y = at
    cuts = _by_words(turn, ways)
    if not cuts:
        return y
    inside = Svg()
    foot = y + 21
    inside.text((x + 16, foot), "FROM ANY STEP", RED._replace(bold=True))
    for words, alike in cuts.items():
        rows = label([Word(words, RED)], BOX - 28)
        foot = write(inside, (x + 16, foot + 8 + ROW), rows, ROW)
        rule = joined(*(way.rule for way in alike))
        for goal in _goals(turn, alike):
            foot += 18
            inside.line([(x + 20, foot - 4), (x + 50, foot - 4)], "jump")
            told = [Word(goal.title, Ink(bold=True)), Word(goal.where, FINE), Word(rule, FINE)]
            told.append(chip_word(overlay.chips.get(goal.ways[0], "")))
            rows = label(told, BOX - 68)
            foot = write(inside, (x + 56, foot), rows, ROW)
    box = Box(x, y, BOX, foot + 12 - y)
    svg.rect(box, Paint("paper", "jump", round=11))
    svg += inside
    return box.bottom


def _by_words(turn: Turn, ways: Iterable[Way]) -> dict[str, list[Way]]:
    """The ways that cut a turn short from a whole phase or turn, by their words."""
    steps = {step.id for step in turn.steps}
    found = defaultdict[str, list[Way]](list)
    for way in ways:
        if way.kind == "cut short" and way.target != HOLE and way.source not in steps:
            found[way.words].append(way)
    return found


def _goals(turn: Turn, alike: Sequence[Way]) -> Iterator[Goal]:
    """Where ways lead. What leads from several phases to the next one is said once."""
    followers = {a.id: b.steps[0].id for a, b in pairwise(turn.phases)}
    onward = [way for way in alike if followers.get(way.source) == way.target]
    if len(onward) > 1:
        yield Goal("what follows it", "", onward)
    for way in alike:
        if way not in onward or len(onward) == 1:
            where = f"in {turn.names[way.source]}" if way.source else ""
            yield Goal(turn.place(way.target), where, [way])


def legend(
    turn: Turn, steps: Sequence[Step], ways: Sequence[Way], overlay: Overlay
) -> Iterator[tuple[str, str]]:
    """Explain what occurs in a picture of these steps and ways."""
    kinds = {way.kind for way in ways if way.target != HOLE}
    marks = set[str]()
    for step in steps:
        marks.update(line.mark for line in step.lines)
    left_out = "left out" in kinds or _may_be_left_out(turn, steps)
    forks = any(way.words and way.kind != "cut short" for way in ways)
    whole = steps == turn.steps
    keys = (
        ("full", turn.acting, "full" in marks),
        ("hollow", "only if something triggered", "hollow" in marks),
        ("choice", "one of the ways applies", left_out or forks),
        ("place", "place for extra phases and steps", whole and turn.extra is not None),
        ("core", "normal course", bool(ways)),
        ("skip", "left out", left_out),
        ("extra", "again", "again" in kinds),
        ("jump", "cut short", "cut short" in kinds),
    )
    for kind, words, occurs in keys:
        if occurs:
            yield kind, words
    yield from overlay.keys


def _may_be_left_out(turn: Turn, steps: Sequence[Step]) -> bool:
    """Whether a phase or step of a picture may be left out."""
    shown = {*steps}
    return any(part.left_out and shown.issuperset(steps_of([part])) for part in turn.parts)
