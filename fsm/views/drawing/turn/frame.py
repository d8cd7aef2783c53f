"""The box that lists the jumps from any step: what comes, a dotted arrow with where it leads, and
the rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fsm.views.drawing.diagram import FRAME, Diagram, Line, Node
from fsm.views.drawing.measures import BOX_NAME, LABEL, LEADING
from fsm.views.drawing.metrics import clip
from fsm.views.drawing.placed import PlacedNode, Point, Rect, Text, Words, text_size
from fsm.views.drawing.texts import cited, guard_lines

_SIDE, _TOP, _FOOT = 12.0, 8.0, 10.0
_BELOW_TITLE, _GAP, _ROW = 6.0, 9.0, 15.0
_RING, _HEAD, _GOAL = (
    4.0,
    38.0,
    44.0,
)  # from the left end of a row to its ring, arrow head and words
_WIDE = 126.0
_COUNT = 28.0  # room for how often it was taken


@dataclass(frozen=True, slots=True)
class Entry:
    """One jump of the list: what comes, unless it is the same as above, where it leads, and what is
    cited.
    """

    line: Line
    gap: float
    said: tuple[Words, ...]
    goal: Words
    cited: tuple[Words, ...]

    @property
    def height(self) -> float:
        """How high it is, with the gap above."""
        return self.gap + text_size(self.said)[1] + _ROW + text_size(self.cited)[1]


@dataclass(frozen=True, slots=True)
class Listed:
    """The frame with its words, and the lines in it."""

    frame: PlacedNode
    words: Sequence[PlacedNode]
    paths: dict[str, tuple[Point, ...]]
    heads: dict[str, str]


def frame_of(diagram: Diagram) -> Node | None:
    """The box in which the jumps from any step of this diagram are listed, if they are."""
    return diagram.node(FRAME.id)


def entries_of(diagram: Diagram, lines: Sequence[Line]) -> list[Entry]:
    """The list."""
    found: list[Entry] = []
    above: tuple[str, ...] = ()
    for number, line in enumerate(lines):
        said = [] if line.words == above else guard_lines(line, _WIDE)
        gap = _GAP if number and said else 0.0
        if line.origin.startswith("in"):
            said.append(Words(clip(f"{line.origin}:", _WIDE, LABEL), LABEL, ink=line.layer))
        same = [
            other.words == line.words and other.rule == line.rule
            for other in lines[number + 1 : number + 2]
        ]
        goal = diagram.goal_of(line).removeprefix("to ")
        rule = () if any(same) else tuple(cited(line, _WIDE))
        found.append(
            Entry(line, gap, tuple(said), Words(clip(goal, _WIDE, LABEL, True), LABEL, True), rule)
        )
        above = line.words
    return found


def frame_size(frame: Node, entries: Sequence[Entry]) -> Point:
    """How large the box is."""
    title = _title(frame)
    widths = [
        title.width,
        *(w.width for e in entries for w in (*e.said, *e.cited)),
        *(_GOAL + e.goal.width + _COUNT for e in entries),
    ]
    height = _TOP + title.leading + _BELOW_TITLE + sum(e.height for e in entries) + _FOOT
    return max(widths) + 2 * _SIDE, height


def placed_list(node: Node, entries: Sequence[Entry], left: float, top: float) -> Listed:
    """The box with its upper left corner there."""
    width, height = frame_size(node, entries)
    title = _title(node)
    frame = PlacedNode(
        node,
        Rect(left, top, left + width, top + height),
        Text.at([title], left + _SIDE, top + _TOP),
    )
    words: list[PlacedNode] = []
    found = Listed(frame, words, {}, {})
    x, y = left + _SIDE, top + _TOP + title.leading + _BELOW_TITLE
    for entry in entries:
        id, tip = entry.line.id, entry.line.tooltip
        y += entry.gap
        if entry.said:
            words.append(_word(f"{id}!", entry.said, x, y, tip))
            y += text_size(entry.said)[1]
        middle = y + _ROW / 2
        found.paths[id] = (x + _RING, middle), (x + _HEAD, middle)
        head = _word(f"{id}>", [entry.goal], x + _GOAL, middle - LEADING[LABEL] / 2, tip)
        found.heads[id] = head.node.id
        words.append(head)
        y += _ROW
        if entry.cited:
            words.append(_word(f"{id}=", entry.cited, x, y, tip))
            y += text_size(entry.cited)[1]
    return found


def _title(frame: Node) -> Words:
    return Words(frame.title, BOX_NAME, True, "jump")


def _word(id: str, words: Sequence[Words], left: float, top: float, tip: str) -> PlacedNode:
    text = Text.at(words, left, top)
    return PlacedNode(Node(id, "word", words[0].text, tooltip=tip), text.area, text)
