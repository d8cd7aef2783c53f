"""Plain machines, such as those of the `transitions` library, as pictures: small flat ones as one
column of cards, others laid out by Graphviz, drawn by us. Labels of lines stand beside their own
line, where they cover nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import graphviz
import msgspec
from msgspec import Struct

from fsm.errors import DrawError
from fsm.views.cards import INKS, ROW, row_width, write
from fsm.views.charts import BOLD, Dot, Rows
from fsm.views.columns import FLAT, Column
from fsm.views.machines import ANY, Machine
from fsm.views.overlays import NONE, Overlay
from fsm.views.pictures import Plan, drawn
from fsm.views.reading import Line, Step, Turn, Way
from fsm.views.sheet import Sheet
from fsm.views.svg import Box, Paint, Svg, Theme, width
from fsm.views.tables import leading

MARGIN = 26.0
GAP = 12.0
"""At both sides of the graph, and above and below it, in pixels."""
NARROWEST = 380.0
"""How wide a picture is at least, for its title and its legend."""
_INCH = 72.0
_THIN = 1.3
_HEAVY = 2.6
"""The width of lines, and of those that an overlay marks."""
_PAINTS = {
    "state": Paint("surface", "core"),
    "final": Paint("surface", "core"),
    "frame": Paint("soft", "core"),
    "any": Paint("surface", "muted", dash="5 3"),
    "start": Paint("core"),
}
_SIGNS = {
    "start": "starts here",
    "core double": "final",
    "core line": "a line that leaves a frame: from any state inside",
}
_NEAR = 24.0
"""How far from its line a label may stand, in pixels."""
_MOVES = sorted(range(-200, 200, 4), key=abs)
"""How labels are moved up or down, a little first, to where they cover nothing."""


def draw_machine(
    machine: Machine, theme: Theme = "auto", overlay: Overlay = NONE, *, bare: bool = False
) -> str:
    """Return a machine as SVG.

    Parameters
    ----------
    machine
        The reading of the machine.
    theme
        The colours.
    overlay
        What is shown on it. It names states and transitions by their ids.
    bare
        Whether to leave out title and legend.

    Raises
    ------
    DrawError
        If Graphviz is not installed, or cannot lay out the machine.
    """
    if overlay is NONE and is_small(machine):
        return draw_flat(machine, theme)
    chart = Dot(machine, overlay)
    layout = _laid_out(chart.graph)
    _, _, wide, high = map(float, layout.bb.split(","))
    caption = ". ".join(filter(None, (machine.caption, overlay.caption)))
    sheet = Sheet(machine.title, caption, max(wide + 2 * MARGIN, NARROWEST), bare=bare)
    area = Box(MARGIN, sheet.y + GAP, wide, high)
    graph = _Graph(sheet, chart, area)
    for part in layout.objects:
        graph.place(part)
    for part in layout.edges:
        graph.line(part)
    sheet.raw('<g class="s-paper" stroke-width="3" paint-order="stroke">')
    graph.svg += graph.labels
    sheet.raw("</g>")
    doc = ". ".join(f"{name}: {'; '.join(said)}" for _, name, said in leading(machine) if said)
    return sheet.finish(area.bottom + GAP, _SIGNS | overlay.legend, doc, theme)


class _Part(Struct):
    """A place or line of a layout: where it and its label stand."""

    id: str = ""
    pos: str = ""
    bb: str = ""
    width: float = 0
    height: float = 0
    lp: str = ""

    @property
    def number(self) -> int:
        """Which place or line of the machine it is."""
        return int("".join(filter(str.isdigit, self.id)))


class _Layout(Struct):
    """A layout, as the program `dot` says it."""

    bb: str
    objects: list[_Part] = []
    edges: list[_Part] = []


def _laid_out(graph: graphviz.Digraph) -> _Layout:
    try:
        return msgspec.json.decode(graph.pipe("json", quiet=True), type=_Layout, strict=False)
    except graphviz.ExecutableNotFound:
        raise DrawError(
            "this picture is laid out by Graphviz, and its program dot is not installed; install"
            " it from https://graphviz.org/download, or write Mermaid (.mmd) or DOT (.dot)"
        ) from None
    except (graphviz.CalledProcessError, OSError) as error:
        said = " ".join(str(error).split())
        raise DrawError(f"Graphviz cannot lay out this picture: {said[:200]}") from error


# a machine that Graphviz has laid out -------------------------------------------------------------


class _Graph(Struct):
    """A graph as it is drawn in an area. The labels of lines are a picture of their own, to be put
    above the lines. They cover nothing that is `taken`.
    """

    svg: Svg
    chart: Dot
    area: Box
    taken: list[Box] = []
    labels: Svg = msgspec.field(default_factory=Svg)

    def _points(self, text: str) -> list[complex]:
        """Return points of the layout as points of the picture."""
        numbers = map(float, text.removeprefix("e,").replace(" ", ",").split(","))
        return [
            complex(self.area.x + right, self.area.bottom - up)
            for right, up in zip(numbers, numbers, strict=True)
        ]

    def _area(self, part: _Part) -> Box:
        if part.bb:
            foot, top = self._points(part.bb)
            return Box(foot.real, top.imag, (top - foot).real, (foot - top).imag)
        [middle] = self._points(part.pos)
        return _around(middle, part.width * _INCH, part.height * _INCH)

    def _edge(self, id: str, colour: str) -> tuple[str, float]:
        """Return the colour and the width of a line: heavy if an overlay marks it."""
        edges = self.chart.overlay.edges
        return edges.get(id, colour), _HEAVY if id in edges else _THIN

    def place(self, part: _Part) -> None:
        """Draw a place. Overlays paint states, not the signs beside them."""
        machine = self.chart.machine
        place = machine.places[part.number]
        id = place.id if place in machine.states else ""
        area = self._area(part)
        usual = _PAINTS[place.kind]
        edge, line = self._edge(id, usual.edge)
        fill = self.chart.overlay.fills.get(id, "")
        paint = usual._replace(fill=fill or usual.fill, edge=edge, line=line)
        self.svg.signs.add(place.kind)
        with self.svg.group("step", id=id):
            self.svg.rect(area, paint)
            if place.kind == "final":
                self.svg.signs.add("core double")
                self.svg.rect(area.inset(3.5), paint._replace(round=6))
            if place.kind == "frame":
                area = Box(area.x + 10, area.y + 6, width(place.name, BOLD), 12)
            rows = self.chart.box_rows(place)
            y = area.y + area.h / 2 + 4 - ROW * (len(rows) - 1) / 2
            inside = Svg(INKS.get(fill, ""))
            for [word] in rows:
                inside.text((area.x + area.w / 2, y), *word, "middle")
                y += ROW
            self.svg += inside
        self.taken.append(area)

    def line(self, part: _Part) -> None:
        """Draw a line with its labels."""
        line = self.chart.lines[part.number]
        tip, *curve = self._points(part.pos)
        start, *bends = [f"{at.real:.1f} {at.imag:.1f}" for at in curve]
        edge, wide = self._edge(line.key, "core")
        if line.source.kind == "frame":
            self.svg.signs.add("core line")
        self.svg.signs.add(f"{edge} edge")
        with self.svg.group("way", via="; ".join(line.tells)):
            self.svg.path(f"M{start}C{' '.join(bends)}", edge, wide)
            self.svg.arrow(curve[-1], tip, Paint(edge, edge, 1), 3.2)
        rows = self.chart.line_rows(line)
        if rows:
            [middle] = self._points(part.lp)
            self._label(rows, middle, [*curve, tip])

    def _label(self, rows: Rows, middle: complex, line: Sequence[complex]) -> None:
        """Write the labels of a line: where Graphviz has them, or beside the middle of their line
        if that is far away. They are moved to the next place where they cover nothing.
        """
        wide = max(map(row_width, rows))
        if min(abs(at - middle) for at in line) > wide / 2 + _NEAR:
            at = line[len(line) // 2]
            right = min(at.real + GAP, self.area.right - wide)
            middle = complex(right + wide / 2, at.imag)
        places = [_around(middle + 1j * move, wide, ROW * len(rows) - 2) for move in _MOVES]
        area = next(filter(self._is_free, places), places[0])
        self.taken.append(area.inset(-3))
        y = area.y - 5
        for row in rows:
            y = write(self.labels, (area.x, y), row, wide + 1)

    def _is_free(self, box: Box) -> bool:
        inside = self.area.y - GAP < box.y < self.area.bottom + GAP - box.h
        return inside and not any(
            other.y < box.bottom
            and box.y < other.bottom
            and other.x < box.right
            and box.x < other.right
            for other in self.taken
        )


def _around(middle: complex, wide: float, high: float) -> Box:
    return Box(middle.real - wide / 2, middle.imag - high / 2, wide, high)


# small flat machines -----------------------------------------------------------------------------


MOST = 12
"""Of a machine with more states, Graphviz decides where everything stands."""


def is_small(machine: Machine) -> bool:
    """Return whether a machine can be drawn as one column: few states, most of them one after the
    other, and none inside another.
    """
    states = machine.states
    nested = {place.kind for place in machine.places} & {"any", "frame"}
    away = {(line.source, line.target) for line in machine.lines} - {*pairwise(states)}
    few = len(states) <= MOST and len(away) < len(states)
    return few and not nested and machine.entered(ANY) == [states[0]]


def draw_flat(machine: Machine, theme: Theme) -> str:
    """Return a small flat machine as SVG."""
    steps = []
    for state in machine.states:
        stays = machine.stays.get(state, ())
        steps.append(Step(state.id, state.name, lines=tuple(Line(0, str(one)) for one in stays)))
    ways = [
        Way(line.source.id, line.target.id, words=line.words, tells=line.tells)
        for line in machine.lines
    ]
    chips = {state.id: "final" for state in machine.states if state.kind == "final"}
    column = Column(Turn(machine.title, ways=tuple(ways)), steps, FLAT, Overlay(chips=chips))
    return drawn(Plan(machine.title, machine.caption, [column], "starts here"), theme)
