"""The command line does its main jobs on this Python."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.commandline import DOOR, LUNCH, read, says, written


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)


def test_the_showcase_is_played_and_drawn() -> None:
    told = says("run --svg turn.svg")
    turns = re.findall(r"^ +(\d) [ +](?:Alice|Bob) ", told, re.M)
    assert turns == ["1", "2", "3", "4", "5", "6", "7"]
    for sign in ("+BC", "FS•─", "↻CL", "▸CL"):  # an extra combat, first strike, two ends of turns
        assert sign in told
    assert "(nobody attacks)" in told and "transitions" not in told
    assert max(map(len, told.splitlines())) <= 100
    assert "</svg>" in read("turn.svg")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("list", "grand-archive"),
        ("run case.json --trace case.jsonl", "ok   case"),
        ("check grand-archive smokeshop:door", "nothing is wrong"),
        ("check smokelunch:SNACK --prove", "properties hold"),
        ("diff magic-classic magic", "combat_damage"),
        ("draw smokeshop:door -o door.dot", "written: door.dot"),
        ("explore magic-2010 -o turn.html", "written: turn.html"),
    ],
)
def test_a_command_does_its_job(line: str, said: str) -> None:
    written("smokeshop.py", DOOR)
    written("smokelunch.py", LUNCH)
    written("case.json", {"id": "case", "expect": [{"turn": 1, "active": "A"}]})
    assert said in says(line)


def test_a_game_that_was_played_conforms() -> None:
    says("run --trace case.jsonl", written("case.json", {"through_turn": 1}))
    assert "every change is a run of the model" in says("conform case.jsonl")
