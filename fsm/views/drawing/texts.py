"""The texts of cards and boxes."""

from __future__ import annotations

from fsm.views.drawing.diagram import Box, Line, Node
from fsm.views.drawing.metrics import clip, wrap
from fsm.views.drawing.placed import Point, Rect, Text, Words, text_size

CHOICE, LOOKUP, START, FINAL = 16.0, 13.0, 11.0, 17.0
SIZES = {"choice": CHOICE, "lookup": LOOKUP, "start": START, "final": FINAL}
LABEL_MOST, LABEL_SLIM, TITLE_MOST = 84.0, 53.0, 150.0
MARKS = {"natural": "●", "conditional": "○", "": ""}


def said_in(node: Node) -> str:
    """The muted lines of a node in one: what is done in a step in its order, anything else with semicolons."""
    return (" › " if node.kind == "card" else "; ").join(node.lines)


def card_text(node: Node, area: Rect) -> Text:
    """Title in bold, with its mark; under it the muted lines, as many as there is room for."""
    mark = f"{MARKS[node.mark]} " if node.mark else ""
    title = Words(mark + clip(node.title, area.width - 14, 11, True), 11.0, True)
    room = max(1, int((area.height - 17) / 10.2))
    lines = [Words(line, 8.5, ink="muted") for line in wrap(said_in(node), area.width - 10, 8.5, room)]
    words = (title, *lines)
    height = text_size(words)[1]
    return Text(words, Rect(area.left, area.y - height / 2, area.right, area.y + height / 2))


def word_size(node: Node) -> Point:
    """How large a bold word is: where a jump from the whole turn starts."""
    width, height = text_size([Words(node.title, 9.0, True, "jump")])
    return width + 6, height + 4


def word_text(node: Node, area: Rect) -> Text:
    """A bold word in the ink of jumps."""
    return Text((Words(node.title, 9.0, True, "jump"),), Rect.around(area.x, area.y, area.width - 6, area.height - 4))


def title_text(box: Box) -> list[Words]:
    """A box's title and its citation, as one line; what is longer than a line is whole in the tooltip."""
    title, rule = (clip(text, TITLE_MOST, 10.5, True) for text in (box.title, box.rule))
    return [Words(f"{title}  {rule}".rstrip(), 10.5, True, "title")]


def guard_lines(line: Line, most: float = LABEL_MOST) -> list[Words]:
    """The label without the citation, in the ink of its layer."""
    ink = "ink" if line.layer == "core" else line.layer
    return [Words(part, 8.5, ink=ink) for word in line.words for part in wrap(word, most, 8.5, 9)]


def label_words(line: Line, most: float = LABEL_MOST) -> list[Words]:
    """A label: event and guard, then the citation alone on the last line."""
    return guard_lines(line, most) + cited(line, most)


def cited(line: Line, most: float) -> list[Words]:
    """The citation under a label."""
    return [Words(part, 7.5, ink="muted") for part in (wrap(line.rule, most, 7.5) if line.rule else ())]


def jump_words(line: Line) -> list[Words]:
    """A jump from the whole turn: where from in bold, then its label."""
    origin = wrap(line.origin or "from any step", 2 * LABEL_MOST, 9.0)
    return [*(Words(part, 9.0, True, line.layer) for part in origin), *label_words(line)]


def final_words(node: Node) -> list[Words]:
    """What stands at a final disc."""
    said = [node.title + ("," if node.lines else ""), *node.lines]
    words = [Words(part, 8.5) for text in said for part in wrap(text, LABEL_MOST, 8.5)]
    return words + ([Words(node.rule, 7.5, ink="muted")] if node.rule else [])
