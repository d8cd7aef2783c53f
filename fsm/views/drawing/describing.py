"""What a picture shows, in words: for those who cannot see it, or cannot point at its parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from fsm.model import LAYERS
from fsm.views.drawing.legend import NAMES, PLAIN
from fsm.views.drawing.placed import Placed

ARROWS = "Arrows"
_SILENT = frozenset({"choice", "lookup", "start"})


def described(placed: Placed) -> str:
    """The description: the captions, what stands in each box, what leads where, and the lines by
    layer.
    """
    return " ".join(_sentences(placed))


def _sentences(placed: Placed) -> Iterator[str]:
    diagram = placed.diagram
    yield from diagram.caption
    if placed.overlay and placed.overlay.caption:
        yield placed.overlay.caption
    inside: dict[str, list[str]] = {}
    for node in diagram.nodes:
        if node.title and node.kind not in _SILENT:
            inside.setdefault(node.box, []).append(node.title)
    titles = {
        box.id: box.title.capitalize() if box.title.isupper() else box.title
        for box in diagram.boxes
    }
    for box, names in sorted(inside.items(), key=lambda one: one[0] == ""):
        said, title = ", ".join(dict.fromkeys(names)), titles.get(box, "")
        yield f"{title}: {said}." if title not in ("", said) else f"{said}."
    if diagram.summary:
        yield diagram.summary
    layers = Counter(line.line.layer for line in placed.lines)
    words = PLAIN if diagram.plain else NAMES
    counted = [
        f"{layers[layer]} {_named(placed, words[layer])}" for layer in LAYERS if layers[layer]
    ]
    if counted:
        yield f"{_named(placed, ARROWS)}: {', '.join(counted)}."


def _named(placed: Placed, word: str) -> str:
    """A word of the legend, as this picture's legend says it."""
    return placed.diagram.legend.get(word, word)
