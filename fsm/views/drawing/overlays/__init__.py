"""What is laid over a picture: where a game stands, the way a run took, how often everything was
taken.

An overlay changes paint and words, never a place.
"""

from __future__ import annotations

from fsm.model import Model
from fsm.views.drawing.options import Counts, DrawOptions, Now, Taken
from fsm.views.drawing.overlays.counting import with_counts
from fsm.views.drawing.overlays.pictureindex import PictureIndex
from fsm.views.drawing.overlays.standing import with_now
from fsm.views.drawing.overlays.way import with_path
from fsm.views.drawing.placed import Placed


def with_overlay(placed: Placed, model: Model, options: DrawOptions) -> Placed:
    """The same picture with the overlay asked for: every node, box and line stays where it is.

    What differs from another model is no overlay of a finished picture: see
    `fsm.views.drawing.against`.
    """
    window = model.window if options.view == "window" else None
    index = PictureIndex(placed, window or model)
    whole = options.view in ("turn", "window")
    match options.overlay:
        case Now() as now:
            return with_now(placed, index, now, model, "turn" if window is None else "window")
        case Taken(records):
            return with_path(
                placed, index, records, "turn" if window is None else "window", whole=whole
            )
        case Counts() as counts:
            return with_counts(
                placed, index, counts.turn if window is None else counts.window, whole=whole
            )
    return placed
