"""The package imports lightly, plays a game, and is installed as it says."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

import fsm
from support import processes
from support.folders import ROOT
from support.pages import programs

HEAVY = ["click", "fsm.views", "graphviz", "hypothesis", "jsonschema", "rich", "transitions"]
GAME = """
import fsm
game = fsm.TurnController("magic", ["A", "B"])
game.answer(game.request.quiet())
str(game), game.snapshot(), game.fork(), game.trace
"""
HELP = """
from fsm.cli import cli
try: cli.main(["--help"], prog_name="fsm")
except SystemExit: pass
"""


@pytest.mark.no_fsm_cov
@pytest.mark.parametrize(
    ("code", "loaded"),
    [
        ("import fsm", ""),
        ("import fsm; fsm.load('magic').fingerprint", ""),
        (GAME, ""),
        ("import fsm; fsm.engine.Machine.from_model(fsm.load('magic'))", "transitions"),
        (HELP, "click"),
    ],
    ids=["import", "model", "game", "machine", "help"],
)
def test_what_is_heavy_is_loaded_only_where_it_is_used(code: str, loaded: str) -> None:
    code = f"import sys\n{code}\nprint(*(name for name in {HEAVY} if name in sys.modules))"
    done = processes.run([sys.executable, "-W", "error", "-c", code])
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == loaded


def test_a_game_goes_on_in_another_process() -> None:
    """Its model has the same fingerprint there."""
    game = fsm.TurnController("magic", ["Alice", "Bob"], orders=fsm.SkipStep("upkeep"))
    fsm.drive(game, fsm.BaseHost(), until=lambda request: request.at.step == "end")
    code = f"import fsm; print(fsm.TurnController.restore('magic', {game.token()!r}).token())"
    printed = processes.run([sys.executable, "-c", code], check=True).stdout
    assert printed == f"{game.token()}\n"


def test_a_game_is_played_saved_restored_and_replayed() -> None:
    game = fsm.TurnController("magic", ["Alice", "Bob"], trace=True)
    fsm.drive(game, fsm.BaseHost(), until=lambda request: request.at.turn == 2)
    assert game.trace is not None
    again = fsm.TurnController.restore("magic", game.snapshot())
    assert again.request == game.request
    assert game.trace.replay("magic").request == game.request


def test_the_programs_of_the_readme_run(tmp_path: Path) -> None:
    found = programs(ROOT / "README.md")
    assert len(found) == 1
    processes.run([sys.executable, "-c", "\n".join(found)], cwd=tmp_path, check=True)


def test_the_installed_distribution_has_this_version() -> None:
    try:
        assert version("turn-fsm") == fsm.__version__
    except PackageNotFoundError:
        pytest.skip("turn-fsm is not installed here: the tests run from the source tree")
