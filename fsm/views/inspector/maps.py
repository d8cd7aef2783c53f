"""The map of a model: drawn once, then marked with where a game stands and where it can go."""

from __future__ import annotations

from fsm.model import Model
from fsm.model.model import per_model
from fsm.views.explorer.pictures import pictures_of
from fsm.views.overlays import Now

Marks = dict[str, list[str]]
"""The parts of the picture to mark: "here", "open" and "closed"."""


class Map:
    """The picture of the turn at a glance, in colours that follow the theme of the page."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._picture = pictures_of(model)[0]
        self.svg = self._picture.svg

    def place_of(self, state: str) -> str:
        """Return the part that stands for a state, or ""."""
        return self._picture.places.get(state, "")

    def marks(self, now: Now) -> Marks:
        """Return what to mark."""
        rows = [row.id for row in self.model.transitions]
        here, known = self.place_of(now.state), set(now.open)
        found: Marks = {"here": [here] if here else [], "open": [], "closed": []}
        for part, paths in self._picture.paths.items():
            ids = [[rows[number] for number in path] for path in paths]
            if any(known.issuperset(path) for path in ids):
                target = self.model.transition(ids[0][-1]).target or ""
                found["open"] += [part, self.place_of(target)]
            elif here and here == self.place_of(self.model.transition(ids[0][0]).source):
                found["closed"].append(part)
        found["open"] = [part for part in found["open"] if part and part != here]
        return found


@per_model
def map_of(model: Model) -> Map:
    """Return the map of a model."""
    return Map(model)
