"""The maps of the page: how often everything was taken, in colours for light and dark paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

from fsm.coverage.target import Result
from fsm.model import Model
from fsm.model.graph import graphs_of
from fsm.views.coverage.pagecolours import PageColours
from fsm.views.drawing.options import Counts, DrawOptions
from fsm.views.drawing.overlays import with_overlay
from fsm.views.drawing.overlays.pictureindex import PictureIndex
from fsm.views.drawing.palette import THEMES, ThemeName, theme
from fsm.views.drawing.picture import picture
from fsm.views.drawing.placed import Placed
from fsm.views.drawing.views import place
from fsm.wording import plain

MARGIN = 10.0


@dataclass(slots=True)
class Map:
    """The map of a model: its picture, and what each part of it stands for.

    `rows` has the transitions of a part, and `states` its states.
    `never` has a transition of each line that was never taken. `phases` are the names of the boxes,
    each with its left, top and width.
    """

    svg: str
    rows: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    states: Mapping[str, frozenset[str]] = field(default_factory=dict)
    never: tuple[str, ...] = ()
    phases: tuple[tuple[str, float, float, float], ...] = ()


def map_of(result: Result, colours: PageColours, alt: str) -> Map:
    """Return the map of the whole turn, without title and legend, which the page has. Raises
    DrawError.
    """
    light, dark = (_placed(result, "turn", name) for name in THEMES)
    index = PictureIndex(light, result.model)
    found = Map("")
    cards = {f"n{i}": n.node for i, n in enumerate(light.nodes) if index.states_of(n.node.id)}
    found.states = {
        part: _with_steps(result.model, index.states_of(node.id)) for part, node in cards.items()
    }
    lines = {f"e{i}": p.line for i, p in enumerate(light.lines)}
    found.rows = {
        part: tuple(r.id for r in index.ways[x.id].rows)
        for part, x in lines.items()
        if x.id in index.ways
    }
    paints = ((light.paint("line", lines[part].id), ids) for part, ids in found.rows.items())
    found.never = tuple(
        ids[0] for paint, ids in paints if paint is not None and paint.tone == "never"
    )
    found.phases = tuple(_boxes(light))
    graphs = _graph(light, "light"), _graph(dark, "dark")
    for graph in graphs:
        for part in graph.iter():
            name = part.get("id", "")
            if name in found.states or name in found.rows:
                part.set("data-part", name)
            if name in found.states:
                part.attrib |= {
                    "role": "button",
                    "tabindex": "0",
                    "aria-label": _spoken(part),
                    "aria-pressed": "false",
                }
    found.svg = colours.both(graphs[0], graphs[1], {"role": "group", "aria-label": alt})
    return found


def _with_steps(model: Model, states: frozenset[str]) -> frozenset[str]:
    return states | {s.id for id in states for s in model.path(id) if s.kind == "step"}


def part_picture(result: Result, colours: PageColours, view: str, alt: str) -> str:
    """Return the picture of one part, with title and legend. Raises DrawError."""
    light, dark = (picture(_placed(result, view, name), theme(name)) for name in THEMES)
    return colours.both(light, dark, {"role": "img", "aria-label": alt})


def _counts(result: Result) -> Counts:
    """Return how often each transition was taken."""
    coverage = result.by("transitions")
    taken = coverage.taken if coverage is not None else {}
    own = graphs_of(result.model)[0].name
    turn, window = (
        {id: n for (at, id), n in taken.items() if at == machine} for machine in (own, "window")
    )
    return Counts(turn, window)


def _placed(result: Result, view: str, paper: ThemeName) -> Placed:
    options = DrawOptions(view, paper, overlay=_counts(result))
    return with_overlay(place(result.model, view), result.model, options)


def _graph(placed: Placed, name: ThemeName) -> ET.Element:
    """Return the picture of the graph alone."""
    drawn = picture(placed, theme(name))
    graph = next(part for part in drawn.iter() if part.get("class") == "graph")
    width, height = (side + 2 * MARGIN for side in placed.size)
    box = f"{-MARGIN:g} {-MARGIN:g} {width:g} {height:g}"
    root = ET.Element("svg", {"viewBox": box, "width": f"{width:.0f}", "height": f"{height:.0f}"})
    root.extend(graph)
    return root


def _spoken(part: ET.Element) -> str:
    """Return the words on a part: "Upkeep, 29×"."""
    return (
        plain(", ".join(text.text for text in part.iter() if text.tag == "text" and text.text))
        or "choice"
    )


def _boxes(placed: Placed) -> Iterator[tuple[str, float, float, float]]:
    for box in placed.boxes:
        if not box.box.inside:
            yield (
                plain(box.box.title),
                box.area.left + MARGIN,
                box.area.top + MARGIN,
                box.area.width,
            )
