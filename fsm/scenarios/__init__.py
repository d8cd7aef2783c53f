"""Scenarios: what happens in a game, and which turn flow must result. They are read, checked and played.

`docs/scenarios.md` describes the format.
"""

from __future__ import annotations

from fsm.lazily import names_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from fsm.scenarios.player import Outcome as Outcome
    from fsm.scenarios.player import play as play
    from fsm.scenarios.scenario import Scenario as Scenario
    from fsm.scenarios.scenario import load_scenarios as load_scenarios
    from fsm.scenarios.scenario import parse_scenarios as parse_scenarios


__dir__, __all__ = names_from(
    __name__,
    {
        "fsm.scenarios.player": (
            "Outcome",
            "play",
        ),
        "fsm.scenarios.scenario": (
            "Scenario",
            "load_scenarios",
            "parse_scenarios",
        ),
    },
)
