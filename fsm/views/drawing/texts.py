"""The texts of cards and boxes."""

from __future__ import annotations

from fsm.views.drawing.diagram import Box, Line, Node
from fsm.views.drawing.measures import (
    BOX_NAME,
    BOX_NAME_WIDTH,
    CARD_NAME,
    CHOICE_SIZE,
    CITATION,
    FINAL_SIZE,
    LABEL,
    LABEL_WIDTH,
    LEADING,
    LOOKUP_SIZE,
    MARK_WIDTH,
    ORIGIN,
    START_SIZE,
)
from fsm.views.drawing.metrics import clip, evened, text_width, wrap
from fsm.views.drawing.placed import Ink, Point, Rect, Text, Words, text_size

SIZES = {"choice": CHOICE_SIZE, "lookup": LOOKUP_SIZE, "start": START_SIZE, "final": FINAL_SIZE}
_JUMP_WIDTH = 112.0
MARKS = {"natural": "●", "conditional": "○", "": ""}


def said_in(node: Node) -> str:
    """The muted lines of a node in one: what is done in a step in its order, anything else with
    semicolons.
    """
    return (" › " if node.kind == "card" else "; ").join(node.lines)


def card_text(node: Node, area: Rect) -> Text:
    """Title in bold, with its mark; under it the muted lines, as many as there is room for."""
    mark, name = f"{MARKS[node.mark]} " if node.mark else "", card_name(node)
    ink: Ink = "title" if node.fills else "ink"
    title = Words(mark + clip(name, area.width - 14, CARD_NAME, True), CARD_NAME, True, ink)
    room = max(1, int((area.height - 17) / LEADING[LABEL]))
    lines = [Words(line, LABEL, ink="muted") for line in said_lines(node, area.width - 10, room)]
    return Text.inside((title, *lines), area)


def card_name(node: Node) -> str:
    """What a card is called on the picture: in capitals, if it is the whole of its phase."""
    return node.title.upper() if node.fills else node.title


def said_lines(node: Node, width: float, most: int = 99) -> tuple[str, ...]:
    """What is said under the name of a card, if possible broken where a comma stands."""
    said = said_in(node)
    lines = wrap(said, width, LABEL, most)
    if len(lines) < 2 or node.kind != "card":
        return lines
    parts = said.split(", ")
    for cut in range(len(parts) - 1, 0, -1):
        halves = ", ".join(parts[:cut]) + ",", ", ".join(parts[cut:])
        if all(text_width(half, LABEL) <= width for half in halves):
            return halves
    return lines


def name_width(node: Node) -> float:
    """How wide the name of a card is, with its mark."""
    return text_width(card_name(node), CARD_NAME, True) + (MARK_WIDTH if node.mark else 0.0)


def word_size(node: Node) -> Point:
    """How large a bold word is: where a jump from the whole turn starts."""
    width, height = text_size([Words(node.title, ORIGIN, True, "jump")])
    return width + 6, height + 4


def word_text(node: Node, area: Rect) -> Text:
    """A bold word in the ink of jumps."""
    return Text(
        (Words(node.title, ORIGIN, True, "jump"),),
        Rect.around(area.x, area.y, area.width - 6, area.height - 4),
    )


def title_text(box: Box) -> list[Words]:
    """A box's title and its citation, as one line; what is longer than a line is whole in the
    tooltip.
    """
    title, rule = (clip(text, BOX_NAME_WIDTH, BOX_NAME, True) for text in (box.title, box.rule))
    return [Words(f"{title}  {rule}".rstrip(), BOX_NAME, True, "title")]


def note_words(box: Box, width: float, most: int) -> tuple[Words, ...]:
    """The notes of a box, each in so many lines at most."""
    return tuple(
        Words(line, CITATION, ink=note.layer)
        for note in box.notes
        for line in wrap(note.words, width, CITATION, most)
    )


def guard_lines(line: Line, most: float) -> list[Words]:
    """The label without the citation, in the ink of its layer."""
    ink = "ink" if line.layer == "core" else line.layer
    return [
        Words(part, LABEL, ink=ink) for word in line.words for part in evened(word, most, LABEL)
    ]


def label_words(line: Line, most: float = LABEL_WIDTH) -> list[Words]:
    """A label: event and guard, then the citation alone on the last line."""
    return guard_lines(line, most) + cited(line, most)


def cited(line: Line, most: float) -> list[Words]:
    """The citation under a label."""
    return [Words(part, CITATION, ink="muted") for part in evened(line.rule, most, CITATION)]


def jump_words(line: Line) -> list[Words]:
    """A jump from the whole turn: where from in bold, then its label."""
    origin = wrap(line.origin or "from any step", 2 * LABEL_WIDTH, ORIGIN)
    return [
        *(Words(part, ORIGIN, True, line.layer) for part in origin),
        *label_words(line, _JUMP_WIDTH),
    ]


def final_words(node: Node) -> list[Words]:
    """What stands at a final disc."""
    said = [node.title + ("," if node.lines else ""), *node.lines]
    words = [Words(part, LABEL) for text in said for part in wrap(text, LABEL_WIDTH, LABEL)]
    return words + ([Words(node.rule, CITATION, ink="muted")] if node.rule else [])
