"""SVG elements: the page of a picture, its shapes, and texts that carry their measured width."""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree as ET

from fsm.views.drawing.measures import HEADLINE, LEGEND
from fsm.views.drawing.metrics import text_width
from fsm.views.drawing.palette import FONT, Theme
from fsm.views.drawing.placed import Anchor

FIRST_BASELINE, TITLE_LEADING = 26.0, 19.0
ABOVE_CAPTION, CAPTION_LEADING = 4.0, 12.0


def page(title: str, theme: Theme, said: str = "") -> ET.Element:
    """An empty picture on the theme's paper; `said` describes it for those who cannot see it."""
    root = ET.Element(
        "svg", {"xmlns": "http://www.w3.org/2000/svg", "font-family": FONT, "role": "img"}
    )
    add(root, "title", title)
    if said:
        add(root, "desc", said)
    add(root, "rect", width="100%", height="100%", fill=theme.paper)
    return root


def add(parent: ET.Element, tag: str, text: str = "", /, **attributes: object) -> ET.Element:
    """Add an element; underscores in names become hyphens."""
    made = ET.SubElement(
        parent, tag, {k.rstrip("_").replace("_", "-"): _said(v) for k, v in attributes.items()}
    )
    made.text = text or None
    return made


def write(
    parent: ET.Element,
    text: str,
    x: float,
    y: float,
    size: float,
    fill: str,
    *,
    bold: bool = False,
    anchor: Anchor = "start",
) -> ET.Element:
    """Add one line of text. It carries its measured width, so that it fits in any font."""
    look: dict[str, object] = {"font_weight": "bold"} if bold else {}
    look |= {"text_anchor": anchor} if anchor != "start" else {}
    width = text_width(" ".join(text.split()), size, bold)
    look |= {"textLength": width, "lengthAdjust": "spacingAndGlyphs"} if width else {}
    return add(parent, "text", text, x=x, y=y, font_size=size, fill=fill, **look)


def headline(
    root: ET.Element, title: Iterable[str], caption: Iterable[str], left: float, theme: Theme
) -> float:
    """Write the lines of a title and those under it; returns where the last one stands."""
    y = FIRST_BASELINE
    for number, line in enumerate(title):
        y += TITLE_LEADING * bool(number)
        write(root, line, left, y, HEADLINE, theme.ink, bold=True)
    y += ABOVE_CAPTION
    for line in caption:
        y += CAPTION_LEADING
        write(root, line, left, y, LEGEND, theme.muted)
    return y


def dot(parent: ET.Element, x: float, y: float, colour: str, *, hollow: bool = False) -> None:
    """Add the mark of who may act, a shape so that no font needs to have it; hollow: only if
    something happened.
    """
    if hollow:
        add(
            parent,
            "circle",
            class_="mark",
            cx=x,
            cy=y,
            r="2.2",
            fill="none",
            stroke=colour,
            stroke_width="1.1",
        )
    else:
        add(parent, "circle", class_="mark", cx=x, cy=y, r="2.6", fill=colour)


def resize(root: ET.Element, width: float, height: float, scale: float = 1.0) -> None:
    """Set the size of the picture; `scale` is how many pixels a point has."""
    root.set("width", f"{width * scale:.0f}")
    root.set("height", f"{height * scale:.0f}")
    root.set("viewBox", f"0 0 {width:.0f} {height:.0f}")


def size_of(root: ET.Element) -> tuple[float, float, float]:
    """How wide and high the picture is, in points, and how many pixels a point has."""
    width, height = map(float, root.get("viewBox", "0 0 1 1").split()[2:])
    return width, height, float(root.get("width", "0")) / width


def markup(root: ET.Element) -> str:
    """The picture as text, one element a line; never broken inside a text, where blanks count."""
    for holder in root.iter():
        if holder.tag in ("svg", "g"):
            holder.text = "\n"
            for child in holder:
                child.tail = "\n"
    return ET.tostring(root, encoding="unicode") + "\n"


def _said(value: object) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
