"""`fsm inspect` on the command line: a process that is asked, and then interrupted."""

from __future__ import annotations

import json
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import fsm
from fsm import TurnController
from fsm.cli import cli
from support.amounts import thorough
from support.playing import quiet
from support.processes import Process, started

GAME = """
import fsm

def make_game():
    return fsm.TurnController(fsm.load("magic"), ["Ann", "Ben"])

class Stopping(fsm.BaseHost):
    def on_draw_card(self, request):
        raise fsm.FsmError("no cards are left")

def make_both():
    return make_game(), Stopping()
"""


@contextmanager
def inspected(folder: Path, *arguments: str) -> Iterator[tuple[str, Process]]:
    """The address of the page, and the process. SIGTERM ends it, which is no error."""
    command = [sys.executable, "-m", "fsm", "inspect", *arguments]
    with started(command, cwd=folder) as process:
        yield process.line().removeprefix("inspector: "), process
        assert process.end() == 0
        assert process.stdout.endswith("ended\n")


def news(address: str, query: str = "") -> Iterator[Any]:
    with urllib.request.urlopen(f"{address}events{query}", timeout=30) as stream:
        for line in stream:
            if line.startswith(b"data: "):
                yield json.loads(line[6:])


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mygame.py").write_text(GAME, encoding="utf-8")
    return tmp_path


def test_a_game_is_made_and_played(folder: Path) -> None:
    with inspected(folder, "mygame:make_game", "--pace", "0.01") as (address, _):
        counts = (told["present"]["count"] for told in news(address))
        first = next(counts)
        assert any(count > first for count in counts)


def test_sigterm_ends_it_where_interrupts_are_ignored(folder: Path) -> None:
    """So it is in the background of a script."""
    ignoring = ["bash", "-c", "trap '' INT; exec \"$@\"", "bash"]
    command = [sys.executable, "-m", "fsm", "inspect", "mygame:make_game"]
    with started([*ignoring, *command], cwd=folder) as process:
        assert process.line().startswith("inspector: ")
        assert process.end() == 0


@thorough
def test_with_control_it_waits_for_answers(folder: Path) -> None:
    with inspected(folder, "mygame:make_game", "--control") as (address, _):
        moment = next(news(address))["moment"]
        assert moment["at"] == 0
        body = json.dumps({"game": 0, "number": 0, "word": moment["possible"][0]["word"]}).encode()
        origin = address.rsplit("/", 2)[0]
        request = urllib.request.Request(
            f"{address}answer", body, {"Content-Type": "application/json", "Origin": origin}
        )
        with urllib.request.urlopen(request, timeout=30) as reply:
            assert json.load(reply) == {"number": 1}


@thorough
def test_a_game_that_fails_stays_on_the_page(folder: Path) -> None:
    with inspected(folder, "mygame:make_both", "--pace", "0") as (address, process):
        while "the game stopped, and the page stays" not in process.stderr:
            process.pause()
        told = next(news(address))
        assert told["moment"]["title"] == "Draw"
        assert told["games"][0]["tag"] == "error" and told["moment"]["failure"]


@thorough
def test_files_are_opened(folder: Path) -> None:
    game = TurnController(fsm.load("magic"), ("Alice", "Bob"))
    for _ in range(20):
        game.answer(quiet(game.request))
    game.trace.write(folder / "game.jsonl")
    with inspected(folder, "game.jsonl") as (address, _):
        assert next(news(address))["games"][0]["name"] == "game.jsonl"


@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("nothing.jsonl", "cannot be read"),
        ("nothing:here", "cannot import 'nothing'"),
        ("fsm:errors", "module cannot be inspected: give a TurnController"),
    ],
)
def test_wrong_input_is_one_sentence(target: str, said: str) -> None:
    result = CliRunner().invoke(cli, ["inspect", target])
    assert result.exit_code == 2
    assert said in result.output and "Traceback" not in result.output
