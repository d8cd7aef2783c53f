"""Data names built-in rulesets and model files beside it. Code is named on the command line only."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

import fsm
from support.commandline import command, refused, says, written

TOUCHES = "import pathlib, fsm\npathlib.Path('imported').touch()\nMODEL = fsm.load('magic')\n"


@pytest.fixture(autouse=True)
def beside(here: Path) -> None:
    """A module that says so when it is imported."""
    written("beside.py", TOUCHES)


def nothing_was_imported() -> bool:
    return "beside" not in sys.modules and not Path("imported").exists()


@pytest.mark.parametrize("spec", ["beside:MODEL", "beside:MODEL?x=1", "beside:", "os:abort", ":x"])
def test_a_scenario_that_names_code_is_refused(spec: str) -> None:
    assert "a file cannot name code" in refused("run", written("case.json", {"ruleset": spec}))
    with pytest.raises(fsm.errors.ScenarioError, match="a file cannot name code"):
        fsm.scenarios.load({"ruleset": spec}, place="here")
    assert nothing_was_imported()


def test_the_remedy_is_a_command_that_plays_it_and_holds_no_other_command() -> None:
    case = written(
        "case.json", {"ruleset": "lanterns:LANTERNS", "expect": [{"turn": 1, "active": "A"}]}
    )
    remedy = refused("run", case).strip().partition("fsm run ")[2]
    says("run", *shlex.split(remedy.replace("FILE", case)))
    evil = "a:$(touch imported); b"
    remedy = refused("run", written("case.json", {"ruleset": evil})).strip().partition("fsm ")[2]
    assert shlex.split(remedy) == ["run", "--ruleset", evil, "FILE"]


def test_a_scenario_may_name_a_model_file_in_or_below_its_own_folder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written("cases/models/house.json", fsm.load("magic").to_json())
    case = Path(written("cases/case.json", {"ruleset": "models/house.json"})).resolve()
    Path("elsewhere").mkdir()
    monkeypatch.chdir("elsewhere")
    says("run", case)


@pytest.mark.parametrize(
    "name", ["../house.json", "below/../../house.json", "/etc/house.json", "out/house.json"]
)
def test_a_model_file_elsewhere_is_refused(name: str) -> None:
    written("house.json", fsm.load("magic").to_json())
    written("cases/below/other.json", {})
    Path("cases/out").symlink_to(Path.cwd())
    line = refused("run", written("cases/case.json", {"ruleset": name}))
    assert "in or below its own folder" in line


def test_traces_and_snapshots_and_recorded_coverage_name_no_code() -> None:
    game = fsm.TurnController("magic", ["A", "B"])
    lines = "\n".join(fsm.Trace.of(game).lines())
    written("trace.jsonl", lines.replace('"model":"magic"', '"model":"beside:MODEL"'))
    command("conform trace.jsonl")
    command("draw magic -o x.svg --trace trace.jsonl")
    with pytest.raises(fsm.FsmError):
        fsm.TurnController.restore("magic", {**game.snapshot(), "model": "beside:MODEL"})
    with fsm.coverage.collecting("taken"):
        fsm.TurnController("magic", ["A", "B"])
    for file in Path("taken").iterdir():
        file.write_text(file.read_text("utf-8").replace('"magic"', '"beside:MODEL"'), "utf-8")
    command("cover report taken")
    assert nothing_was_imported()


def test_what_fsm_paths_writes_of_code_is_played_with_its_name() -> None:
    words = "paths lanterns:LANTERNS --to curfew_begin --format scenario -o paths.json"
    says(words)
    assert "--ruleset lanterns:LANTERNS FILE" in refused("run paths.json")
    says("run --ruleset lanterns:LANTERNS paths.json")


@pytest.mark.parametrize(
    "code",
    [
        "raise SystemExit(0)",
        "def MODEL():\n    raise ValueError('no')",
        "def __getattr__(_):\n    exit()",
    ],
    ids=["import", "call", "read"],
)
def test_what_the_users_code_raises_is_one_line(code: str) -> None:
    written("mine.py", code)
    line = refused("check mine:MODEL")
    assert "mine:MODEL" in line
    assert "SystemExit" in line or "ValueError: no" in line


def test_an_interrupt_in_the_users_code_is_an_interrupt() -> None:
    written("mine.py", "raise KeyboardInterrupt\n")
    assert says("check mine:MODEL", code=130).strip() == "fsm: interrupted"
