"""The legend at the foot: what the shapes and line styles mean, only those that occur."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from xml.etree import ElementTree as ET

from fsm.model import LAYERS, Layer
from fsm.views.drawing.metrics import text_width
from fsm.views.drawing.palette import STROKES, Theme, Tone
from fsm.views.drawing.placed import Placed
from fsm.views.drawing.svg import add, dot, write

ROW = 20.0
SPACE = 20.0
NAMES: dict[Layer, str] = {"core": "core", "skip": "skipped", "extra": "extra", "jump": "jump out of everything"}
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
Sample = Callable[[ET.Element, float, float, Theme], float]


def legend_rows(placed: Placed) -> list[list[tuple[Sample, str]]]:
    """The two rows: shapes, then lines."""
    kinds = {n.node.kind for n in placed.nodes}
    marks = {n.node.mark for n in placed.nodes}
    shapes: list[tuple[Sample, str]] = []
    if "start" in kinds:
        shapes.append((_disc, "begin"))
    if "final" in kinds:
        shapes.append((_ring, "end"))
    if "action" in kinds:
        shapes.append((_square, "action: the game does it"))
    if "window" in kinds:
        shapes.append((_round, "window: players may act"))
    if "card" in kinds and "natural" in marks:
        shapes.append((_dot, "players may act"))
    if "conditional" in marks:
        shapes.append((_circle, "only if something happened"))
    if "choice" in kinds:
        shapes.append((_diamond("ink"), "choice: first guard that holds"))
    if "lookup" in kinds:
        shapes.append((_diamond("extra"), "is something extra due?"))
    layers = {line.line.layer for line in placed.lines}
    names = NAMES if _out_of_everything(placed) else {**NAMES, "jump": "jump"}
    lines = [(_stroke(layer), names[layer]) for layer in LAYERS if layer in layers]
    return [_said(row, placed) for row in (shapes, lines) if row]


def _out_of_everything(placed: Placed) -> bool:
    """Does any jump leave a whole phase, step or turn, and not just one state?"""
    single = {n.node.id for n in placed.nodes if n.node.kind not in ("card", "word")}
    return any(line.line.layer == "jump" and line.line.source not in single for line in placed.lines)


def laid_over(placed: Placed) -> list[tuple[Sample, str]]:
    """The row of an overlay: what its paint and pills mean."""
    if placed.overlay is None:
        return []
    paints = {paint.tone for paint in (*placed.overlay.nodes.values(), *placed.overlay.boxes.values())}
    paints |= {paint.tone for paint in placed.overlay.lines.values()} - {"taken"}
    row: list[tuple[Sample, str]] = [(_painted(tone), name) for tone, name in TONES.items() if tone in paints]
    return _said([*row, (_numbered, "when, in which order")] if placed.overlay.pills else row, placed)


def _said(row: list[tuple[Sample, str]], placed: Placed) -> list[tuple[Sample, str]]:
    """The row in the words of the picture's language."""
    return [(sample, placed.diagram.words.get(text, text)) for sample, text in row]


def legend_width(placed: Placed) -> float:
    """How wide the wider row is. An overlay's own row takes what room there is: nothing moves for it."""
    return max((sum(30 + text_width(t, 9) + SPACE for _, t in row) for row in legend_rows(placed)), default=0.0)


def draw_legend(parent: ET.Element, placed: Placed, theme: Theme, top: float, width: float) -> float:
    """Write the legend under a thin rule; returns its height."""
    rows = [row for row in (laid_over(placed), *legend_rows(placed)) if row]
    if not rows:
        return 0.0
    add(parent, "path", d=f"M16 {top:.1f}H{width - 16:.1f}", stroke=theme.rule_line, fill="none")
    y = top + 14
    for row in rows:
        y = _row(parent, row, theme, y, width)
    return y - top


def _row(parent: ET.Element, row: Sequence[tuple[Sample, str]], theme: Theme, y: float, width: float) -> float:
    """Write samples with their words side by side, on as many lines as they need; returns where the next row goes."""
    x = 16.0
    for sample, text in row:
        wide = sample(ET.Element("g"), x, y, theme)
        if x > 16.0 and x + wide + 6 + text_width(text, 9) > width - 10:
            x, y = 16.0, y + ROW
        sample(parent, x, y, theme)
        write(parent, text, x + wide + 6, y + 3.2, 9.0, theme.ink)
        x += wide + 6 + text_width(text, 9) + SPACE
    return y + ROW


