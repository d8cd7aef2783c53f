"""Scenarios: what happens in a game, and which turn flow must result. They are read, checked and
played.

`docs/scenarios.md` describes the format.
"""

from __future__ import annotations

from fsm.lazily import names_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fsm.scenarios.playing import Outcome as Outcome, play as play
    from fsm.scenarios.reading import load as load
    from fsm.scenarios.scenario import Scenario as Scenario


__dir__, __all__ = names_from(
    __name__,
    {
        "fsm.scenarios.playing": "Outcome play",
        "fsm.scenarios.reading": "load",
        "fsm.scenarios.scenario": "Scenario",
    },
)
