"""The texts of cards and boxes."""

from __future__ import annotations

from fsm.drawing.diagram import Box, Node
from fsm.drawing.metrics import clip, wrap
from fsm.drawing.placed import Rect, Text, Words, text_size

MARKS = {"natural": "●", "conditional": "○", "": ""}


def said_in(node: Node) -> str:
    """The muted lines of a node in one: a step's actions with commas, anything else with semicolons."""
    return (", " if node.kind == "card" else "; ").join(node.lines)


def card_text(node: Node, area: Rect) -> Text:
    """Title in bold, with its mark; under it the muted lines, as many as there is room for."""
    mark = f"{MARKS[node.mark]} " if node.mark else ""
    title = Words(mark + clip(node.title, area.width - 14, 11, True), 11.0, True)
    room = max(1, int((area.height - 17) / 10.2))
    lines = [Words(line, 8.5, ink="muted") for line in wrap(said_in(node), area.width - 10, 8.5, room)]
    words = (title, *lines)
    height = text_size(words)[1]
    return Text(words, Rect(area.left, area.y - height / 2, area.right, area.y + height / 2))


def title_text(box: Box) -> list[Words]:
    """A box's title and its citation, as one line."""
    return [Words(f"{clip(box.title, 150, 10.5, True)}  {box.rule}".rstrip(), 10.5, True, "title")]
