"""Each command does its main job once."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import fsm
from fsm.cli import cli
from support import processes
from support.arenalogs import ATTACK, FIRST, FIRST_STRIKE, in_turn, log
from support.folders import SCENARIOS


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: object) -> Result:
    """What the command does in this process; it must succeed."""
    done = CliRunner().invoke(cli, [str(a) for a in arguments], prog_name="fsm")
    assert (done.exit_code, done.stderr) == (0, ""), done.output
    return done


def test_run_plays_the_showcase_and_shows_what_happened(folder: Path) -> None:
    command = [sys.executable, "-m", "fsm", "run", "--svg", "turn.svg"]
    done = processes.run(command, cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    for turn in range(1, 8):
        assert re.search(rf"^ +{turn} [ +](Alice|Bob) ", done.stdout, re.M)
    assert "+BC" in done.stdout, "an extra combat"
    assert len(re.findall(r"^ +\+UP•$|^ +\+UP•─", done.stdout, re.M)) == 2, (
        "two extra upkeeps, each on its own line"
    )
    assert "FS•─" in done.stdout, "first strike"
    assert "↻CL" in done.stdout, "cleanup comes again"
    assert re.search(r"CD•1×·+▸CL", done.stdout), "a turn ended in combat"
    assert re.search(r"^ +6 \+Alice", done.stdout, re.M), "an extra turn"
    assert re.search(r"^[0-9]+ of [0-9]+ transitions of the model taken", done.stdout, re.M)
    svg = (folder / "turn.svg").read_text("utf-8")
    assert svg.rstrip().endswith("</svg>")
    assert svg != fsm.draw(fsm.load("magic")), "the way taken is on it"
    assert max(map(len, done.stdout.splitlines())) <= 100


def test_run_checks_a_scenario() -> None:
    case = sorted((SCENARIOS / "grand-archive").glob("case-01*.json"))[0]
    assert re.search(r"^ok  ", run("run", case).output, re.M)


@pytest.mark.parametrize(
    ("file", "start"),
    [
        ("it.svg", "<svg"),
        ("it.dot", "digraph"),
        ("it.mmd", ""),
        ("it.json", "{"),
        ("it.md", "|"),
        ("it.html", "<!"),
        ("it.txt", ""),
    ],
)
def test_draw_writes_every_text_format(folder: Path, file: str, start: str) -> None:
    run("draw", "magic", "-o", file)
    text = (folder / file).read_text("utf-8")
    assert len(text) > 1_000
    assert start in text[:1_000]


def test_explore_writes_a_page(folder: Path) -> None:
    run("explore", "magic-2010", "-o", "turn.html")
    assert "</html>" in (folder / "turn.html").read_text("utf-8")


def test_diff_says_what_changed() -> None:
    assert "combat_damage" in run("diff", "magic-classic", "magic").output


def test_check_finds_nothing_in_a_shipped_ruleset() -> None:
    assert "nothing" in run("check", "grand-archive").output


def test_check_finds_the_cited_numbers_that_a_rulebook_lacks(folder: Path) -> None:
    (folder / "rules.txt").write_text("500. Turns\n\n500.1. A turn has five phases.\n", "utf-8")
    done = CliRunner().invoke(cli, ["check", "magic", "--against", "rules.txt"], prog_name="fsm")
    assert (done.exit_code, done.stderr) == (1, "")
    assert "not there: 500.7" in done.output


def test_check_plays_random_games() -> None:
    output = run("check", "magic-classic", "--play", "5", "--seed", "1").output
    assert output == "magic-classic, 5 random games, seed 1: nothing is wrong\n"


def test_rulesets_lists_all_of_them() -> None:
    output = run("rulesets").output
    assert all(name in output for name in ("magic", "magic-2010", "magic-classic", "grand-archive"))


def test_conform_accepts_a_game_that_was_played(folder: Path) -> None:
    (folder / "game.log").write_text(
        "".join(log(in_turn(FIRST, ATTACK, FIRST_STRIKE))), encoding="utf-8"
    )
    output = run("conform", "game.log").output
    assert "every change is a run of the model" in output
    assert "3 turns of 1 game" in output
    for turn, seat in ((1, 1), (2, 2), (3, 1)):
        [line] = [line for line in output.splitlines() if line.startswith(f"  {turn}  seat {seat}")]
        assert ("FS" in line) == (turn == 3)
