"""`fsm conform` as its user meets it: games that were played, and one that was not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from arenalogs import ATTACK, FIRST, FIRST_STRIKE, QUIET, in_turn, log
from click.testing import CliRunner, Result

from fsm.cli import cli


def conform(folder: Path, lines: list[str], *arguments: str) -> Result:
    path = folder / "game.log"
    path.write_text("".join(lines), encoding="utf-8")
    return CliRunner().invoke(cli, ["conform", str(path), *arguments], prog_name="fsm")


@pytest.mark.smoke
def test_a_game_that_was_played(tmp_path: Path) -> None:
    done = conform(tmp_path, log(in_turn(FIRST, ATTACK, FIRST_STRIKE)))
    assert (done.exit_code, done.stderr) == (0, "")
    assert "every change is a run of the model" in done.output
    assert "3 turns of 1 game" in done.output
    for turn, seat in ((1, 1), (2, 2), (3, 1)):
        [line] = [line for line in done.output.splitlines() if line.startswith(f"  {turn}  seat {seat}")]
        assert ("FS" in line) == (turn == 3)


def test_a_step_out_of_order_is_refused_with_line_and_remedy(tmp_path: Path) -> None:
    wrong = ["untap", "upkeep", "precombat_main", "draw", *QUIET[4:]]
    lines = log(in_turn(FIRST, wrong))
    done = conform(tmp_path, lines)
    assert done.exit_code == 1
    [refusal] = [line for line in done.output.splitlines() if line.startswith("refused: line ")]
    number = int(refusal.split()[2].rstrip(":"))
    assert "seen precombat_main in turn 2 of seat 2; could have come: draw in turn 2 of seat 2" in refusal
    assert "Phase_Main1" in lines[number - 1]


def test_what_may_be_allowed(tmp_path: Path) -> None:
    twice = [*FIRST[:2], *FIRST[1:]]
    assert conform(tmp_path, log(in_turn(twice))).exit_code == 1
    allowed = conform(tmp_path, log(in_turn(twice)), "--allow", "extra")
    assert allowed.exit_code == 0
    assert "+UP" in allowed.output


def test_damaged_lines_are_counted(tmp_path: Path) -> None:
    lines = log(in_turn(FIRST, QUIET))
    done = conform(tmp_path, [*lines[:4], lines[4][:90] + "\n", *lines[4:]])
    assert done.exit_code == 0
    assert "1 damaged line skipped" in done.output


def test_as_json(tmp_path: Path) -> None:
    done = conform(tmp_path, log(in_turn(FIRST, QUIET)), "--json")
    *visits, verdict = map(json.loads, done.output.splitlines())
    assert [v["step"] for v in visits] == [*FIRST, *QUIET]
    assert visits[0]["active"] == "seat 1"
    assert (verdict["ok"], verdict["games"], verdict["turns"], verdict["refusal"]) == (True, 1, 2, None)
    refused = conform(tmp_path, log(in_turn(["upkeep", "untap"])), "--json")
    assert refused.exit_code == 1
    last = json.loads(refused.output.splitlines()[-1])
    assert last["ok"] is False
    assert last["refusal"]["line"] > 0
    assert last["refusal"]["expected"]