def _painted(tone: Tone) -> Sample:
    """A small card in the paint of an overlay."""

    def draw(parent: ET.Element, x: float, y: float, theme: Theme) -> float:
        pen = theme.pens[tone]
        shape: dict[str, object] = {"x": x + 1, "y": y - 6, "width": 20.0, "height": 12.0, "rx": 5.0}
        shape |= {"fill": pen.fill or theme.surface, "stroke": pen.stroke or theme.ink}
        shape |= {"stroke_width": PENS.get(tone, 1.2)} | ({"stroke_dasharray": "4,2"} if pen.dashed else {})
        add(parent, "rect", "", **shape)
        return 22.0

    return draw


def _numbered(parent: ET.Element, x: float, y: float, theme: Theme) -> float:
    add(parent, "rect", x=x, y=y - 5.5, width=22.0, height=11.0, rx=5.5, fill=theme.layers["core"])
    write(parent, "1, 2", x + 11, y + 2.7, 7.5, theme.paper, bold=True, anchor="middle")
    return 22.0


def _disc(parent: ET.Element, x: float, y: float, theme: Theme) -> float:
    add(parent, "circle", cx=x + 5, cy=y, r="4.5", fill=theme.ink)
    return 10.0


def _ring(parent: ET.Element, x: float, y: float, theme: Theme) -> float:
    add(parent, "circle", cx=x + 6, cy=y, r="6", fill="none", stroke=theme.ink, stroke_width="1.3")
    add(parent, "circle", cx=x + 6, cy=y, r="3.5", fill=theme.ink)
    return 12.0


def _square(parent: ET.Element, x: float, y: float, theme: Theme) -> float:
    add(parent, "rect", x=x, y=y - 6, width="18", height="12", fill=theme.surface, stroke=theme.ink, stroke_width="1.2")
    return 18.0


def _round(parent: ET.Element, x: float, y: float, theme: Theme) -> float:
    add(
        parent,
        "rect",
        x=x,
        y=y - 6,
        width="20",
        height="12",
        rx="6",
        fill=theme.surface,
        stroke=theme.ink,
        stroke_width="2.2",
    )
    return 20.0


def _dot(parent: ET.Element, x: float, y: float, theme: Theme) -> float:
    dot(parent, x + 4, y, theme.ink)
    return 7.0


def _circle(parent: ET.Element, x: float, y: float, theme: Theme) -> float:
    dot(parent, x + 4, y, theme.ink, hollow=True)
    return 7.0


def _diamond(ink: str) -> Sample:
    def draw(parent: ET.Element, x: float, y: float, theme: Theme) -> float:
        stroke = theme.ink if ink == "ink" else theme.layers["extra"]
        add(
            parent,
            "path",
            d=f"M{x + 6:.1f} {y - 6:.1f}l6 6l-6 6l-6 -6z",
            fill=theme.surface,
            stroke=stroke,
            stroke_width="1.4",
        )
        return 12.0

    return draw


def _stroke(layer: Layer) -> Sample:
    def draw(parent: ET.Element, x: float, y: float, theme: Theme) -> float:
        stroke, colour = STROKES[layer], theme.layers[layer]
        start = x + (6 if stroke.tail else 0)
        for rise in (-1.5, 1.5) if stroke.double else (0.0,):
            dashes = {"stroke_dasharray": stroke.dashes} if stroke.dashes else {}
            add(
                parent,
                "path",
                d=f"M{start:.1f} {y + rise:.1f}H{x + 25:.1f}",
                stroke=colour,
                stroke_width=stroke.width,
                fill="none",
                **dashes,
            )
        if stroke.tail:
            add(parent, "circle", cx=x + 3, cy=y, r="2.6", fill="none", stroke=colour, stroke_width="1.8")
        fill = "none" if stroke.head == "empty" else colour
        add(parent, "path", d=f"M{x + 25:.1f} {y - 3:.1f}l7.5 3l-7.5 3z", fill=fill, stroke=colour, stroke_width="1.2")
        return 33.0

    return draw
