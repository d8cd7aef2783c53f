"""The legend at the foot: what the shapes and line styles mean, only those that occur."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from xml.etree import ElementTree as ET

from fsm.model import LAYERS, Layer
from fsm.views.drawing.measures import LEGEND, LEGEND_DROP, MARGIN
from fsm.views.drawing.metrics import text_width
from fsm.views.drawing.palette import STROKES, Theme, Tone
from fsm.views.drawing.placed import Placed
from fsm.views.drawing.svg import add, dot, write

ROW = 20.0
_SPACE, _TO_WORDS = 20.0, 6.0  # after the words of a sample, and before them
_UNDER_RULE, _END = (
    14.0,
    10.0,
)  # from the rule to the first row, and from the last sample of a row to the edge
_WIDEST = 30.0  # a sample with the space before its words, for the width of the picture
_RISE, _HIGH = 6.0, 12.0  # half the height of a sample, and all of it
_HEAD_AT, _RING = 25.0, 6.0  # where the head of a line begins, and how long its ring is
_DOUBLE = 1.5  # from the middle of a double line to its strokes
NAMES: dict[Layer, str] = {
    "core": "core",
    "skip": "skipped",
    "extra": "extra",
    "jump": "jump out of everything",
}
THEN = "what then happens"
"""The lines of a jump after the first, which leave no box."""
PLAIN: dict[Layer, str] = {
    "core": "normal course",
    "skip": "left out",
    "extra": "again or extra",
    "jump": "cut short",
}
"""The same in a picture for players."""
TONES: Mapping[Tone, str] = {
    "here": "now here",
    "open": "can go there",
    "closed": "not now: a guard is closed",
    "never": "never",
    "few": "under 10% of the most",
    "some": "10 to 60%",
    "most": "over 60%",
}
PENS: Mapping[Tone, float] = {"here": 2.4, "open": 2.4, "closed": 2.4, "never": 1.8}
Draw = Callable[[ET.Element, float, float, Theme], object]


@dataclass(frozen=True, slots=True)
class Sample:
    """A sign and what it means: how wide it is, and how it is drawn, its left edge at x and its
    middle at y.
    """

    width: float
    draw: Draw
    words: str


def legend_rows(placed: Placed) -> list[list[Sample]]:
    """The two rows: shapes, then lines."""
    if placed.diagram.plain:
        return _plain_rows(placed)
    kinds = {n.node.kind for n in placed.nodes}
    marks = {n.node.mark for n in placed.nodes}
    shapes = [
        ("start" in kinds, Sample(10.0, _disc, "begin")),
        ("final" in kinds, Sample(12.0, _ring, "end")),
        (
            "action" in kinds,
            Sample(18.0, partial(_card, width=18.0, border=1.2), "action: the game does it"),
        ),
        (
            "window" in kinds,
            Sample(20.0, partial(_card, width=20.0, border=2.2, rx=6.0), "window: players may act"),
        ),
        ("card" in kinds and "natural" in marks, Sample(7.0, _dot, "players may act")),
        (
            "conditional" in marks,
            Sample(7.0, partial(_dot, hollow=True), "only if something happened"),
        ),
        ("choice" in kinds, Sample(12.0, _diamond, "choice: first guard that holds")),
        ("lookup" in kinds, Sample(12.0, partial(_diamond, extra=True), "is something extra due?")),
    ]
    layers = {line.line.layer for line in placed.lines}
    names = NAMES if _out_of_everything(placed) else {**NAMES, "jump": "jump"}
    rings = {line.line.ring for line in placed.lines if line.line.layer == "jump"}
    ringed = rings != {False}
    lines = [
        Sample(33.0, partial(_stroke, layer, ring=ringed), names[layer])
        for layer in LAYERS
        if layer in layers
    ]
    lines += (
        [Sample(33.0, partial(_stroke, "jump", ring=False), THEN)] if rings == {True, False} else []
    )
    rows = [sample for shown, sample in shapes if shown], lines
    return [_said(row, placed) for row in rows if row]


def _plain_rows(placed: Placed) -> list[list[Sample]]:
    """The two rows of a picture for players, without words of the model."""
    kinds = {n.node.kind for n in placed.nodes}
    marks = {n.node.mark for n in placed.nodes}
    shapes = [
        ("start" in kinds, Sample(10.0, _disc, "turn begins")),
        ("final" in kinds, Sample(12.0, _ring, "turn ends")),
        ("natural" in marks, Sample(7.0, _dot, "players may act")),
        (
            "conditional" in marks,
            Sample(7.0, partial(_dot, hollow=True), "only if something happened"),
        ),
        ("choice" in kinds, Sample(12.0, _diamond, "which way? read the labels")),
    ]
    layers = {line.line.layer for line in placed.lines}
    lines = [
        Sample(33.0, partial(_stroke, layer, ring=True), PLAIN[layer])
        for layer in LAYERS
        if layer in layers
    ]
    gold = Sample(12.0, partial(_diamond, extra=True), "place for extra phases and steps")
    rows = (
        [sample for shown, sample in shapes if shown],
        [*lines, *([gold] if "lookup" in kinds else [])],
    )
    return [_said(row, placed) for row in rows if row]


def _out_of_everything(placed: Placed) -> bool:
    """Does any jump leave a whole phase, step or turn, and not just one state?"""
    single = {n.node.id for n in placed.nodes if n.node.kind not in ("card", "word")}
    return any(
        line.line.layer == "jump" and line.line.source not in single for line in placed.lines
    )


def laid_over(placed: Placed) -> list[Sample]:
    """The row of an overlay: what its paint and pills mean."""
    if placed.overlay is None:
        return []
    paints = {
        paint.tone for paint in (*placed.overlay.nodes.values(), *placed.overlay.boxes.values())
    }
    paints |= {paint.tone for paint in placed.overlay.lines.values()} - {"taken"}
    row = [
        Sample(22.0, partial(_painted, tone), name)
        for tone, name in TONES.items()
        if tone in paints
    ]
    pills = (
        [Sample(22.0, _numbered, "the order in which lines were taken; 7×: seven times in all")]
        if placed.overlay.pills
        else []
    )
    return _said([*row, *pills], placed)


def _said(row: Sequence[Sample], placed: Placed) -> list[Sample]:
    """The row as this picture's legend says it."""
    legend = placed.diagram.legend
    return [replace(sample, words=legend.get(sample.words, sample.words)) for sample in row]


