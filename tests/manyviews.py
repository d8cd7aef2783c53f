"""Every view of every ruleset and of a few games that no rulebook knows, on both papers."""

from __future__ import annotations

from collections.abc import Iterator

from hostilemodels import hostile
from inventedgames import towns

import fsm
from fsm.drawing import views_of
from fsm.drawing.asked import Asked
from fsm.model import Model
from fsm.rulesets import names

MODELS: tuple[Model, ...] = (*map(fsm.load, names()), towns(), hostile())


def every_view() -> Iterator[tuple[str, Model, Asked]]:
    """A name for each, the model, and what is asked."""
    for i, model in enumerate(MODELS):
        for view in views_of(model):
            yield f"{i} {view} light", model, Asked(view)
            if not view.startswith("step:"):
                yield f"{i} {view} dark", model, Asked(view, "dark")
