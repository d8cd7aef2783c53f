"""The views of a model: their names, and each with every place decided.

"turn" and "window" are whole pictures; "phase:ID", "step:ID" and "ending:ID" show one phase, step or ending procedure.
"""

from __future__ import annotations

from collections.abc import Sequence

from fsm.drawing.bydot import place_by_dot
from fsm.drawing.diagram import Diagram
from fsm.drawing.flow import place_flow
from fsm.drawing.placed import Placed
from fsm.drawing.spine import Unfit
from fsm.drawing.turn.layout import place_turn
from fsm.drawing.turnview import turn_diagram
from fsm.drawing.windowview import flat_diagram
from fsm.drawing.words import lower_first, plain
from fsm.errors import DrawError
from fsm.model import Layer, Model


def place(model: Model, view: str, layers: Sequence[Layer]) -> Placed:
    """The view's diagram with every place decided. Raises DrawError when the model has no such view."""
    if view == "window":
        if model.window is None:
            raise DrawError(f"{model.name} has no window model, so there is no view 'window'; known: turn")
        name = plain(model.title) or plain(model.name)
        title = f"{name}: {lower_first(plain(model.window.title) or plain(model.window.name))}"
        return flat(flat_diagram(model.window, layers, title))
    if not any(s.kind in ("phase", "step") for s in model.states):
        return flat(flat_diagram(model, layers))
    return place_turn(turn_diagram(model, layers))


def flat(diagram: Diagram) -> Placed:
    """Placed on a spine of our own where that is possible, else by dot."""
    try:
        return place_flow(diagram)
    except Unfit:
        return place_by_dot(diagram)
