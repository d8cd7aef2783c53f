"""Writes a distinguishing scenario: its expectations hold for one of two models and fail for the
other.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from fsm.analysis.modelchecking.boundedequivalence import BehaviourDifference
from fsm.analysis.modelchecking.witnessfiles import witness_scenario
from fsm.errors import FsmError
from fsm.model import Model
from fsm.scenarios import Scenario, parse_scenarios, play
from fsm.scenarios.writer import expected


def distinguishing_scenario(
    a: Model, b: Model, difference: BehaviourDifference, spec: str, players: tuple[str, ...]
) -> Any | None:
    """Return a scenario of ruleset `spec`, loaded as `a`, that holds for `a` and fails for `b`.

    It is None if a scenario cannot express the difference. What both models do alike before is not
    expected in detail.
    """
    note = f"here: {difference.a}; there: {difference.b}"
    data = witness_scenario(a, spec, "apart", note, players, difference.answers)
    if data is None:
        return None
    with suppress(FsmError):
        data["expect"] = list(expected(play(parse_scenarios(data, "apart", a)[0])))
        scenario = parse_scenarios(data, "apart", a)[0]
        if _holds(scenario, a) and not _holds(scenario, b):
            return data
    return None


def _holds(scenario: Scenario, model: Model) -> bool:
    try:
        return play(scenario, model=model).ok
    except FsmError:
        return False
