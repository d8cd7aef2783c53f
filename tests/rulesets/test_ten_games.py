"""Ten public games in short tables: nothing is wrong with them, they are proved, and they do in their
corners what their rulebooks say.
"""

from __future__ import annotations

import sys
from importlib import import_module

import pytest

import fsm
from fsm import checks, scenarios, testing
from fsm.rulesets import Table
from support.amounts import sample, thorough
from support.folders import ROOT

FOLDER = ROOT / "examples" / "games"
sys.path.insert(0, str(FOLDER))
GAMES: dict[str, Table] = {
    name: getattr(import_module(name), name.upper())
    for name in ["yugioh", "pokemon", "lorcana", "onepiece", "fab", "swu", "netrunner", "l5r", "keyforge", "arkham"]
}  # fmt: skip


@pytest.mark.parametrize("name", sample(GAMES, 3))
def test_nothing_is_wrong_with_a_game_and_its_file_is_short(name: str) -> None:
    assert fsm.check(GAMES[name]) == []
    assert len((FOLDER / f"{name}.py").read_text("utf-8").splitlines()) <= 40


@pytest.mark.parametrize("name", GAMES)
def test_a_game_does_in_its_corners_what_its_rulebook_says(name: str) -> None:
    wrong = list[str]()
    for scenario in sample(scenarios.load(FOLDER / f"{name}.json", ruleset=GAMES[name]), 2):
        outcome = scenarios.play(scenario)
        wrong += [*outcome.failures, *outcome.warnings]
    assert wrong == []


@thorough
@pytest.mark.parametrize("name", GAMES)
def test_no_game_of_two_turns_gets_stuck(name: str) -> None:
    assert checks.prove(GAMES[name]).witnesses == []


@thorough
@pytest.mark.parametrize("name", GAMES)
def test_generated_games_take_all_that_is_not_proved_impossible(name: str) -> None:
    assert testing.paths(GAMES[name]).open == ()
