"""Scenarios: what happens in a game, and which turn flow must result. They are read, checked and
played.

`docs/scenarios.md` describes the format.
"""

from __future__ import annotations

from fsm.lazily import names_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fsm.scenarios.outcome import Outcome as Outcome
    from fsm.scenarios.ownverbs import ScriptedTurn as ScriptedTurn
    from fsm.scenarios.ownverbs import verb as verb
    from fsm.scenarios.parsing import load as load
    from fsm.scenarios.player import play as play
    from fsm.scenarios.scenario import Scenario as Scenario


__dir__, __all__ = names_from(
    __name__,
    {
        "fsm.scenarios.outcome": ("Outcome",),
        "fsm.scenarios.ownverbs": ("ScriptedTurn", "verb"),
        "fsm.scenarios.parsing": ("load",),
        "fsm.scenarios.player": ("play",),
        "fsm.scenarios.scenario": ("Scenario",),
    },
)
