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
from fsm.model import State
from fsm.views.cards import ROW, row_width, write
from fsm.views.charts import BOLD, Rows, box_rows, graph_of, line_rows
from fsm.views.columns import FLAT, Column
from fsm.views.machines import ANY, Machine
from fsm.views.overlays import NONE, Overlay
from fsm.views.pictures import Plan, drawn
from fsm.views.reading import Line, Note, Step, Turn, Way
from fsm.views.sheet import Sheet
from fsm.views.svg import Box, Paint, Svg, Theme
from fsm.wording import label_of, plain

MARGIN = 26.0
GAP = 12.0
"""At both sides of the graph, and above and below it, in pixels."""
NARROWEST = 380.0
"""How wide a picture is at least, for its title and its legend."""
_ON = {"now": "onnow", "heat3": "onheat"}
"""The colours of texts on some fills."""
_INCH = 72.0
_THIN = 1.3
_HEAVY = 2.6
"""The width of lines, and of those that an overlay marks."""
_GAPS = (5.0, 18.0, 32.0)
"""How far from its line a label stands, in pixels, and where it has no room there."""
_NEAR = 24.0
_STEP = 8.0
_PLACES = 24


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
    states = len(machine.states)
    count = machine.transitions
    counted = f"{states} state{'s' * (states != 1)}, {count} transition{'s' * (count != 1)}"
    if overlay is NONE and is_small(machine):
        return draw_flat(machine, counted, theme)
    layout = _laid_out(graph_of(machine, overlay))
    _, _, wide, high = map(float, layout.bb.split(","))
    caption = ". ".join(filter(None, (counted, overlay.caption)))
    room = max(wide + 2 * MARGIN, NARROWEST)
    sheet = Sheet(overlay.title or machine.title, caption, room, bare=bare)
    area = Box(MARGIN, sheet.y + GAP, wide, high)
    graph = _Graph(sheet, machine, overlay, area)
    for part in layout.objects:
        graph.box(part)
    for part in layout.edges:
        graph.line(part)
    graph.labelled()
    keys = [*_legend(machine), *overlay.legend.items()]
    return sheet.finish(area.bottom + GAP, keys, "; ".join(_sentences(machine)), theme)


class _Part(Struct):
    """A state, frame or line of a layout: where it and its label stand."""

    id: str = ""
    pos: str = ""
    bb: str = ""
    width: str = "0"
    height: str = "0"
    lp: str = ""


class _Layout(Struct):
    """A layout, as the program `dot` says it."""

    bb: str
    objects: list[_Part] = []
    edges: list[_Part] = []


