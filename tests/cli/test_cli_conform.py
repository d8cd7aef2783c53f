"""`fsm conform` as its user meets it: games that were played, and one that was not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fsm.cli import cli
from support.arenalogs import ATTACK, FIRST, FIRST_STRIKE, QUIET, in_turn, log


def conform(folder: Path, lines: list[str], *arguments: str) -> Result:
    path = folder / "game.log"
    path.write_text("".join(lines), encoding="utf-8")
    return CliRunner().invoke(cli, ["conform", str(path), *arguments], prog_name="fsm")


def test_a_step_out_of_order_is_refused_with_line_and_remedy(tmp_path: Path) -> None:
    wrong = ["untap", "upkeep", "precombat_main", "draw", *QUIET[4:]]
    lines = log(in_turn(FIRST, wrong))
    done = conform(tmp_path, lines)
    assert done.exit_code == 1
    [refusal] = [line for line in done.output.splitlines() if line.startswith("refused: line ")]
    number = int(refusal.split()[2].rstrip(":"))
    assert (
        "seen precombat_main in turn 2 of seat 2; could have come: draw in turn 2 of seat 2"
        in refusal
    )
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
    assert (verdict["ok"], verdict["games"], verdict["turns"], verdict["refusal"]) == (
        True,
        1,
        2,
        None,
    )
    refused = conform(tmp_path, log(in_turn(["upkeep", "untap"])), "--json")
    assert refused.exit_code == 1
    last = json.loads(refused.output.splitlines()[-1])
    assert last["ok"] is False
    assert last["refusal"]["line"] > 0
    assert last["refusal"]["expected"]


# a set of games, of several recorders -------------------------------------------------------------


def recorded(folder: Path) -> list[str]:
    """A client's log, a trace, and lines of a program's own, of games by the rules; the names for
    the last.
    """
    words = {"untap": "UNT", "upkeep": "UPK"}
    turns = in_turn(FIRST, ATTACK)
    rows = [
        {"no": turn, "who": seat, "at": words.get(step, step)}
        for turn, seat, steps in turns
        for step in steps
    ]
    (folder / "client.log").write_text("".join(log(in_turn(FIRST, FIRST_STRIKE))), encoding="utf-8")
    (folder / "rows.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8"
    )
    fields = {"turn": "no", "player": "who", "step": "at"}
    names = {"fields": fields, "steps": {word: step for step, word in words.items()}}
    (folder / "names.json").write_text(json.dumps(names), encoding="utf-8")
    run = CliRunner().invoke(cli, ["run", "--trace", str(folder / "run.jsonl")], prog_name="fsm")
    assert run.exit_code == 0
    return [str(folder / name) for name in ("client.log", "rows.jsonl", "run.jsonl", "names.json")]


def test_games_of_several_recorders_and_how_often_they_took_what(tmp_path: Path) -> None:
    client, rows, trace, names = recorded(tmp_path)
    turns = tmp_path / "turns.svg"
    done = CliRunner().invoke(
        cli,
        ["conform", client, trace, "--timeline", str(turns)],
        prog_name="fsm",
    )
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.output.count("every change is a run of the model") == 2
    assert (
        "seats: 1 is Alice, 2 is Bob" in done.output
        and "transitions of the turn were taken" in done.output
    )
    assert "<svg" in turns.read_text(encoding="utf-8") and f"written: {turns}" in done.output
    alone = CliRunner().invoke(cli, ["conform", rows, "--names", names], prog_name="fsm")
    assert alone.exit_code == 0 and "no game came to first_strike_damage" in alone.output
    assert "two players are assumed" in alone.output


def test_several_verdicts_as_json_and_one_refusal_is_a_refusal(tmp_path: Path) -> None:
    client, _, trace, _ = recorded(tmp_path)
    wrong = tmp_path / "wrong.log"
    wrong.write_text("".join(log(in_turn(FIRST, ["untap", "draw"]))), encoding="utf-8")
    done = CliRunner().invoke(
        cli, ["conform", client, str(wrong), trace, "--json"], prog_name="fsm"
    )
    assert done.exit_code == 1
    verdicts = [line for line in map(json.loads, done.output.splitlines()) if "ok" in line]
    assert [(v["log"], v["ok"]) for v in verdicts] == [
        (client, True),
        (str(wrong), False),
        (trace, True),
    ]
    taken = [v["taken"]["transitions"] for v in verdicts]
    assert taken == sorted(taken) and taken[0] < taken[-1] < verdicts[0]["taken"]["of"]
    assert verdicts[2]["players"] == ["Alice", "Bob"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["client.log", "absent.log"], "absent.log: cannot be read"),
        (["client.log", "--names", "absent.json"], "absent.json: there is no such file"),
        (["rows.jsonl", "--names", "client.log"], "client.log: this cannot be read as JSON"),
        (["rows.jsonl"], "rows.jsonl: shows no game"),
        ([], "Missing argument 'LOG...'"),
    ],
)
def test_wrong_input_is_one_line(
    arguments: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorded(tmp_path)
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(cli, ["conform", *arguments], prog_name="fsm")
    assert done.exit_code == 2 and says in done.stderr and len(done.stderr.splitlines()) == 1
