"""The programs that the documentation of the interface shows run as they are written."""

from __future__ import annotations

import asyncio
import runpy
from pathlib import Path
from typing import Any

import pytest

import fsm

PROGRAMS = Path(__file__).parent / "programs"


def run(name: str) -> dict[str, Any]:
    """Run a program, and return its names."""
    return runpy.run_path(str(PROGRAMS / f"{name}.py"))


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("smallest_host", ["turn 2: Ben draws", "turn 3: Ann draws"]),
        (
            "extra_combat",
            [
                "AddPhase waiting for the end of this phase",
                'DelayedTrigger waiting for the next beginning of combat within "Moraug\'s combat"',
                "AddPhase done ",
                "DelayedTrigger done ",
            ],
        ),
        ("end_the_turn", ["in turn 2 Time Stop ends the turn"]),
    ],
)
def test_a_program_prints(name: str, lines: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    run(name)
    assert capsys.readouterr().out.splitlines() == lines


@pytest.mark.parametrize("name", ["undo", "stateless_handler"])
def test_a_program_holds_what_it_asserts(name: str) -> None:
    run(name)


def test_bots_on_asyncio_go_on_from_their_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    main, file = run("asyncio_bots")["main"], tmp_path / "table.jsonl"
    assert fsm.hosts.load_game(file).position.turn == 2
    asyncio.run(main(file, turn=3))
    assert fsm.hosts.load_game(file).position.turn == 3


def test_a_panel_says_what_is_possible_and_why_the_rest_is_not(
    capsys: pytest.CaptureFixture[str],
) -> None:
    run("whats_possible")
    lines = capsys.readouterr().out.splitlines()
    assert [line[0] for line in lines] == ["+", "+", "+", "-", "+"]
    assert "ends the combat phase" in lines[3]
    assert lines[3].endswith("it is no combat phase: nothing happens (723.2g)")
