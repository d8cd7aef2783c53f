"""The package is whole: it imports lightly, it plays a game, and it is installed as it says."""

from __future__ import annotations

import re
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

import fsm
from support import processes
from support.folders import ROOT
from support.playing import until

HEAVY = [
    "click",
    "graphviz",
    "jsonschema",
    "rich",
    "transitions",
]
GAME = """
import fsm
game = fsm.TurnController(fsm.load("magic"), ["A", "B"])
game.answer(fsm.Answer())
game.snapshot()
game.fork()
"""


def loaded_by(code: str) -> str:
    """Which of the heavy packages are loaded once this code has run in a new process, with warnings
    as errors.
    """
    code = f"import sys\n{code}\nprint(*(name for name in {HEAVY} if name in sys.modules))"
    done = processes.run([sys.executable, "-W", "error", "-c", code])
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()[-1]


@pytest.mark.no_fsm_cov
@pytest.mark.parametrize(
    ("code", "loaded"),
    [
        ("import fsm", ""),
        ("import fsm; fsm.load('magic').fingerprint", ""),
        (GAME, ""),
        (f"{GAME}game.trace", ""),
        ("import fsm; fsm.engine.Machine.from_model(fsm.load('magic'))", "transitions"),
        (
            "from fsm.cli import cli\ntry: cli.main(['--help'], prog_name='fsm')\nexcept SystemExit: pass",
            "click",
        ),
    ],
    ids=["import", "model", "game", "trace", "machine", "help"],
)
def test_what_is_heavy_is_loaded_only_where_it_is_used(code: str, loaded: str) -> None:
    assert loaded_by(code) == loaded


def test_a_game_is_played_saved_restored_and_replayed() -> None:
    model = fsm.load("magic")
    game = fsm.TurnController(model, ["Alice", "Bob"])
    until(game, lambda request: request.at.turn == 2)
    again = fsm.TurnController.restore(model, game.snapshot())
    assert again.request == game.request
    assert game.trace.replay(model).request == game.request


def test_the_readme_s_programs_run(tmp_path: Path) -> None:
    programs = re.findall(r"```python\n(.+?)```", (ROOT / "README.md").read_text("utf-8"), re.S)
    assert programs
    for program in programs:
        processes.run([sys.executable, "-c", program], cwd=tmp_path, check=True)


def test_the_installed_distribution() -> None:
    try:
        assert version("turn-fsm") == fsm.__version__
    except PackageNotFoundError:
        pytest.skip("turn-fsm is not installed here: the tests run from the source tree")
    assert (Path(fsm.__file__).parent / "py.typed").exists()
