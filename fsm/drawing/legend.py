"""The legend at the foot: what the shapes and line styles mean, only those that occur."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree import ElementTree as ET

from fsm.drawing.metrics import text_width
from fsm.drawing.palette import STROKES, Theme
from fsm.drawing.placed import Placed
from fsm.model import LAYERS, Layer

ROW = 20.0
SPACE = 20.0
NAMES: dict[Layer, str] = {"core": "core", "skip": "skipped", "extra": "extra", "jump": "jump out of everything"}
Sample = Callable[[ET.Element, float, float, Theme], float]


def add(parent: ET.Element, tag: str, text: str = "", **attributes: object) -> ET.Element:
    """A new SVG element; underscores in names become hyphens."""
    made = ET.SubElement(parent, tag, {k.rstrip("_").replace("_", "-"): _text(v) for k, v in attributes.items()})
    made.text = text or None
    return made


def _text(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)


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
    lines = [(_stroke(layer), NAMES[layer]) for layer in LAYERS if layer in layers]
    return [row for row in (shapes, lines) if row]


def legend_width(placed: Placed) -> float:
    """How wide the wider row is."""
    return max((sum(30 + text_width(t, 9) + SPACE for _, t in row) for row in legend_rows(placed)), default=0.0)


def draw_legend(parent: ET.Element, placed: Placed, theme: Theme, top: float, width: float) -> float:
    """Write the legend under a thin rule; returns its height."""
    rows = legend_rows(placed)
    if not rows:
        return 0.0
    add(parent, "path", d=f"M16 {top:.1f}H{width - 16:.1f}", stroke=theme.rule_line, fill="none")
    y = top + 14
    for row in rows:
        x = 16.0
        for sample, text in row:
            wide = sample(parent, x, y, theme)
            if x + wide + 6 + text_width(text, 9) > width - 10:
                break
            add(parent, "text", text, x=x + wide + 6, y=y + 3.2, fill=theme.ink, font_size="9")
            x += wide + 6 + text_width(text, 9) + SPACE
        y += ROW
    return y - top


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
    add(parent, "circle", cx=x + 4, cy=y, r="2.8", fill=theme.ink)
    return 7.0


def _circle(parent: ET.Element, x: float, y: float, theme: Theme) -> float:
    add(parent, "circle", cx=x + 4, cy=y, r="2.6", fill="none", stroke=theme.ink, stroke_width="1")
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
