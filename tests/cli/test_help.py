"""Help, the version, the list of rulesets, and a game to start from."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from runpy import run_path

import pytest

import fsm
from support import processes
from support.amounts import thorough
from support.commandline import DOOR, refused, says, written

COMMANDS = [
    "new",
    "run",
    "draw",
    "explore",
    "check",
    "diff",
    "paths",
    "cover",
    "mutate",
    "conform",
    "list",
]


@pytest.mark.parametrize("line", ["", "--help", "-h"])
def test_help_lists_every_command(line: str) -> None:
    assert re.findall(r"^  (\w+)  ", says(line), re.M) == COMMANDS


def test_the_help_of_every_command_has_an_example() -> None:
    for name in COMMANDS:
        assert re.search(rf"Examples?:\n +fsm {name}", says(f"{name} --help")), name


def test_the_version() -> None:
    assert says("--version") == f"turn-fsm {fsm.__version__}\n"


def test_rulesets_are_listed_for_people_and_for_programs() -> None:
    assert re.search(r"^magic +CR 2026-01; \d+ states; \d+ transitions", says("list"), re.M)
    first, *others = json.loads(says("list --json"))
    assert (first["name"], first["fingerprint"]) == ("magic", fsm.load("magic").fingerprint)
    assert [other["name"] for other in others] == ["magic-2010", "magic-classic", "grand-archive"]


def test_a_ruleset_is_described_with_its_options() -> None:
    assert "\nfirst_main_counts_skipped  false, true; " in says("list magic")


@pytest.mark.parametrize("line", ["list", "list grand-archive", "check magic --rules"])
def test_a_table_fits_80_columns(line: str) -> None:
    table = says(line).partition("\n\nmagic: ")[0]  # a sentence follows
    assert max(map(len, table.splitlines())) <= 80


def test_paths_are_printed(capfd: pytest.CaptureFixture[str]) -> None:
    written("shop.py", DOOR)
    says("paths shop:door")
    assert "transitions of shop:door: 2 of 2 taken" in capfd.readouterr().out
    says("paths magic-classic --to upkeep_window")
    assert re.search(r"1 path\b.*\n +upkeep_window\n", capfd.readouterr().out, re.S)


# fsm new ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("option", ["", pytest.param(" --stack", marks=thorough)])
def test_the_new_game_is_checked_and_its_test_passes(option: str) -> None:
    assert "fsm check my_game:GAME" in says(f"new my_game.py{option}")
    says("check my_game:GAME")
    tests = [value for name, value in run_path("my_game.py").items() if name.startswith("test_")]
    assert len(tests) == 2
    for test in tests:
        test()


def test_the_new_game_plays() -> None:
    says("new my_game.py --stack")
    done = processes.run([sys.executable, "my_game.py"], check=True)
    assert "turn 1: bolt resolves\n" in done.stdout


def test_a_file_that_is_there_is_not_overwritten() -> None:
    assert "is there already" in refused("new", written("my_game.py", "mine"))


@pytest.mark.parametrize("name", ["my-game.py", "game.txt", "class.py", "1st.py"])
def test_a_name_that_cannot_be_imported_is_refused(name: str) -> None:
    assert "mygame.py" in refused("new", name)
    assert not Path(name).exists()