def _laid_out(graph: graphviz.Digraph) -> _Layout:
    try:
        return msgspec.json.decode(graph.pipe("json", quiet=True), type=_Layout)
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
        self.svg = svg
        self.machine = machine
        self.overlay = overlay
        self.area = area
        self.states = {f"state{i}": state for i, state in enumerate(machine.states)}
        self.lines = {f"line{i}": line for i, line in enumerate(machine.lines)}
        whole = Box(area.x - MARGIN / 2, area.y, area.w + MARGIN, area.h)
        self.around = Surroundings(whole)
        self.labels: list[tuple[Rows, complex, list[complex]]] = []

    def _at(self, x: str, y: str) -> complex:
        return complex(self.area.x + float(x), self.area.bottom - float(y))

    def box(self, part: _Part) -> None:
        """Draw a state, a frame, any state of a frame, or where a frame is entered."""
        if part.bb:
            left, foot, right, top = part.bb.split(",")
            corner = self._at(left, top)
            size = self._at(right, foot) - corner
            area = Box(corner.real, corner.imag, size.real, size.imag)
            self._frame(self.states[part.id], area)
            return
        middle = self._at(*part.pos.split(","))
        w = float(part.width) * _INCH
        h = float(part.height) * _INCH
        area = Box(middle.real - w / 2, middle.imag - h / 2, w, h)
        self.around.taken.append(area)
        if part.id in self.states:
            self._state(self.states[part.id], area)
        elif part.id.startswith("any"):
            frame = self.states.get(part.id.replace("any", "state"))
            self.svg.rect(area, Paint("surface", "muted", _THIN, "5 3"))
            self._centred(self.machine.any, frame.id if frame else ANY, area)
        else:
            self.svg.dot((middle.real, middle.imag), w / 2, Paint("core"))

    def _frame(self, state: State, area: Box) -> None:
        left = area.x + 10
        self.svg.open("step", id=state.id)
        self.svg.rect(area, self._paint(state.id, "soft"))
        end = self.svg.text((left, area.y + 16), label_of(state), BOLD)
        self.svg.close()
        self.around.taken.append(Box(left, area.y + 6, end - left, 12))
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
        fill = self.overlay.fills.get(id, ground)
        edge = self.overlay.edges.get(id, "core")
        heavy = fill == "now" or id in self.overlay.edges
        return Paint(fill, edge, _HEAVY if heavy else _THIN)

    def _centred(self, name: str, id: str, area: Box, colour: str = "") -> None:
        """Write what stands in a box."""
        rows = box_rows(name, self.machine, self.overlay, id)
        x = area.x + area.w / 2
        y = area.y + area.h / 2 + 4 - ROW * (len(rows) - 1) / 2
        for [word] in rows:
            ink = word.ink._replace(colour=colour or word.ink.colour)
            self.svg.text((x, y), word.text, ink, "middle")
            y += ROW

    def line(self, part: _Part) -> None:
        """Draw a line, and keep its labels."""
        head, *curve = part.pos.removeprefix("e,").split()
        points = [self._at(*point.split(",")) for point in curve]
        path = points_of([*points, points[-1], *[self._at(*head.split(","))] * 2])
        self.around.lines += path
        line = self.lines.get(part.id)
        if line is None:
            self._arrow(points, head, "core", _THIN)
            return
        key = line.tells[0] if line.tells else ""
        edge = self.overlay.edges.get(key, "")
        self.svg.open("way", via="; ".join(line.tells))
        self._arrow(points, head, edge or "core", _HEAVY if edge else _THIN)
        self.svg.close()
        rows = line_rows(line, self.overlay)
        if rows:
            self.labels.append((rows, self._at(*part.lp.split(",")), path))

    def _arrow(self, points: Sequence[complex], head: str, edge: str, thick: float) -> None:
        first, *others = [f"{at.real:.1f} {at.imag:.1f}" for at in points]
        self.svg.path(f"M{first}C{' '.join(others)}", edge, thick)
        tip = self._at(*head.split(","))
        self.svg.arrow(points[-1], tip, Paint(edge, edge, 1), 3.2)

    def labelled(self) -> None:
        """Write the labels of all lines."""
        self.svg.raw('<g class="s-paper" stroke-width="3" paint-order="stroke">')
        for rows, middle, line in self.labels:
            wide = max(map(row_width, rows))
            high = ROW * len(rows) - 2
            wanted = Box(middle.real - wide / 2, middle.imag - high / 2, wide, high)
            area = self.around.place(wanted, line)
            y = area.y - 5
            for row in rows:
                y = write(self.svg, (area.x, y), row, wide + 1)
        self.svg.close()


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


# small flat machines -----------------------------------------------------------------------------


MOST = 12
"""Of a machine with more states, Graphviz decides where everything stands."""


def is_small(machine: Machine) -> bool:
    """Return whether a machine can be drawn as one column: few states, most of them one after the
    other, and none inside another.
    """
    ids = [state.id for state in machine.states]
    starts = [target for _, target in machine.starts]
    if machine.crowds or any(state.parent for state in machine.states) or starts != ids[:1]:
        return False
    onward = set(pairwise(ids))
    away = [line for line in machine.lines if (line.source, line.target) not in onward]
    return len(ids) <= MOST and len(away) < len(ids)


