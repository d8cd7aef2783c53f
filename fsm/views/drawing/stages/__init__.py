"""The views of one phase or one step: a row for each step, its stages in columns, choices between
them.
"""

from __future__ import annotations

from collections.abc import Sequence

from fsm.errors import DrawError
from fsm.errors import suggest as suggest
from fsm.model import Layer, Model
from fsm.views.drawing.placed import Placed


def stage_views(model: Model) -> tuple[str, ...]:
    """The names of these views: "phase:ID" and "step:ID", in the order of the model."""
    return tuple(f"{s.kind}:{s.id}" for s in model.states if s.kind in ("phase", "step"))


def place_stages(model: Model, view: str, layers: Sequence[Layer]) -> Placed:
    """The view with every place decided, of the layers asked for.

    What every step has alike is said in the caption; of a layer asked for by itself, or with the
    core only, it is drawn, too. Raises DrawError, with a suggestion, for a view that the model does
    not have.
    """
    from fsm.views.drawing.fixedwords import spoken
    from fsm.views.drawing.stages.layout import place_rows
    from fsm.views.drawing.stages.picture import stage_diagram

    known = stage_views(model)
    if view not in known:
        raise DrawError(
            f"view {view!r} is not in {model.name}", kind="unknown-view", found=view, known=known
        )
    return place_rows(
        spoken(stage_diagram(model, model.state(view.partition(":")[2]), layers), model)
    )
