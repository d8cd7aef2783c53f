"""One picture, from the model to text."""

from __future__ import annotations

from collections.abc import Sequence

from fsm.drawing.bydot import place_by_dot
from fsm.drawing.diagram import Diagram
from fsm.drawing.dot import dot_source
from fsm.drawing.flow import place_flow
from fsm.drawing.overlay import with_trace
from fsm.drawing.palette import DARK, LIGHT
from fsm.drawing.placed import Placed
from fsm.drawing.polish import polish
from fsm.drawing.render import render
from fsm.drawing.spine import Unfit
from fsm.drawing.turn.layout import place_turn
from fsm.drawing.turnview import turn_diagram
from fsm.drawing.windowview import flat_diagram
from fsm.drawing.words import lower_first, plain
from fsm.errors import DrawError
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


def place(model: Model, view: str, layers: Sequence[Layer]) -> Placed:
    """The view's diagram with every place decided. Raises DrawError when the model has no such view."""
    if view == "window":
        if model.window is None:
            raise DrawError(f"{model.name} has no window model, so there is no view 'window'; known: turn")
        name = plain(model.title) or plain(model.name)
        title = f"{name}: {lower_first(plain(model.window.title) or plain(model.window.name))}"
        return _flat(flat_diagram(model.window, layers, title))
    if not any(s.kind in ("phase", "step") for s in model.states):
        return _flat(flat_diagram(model, layers))
    return place_turn(turn_diagram(model, layers))


def _flat(diagram: Diagram) -> Placed:
    try:
        return place_flow(diagram)
    except Unfit:
        return place_by_dot(diagram)
