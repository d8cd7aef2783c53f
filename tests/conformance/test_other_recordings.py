"""A game that a program of one's own recorded, as rows with names of its own or as a trace, is
judged like a client's log.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conformance.conftest import Judge

import fsm
from support.amounts import thorough
from support.arenalogs import FIRST, FIRST_STRIKE
from support.commandline import command

LETTERS = dict(zip("ukdmbalfgenxc", FIRST_STRIKE, strict=True))
GAMES = json.loads(Path(__file__).with_name("row_games.json").read_text(encoding="utf-8"))


def rows(case: dict[str, Any]) -> list[str]:
    """The lines of a case: its rows, or a row for each letter of its turns."""
    found = [case["first"]] if "first" in case else []
    for turn, player, steps in case.get("turns", []):
        found += [{"turn": turn, "player": player, "step": LETTERS[step]} for step in steps]
    return [json.dumps(row) + "\n" for row in case.get("rows", found)]


def named(folder: Path, names: object) -> tuple[str, str]:
    """The option that says what the words of a recording mean."""
    path = folder / "names.json"
    path.write_text(json.dumps(names), encoding="utf-8")
    return "--names", str(path)


@pytest.mark.parametrize("case", GAMES, ids=lambda case: case["id"])
def test_rows_are_judged_by_the_rules(judge: Judge, case: dict[str, Any], tmp_path: Path) -> None:
    found = judge(rows(case), *(named(tmp_path, case["names"]) if "names" in case else ()))
    if "error" in case:
        assert case["error"] in found.error
    elif "refusal" in case:
        assert found.refusal == found.refusal | case["refusal"]
    else:
        assert [step for _, _, step in found.visits] == [LETTERS[step] for step in case["steps"]]
        assert found.ok


@pytest.mark.parametrize(
    "ruleset", [pytest.param("grand-archive", marks=thorough), "lanterns:LANTERNS"]
)
def test_a_played_game_of_any_ruleset_conforms(judge: Judge, ruleset: str) -> None:
    noted: list[str] = []
    for request in (game := fsm.TurnController(ruleset, ["Ann", "Ben"], trace=True)):
        if request.at.turn == 4:
            break
        game.answer(request.quiet())
    assert game.trace is not None
    for at in game.trace.records:
        row = json.dumps({"turn": at.turn, "player": at.active, "step": at.step}) + "\n"
        if at.step and row not in noted[-1:]:
            noted.append(row)
    options = ("--ruleset", ruleset)
    assert judge(noted, *options).ok
    assert not judge([*noted[:5], noted[0], *noted[5:]], *options).ok


@pytest.mark.parametrize(
    "text",
    ["{", "[1]", '{"turn": -1}', '{"step": 3}', "[" * 100_000],
    ids=["cut", "list", "turn", "step", "deep"],
)
def test_a_damaged_row_is_counted_and_skipped(judge: Judge, text: str) -> None:
    plain = rows({"turns": [[1, "Ann", "ukmba"]]})
    found = judge(["\ufeff\n", *plain[:4], text + "\n", *plain[4:]])
    assert (found.ok, found.verdict["skipped_lines"], found.steps(1)) == (True, 1, FIRST[:5])


def test_python_follows_a_file_too(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_text("".join(rows({"turns": [[1, "Ann", "ukb"]]})), encoding="utf-8")
    found = fsm.conform("magic", path)
    assert "line 3: seen beginning_of_combat in turn 1 of seat 1" in str(found.refusal)
    assert [visit.step for visit in found.visits] == ["untap", "upkeep"]


# traces -------------------------------------------------------------------------------------------


def trace(folder: Path, *given: dict[str, object]) -> list[str]:
    """The trace of two turns in which this happens."""
    scenario = {"players": 2, "through_turn": 2, "given": given, "expect": []}
    files = [str(folder / name) for name in ("scenario.json", "run.jsonl")]
    Path(files[0]).write_text(json.dumps(scenario), encoding="utf-8")
    done = command("run", files[0], "--trace", files[1])
    assert done.exit_code == 0, done.output
    return Path(files[1]).read_text(encoding="utf-8").splitlines(keepends=True)


COMBAT: dict[str, object] = {
    "when": {"turn": 1, "step": "precombat_main"},
    "do": "add_phase",
    "phases": ["combat"],
}


def test_by_its_own_model_a_trace_is_replayed_with_its_effects(
    judge: Judge, tmp_path: Path
) -> None:
    found = judge(trace(tmp_path, COMBAT))
    assert (found.ok, found.steps(1).count("declare_attackers")) == (True, 2)


def test_a_firing_that_did_not_happen_is_refused_with_its_line(
    judge: Judge, tmp_path: Path
) -> None:
    row, other = "upkeep_window -> upkeep_end on closed", "upkeep_window -> draw_end on closed"
    lines = [line.replace(row, other) for line in trace(tmp_path)]
    refusal = judge(lines).refusal
    assert other in lines[refusal["line"] - 1]
    assert other in refusal["hint"] and row in refusal["hint"]


@pytest.mark.parametrize("end", [1, 30, 90])
def test_a_trace_may_stop_anywhere(judge: Judge, tmp_path: Path, end: int) -> None:
    assert judge(trace(tmp_path)[:end]).ok


def test_a_trace_of_another_model_is_refused_with_its_name(judge: Judge, tmp_path: Path) -> None:
    refusal = judge(trace(tmp_path), "--ruleset", "magic-2010").refusal
    assert "the trace was recorded with magic " in refusal["hint"]
    assert refusal["hint"].endswith("; name its own ruleset, magic")


@pytest.mark.parametrize(
    "wrong", [b"\xff\xfe", b"{", b" " * 9_000_000], ids=["bytes", "cut", "long"]
)
def test_a_wrong_line_of_a_trace_is_named(judge: Judge, tmp_path: Path, wrong: bytes) -> None:
    text = "".join(trace(tmp_path)[:9]).encode()
    assert "game.log: trace line 10" in judge(text + wrong + b"\n").error