def legend_width(placed: Placed) -> float:
    """How wide the wider row is. An overlay's own row takes what room there is: nothing moves for
    it.
    """
    rows = legend_rows(placed)
    return max(
        (sum(_WIDEST + text_width(one.words, LEGEND) + _SPACE for one in row) for row in rows),
        default=0.0,
    )


def draw_legend(
    parent: ET.Element, placed: Placed, theme: Theme, top: float, width: float
) -> float:
    """Write the legend under a thin rule; returns its height."""
    rows = [row for row in (laid_over(placed), *legend_rows(placed)) if row]
    if not rows:
        return 0.0
    add(
        parent,
        "path",
        d=f"M{MARGIN:g} {top:.1f}H{width - MARGIN:.1f}",
        stroke=theme.rule_line,
        fill="none",
    )
    y = top + _UNDER_RULE
    for row in rows:
        y = _row(parent, row, theme, y, width)
    return y - top


def _row(parent: ET.Element, row: Sequence[Sample], theme: Theme, y: float, width: float) -> float:
    """Write samples with their words side by side, on as many lines as they need; returns where the
    next row goes.
    """
    x = MARGIN
    for sample in row:
        whole = sample.width + _TO_WORDS + text_width(sample.words, LEGEND)
        if x > MARGIN and x + whole > width - _END:
            x, y = MARGIN, y + ROW
        sample.draw(parent, x, y, theme)
        write(
            parent, sample.words, x + sample.width + _TO_WORDS, y + LEGEND_DROP, LEGEND, theme.ink
        )
        x += whole + _SPACE
    return y + ROW