def draw_flat(machine: Machine, caption: str, theme: Theme) -> str:
    """Return a small flat machine as SVG."""
    steps = []
    ways = []
    chips = dict[str, str]()
    for state in machine.states:
        lines = [Line(0, plain(str(label))) for label in machine.stays.get(state.id, ())]
        steps.append(Step(state.id, label_of(state), lines=tuple(lines)))
        if state.kind == "final":
            chips[state.id] = "final"
    for line in machine.lines:
        words = " | ".join(plain(str(label)) for label in line.labels)
        ways.append(Way(line.source, line.target, words=words, tells=line.tells))
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


# places of labels ---------------------------------------------------------------------------------


def points_of(curve: Sequence[complex]) -> list[complex]:
    """Return points along curves, which are given by their ends and by two points between them."""
    points = [curve[0]]
    for i in range(0, len(curve) - 3, 3):
        a, b, c, d = curve[i : i + 4]
        parts = 2 + int(abs(a - d) / _STEP)
        for part in range(1, parts + 1):
            t = part / parts
            u = 1 - t
            points.append(u**3 * a + 3 * t * u**2 * b + 3 * t**2 * u * c + t**3 * d)
    return points


@dataclass(slots=True)
class Surroundings:
    """What there is already: the whole picture, what no label may cover, and points of lines and
    borders, of which it should cover few.
    """

    whole: Box
    taken: list[Box] = field(default_factory=list)
    lines: list[complex] = field(default_factory=list)

    def add_border(self, box: Box) -> None:
        """Add the border of a frame."""
        start = complex(box.x, box.y)
        right = start + box.w
        down = start + 1j * box.h
        for a, b in pairwise([start, right, right + 1j * box.h, down, start]):
            self.lines += points_of([a, a, b, b])

    def place(self, wanted: Box, line: Sequence[complex]) -> Box:
        """Return where a label stands: as wanted if that is beside its line and free, else where it
        covers least. The place is taken then.
        """
        covered: dict[Box, float] = {}
        for gap in _GAPS:
            boxes = sorted(_beside(wanted, line, gap), key=lambda box: _far(box, wanted))
            if not covered and _far(boxes[0], wanted) <= _NEAR:
                boxes.insert(0, wanted)
            covered |= {box: self._covered(box) for box in boxes}
            if not all(covered.values()):
                break
        least = min(covered.values())
        best = [box for box in covered if covered[box] == least]
        box = min(best, key=self._crossed)
        self.taken.append(box)
        return box

    def _covered(self, box: Box) -> float:
        """How much a label would cover, or stand outside of the picture. 0 is best."""
        outside = box.w * box.h - _shared(box, self.whole)
        return sum(_shared(box, other) for other in self.taken) + 9 * outside

    def _crossed(self, box: Box) -> int:
        """How much of lines and borders a label would cover. 0 is best."""
        crossed = 0
        for at in self.lines:
            crossed += box.x < at.real < box.right and box.y < at.imag < box.bottom
        return crossed


def _beside(box: Box, line: Sequence[complex], gap: float) -> Iterator[Box]:
    """Yield places at all sides of a line."""
    w = box.w
    h = box.h
    for at in line[:: len(line) // _PLACES + 1]:
        x = at.real
        y = at.imag
        yield Box(x + gap, y - h / 2, w, h)
        yield Box(x - w - gap, y - h / 2, w, h)
        yield Box(x - w / 2, y - h - gap, w, h)
        yield Box(x - w / 2, y + gap, w, h)


def _far(a: Box, b: Box) -> float:
    return abs(a.x - b.x) + abs(a.y - b.y)


def _shared(a: Box, b: Box) -> float:
    """Return the area that two rectangles share."""
    across = min(a.right, b.right) - max(a.x, b.x)
    down = min(a.bottom, b.bottom) - max(a.y, b.y)
    return max(across, 0) * max(down, 0)
