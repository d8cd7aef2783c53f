"""`fsm conform`: what it says of recorded games, for people, for programs and as a picture."""

from __future__ import annotations

import json

import pytest

from support.commandline import read, says, written


@pytest.fixture(autouse=True)
def recordings(here: object) -> None:
    """A game that was played, and one in which a step came too early."""
    says("run --trace good.jsonl", written("quiet.json", {"turn_order": ["Ann", "Ben"]}))
    rows = [{"turn": 1, "player": "Ann", "step": step} for step in ("untap", "draw")]
    written("bad.jsonl", "\n".join(map(json.dumps, rows)))


def test_a_game_by_the_rules_ends_with_0_and_is_drawn() -> None:
    told = says("conform good.jsonl --timeline turns.svg")
    assert "every change is a run of the model" in told
    assert "seats: 1 is Ann, 2 is Ben" in told
    assert read("turns.svg").startswith("<svg")


def test_a_game_against_the_rules_ends_with_1_and_its_line_is_named() -> None:
    told = says("conform good.jsonl bad.jsonl", code=1)
    assert "refused: line 2: seen draw in turn 1 of seat 1; could have come: upkeep" in told


def test_json_has_a_verdict_on_each_game() -> None:
    lines = map(json.loads, says("conform --json good.jsonl bad.jsonl", code=1).splitlines())
    verdicts = {line["log"]: line for line in lines if "ok" in line}
    assert [verdict["ok"] for verdict in verdicts.values()] == [True, False]
    assert verdicts["bad.jsonl"]["refusal"]["expected"] == ["upkeep in turn 1 of seat 1"]
