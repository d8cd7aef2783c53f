"""What is laid over a picture: where a game stands, the way a run took, how often everything was taken.

An overlay changes paint and words, never a place.
"""

from __future__ import annotations

from fsm.model import Model
from fsm.views.drawing.options import Asked, Counts, Now, Taken
from fsm.views.drawing.overlays.counting import with_counts
from fsm.views.drawing.overlays.ground import Ground
from fsm.views.drawing.overlays.standing import with_now
from fsm.views.drawing.overlays.way import with_way
from fsm.views.drawing.placed import Placed


def with_overlay(placed: Placed, model: Model, asked: Asked) -> Placed:
    """The same picture with the overlay asked for: every node, box and line stays where it is.

    What differs from another model is no overlay of a finished picture: see `fsm.views.drawing.against`.
    """
    window = model.window if asked.view == "window" else None
    ground = Ground(placed, window or model)
    whole = asked.view in ("turn", "window")
    match asked.overlay:
        case Now() as now:
            return with_now(placed, ground, now, model, "turn" if window is None else "window")
        case Taken(records):
            return with_way(placed, ground, records, "turn" if window is None else "window", whole=whole)
        case Counts() as counts:
            return with_counts(placed, ground, counts.turn if window is None else counts.window, whole=whole)
    return placed
