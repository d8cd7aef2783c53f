"""The reference of a ruleset: its stages, scenario words and options."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from fsm.rulesets import options
from support.commandline import command
from support.drawings import BUILT_IN, LANTERNS, loaded

every_ruleset = pytest.mark.parametrize("ruleset", BUILT_IN)


@cache
def reference(ruleset: str) -> Any:
    """What `fsm list RULESET --json` says."""
    return json.loads(command("list", ruleset, "--json").stdout)


@every_ruleset
def test_every_action_and_window_of_a_step_has_a_row_in_order(ruleset: str) -> None:
    model, rows = loaded(ruleset), reference(ruleset)["Stages"]
    steps = {state.id: state.name for state in model.of_kind("step")}
    inside = [s for s in model.leaves if s.parent in steps and s.kind in ("action", "window")]
    shown = [row["stage"] for row in rows]
    assert {s.id for s in inside if s.role != "end"} <= set(shown) <= {s.id for s in inside}
    assert len(shown) == len(set(shown))
    order = list(dict.fromkeys(row["step"] for row in rows))
    assert order == [step for step in steps.values() if step in order]


@every_ruleset
def test_every_option_says_what_it_means(ruleset: str) -> None:
    rows = reference(ruleset).get("Options", [])
    assert [next(iter(row.values())) for row in rows] == list(options(ruleset))
    assert all(len(list(row.values())[-1]) > 15 for row in rows)


def test_words_of_scenarios_are_known_or_refused() -> None:
    known = {next(iter(row.values())) for row in reference("magic")["What may be given"]}
    refused = {next(iter(row.values())) for row in reference("magic-classic")["Refused"]}
    assert {"attackers", "add_phase", "skip_step", "end_turn"} <= known
    assert "day_night" in refused


def test_a_ruleset_of_ones_own_has_a_reference_too() -> None:
    assert "Options" not in reference(LANTERNS)
    stages = {(row["step"], row["stage"]) for row in reference(LANTERNS)["Stages"]}
    assert ("challenge", "challenge_challenge") in stages
