"""Two models played in step: the shortest way to see that they differ, or that within the bounds
they do not.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

import fsm
from fsm.analysis.modelchecking import Bounds
from fsm.analysis.modelchecking.boundedequivalence import compare_behaviour
from fsm.analysis.modelchecking.distinguishing import distinguishing_scenario
from fsm.cli import cli
from fsm.model import Model
from fsm.rulesets import names
from support.amounts import sample

QUIET = Bounds(turns=1, stack=1, together=0)
FIRST_STRIKE = "declare_blockers_after -> first_strike_damage_before [first_strike_in_combat]"


@pytest.mark.parametrize("name", sample(names(), 2, seed=7))
def test_a_ruleset_behaves_like_itself_under_other_names(name: str) -> None:
    """States and rules may be called otherwise: that is not seen."""
    model = fsm.load(name)
    other = replace(
        model, transitions=tuple(replace(t, rule="house", doc="") for t in model.transitions)
    )
    found = compare_behaviour(model, other, QUIET)
    assert found.difference is None
    assert found.positions > 200


def test_the_shortest_way_to_a_missing_row(magic: Model) -> None:
    found = compare_behaviour(magic, magic.without(FIRST_STRIKE), QUIET)
    assert found.difference is not None
    assert found.difference.a == "turn 1 of A, first strike damage: assign combat damage"
    assert found.difference.b == "turn 1 of A, combat damage: assign combat damage"


def test_a_game_that_cannot_go_on_behaves_differently(magic: Model) -> None:
    found = compare_behaviour(magic, magic.without("upkeep_window -> upkeep_end on closed"), QUIET)
    assert found.difference is not None
    assert found.difference.b.startswith("cannot go on: nothing can fire here")
    assert (
        "upkeep" in found.difference.a
        or "draw" in found.difference.a
        or "main" in found.difference.a
    )


def test_what_shows_only_after_an_effect_is_found_with_effects() -> None:
    """With nothing on the stack nobody can be put into an attack that was not declared."""
    stated, usual = fsm.load("magic?stated_attacker_counts=true"), fsm.load("magic")
    assert compare_behaviour(stated, usual, Bounds(turns=1, stack=0, together=0)).difference is None
    found = compare_behaviour(stated, usual, Bounds(turns=1, stack=1, together=0))
    assert found.difference is not None
    assert "declare blockers" in found.difference.a


@pytest.mark.parametrize("pair", [("magic", "magic-2010"), ("magic-classic", "magic-2010")])
def test_the_scenario_holds_of_the_one_and_not_of_the_other(
    pair: tuple[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "apart.json"
    done = CliRunner().invoke(cli, ["diff", *pair, "--behaviour", "--scenario", str(path)])
    assert done.exit_code == 0, done.output
    assert "behave differently after" in done.output
    assert CliRunner().invoke(cli, ["run", str(path)]).exit_code == 0
    other = json.loads(path.read_text("utf-8")) | {"ruleset": pair[1]}
    path.write_text(json.dumps(other), "utf-8")
    assert CliRunner().invoke(cli, ["run", str(path)]).exit_code != 0


def test_the_scenario_of_a_missing_row(magic: Model) -> None:
    hole = magic.without(FIRST_STRIKE)
    found = compare_behaviour(magic, hole, QUIET)
    assert found.difference is not None
    data = distinguishing_scenario(magic, hole, found.difference, "magic", ("A", "B"))
    assert data is not None
    assert any("first_strike_damage" in one.get("steps", ()) for one in data["expect"])


def test_the_command_tells_that_they_behave_alike() -> None:
    bounds = ["--turns", "1", "--stack", "0", "--together", "0"]
    same = CliRunner().invoke(cli, ["diff", "magic", "magic", "--behaviour", *bounds])
    assert same.exit_code == 0
    assert "behave alike, whatever happens" in same.output
    as_json = CliRunner().invoke(cli, ["diff", "magic", "magic-2010", "--behaviour", "--json"])
    data = json.loads(as_json.output)
    assert data["alike"] is False
    assert data["difference"]["scenario"]["ruleset"] == "magic"
    assert CliRunner().invoke(cli, ["diff", "magic", "magik", "--behaviour"]).exit_code == 2
