"""Views for tests of formats: all views of the rulesets and of two invented games; one view under
each overlay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import fsm
from fsm.engine import Record
from fsm.model import Model
from fsm.rulesets import names
from fsm.scenarios import play
from fsm.views.drawing import views_of
from fsm.views.drawing.options import Against, Counts, DrawOptions, Now, Taken
from support.hostilemodels import hostile
from support.inventedgames import towns

MAGIC = fsm.load("magic")
MODELS: tuple[Model, ...] = (*map(fsm.load, names()), towns(), hostile())


def stage_views(model: Model) -> tuple[str, ...]:
    """The views of one phase or step."""
    return tuple(v for v in views_of(model) if v.startswith(("phase:", "step:")))


def _quiet_turn() -> list[Record]:
    """A quiet turn."""
    [scenario] = fsm.scenarios.load(
        [{"id": "t", "ruleset": "magic", "players": 2, "through_turn": 1, "given": []}], place="t"
    )
    return [r for r in play(scenario).records if r.turn == 1]


def _counted(machine: str) -> Counter[str]:
    return Counter(r.transition for r in _quiet_turn() if r.machine == machine)


OVERLAYS = {
    "taken": DrawOptions(overlay=Taken(_quiet_turn())),
    "taken in the window": DrawOptions("window", overlay=Taken(_quiet_turn())),
    "now": DrawOptions(
        overlay=Now("upkeep_window", "priority", (MAGIC.rows("upkeep_window", "closed")[0].id,))
    ),
    "now in the window": DrawOptions("window", "dark", overlay=Now("upkeep_window", "priority")),
    "counts": DrawOptions(theme="dark", overlay=Counts(_counted("turn"), _counted("window"))),
    "against": DrawOptions(overlay=Against(fsm.load("magic-2010"))),
    "against in the window": DrawOptions("window", overlay=Against(fsm.load("magic-classic"))),
}


def every_view() -> Iterator[tuple[str, Model, DrawOptions]]:
    """A name for each, the model, and what is asked."""
    for i, model in enumerate(MODELS):
        for view in views_of(model):
            yield f"{i} {view} light", model, DrawOptions(view)
            if not view.startswith("step:"):
                yield f"{i} {view} dark", model, DrawOptions(view, "dark")
