"""A view for formats that place everything themselves: what is seen, and what an overlay says and
paints of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from fsm.model import Model
from fsm.views.drawing.against import place_against
from fsm.views.drawing.combining import SIGNS, Sign
from fsm.views.drawing.diagram import ANYWHERE, Box, Diagram, Line, Node
from fsm.views.drawing.options import Against, Counts, DrawOptions
from fsm.views.drawing.overlays import with_overlay
from fsm.views.drawing.palette import Tone
from fsm.views.drawing.placed import Placed, PlacedBox, PlacedLine, PlacedNode, Rect, Text
from fsm.views.drawing.texts import MARKS, SIZES, card_text, said_in, title_text
from fsm.views.drawing.views import diagram_of

SAID: Mapping[Tone, str] = {"here": "now", "closed": "closed", "open": "open", "never": "never"}
"""What is said of a tone where nothing else tells it without colour."""


@dataclass(frozen=True, slots=True)
class TextView:
    """A diagram whose every line has a node or a box at both ends.

    `tones` are how an overlay paints a part, `signs` how it differs from another model, `said` what
    the overlay says of it; all by the part's id.
    """

    diagram: Diagram
    tones: Mapping[str, Tone] = field(default_factory=dict)
    signs: Mapping[str, Sign] = field(default_factory=dict)
    said: Mapping[str, str] = field(default_factory=dict)

    def before(self, part: Node | Box | Line) -> str:
        """The sign of a difference, to stand before what the part says, or ""."""
        return f"{SIGNS[self.signs[part.id]]} " if part.id in self.signs else ""

    def words_of(self, line: Line) -> list[str]:
        """The label of a line, after the sign of a difference; a jump is called one, as its colour
        may not be seen.
        """
        first = " ".join([*(["jump:"] if line.layer == "jump" else []), *line.words[:1]])
        return [self.before(line) + first, *line.words[1:]]

    def node_lines(self, node: Node) -> list[str]:
        """What a node says: its name, what is done in it, and what an overlay says of it."""
        before = self.before(node) + (f"{MARKS[node.mark]} " if node.mark else "")
        now = [f"({self.said[node.id]})"] if node.id in self.said else []
        if node.kind == "choice":
            return [before, *now]
        return [before + node.title, *([said_in(node)] if node.lines else []), *now]

    def rule_of(self, node: Node) -> str:
        """The citation of a node, where nothing around it has one."""
        return node.rule if node.kind in ("final", "start") else ""

    def line_lines(self, line: Line) -> list[str]:
        """What a line says: what an overlay says of it, then its label."""
        return [self.said.get(line.id, ""), *self.words_of(line)]


def text_view(model: Model, options: DrawOptions) -> TextView:
    """The view asked for, with its overlay. Raises DrawError when the model has no such view."""
    if isinstance(options.overlay, Against):
        return _differing(model, options, options.overlay)
    placed = with_overlay(_in_a_column(model, options.view), model, options)
    said = _said(placed) | (_counted(placed) if isinstance(options.overlay, Counts) else {})
    return TextView(_captioned(placed), _tones(placed), {}, said)


def _in_a_column(model: Model, view: str) -> Placed:
    """The view with some place for everything, as overlays need one; no text shows it."""
    diagram = diagram_of(model, view)
    areas = {node.id: Rect(0, 60 * i, 120, 60 * i + 40) for i, node in enumerate(diagram.nodes)}
    nodes = [
        PlacedNode(
            node, areas[node.id], None if node.kind in SIZES else card_text(node, areas[node.id])
        )
        for node in diagram.nodes
    ]
    side = Rect(-40, 0, 0, 40)
    boxes = [PlacedBox(box, side, Text.at(title_text(box), 0, 0)) for box in diagram.boxes]
    lines = []
    for line in diagram.lines:
        tail, head = areas.get(line.source, side), areas.get(line.target, side)
        lines.append(PlacedLine(line, ((tail.x, tail.y), (head.x, head.y))))
    return Placed(diagram, tuple(nodes), tuple(boxes), tuple(lines), (120, 60 * len(nodes)))


def _differing(model: Model, options: DrawOptions, against: Against) -> TextView:
    placed, marks, _ = place_against(model, options, against, _in_a_column)
    ids = {
        "e": [p.line.id for p in placed.lines],
        "n": [p.node.id for p in placed.nodes],
        "b": [p.box.id for p in placed.boxes],
    }
    signs = {ids[mark.shape][mark.index]: mark.sign for mark in marks}
    return TextView(_captioned(placed), {}, signs)


def _tones(placed: Placed) -> dict[str, Tone]:
    if placed.overlay is None:
        return {}
    overlay = placed.overlay
    lines = {p.line.id: overlay.others for p in placed.lines if overlay.others is not None} | dict(
        overlay.lines
    )
    return {
        id: paint.tone
        for part in (overlay.nodes, overlay.boxes, lines)
        for id, paint in part.items()
    }


def _said(placed: Placed) -> dict[str, str]:
    pills = placed.overlay.pills if placed.overlay is not None else ()
    told = {pill.line: " ".join(w.text for w in pill.text.lines) for pill in pills}
    return {id: SAID[tone] for id, tone in _tones(placed).items() if tone in SAID} | told


def _counted(placed: Placed) -> dict[str, str]:
    """What the overlay of counts has written in place of labels and lines."""
    known = _tones(placed)
    lines = {
        p.line.id: p.label.lines[0].text for p in placed.lines if p.label and p.line.id in known
    }
    nodes = {
        n.node.id: n.text.lines[-1].text for n in placed.nodes if n.text and n.node.id in known
    }
    return lines | nodes


def _captioned(placed: Placed) -> Diagram:
    """With a word wherever a line has an end that can be drawn nowhere else, and with the overlay's
    caption.
    """
    diagram = placed.diagram
    ended = _Ends(diagram)
    lines = tuple(map(ended.line, diagram.lines))
    caption = diagram.caption + (
        (placed.overlay.caption,) if placed.overlay and placed.overlay.caption else ()
    )
    nodes = (node for node in diagram.nodes if node.kind != "frame")  # each jump has its words
    return replace(diagram, nodes=(*nodes, *ended.words.values()), lines=lines, caption=caption)


class _Ends:
    """Words for the ends of lines that no node and no box stands for, or a box that the line does
    not leave.
    """

    def __init__(self, diagram: Diagram) -> None:
        self.diagram = diagram
        self.boxes = {box.id for box in diagram.boxes}
        self.known = self.boxes | {node.id for node in diagram.nodes}
        self.words: dict[str, Node] = {}

    def line(self, line: Line) -> Line:
        if line.source == ANYWHERE.id:
            self.words[ANYWHERE.id] = ANYWHERE
            line = replace(line, words=tuple(word for word in line.words if word != ANYWHERE.title))
        elif line.source not in self.known:
            line = replace(
                line, source=self._word(f"{line.source}!", line.origin or "from any step")
            )
        elif line.source in self.boxes and line.source in self._around(line.target):
            line = replace(
                line, source=self._word(f"{line.source}!", "from anywhere here", line.source)
            )
        if line.target not in self.known:
            line = replace(line, target=self._word(f"{line.target}!", line.goal or "elsewhere"))
        return line

    def _around(self, end: str) -> tuple[str, ...]:
        node = self.diagram.node(end)
        return self.diagram.around(node.box if node else end)

    def _word(self, id: str, said: str, box: str = "") -> str:
        self.words.setdefault(id, Node(id, "word", said, box=box))
        return id


def naming(diagram: Diagram) -> dict[str, str]:
    """A name for each node and box that is one plain word, nobody's keyword, and there only once."""
    found: dict[str, str] = {}
    for letter, parts in (("b", diagram.boxes), ("n", diagram.nodes)):
        for part in parts:
            base = name = f"{letter}_" + "".join(
                c if c.isascii() and c.isalnum() else "_" for c in part.id
            )
            number = 2
            while name in found.values():
                name, number = f"{base}_{number}", number + 1
            found[part.id] = name
    return found
