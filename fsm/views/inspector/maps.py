"""The map of a model: drawn once, then marked with where a game stands and where it can go."""

from __future__ import annotations

from fsm.model import Model
from fsm.model.model import per_model
from fsm.views.drawing.options import DrawOptions, Now
from fsm.views.drawing.overlays import with_overlay
from fsm.views.drawing.placed import Overlay, Placed
from fsm.views.drawing.views import place
from fsm.views.explorer.pictures import pictures_of

Marks = dict[str, list[str]]
"""The parts of the picture to mark: "here", "open" and "closed"."""


class Map:
    """The picture of the turn at a glance, in colours that follow the theme of the page."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._picture = pictures_of(model)[0]
        self.svg = self._picture.svg
        self._placed: Placed = place(model, "turn")

    def place_of(self, state: str) -> str:
        """Return the part that stands for a state, or ""."""
        return self._picture.places.get(state, "")

    def marks(self, now: Now) -> Marks:
        """Return what to mark."""
        placed = with_overlay(self._placed, self.model, DrawOptions(overlay=now))
        over = placed.overlay or Overlay()
        parts = [
            *((f"n{i}", over.nodes.get(n.node.id)) for i, n in enumerate(placed.nodes)),
            *((f"b{i}", over.boxes.get(b.box.id)) for i, b in enumerate(placed.boxes)),
            *((f"e{i}", over.lines.get(p.line.id)) for i, p in enumerate(placed.lines)),
        ]
        return {
            name: [part for part, paint in parts if paint is not None and paint.tone == name]
            for name in ROLES
        }


ROLES = ("here", "open", "closed")


@per_model
def map_of(model: Model) -> Map:
    """Return the map of a model."""
    return Map(model)
