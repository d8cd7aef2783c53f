"""One picture, from the model to text."""

from __future__ import annotations

from collections.abc import Sequence

from fsm.drawing.dot import dot_source
from fsm.drawing.overlay import with_trace
from fsm.drawing.palette import DARK, LIGHT
from fsm.drawing.polish import polish
from fsm.drawing.render import render
from fsm.drawing.views import place
from fsm.model import Layer, Model
from fsm.trace import Record


def picture(
    model: Model, view: str, format: str, theme: str, layers: Sequence[Layer], trace: Sequence[Record] | None
) -> str:
    """The picture as text; all names are known to be right. Raises DrawError."""
    placed = place(model, view, layers)
    if trace is not None:
        placed = with_trace(placed, model, view, trace)
    colours = DARK if theme == "dark" else LIGHT
    source = dot_source(placed, colours)
    return source if format == "dot" else polish(render(source), placed, colours)