def _painted(tone: Tone, parent: ET.Element, x: float, y: float, theme: Theme) -> None:
    """A small card in the paint of an overlay."""
    pen = theme.pens[tone]
    look = {
        "fill": pen.fill or theme.surface,
        "stroke": pen.stroke or theme.ink,
        "stroke_width": PENS.get(tone, 1.2),
    }
    look |= {"stroke_dasharray": "4,2"} if pen.dashed else {}
    add(parent, "rect", x=x + 1, y=y - _RISE, width=20.0, height=_HIGH, rx=5.0, **look)


def _numbered(parent: ET.Element, x: float, y: float, theme: Theme) -> None:
    add(parent, "rect", x=x, y=y - 5.5, width=22.0, height=11.0, rx=5.5, fill=theme.layers["core"])
    write(parent, "1, 2", x + 11, y + 2.7, 7.5, theme.paper, bold=True, anchor="middle")


def _disc(parent: ET.Element, x: float, y: float, theme: Theme) -> None:
    add(parent, "circle", cx=x + 5, cy=y, r="4.5", fill=theme.ink)


def _ring(parent: ET.Element, x: float, y: float, theme: Theme) -> None:
    add(parent, "circle", cx=x + 6, cy=y, r="6", fill="none", stroke=theme.ink, stroke_width="1.3")
    add(parent, "circle", cx=x + 6, cy=y, r="3.5", fill=theme.ink)


def _card(
    parent: ET.Element,
    x: float,
    y: float,
    theme: Theme,
    *,
    width: float,
    border: float,
    **rx: float,
) -> None:
    look = {**rx, "fill": theme.surface, "stroke": theme.ink, "stroke_width": border}
    add(parent, "rect", x=x, y=y - _RISE, width=width, height=_HIGH, **look)


def _dot(parent: ET.Element, x: float, y: float, theme: Theme, *, hollow: bool = False) -> None:
    dot(parent, x + 4, y, theme.ink, hollow=hollow)


def _diamond(parent: ET.Element, x: float, y: float, theme: Theme, *, extra: bool = False) -> None:
    look = {
        "fill": theme.surface,
        "stroke": theme.layers["extra"] if extra else theme.ink,
        "stroke_width": "1.4",
    }
    add(parent, "path", d=f"M{x + 6:.1f} {y - _RISE:.1f}l6 6l-6 6l-6 -6z", **look)


def _stroke(
    layer: Layer, parent: ET.Element, x: float, y: float, theme: Theme, *, ring: bool
) -> None:
    stroke, colour = STROKES[layer], theme.layers[layer]
    ring = ring and layer == "jump"
    start, head = x + (_RING if ring else 0), x + _HEAD_AT
    look = {"stroke": colour, "stroke_width": stroke.width, "fill": "none"}
    look |= {"stroke_dasharray": stroke.dashes} if stroke.dashes else {}
    look |= {"stroke_linecap": stroke.cap, "stroke_dashoffset": "-3"} if stroke.cap else {}
    for rise in (-_DOUBLE, _DOUBLE) if stroke.double else (0.0,):
        add(parent, "path", d=f"M{start:.1f} {y + rise:.1f}H{head:.1f}", **look)
    if ring:
        add(
            parent,
            "circle",
            cx=x + 3,
            cy=y,
            r="2.6",
            fill="none",
            stroke=colour,
            stroke_width="1.8",
        )
    fill = "none" if stroke.head == "empty" else colour
    add(
        parent,
        "path",
        d=f"M{head:.1f} {y - 3:.1f}l7.5 3l-7.5 3z",
        fill=fill,
        stroke=colour,
        stroke_width="1.2",
    )
