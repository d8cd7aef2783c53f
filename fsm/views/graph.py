"""Plain machines, such as those of the `transitions` library, as pictures: laid out by Graphviz,
painted in our colours.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from xml.etree import ElementTree as ET

import graphviz

from fsm.errors import DrawError
from fsm.model import Model
from fsm.views.charts import chart_of
from fsm.views.machines import ANY, Label, Line, Machine, read_machine
from fsm.views.placing import Surroundings, place, points_of
from fsm.views.svg import COLOURS, Box, Ink, Paint, Point, Svg, Theme, width
from fsm.wording import label_of, plain

FONT = "Helvetica,Arial,Liberation Sans"
MARGIN, TOP, FOOT = 26.0, 66.0, 46.0
"""Around the graph, for the title above it, and for the legend below it. In pixels."""
ROOM = 190.0
"""How wide the labels of a line may be, in pixels. A longer one has several rows."""
_STYLES = {"left out": "dashed", "cut short": "dotted"}
LIGHT = {name: pair[0].lower() for name, pair in COLOURS.items()}


def dot(model: Model) -> str:
    """Return a machine, or the steps of a turn, as DOT."""
    machine = chart_of(model)
    graph = _graph(machine)
    graph.attr(label=f"<<b>{_safe(machine.title)}</b>>", labelloc="t", labeljust="l", fontname=FONT)
    return str(graph.source)


def draw_machine(model: Model, theme: Theme = "auto") -> str:
    """Return the machine as SVG.

    Parameters
    ----------
    model
        A model of a plain machine.
    theme
        The colours.

    Raises
    ------
    DrawError
        If Graphviz is not installed, or cannot lay out the machine.
    """
    machine = read_machine(model)
    return _sheet(machine, _laid_out(_graph(machine)), theme)


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


# the graph ----------------------------------------------------------------------------------------


def _graph(machine: Machine) -> graphviz.Digraph:
    """Return the graph. Parts are named by numbers, so that no name of a state means anything."""
    return _Graph(machine).graph


class _Graph:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.numbers = {state.id: i for i, state in enumerate(machine.states)}
        gap = "0.8" if any(state.parent for state in machine.states) else "0.45"  # in inches
        self.graph = graphviz.Digraph(
            graph_attr={"compound": "true", "newrank": "true", "nodesep": gap, "ranksep": "0.4"},
            node_attr={
                "shape": "box",
                "style": "rounded,filled",
                "fillcolor": LIGHT["surface"],
                "color": LIGHT["core"],
                "fontname": FONT,
                "fontsize": "12",
                "fontcolor": LIGHT["ink"],
                "height": "0.42",
                "penwidth": "1.3",
            },
            edge_attr={
                "color": LIGHT["core"],
                "fontname": FONT,
                "fontsize": "11.5",
                "fontcolor": LIGHT["ink"],
                "arrowsize": "0.75",
                "penwidth": "1.3",
            },
        )
        self._frame(self.graph, ANY)
        for i, line in enumerate(machine.lines):
            self._line(i, line)

    def _frame(self, graph: graphviz.Digraph, frame: str) -> None:
        """Add what is inside of a frame."""
        for state in self.machine.inside(frame):
            number = self.numbers[state.id]
            if self.machine.inside(state.id):
                with graph.subgraph(name=f"cluster_{number}") as box:
                    box.attr(
                        id=f"state{number}",
                        label=f"<<b>{_safe(label_of(state))}</b>>",
                        labeljust="l",
                        style="rounded,filled",
                        fillcolor=LIGHT["soft"],
                        color=LIGHT["core"],
                        fontname=FONT,
                        fontsize="12",
                        fontcolor=LIGHT["ink"],
                        margin="14",
                        penwidth="1.3",
                    )
                    self._frame(box, state.id)
            else:
                rings = {"peripheries": "2"} if state.kind == "final" else {}
                label = self._titled(state.id, label_of(state))
                graph.node(f"s{number}", label, id=f"state{number}", **rings)
        starts = [target for place, target in self.machine.starts if place == frame]
        if starts:
            self._start(graph, frame, starts)
        if frame in self.machine.crowds:
            name, said = self._crowd(frame), self.machine.any
            graph.node(
                name,
                self._titled(frame, said),
                id=name,
                style="rounded,dashed",
                color=LIGHT["muted"],
            )

    def _titled(self, id: str, name: str) -> str:
        """Return the name of a state, above what happens in it without leaving it."""
        rows = [f"<b>{_safe(name)}</b>"]
        for label in self.machine.stays.get(id, ()):
            rows.append(_small(f"{label.event} {label.more}".strip()))
        return f"<{'<br/>'.join(rows)}>"

    def _start(self, graph: graphviz.Digraph, frame: str, targets: Iterable[str]) -> None:
        name, size = f"start{self.numbers.get(frame, '')}", "0.17" if frame == ANY else "0.13"
        look = {"shape": "circle", "style": "filled", "fillcolor": LIGHT["core"]}
        graph.node(name, "", width=size, height=size, fixedsize="true", id=name, **look)
        for target in targets:
            self.graph.edge(name, self._leaf(target), weight="5", **self._head(target))

    def _crowd(self, frame: str) -> str:
        return f"any{self.numbers.get(frame, '')}"

    def _line(self, number: int, line: Line) -> None:
        look = {"id": f"line{number}", "style": _STYLES.get(line.kind, "solid")}
        if any(label.event or label.more for label in line.labels):
            look["label"] = _labels(line.labels)
        source, target = self.numbers.get(line.source, 0), self.numbers.get(line.target, 0)
        tail = self._crowd(line.source) if line.inside else self._leaf(line.source)
        if line.inside and line.target in (ANY, line.source):
            self.graph.edge(tail, tail, **look)
            return
        if not line.inside and target == source + 1:
            look["weight"] = "20"  # the ordinary course is a straight line
        if not line.inside and self.machine.inside(line.source):
            look["ltail"] = f"cluster_{source}"
        self.graph.edge(tail, self._leaf(line.target), **look, **self._head(line.target))

    def _leaf(self, id: str) -> str:
        """Return the node for a line from or to a state: of a frame, the one that is entered."""
        inside = self.machine.inside(id)
        if not inside:
            return f"s{self.numbers[id]}"
        entered = [target for place, target in self.machine.starts if place == id]
        return self._leaf(entered[0] if entered else inside[0].id)

    def _head(self, id: str) -> dict[str, str]:
        framed = bool(self.machine.inside(id))
        return {"lhead": f"cluster_{self.numbers[id]}"} if framed else {}


def _labels(labels: Sequence[Label]) -> str:
    """Return the labels of a line: bare events beside each other, others in rows of their own."""
    rows: list[str] = []
    bare = ""
    for label in labels:
        if label.more:
            rows.append(_said(label))
        elif bare and width(f"{bare} | {label.event}") <= ROOM:
            bare = f"{bare} | {label.event}"
        else:
            rows += [_safe(bare)] if bare else []
            bare = label.event
    rows = [*([_safe(bare)] if bare else []), *rows]
    lines = [f'&#160;{row}&#160;<br align="left"/>' for row in rows]
    return f"<{''.join(lines)}>"


def _said(label: Label) -> str:
    """Return an event with its conditions and what is done then."""
    event = _safe(label.event)
    return f"{event}{_small(f' {label.more}')}" if label.more else event


def _small(text: str) -> str:
    return f'<font color="{LIGHT["muted"]}" point-size="10.5">{_safe(text)}</font>'


def _safe(text: str) -> str:
    return escape(plain(text))


# the picture --------------------------------------------------------------------------------------

_NAMESPACE = "{http://www.w3.org/2000/svg}"
_COLOURS = {LIGHT[name]: name for name in ("surface", "soft", "core", "muted")}
"""The names of the colours of shapes in the graph."""
_KINDS = {"node": "step", "cluster": "step", "edge": "way"}
_INSET, _BETWEEN = 4.0, 6.0
"""Before a text and between texts of one row, in pixels."""
_TITLE, _CAPTION, _NAME, _SMALL = (
    Ink("ink", 19, True),
    Ink("muted", 12),
    Ink("ink", 12),
    Ink("ink", 11),
)


def _sheet(machine: Machine, laid_out: str, theme: Theme) -> str:
    """Return the graph with a title and a legend."""
    root = ET.fromstring(laid_out)
    wide, high = (float(root.get(name, "").removesuffix("pt")) for name in ("width", "height"))
    states, count = len(machine.states), machine.transitions
    caption = f"{states} state{'s' * (states != 1)}, {count} transition{'s' * (count != 1)}"
    svg = Svg()
    titled = svg.text((MARGIN, 36), machine.title, _TITLE)
    svg.text((MARGIN, 54), caption, _CAPTION)
    graph = root[0]
    x, y = map(float, graph.get("transform", "").rpartition("translate(")[2][:-1].split())
    svg.raw(f'<g transform="translate({x + MARGIN:.1f} {y + TOP:.1f})">')
    parts = _Parts(svg, machine, Box(-x - MARGIN / 2, -y, wide + MARGIN, high))
    for group in graph.iter(f"{_NAMESPACE}g"):
        parts.add(group)
    parts.labelled()
    svg.close()
    right = max(wide + 2 * MARGIN, titled + MARGIN)
    right = max(right, _legend(svg, machine, TOP + high + FOOT / 2) + MARGIN)
    svg.rule(MARGIN, right - MARGIN, TOP + high + 6)
    told = "; ".join(_sentences(machine))
    return svg.svg((right, TOP + high + FOOT), machine.title, told, theme)


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
        texts = group.findall(f"{_NAMESPACE}text")
        outline = points_of(" ".join(part.get("d", "") for part in group))
        self.svg.open(_KINDS[kind], **self.data.get(name, {}))
        for part in group:
            tag = part.tag.removeprefix(_NAMESPACE)
            if tag not in ("text", "title"):
                _shape(self.svg, tag, part)
        if kind == "node":
            self._node(outline, texts)
        elif kind == "cluster":
            self.around.lines += outline
            self._rows(texts, _area(texts))
        else:
            self.around.lines += outline
            self.labels += [(texts, outline)] if texts else []
        self.svg.close()

    def _node(self, outline: Sequence[Point], texts: Sequence[ET.Element]) -> None:
        if outline:
            left, right = min(x for x, _ in outline), max(x for x, _ in outline)
            top, bottom = min(y for _, y in outline), max(y for _, y in outline)
            self.around.taken.append(Box(left, top, right - left, bottom - top))
            for text in texts:
                at = (left + right) / 2, _number(text, "y")
                self.svg.text(at, _words(text), _ink(text), "middle")

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
            x, y = _number(text, "x") + _INSET, _number(text, "y")
            begin = end + _BETWEEN if y == row else x + left
            end = self.svg.text((begin, y + top), _words(text), _ink(text))
            row = y


def _area(texts: Sequence[ET.Element]) -> Box:
    """Return the rectangle that texts fill."""
    rows: dict[float, list[float]] = defaultdict(list)
    for text in texts:
        rows[_number(text, "y")].append(width(_words(text), _ink(text)) + _BETWEEN)
    wide = max(sum(parts) for parts in rows.values()) - _BETWEEN
    left = min(_number(text, "x") for text in texts) + _INSET
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


def _ink(text: ET.Element) -> Ink:
    muted = text.get("fill") == LIGHT["muted"]
    return Ink(
        "muted" if muted else "ink", _number(text, "font-size"), text.get("font-weight") == "bold"
    )


def _number(part: ET.Element, name: str) -> float:
    return float(part.get(name, "0"))


def _legend(svg: Svg, machine: Machine, y: float) -> float:
    """Explain the signs that are there, and return where the legend ends."""
    x = MARGIN + 6
    if machine.starts:
        svg.dot((x, y), 6, Paint("core"))
        x = svg.text((x + 12, y + 4), "starts here", _NAME) + 26
    if any(state.kind == "final" for state in machine.states):
        svg.rect(Box(x, y - 9, 30, 18), Paint("surface", "core", 1.2, round=7))
        svg.rect(Box(x + 3, y - 6, 24, 12), Paint("surface", "core", 1, round=5))
        x = svg.text((x + 38, y + 4), "final", _NAME) + 26
    frames = {state.parent for state in machine.states}
    if any(line.source in frames and not line.inside for line in machine.lines):
        x = svg.text((x, y + 4), "a line that leaves a frame: from any state inside", _NAME)
    return x


def _sentences(machine: Machine) -> Iterator[str]:
    """Say what leads where, for those who do not see the picture."""
    names = {state.id: label_of(state) for state in machine.states} | {ANY: machine.any}
    for line in machine.lines:
        for label in line.labels:
            said = " ".join(filter(None, (label.event, label.more)))
            yield f"{names[line.source]} to {names[line.target]}: {said}"
