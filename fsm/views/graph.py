"""Plain machines, such as those of the `transitions` library, as pictures: laid out by Graphviz,
painted in our colours.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from xml.etree import ElementTree as ET

import graphviz

from fsm.errors import DrawError
from fsm.views.cards import SMALL
from fsm.views.dot import LIGHT, graph_of
from fsm.views.machines import ANY, Machine
from fsm.views.overlays import NONE, Overlay
from fsm.views.placing import Surroundings, place, points_of
from fsm.views.sheet import Sheet
from fsm.views.svg import Box, Ink, Paint, Point, Svg, Theme, width
from fsm.wording import label_of

MARGIN, GAP = 26.0, 12.0
"""At both sides of the graph, and above and below it, in pixels."""
NARROWEST = 380.0
"""How wide a picture is at least, for its title and its legend."""


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
    root = ET.fromstring(_laid_out(graph_of(machine, overlay)))
    graph = root[0]
    wide, high = (float(root.get(name, "").removesuffix("pt")) for name in ("width", "height"))
    x, y = map(float, graph.get("transform", "").rpartition("translate(")[2][:-1].split())
    states, count = len(machine.states), machine.transitions
    counted = f"{states} state{'s' * (states != 1)}, {count} transition{'s' * (count != 1)}"
    caption = ". ".join(filter(None, (counted, overlay.caption)))
    room = max(wide + 2 * MARGIN, NARROWEST)
    sheet = Sheet(overlay.title or machine.title, caption, room, bare=bare)
    top = sheet.y + GAP
    sheet.svg.raw(f'<g transform="translate({x + MARGIN:.1f} {y + top:.1f})">')
    parts = _Parts(sheet.svg, machine, Box(-x - MARGIN / 2, -y, wide + MARGIN, high))
    for group in graph.iter(f"{_NAMESPACE}g"):
        parts.add(group)
    parts.labelled()
    sheet.svg.close()
    foot = top + high + GAP
    for sentence in () if bare else overlay.told:
        foot = sheet.say(sentence, foot, 16, SMALL)
    keys = [*_legend(machine), *overlay.keys]
    return sheet.finish(foot, keys, "; ".join(_sentences(machine)), theme)


def _laid_out(graph: graphviz.Digraph) -> str:
    """Return the graph as the SVG that the program `dot` makes of it."""
    try:
        return str(graph.pipe("svg", encoding="utf-8", quiet=True))
    except graphviz.ExecutableNotFound:
        raise DrawError(
            "this picture is laid out by Graphviz, and its program dot is not installed; install"
            " it from https://graphviz.org/download, or write Mermaid (.mmd) or DOT (.dot)"
        ) from None
    except (graphviz.CalledProcessError, OSError) as error:
        said = " ".join(str(error).split())
        raise DrawError(f"Graphviz cannot lay out this picture: {said[:200]}") from error


# the picture --------------------------------------------------------------------------------------

_NAMESPACE = "{http://www.w3.org/2000/svg}"
_COLOURS = {
    LIGHT[name]: name
    for name in [
        "surface",
        "soft",
        "core",
        "muted",
        "heat1",
        "heat2",
        "heat3",
        "now",
        "go",
        "jump",
        "ok",
        "extra",
    ]
}
"""The names of the colours in the graph."""
_ON = {"now": "onnow", "heat3": "onheat"}
"""The colours of texts on some fills."""
_KINDS = {"node": "step", "cluster": "step", "edge": "way"}
_INSET, _BETWEEN = 4.0, 6.0
"""Before a text and between texts of one row, in pixels."""


class _Parts:
    """The states and lines of a graph, as they are drawn."""

    def __init__(self, svg: Svg, machine: Machine, whole: Box) -> None:
        self.svg = svg
        self.data = {f"state{i}": {"id": state.id} for i, state in enumerate(machine.states)}
        for i, line in enumerate(machine.lines):
            self.data[f"line{i}"] = {"via": "; ".join(line.tells)}
        self.around = Surroundings(whole)
        self.labels: list[tuple[list[ET.Element], list[Point]]] = []

    def add(self, group: ET.Element) -> None:
        """Draw a state or a line. The labels of lines come last, so that no line crosses them."""
        kind, name = group.get("class", ""), group.get("id", "")
        if kind not in _KINDS:
            return
        texts = [text for text in group.findall(f"{_NAMESPACE}text") if _words(text)]
        outline = points_of(" ".join(part.get("d", "") for part in group))
        self.svg.open(_KINDS[kind], **self.data.get(name, {}))
        for part in group:
            tag = part.tag.removeprefix(_NAMESPACE)
            if tag not in ("text", "title"):
                _shape(self.svg, tag, part)
        if kind == "node":
            self._node(group[1].get("fill", ""), outline, texts)
        elif kind == "cluster":
            self.around.lines += outline
            self._rows(texts, _area(texts))
        else:
            self.around.lines += outline
            self.labels += [(texts, outline)] if texts else []
        self.svg.close()

    def _node(self, fill: str, outline: Sequence[Point], texts: Sequence[ET.Element]) -> None:
        if outline:
            left, right = min(x for x, _ in outline), max(x for x, _ in outline)
            top, bottom = min(y for _, y in outline), max(y for _, y in outline)
            self.around.taken.append(Box(left, top, right - left, bottom - top))
            ink = _ON.get(_COLOURS.get(fill, ""), "")
            for text in texts:
                at = (left + right) / 2, _number(text, "y")
                own = _ink(text)
                self.svg.text(at, _words(text), own._replace(colour=ink or own.colour), "middle")

    def labelled(self) -> None:
        """Write the labels of all lines."""
        self.svg.raw('<g class="s-paper" stroke-width="3" paint-order="stroke">')
        for texts, line in self.labels:
            self._rows(texts, place(_area(texts), line, self.around))
        self.svg.close()

    def _rows(self, texts: Sequence[ET.Element], area: Box) -> None:
        """Write texts. What stands in one row follows each other."""
        self.around.taken.append(area)
        left, top = area.x - _area(texts).x, area.y - _area(texts).y
        row = end = 0.0
        for text in texts:
            x, y = _left(text), _number(text, "y")
            begin = end + _BETWEEN if y == row else x + left
            end = self.svg.text((begin, y + top), _words(text), _ink(text))
            row = y


def _area(texts: Sequence[ET.Element]) -> Box:
    """Return the rectangle that texts fill."""
    rows: dict[float, list[float]] = defaultdict(list)
    for text in texts:
        rows[_number(text, "y")].append(width(_words(text), _ink(text)) + _BETWEEN)
    wide = max(sum(parts) for parts in rows.values()) - _BETWEEN
    left = min(map(_left, texts))
    return Box(left, min(rows) - 9, wide, max(rows) - min(rows) + 12)


def _shape(svg: Svg, tag: str, part: ET.Element) -> None:
    """Draw a shape with classes for its colours."""
    if tag == "ellipse":
        svg.dot((_number(part, "cx"), _number(part, "cy")), _number(part, "rx"), Paint("core"))
        return
    kept, classes = [], []
    for name, value in part.items():
        if name not in ("fill", "stroke"):
            kept.append(f'{name}="{value}"')
        elif value in ("none", "transparent"):
            kept.append(f'{name}="none"')
        else:
            colour = _COLOURS.get(value, "core")
            svg.used.add(colour)
            classes.append(f"{name[0]}-{colour}")
    svg.raw(f'<{tag} class="{" ".join(classes)}" {" ".join(kept)}/>')


def _words(text: ET.Element) -> str:
    return (text.text or "").replace("\u00a0", " ").strip()


def _left(text: ET.Element) -> float:
    """Return where a text begins, after the blank before it."""
    blank = (text.text or "").startswith("\u00a0")
    return _number(text, "x") + (_INSET if blank else 0)


def _ink(text: ET.Element) -> Ink:
    colour = _COLOURS.get(text.get("fill", ""), "ink")
    bold = text.get("font-weight") == "bold"
    return Ink("ink" if colour == "core" else colour, _number(text, "font-size"), bold)


def _number(part: ET.Element, name: str) -> float:
    return float(part.get(name, "0"))


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
            said = " ".join(filter(None, (label.event, label.more)))
            yield f"{names[line.source]} to {names[line.target]}: {said}"
