"""The pictures of the explorer page. They are drawn once, in colours that follow the theme of the
page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

from fsm.model import Model
from fsm.views.drawing import views_of
from fsm.views.drawing.collapsed import CollapsedTurn
from fsm.views.drawing.palette import DARK, LIGHT, Theme
from fsm.views.drawing.picture import picture
from fsm.views.drawing.placed import Placed, Rect
from fsm.views.drawing.views import place

MARGIN = 6.0
VIEWS = ("turn", "window", "ending")
_NUMBER = re.compile(r"-?\d+\.\d{2,}")


@dataclass(slots=True)
class Picture:
    """One view: its drawing, what each part of it stands for, and where each state of the model is
    on it.

    Parts are named as in the drawing ("n3", "e7", "b1"); areas are left, top, width, height in the
    drawing's points.
    """

    view: str
    svg: str
    caption: tuple[str, ...]
    nodes: dict[str, str] = field(default_factory=dict)
    lines: dict[str, tuple[str, list[int]]] = field(default_factory=dict)
    boxes: dict[str, tuple[str, list[float]]] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)


def pictures_of(model: Model) -> list[Picture]:
    """The turn, the window if there is one, and the endings that have stages which the turn at a
    glance leaves out.

    Raises DrawError.
    """
    turn, *others = (
        _picture(model, view) for view in views_of(model) if view.partition(":")[0] in VIEWS
    )
    asks = {s.id for s in model.leaves if s.kind in ("action", "window")} - turn.places.keys()
    return [turn, *(p for p in others if p.view == "window" or asks & p.places.keys())]


def _picture(model: Model, view: str) -> Picture:
    placed = place(model, view)
    shown = model.window if view == "window" and model.window is not None else model
    numbers = {row.id: i for i, row in enumerate(shown.transitions)}
    found = Picture(view, _drawing(placed, view), placed.diagram.caption)
    found.nodes = {f"n{i}": n.node.id for i, n in enumerate(placed.nodes)}
    for i, line in enumerate(placed.lines):
        steps = [numbers[step] for step in line.line.steps if step in numbers]
        found.lines[f"e{i}"] = (line.line.layer, steps)
    for i, box in enumerate(placed.boxes):
        found.boxes[f"b{i}"] = (box.box.id, _area(box.area))
    found.places = _places(shown, found.nodes)
    return found


def _places(model: Model, nodes: dict[str, str]) -> dict[str, str]:
    """Where each state is: the part that stands for it, alone or with others."""
    parts = {id: part for part, id in nodes.items()}
    collapsed = (
        CollapsedTurn(model) if any(s.kind in ("phase", "step") for s in model.states) else None
    )
    stands = {
        s.id: collapsed.shown_as(s.id) if collapsed and s.id not in parts else s.id
        for s in model.leaves
    }
    return {state: parts[shown_as] for state, shown_as in stands.items() if shown_as in parts}


def _area(area: Rect) -> list[float]:
    return [round(v, 1) for v in (area.left, area.top, area.width, area.height)]


# the drawing on the page --------------------------------------------------------------------------


def _drawing(placed: Placed, view: str) -> str:
    """The graph alone: title, caption and tooltips are the page's own, colours are its variables."""
    graph = next(g for g in picture(placed, DARK).iter("g") if g.get("class") == "graph")
    width, height = placed.size
    box = (-MARGIN, -MARGIN, width + 2 * MARGIN, height + 2 * MARGIN)
    root = ET.Element("svg", {"viewBox": " ".join(f"{v:g}" for v in box), "data-view": view})
    root.extend(graph)
    inks = _inks(DARK)
    for part in root.iter():
        _repaint(part, inks)
        for child in [c for c in part if c.tag == "title"]:
            part.remove(child)
    return ET.tostring(root, encoding="unicode")


def _repaint(part: ET.Element, inks: dict[str, str]) -> None:
    """Colours by name, numbers to a tenth of a point, the part's name where scripts find it."""
    for name in ("fill", "stroke"):
        ink = inks.get(part.get(name, "").lower())
        if ink is not None:
            part.set(name, f"var(--{ink})")
    for name in ("d", "points"):
        if part.get(name):
            part.set(name, _NUMBER.sub(lambda n: f"{float(n[0]):.1f}", part.get(name, "")))
    if part.get("id"):
        part.set("data-part", part.attrib.pop("id"))


def _inks(theme: Theme) -> dict[str, str]:
    return {colour.lower(): name for name, colour in reversed(inks(theme))}


def inks(theme: Theme) -> list[tuple[str, str]]:
    """Every colour of a theme under the name of its variable on the page."""
    found = [
        ("paper", theme.paper),
        ("surface", theme.surface),
        ("ink", theme.ink),
        ("muted", theme.muted),
    ]
    found += [("rule-line", theme.rule_line), *theme.layers.items()]
    for i, hue in enumerate(theme.hues):
        found += [(f"tint{i}", hue.tint), (f"border{i}", hue.border), (f"title{i}", hue.title)]
    return found


def theme_style() -> str:
    """The variables of both themes: the page's own choice goes before the system's."""
    light, dark = (
        ";".join(f"--{name}:{colour}" for name, colour in inks(t)) for t in (LIGHT, DARK)
    )
    return (
        f":root{{color-scheme:light;{light}}}\n"
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}\n"
        f":root[data-theme=dark]{{color-scheme:dark;{dark}}}\n"
    )
