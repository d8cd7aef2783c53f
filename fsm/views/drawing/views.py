"""The views of a model: their names, and each with every place decided.

"turn" and "window" are whole pictures; "phase:ID", "step:ID" and "ending:ID" show one phase, step
or ending procedure.
"""

from __future__ import annotations

from collections.abc import Sequence

from fsm.errors import DrawError
from fsm.model import Layer, Model
from fsm.views.drawing.collapsed import NEXT, START
from fsm.views.drawing.diagram import ANYWHERE, FRAME
from fsm.views.drawing.fixedwords import spoken
from fsm.views.drawing.placed import Placed
from fsm.views.drawing.shape import is_turn
from fsm.views.drawing.stages import place_stages
from fsm.wording import lower_first, plain

OURS = frozenset({START, NEXT, ANYWHERE.id, FRAME.id})


def place(model: Model, view: str, layers: Sequence[Layer]) -> Placed:
    """The view's diagram with every place decided. Raises DrawError when the model has no such
    view.
    """
    _refuse_our_names(model)
    if view == "window":
        if model.window is None:
            raise DrawError(
                f"{model.name} has no window model, so there is no view 'window'; known: turn"
            )
        name = plain(model.title) or plain(model.name)
        title = f"{name}: {lower_first(plain(model.window.title) or plain(model.window.name))}"
        return _flat(model.window, layers, title, model)
    if view.startswith("ending:"):
        from fsm.views.drawing.endingview import place_ending

        return place_ending(model, view, layers)
    if view.startswith(("phase:", "step:")):
        return place_stages(model, view, layers)
    return _turn(model, layers) if is_turn(model) else _flat(model, layers, "", model)


# Each layout is imported only where it is used: a picture needs one of them.


def _turn(model: Model, layers: Sequence[Layer]) -> Placed:
    from fsm.views.drawing.turn.layout import place_turn
    from fsm.views.drawing.turnview import turn_diagram

    return place_turn(spoken(turn_diagram(model, layers), model))


def _flat(shown: Model, layers: Sequence[Layer], title: str, model: Model) -> Placed:
    from fsm.views.drawing.flatview import flat_diagram
    from fsm.views.drawing.flow.layout import place_flat

    return place_flat(spoken(flat_diagram(shown, layers, title), model))


def _refuse_our_names(model: Model) -> None:
    for state in model.states:
        if state.id in OURS:
            raise DrawError(
                f"state {state.id!r} is called what pictures call something of their own; rename it"
            )
