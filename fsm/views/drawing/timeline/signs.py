"""The small signs of a timeline, drawn as shapes so that no font needs to have them."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from fsm.views.drawing.palette import Theme
from fsm.views.drawing.svg import add

Parent = ET.Element


def cross(parent: Parent, x: float, y: float, theme: Theme) -> None:
    """Cut short."""
    path = f"M{x - 3:.2f} {y - 3:.2f}l6 6m0 -6l-6 6"
    add(parent, "path", d=path, fill="none", stroke=theme.layers["jump"], stroke_width="1.6")


def loop(parent: Parent, x: float, y: float, theme: Theme) -> None:
    """Once more: three quarters of a circle with a head."""
    colour = theme.layers["extra"]
    path = f"M{x + 2.1:.2f} {y - 2.1:.2f}a3 3 0 1 0 .9 2.1"
    add(parent, "path", d=path, fill="none", stroke=colour, stroke_width="1.2")
    add(parent, "path", d=f"M{x + 0.3:.2f} {y - 2.6:.2f}l3.6 -1.9v4z", fill=colour)


def back(parent: Parent, x: float, y: float, theme: Theme) -> None:
    """Back where it waited: up, and to the left."""
    path = f"M{x + 3.2:.2f} {y + 3:.2f}v-4.6h-3.6"
    add(parent, "path", d=path, fill="none", stroke=theme.ink, stroke_width="1.2")
    add(parent, "path", d=f"M{x - 3.4:.2f} {y - 1.6:.2f}l3.4 -2.4v4.8z", fill=theme.ink)


def double(parent: Parent, x: float, y: float, width: float, height: float, theme: Theme) -> None:
    """A double border: extra."""
    look = {"stroke": theme.layers["extra"], "fill": theme.surface, "stroke_width": "1.3"}
    add(
        parent,
        "rect",
        x=x - 2.6,
        y=y - 2.6,
        width=width + 5.2,
        height=height + 5.2,
        rx="7.5",
        **look,
    )
    add(parent, "rect", x=x, y=y, width=width, height=height, rx="5.5", **look)


def left_out(
    parent: Parent,
    x: float,
    y: float,
    width: float,
    height: float,
    theme: Theme,
    *,
    fill: str = "none",
    rx: float = 5.5,
) -> None:
    """A dashed border: skipped."""
    look = {
        "fill": fill,
        "stroke": theme.layers["skip"],
        "stroke_dasharray": "4,2",
        "stroke_width": "1.3",
    }
    add(parent, "rect", x=x, y=y, width=width, height=height, rx=rx, **look)


def dotted(parent: Parent, path: str, theme: Theme, **named: str) -> None:
    """The line of a jump."""
    look = {"stroke_width": "2.2", "stroke_dasharray": "1.5,3.5", "fill": "none"}
    add(parent, "path", d=path, stroke=theme.layers["jump"], **named, **look)


def ring(parent: Parent, x: float, y: float, theme: Theme) -> None:
    """Where a jump leaves."""
    add(
        parent,
        "circle",
        cx=x,
        cy=y,
        r="2.6",
        fill=theme.surface,
        stroke=theme.layers["jump"],
        stroke_width="1.6",
    )


def head(parent: Parent, x: float, y: float, colour: str, *, down: bool = False) -> None:
    """An arrow head whose point is at (x, y)."""
    path = f"M{x:.2f} {y:.2f}" + ("l-3.2 -6h6.4z" if down else "l-6 -3.2v6.4z")
    add(parent, "path", d=path, fill=colour)
