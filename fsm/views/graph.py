"""Plain machines, such as those of the `transitions` library, as pictures: small flat ones as one
column of cards, others laid out by Graphviz, drawn by us. Labels of lines stand beside their own
line, where they cover nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import graphviz
import msgspec
from msgspec import Struct

from fsm.errors import DrawError
from fsm.views.cards import INKS, ROW, row_width, write
from fsm.views.charts import BOLD, Dot, Rows, box_rows, line_rows
from fsm.views.columns import FLAT, Column
from fsm.views.machines import ANY, Machine, Place
from fsm.views.overlays import NONE, Overlay
from fsm.views.pictures import Plan, drawn
from fsm.views.reading import Line, Note, Step, Turn, Way
from fsm.views.sheet import Sheet
from fsm.views.svg import Box, Paint, Svg, Theme
from fsm.wording import many

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
    "final": "final",
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
    states = many(len(machine.states), "state")
    counted = f"{states}, {many(machine.transitions, 'transition')}"
    if overlay is NONE and is_small(machine):
        return draw_flat(machine, counted, theme)
    layout = _laid_out(Dot(machine, overlay).graph)
    _, _, wide, high = map(float, layout.bb.split(","))
    caption = ". ".join(filter(None, (counted, overlay.caption)))
    room = max(wide + 2 * MARGIN, NARROWEST)
    sheet = Sheet(overlay.title or machine.title, caption, room, bare=bare)
    area = Box(MARGIN, sheet.y + GAP, wide, high)
    graph = _Graph(sheet, machine, overlay, area)
    for part in layout.objects:
        graph.place(part)
    for part in layout.edges:
        graph.line(part)
    graph.label_lines()
    doc = "; ".join(_sentences(machine))
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


def _sentences(machine: Machine) -> Iterator[str]:
    """Say what leads where, for those who do not see the picture."""
    names = machine.names
    for line in machine.lines:
        for label in line.labels:
            yield f"{names[line.source.id]} to {names[line.target.id]}: {label}"


# a machine that Graphviz has laid out -------------------------------------------------------------


@dataclass
class _Graph:
    """A graph as it is drawn in an area. The labels of lines come last: no line crosses them, and
    they cover nothing that is `taken`.
    """

    svg: Svg
    machine: Machine
    overlay: Overlay
    area: Box
    taken: list[Box] = field(default_factory=list)
    labels: list[tuple[Rows, complex, list[complex]]] = field(default_factory=list)

    def _at(self, text: str) -> complex:
        x, y = map(float, text.split(","))
        return complex(self.area.x + x, self.area.bottom - y)

    def _area(self, part: _Part) -> Box:
        if part.bb:
            left, foot, right, top = map(float, part.bb.split(","))
            return Box(self.area.x + left, self.area.bottom - top, right - left, top - foot)
        return _around(self._at(part.pos), part.width * _INCH, part.height * _INCH)

    def place(self, part: _Part) -> None:
        """Draw a place."""
        place = self.machine.places[part.number]
        area = self._area(part)
        paint = self._paint(place)
        self.svg.signs.add(place.kind)
        self.svg.open("step", id=place.id)
        self.svg.rect(area, paint)
        if place.kind == "final":
            self.svg.rect(area.inset(3.5), paint._replace(round=6))
        if place.kind == "frame":
            left = area.x + 10
            end = self.svg.text((left, area.y + 16), place.name, BOLD)
            area = Box(left, area.y + 6, end - left, 12)
        else:
            self._write(place, area, INKS.get(paint.fill, ""))
        self.svg.close()
        self.taken.append(area)

    def _paint(self, place: Place) -> Paint:
        paint = _PAINTS[place.kind]
        fill = self.overlay.fills.get(place.id, paint.fill)
        edge = self.overlay.edges.get(place.id, paint.edge)
        heavy = fill == "now" or place.id in self.overlay.edges
        return paint._replace(fill=fill, edge=edge, line=_HEAVY if heavy else _THIN)

    def _write(self, place: Place, area: Box, colour: str) -> None:
        """Write what stands in a box."""
        rows = box_rows(place, self.machine, self.overlay)
        x = area.x + area.w / 2
        y = area.y + area.h / 2 + 4 - ROW * (len(rows) - 1) / 2
        for [word] in rows:
            ink = word.ink._replace(colour=colour or word.ink.colour)
            self.svg.text((x, y), word.text, ink, "middle")
            y += ROW

    def line(self, part: _Part) -> None:
        """Draw a line, and keep its labels."""
        line = [*self.machine.starts, *self.machine.lines][part.number]
        tip, *curve = map(self._at, part.pos.removeprefix("e,").split())
        points = [f"{at.real:.1f} {at.imag:.1f}" for at in curve]
        heavy = line.key in self.overlay.edges
        edge = self.overlay.edges.get(line.key, "core")
        if line.source.kind == "frame":
            self.svg.signs.add("core line")
        self.svg.open("way", via="; ".join(line.tells))
        d = f"M{points[0]}C{' '.join(points[1:])}"
        self.svg.path(d, edge, _HEAVY if heavy else _THIN)
        self.svg.arrow(curve[-1], tip, Paint(edge, edge, 1), 3.2)
        self.svg.close()
        rows = line_rows(line, self.overlay)
        if rows:
            self.labels.append((rows, self._at(part.lp), [*curve, tip]))

    def label_lines(self) -> None:
        """Write the labels of all lines."""
        self.svg.raw('<g class="s-paper" stroke-width="3" paint-order="stroke">')
        for rows, middle, line in self.labels:
            wide = max(map(row_width, rows))
            area = self._free(middle, wide, ROW * len(rows) - 2, line)
            self.taken.append(area.inset(-3))
            y = area.y - 5
            for row in rows:
                y = write(self.svg, (area.x, y), row, wide + 1)
        self.svg.close()

    def _free(self, middle: complex, wide: float, high: float, line: Sequence[complex]) -> Box:
        """Return where a label stands: as Graphviz has it, or beside the middle of its line if that
        is far away. It is moved to the next place where it covers nothing.
        """
        if min(abs(at - middle) for at in line) > wide / 2 + _NEAR:
            at = line[len(line) // 2]
            right = min(at.real + GAP, self.area.right - wide)
            middle = complex(right + wide / 2, at.imag)
        for move in _MOVES:
            place = _around(middle + 1j * move, wide, high)
            if self._is_free(place):
                return place
        return _around(middle, wide, high)

    def _is_free(self, box: Box) -> bool:
        inside = self.area.y - GAP < box.y and box.bottom < self.area.bottom + GAP
        return inside and not any(_meet(box, other) for other in self.taken)


def _around(middle: complex, wide: float, high: float) -> Box:
    return Box(middle.real - wide / 2, middle.imag - high / 2, wide, high)


def _meet(a: Box, b: Box) -> bool:
    across = a.x < b.right and b.x < a.right
    return across and a.y < b.bottom and b.y < a.bottom


# small flat machines -----------------------------------------------------------------------------


MOST = 12
"""Of a machine with more states, Graphviz decides where everything stands."""


def is_small(machine: Machine) -> bool:
    """Return whether a machine can be drawn as one column: few states, most of them one after the
    other, and none inside another.
    """
    states = machine.states
    nested = any(place.kind in ("any", "frame") for place in machine.places)
    onward = {*pairwise(states)}
    away = [line for line in machine.lines if (line.source, line.target) not in onward]
    few = len(states) <= MOST and len(away) < len(states)
    return few and not nested and machine.entered(ANY) == [states[0]]


def draw_flat(machine: Machine, caption: str, theme: Theme) -> str:
    """Return a small flat machine as SVG."""
    steps = []
    ways = []
    chips = dict[str, str]()
    for state in machine.states:
        lines = tuple(Line(0, str(label)) for label in machine.stays.get(state, ()))
        steps.append(Step(state.id, state.name, lines=lines))
        if state.kind == "final":
            chips[state.id] = "final"
    for line in machine.lines:
        words = " | ".join(map(str, line.labels))
        ways.append(Way(line.source.id, line.target.id, words=words, tells=line.tells))
    turn = Turn(
        title=machine.title,
        edition="",
        word="",
        term="",
        phases=(),
        ways=tuple(ways),
        notes=(),
        names={},
        extra=None,
        after=Note(""),
    )
    column = Column(turn, steps, FLAT, Overlay(chips=chips))
    plan = Plan(machine.title, caption, [column], "starts here")
    return drawn(plan, theme)
