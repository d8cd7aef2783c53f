"""`fsm conform`: what it says of recorded games, for people, for programs and as a picture."""

from __future__ import annotations

import json
from pathlib import Path

from support.commandline import command, written

QUIET = (
    "untap upkeep draw precombat_main beginning_of_combat declare_attackers end_of_combat "
    "postcombat_main end cleanup"
)
FIRST = QUIET.replace("draw ", "")
"""The steps of a turn without attackers, and of the first turn of the game."""


def recorded(name: str, *turns: str) -> str:
    """Write a recording of these turns of two players."""
    rows = [
        {"turn": number, "player": "Ann" if number % 2 else "Ben", "step": step}
        for number, steps in enumerate(turns, 1)
        for step in steps.split()
    ]
    return written(name, "".join(json.dumps(row) + "\n" for row in rows))


def test_a_game_by_the_rules_ends_with_0() -> None:
    done = command("conform", recorded("game.jsonl", FIRST, QUIET))
    assert (done.exit_code, done.stderr) == (0, "")
    assert "every change is a run of the model" in done.output
    assert "2 turns of 1 game" in done.output
    assert "seats: 1 is Ann, 2 is Ben" in done.output


def test_one_refused_game_of_several_is_enough_and_json_has_a_verdict_on_each() -> None:
    names = recorded("good.jsonl", FIRST, QUIET), recorded("bad.jsonl", "upkeep untap")
    done = command("conform --json", *names)
    assert done.exit_code == 1
    lines = [json.loads(line) for line in done.output.splitlines()]
    good, bad = (line for line in lines if "ok" in line)
    assert (good["log"], good["ok"], good["turns"]) == ("good.jsonl", True, 2)
    assert (bad["log"], bad["ok"]) == ("bad.jsonl", False)
    assert bad["refusal"]["expected"] == ["untap in turn 1 of seat 1"]
    assert [line["step"] for line in lines if line.get("turn") == 2] == QUIET.split()


def test_a_trace_conforms_and_the_game_is_drawn() -> None:
    assert command("run --trace run.jsonl", written("quiet.json", {})).exit_code == 0
    done = command("conform run.jsonl --timeline turns.svg")
    assert done.exit_code == 0
    assert "written: turns.svg" in done.output
    assert Path("turns.svg").read_text("utf-8").startswith("<svg")
