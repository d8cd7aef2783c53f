"""Writes a distinguishing scenario: its expectations hold for one of two models and fail for the other."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from fsm.analysis.modelchecking.boundedequivalence import Difference
from fsm.analysis.modelchecking.witnessfiles import scenario_of
from fsm.errors import FsmError
from fsm.model import Model
from fsm.scenarios.player import play
from fsm.scenarios.scenario import Scenario, parse_scenarios
from fsm.scenarios.writer import expected


def scenario_apart(a: Model, b: Model, difference: Difference, spec: str, players: tuple[str, ...]) -> Any | None:
    """A scenario of ruleset `spec`, which loads `a`, that holds there and not with `b`; None if scenarios lack a word.

    It is `difference` as a scenario can tell it: what both rulesets do alike before is not expected word by word.
    """
    note = f"here: {difference.a}; there: {difference.b}"
    data = scenario_of(a, spec, "apart", note, players, difference.answers)
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
