"""Plain machines, such as those of the `transitions` library, as pictures: laid out by Graphviz,
drawn by us.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import graphviz
import msgspec

from fsm.errors import DrawError
from fsm.model import State
from fsm.views.cards import ROW, SMALL
from fsm.views.dot import Rows, box_rows, graph_of, line_rows
from fsm.views.flat import draw_flat, is_small
from fsm.views.machines import ANY, Machine
from fsm.views.overlays import NONE, Overlay
from fsm.views.placing import Surroundings, points_of
from fsm.views.sheet import Sheet
from fsm.views.svg import Box, Ink, Paint, Point, Svg, Theme, Word, width
from fsm.wording import label_of

MARGIN, GAP = 26.0, 12.0
"""At both sides of the graph, and above and below it, in pixels."""
NARROWEST = 380.0
"""How wide a picture is at least, for its title and its legend."""
_ON = {"now": "onnow", "heat3": "onheat"}
"""The colours of texts on some fills."""
_INCH = 72.0
_THIN, _HEAVY = 1.3, 2.6
"""The width of lines, and of those that an overlay marks."""
_BETWEEN = 6.0


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
    states, count = len(machine.states), machine.transitions
    counted = f"{states} state{'s' * (states != 1)}, {count} transition{'s' * (count != 1)}"
    if overlay is NONE and is_small(machine):
        return draw_flat(machine, counted, theme)
    layout = _laid_out(graph_of(machine, overlay))
    _, _, wide, high = map(float, layout["bb"].split(","))
    caption = ". ".join(filter(None, (counted, overlay.caption)))
    room = max(wide + 2 * MARGIN, NARROWEST)
    sheet = Sheet(overlay.title or machine.title, caption, room, bare=bare)
    top = sheet.y + GAP
    area = Box(MARGIN, top, wide, high)
    graph = _Graph(sheet.svg, machine, overlay, area)
    for part in layout.get("objects", ()):
        graph.box(part)
    for part in layout.get("edges", ()):
        graph.line(part)
    graph.labelled()
    foot = area.bottom + GAP
    for sentence in () if bare else overlay.told:
        foot = sheet.say(sentence, foot, 16, SMALL)
    keys = [*_legend(machine), *overlay.keys]
    return sheet.finish(foot, keys, "; ".join(_sentences(machine)), theme)


def _laid_out(graph: graphviz.Digraph) -> dict[str, Any]:
    """Return where everything stands, as the program `dot` says it."""
    try:
        return msgspec.json.decode(graph.pipe("json", quiet=True))  # type: ignore[no-any-return]
    except graphviz.ExecutableNotFound:
        raise DrawError(
            "this picture is laid out by Graphviz, and its program dot is not installed; install"
            " it from https://graphviz.org/download, or write Mermaid (.mmd) or DOT (.dot)"
        ) from None
    except (graphviz.CalledProcessError, OSError) as error:
        said = " ".join(str(error).split())
        raise DrawError(f"Graphviz cannot lay out this picture: {said[:200]}") from error


class _Graph:
    """A graph as it is drawn in an area. The labels of lines come last: no line crosses them."""

    def __init__(self, svg: Svg, machine: Machine, overlay: Overlay, area: Box) -> None:
        self.svg, self.machine, self.overlay, self.area = svg, machine, overlay, area
        self.states = {f"state{i}": state for i, state in enumerate(machine.states)}
        self.lines = {f"line{i}": line for i, line in enumerate(machine.lines)}
        self.frames = {f"any{i}": state.id for i, state in enumerate(machine.states)}
        self.frames["any"] = ANY
        whole = Box(area.x - MARGIN / 2, area.y, area.w + MARGIN, area.h)
        self.around = Surroundings(whole)
        self.labels: list[tuple[Rows, Point, list[Point]]] = []

    def _at(self, text: str) -> Point:
        x, y = map(float, text.split(","))
        return self.area.x + x, self.area.bottom - y

    def box(self, part: dict[str, Any]) -> None:
        """Draw a state, a frame, any state of a frame, or where a frame is entered."""
        id = part["id"]
        if "bb" in part:
            left, foot, right, top = part["bb"].split(",")
            (x, y), (end, bottom) = self._at(f"{left},{top}"), self._at(f"{right},{foot}")
            self._frame(self.states[id], Box(x, y, end - x, bottom - y))
            return
        x, y = self._at(part["pos"])
        w, h = float(part["width"]) * _INCH, float(part["height"]) * _INCH
        area = Box(x - w / 2, y - h / 2, w, h)
        self.around.taken.append(area)
        if id in self.states:
            self._state(self.states[id], area)
        elif id in self.frames:
            self.svg.rect(area, Paint("surface", "muted", _THIN, "5 3"))
            self._centred(self.machine.any, self.frames[id], area, "")
        else:
            self.svg.dot((x, y), w / 2, Paint("core"))

    def _frame(self, state: State, area: Box) -> None:
        self.svg.open("step", id=state.id)
        self.svg.rect(area, self._paint(state.id, "soft"))
        ink = Ink(size=12, bold=True)
        end = self.svg.text((area.x + 10, area.y + 16), label_of(state), ink)
        self.svg.close()
        self.around.taken.append(Box(area.x + 10, area.y + 6, end - area.x - 10, 12))
        self.around.add_border(area)

    def _state(self, state: State, area: Box) -> None:
        paint = self._paint(state.id, "surface")
        self.svg.open("step", id=state.id)
        self.svg.rect(area, paint)
        if state.kind == "final":
            self.svg.rect(area.inset(3.5), paint._replace(round=6))
        self._centred(label_of(state), state.id, area, _ON.get(paint.fill, ""))
        self.svg.close()

    def _paint(self, id: str, ground: str) -> Paint:
        fill, edge = self.overlay.fills.get(id, ground), self.overlay.edges.get(id, "core")
        if fill == "gone":
            return Paint(ground, "jump", _HEAVY, "5 4")
        heavy = id in self.overlay.edges or fill == "now"
        return Paint(fill, edge, _HEAVY if heavy else _THIN)

    def _centred(self, name: str, id: str, area: Box, colour: str) -> None:
        """Write what stands in a box."""
        rows = box_rows(name, self.machine, self.overlay, id)
        x, y = area.x + area.w / 2, area.y + area.h / 2 + 4 - ROW * (len(rows) - 1) / 2
        for [word] in rows:
            ink = word.ink._replace(colour=colour or word.ink.colour)
            self.svg.text((x, y), word.text, ink, "middle")
            y += ROW

    def line(self, part: dict[str, Any]) -> None:
        """Draw a line, and keep its labels."""
        line = self.lines.get(part.get("id", ""))
        head, *curve = part["pos"].removeprefix("e,").split()
        points = [self._at(point) for point in curve]
        key = line.tells[0] if line and line.tells else ""
        edge = self.overlay.edges.get(key, "core")
        thick = _HEAVY if key in self.overlay.edges else _THIN
        if line:
            self.svg.open("way", via="; ".join(line.tells))
        first, *others = [f"{x:.1f} {y:.1f}" for x, y in points]
        self.svg.path(f"M{first}C{' '.join(others)}", edge, thick)
        base, tip = complex(*points[-1]), complex(*self._at(head))
        self.svg.arrow(base, tip, Paint(edge, edge, 1), 3.2)
        if line:
            self.svg.close()
            path = points_of(points)
            self.around.lines += path
            rows = line_rows(line, self.overlay)
            if rows:
                self.labels.append((rows, self._at(part["lp"]), path))

    def labelled(self) -> None:
        """Write the labels of all lines."""
        self.svg.raw('<g class="s-paper" stroke-width="3" paint-order="stroke">')
        for rows, (x, y), line in self.labels:
            wide, high = max(map(_width, rows)), ROW * len(rows) - 2
            area = self.around.place(Box(x - wide / 2, y - high / 2, wide, high), line)
            for i, row in enumerate(rows):
                self.svg.words((area.x, area.y + 9 + ROW * i), row, _BETWEEN)
        self.svg.close()


def _width(row: Sequence[Word]) -> float:
    return sum(width(*word) + _BETWEEN for word in row) - _BETWEEN


def _legend(machine: Machine) -> Iterator[tuple[str, str]]:
    """Explain the signs that are there."""
    if machine.starts:
        yield "start", "starts here"
    if any(state.kind == "final" for state in machine.states):
        yield "final", "final"
    frames = {state.parent for state in machine.states}
    if any(line.source in frames and not line.inside for line in machine.lines):
        yield "core", "a line that leaves a frame: from any state inside"


def _sentences(machine: Machine) -> Iterator[str]:
    """Say what leads where, for those who do not see the picture."""
    names = {state.id: label_of(state) for state in machine.states} | {ANY: machine.any}
    for line in machine.lines:
        for label in line.labels:
            yield f"{names[line.source]} to {names[line.target]}: {label}"
