"""How nodes, boxes and lines are painted: colours, widths and dashes, with the overlay's paint on
top.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from fsm.views.drawing.palette import STROKES, Theme
from fsm.views.drawing.placed import Paint, Placed, PlacedBox, PlacedLine, PlacedNode, Text

DASHES = "5,2"
BORDERS: Mapping[str, float] = {
    "card": 1.3,
    "frame": 1.3,
    "hub": 1.1,
    "action": 1.3,
    "stage": 1.3,
    "window": 2.4,
    "choice": 1.5,
    "lookup": 1.5,
}
BESIDE = frozenset({"lookup", "final", "choice", "start"})
"""The kinds of node whose text stands beside them."""


@dataclass(frozen=True, slots=True)
class Look:
    """The paint of a shape or line. `letters` is the colour of all its text; "" leaves each text
    its own ink.
    """

    stroke: str
    width: float
    fill: str = "none"
    dashes: str = ""
    letters: str = ""


def look_of_node(placed: Placed, node: PlacedNode, theme: Theme) -> Look:
    """The paint of a node."""
    kind, ink = node.node.kind, theme.ink
    width = BORDERS.get(kind, 1.0)
    if kind == "frame":
        look = Look(theme.layers["jump"], width, theme.surface)
    elif node.node.fills and node.node.hue is not None:
        look = Look(theme.hue(node.node.hue).border, width, theme.hue(node.node.hue).tint)
    elif kind in ("lookup", "hub"):
        look = Look(theme.layers["extra"], width, theme.surface)
    elif kind in ("start", "final"):
        look = Look(ink, width, ink)
    elif node.node.hue is None or kind == "choice":
        look = Look(ink, width, theme.surface)
    else:
        look = Look(theme.hue(node.node.hue).border, width, theme.surface)
    if kind == "window" and node.node.mark == "conditional":
        look = replace(look, width=1.8, dashes=DASHES)
    return _laid_over(look, placed.paint("node", node.node.id), theme)


def look_of_box(placed: Placed, box: PlacedBox, theme: Theme) -> Look:
    """The paint of a box."""
    hue = theme.hue(box.box.hue)
    return _laid_over(Look(hue.border, 1.4, hue.tint), placed.paint("box", box.box.id), theme)


def look_of_line(placed: Placed, line: PlacedLine, theme: Theme) -> Look:
    """The paint of a line. Its layer decides on dashes, whatever lies over it."""
    stroke, paint = STROKES[line.line.layer], placed.paint("line", line.line.id)
    look = _laid_over(Look(theme.layers[line.line.layer], stroke.width), paint, theme)
    return replace(look, fill="none", dashes=stroke.dashes)


def head_of_line(placed: Placed, line: PlacedLine) -> str:
    """The arrow head of a line; "none" where it runs on behind a look-up."""
    target = placed.diagram.node(line.line.target)
    passed = ("lookup", "choice") if placed.diagram.plain else ("lookup",)
    if target and target.kind in passed and line.line.layer == "core" and not line.head:
        return "none"
    return STROKES[line.line.layer].head


def side_texts(placed: Placed) -> list[Text]:
    """The texts that stand beside their nodes, and the notes of boxes."""
    beside = [node.text for node in placed.nodes if node.text and node.node.kind in BESIDE]
    return beside + [box.notes for box in placed.boxes if box.notes]


def ink_colour(theme: Theme, ink: str, hue: int | None = None) -> str:
    """The colour of an ink."""
    if ink in ("title", "hue") and hue is not None:
        chosen = theme.hue(hue)
        return chosen.title if ink == "title" else chosen.border
    named = {
        "ink": theme.ink,
        "muted": theme.muted,
        "paper": theme.paper,
        "title": theme.ink,
        "hue": theme.ink,
    }
    return named[ink] if ink in named else theme.layers[ink]  # type: ignore[index]


def _laid_over(look: Look, paint: Paint | None, theme: Theme) -> Look:
    if paint is None:
        return look
    pen = theme.pens[paint.tone]
    return Look(
        pen.stroke or look.stroke,
        paint.width or look.width,
        pen.fill or look.fill,
        look.dashes or (DASHES if pen.dashed else ""),
        pen.text,
    )
