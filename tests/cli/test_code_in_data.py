"""Data files name built-in rulesets and model files beside them; code is named on the command line
or in Python.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import fsm
from fsm import Answer, Trace, TurnController, scenarios
from fsm.cli import cli
from fsm.coverage import Data, Subject, Walk, combine, save
from fsm.coverage.data import Seen
from fsm.errors import FsmError, ScenarioError
from fsm.model import Model
from fsm.scenarios import play

LANTERNS = "lanterns:LANTERNS"
TWO_TURNS = {
    "through_turn": 2,
    "expect": [{"turn": 1, "steps": ["kindle", "market", "challenge", "curfew"]}],
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, with a module `beside.py` that says so when it is imported."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    text = "import fsm, pathlib\npathlib.Path('imported').touch()\nMODEL = fsm.load('magic')\n"
    Path("beside.py").write_text(text, encoding="utf-8")
    return tmp_path


def written(path: str, data: object) -> str:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(json.dumps(data), encoding="utf-8")
    return path


def command(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words), prog_name="fsm")


def refused(*words: str) -> str:
    """The one line that a command says as it refuses its input."""
    done = command(*words)
    assert (done.exit_code, done.stdout, len(done.stderr.splitlines())) == (2, "", 1), done.output
    return done.stderr


# what a scenario may name -------------------------------------------------------------------------

CODE = [
    "beside:MODEL",
    "beside:MODEL?x=1",
    "beside:",
    "sys:exit",
    "os:abort",
    "os:getcwd",
    "json.tool:main",
    ":x",
]


@pytest.mark.parametrize("spec", CODE)
def test_a_scenario_that_names_code_is_refused_and_nothing_is_imported(
    spec: str, here: Path
) -> None:
    case = written("case.json", {"ruleset": spec, "expect": [{"turn_order": ["B"]}]})
    line = refused("run", case)
    assert "case.json" in line and "a file cannot name code" in line
    with pytest.raises(ScenarioError, match="a file cannot name code"):
        scenarios.load(case)
    with pytest.raises(ScenarioError, match="a file cannot name code"):
        fsm.scenarios.load({"ruleset": spec}, place="here")
    assert "beside" not in sys.modules and not Path("imported").exists()


def test_the_remedy_is_a_command_that_plays_it(here: Path) -> None:
    case = written("case.json", {"ruleset": LANTERNS, **TWO_TURNS})
    _, _, remedy = refused("run", case).strip().partition("fsm ")
    done = command(*shlex.split(remedy.replace("FILE", case)))
    assert done.exit_code == 0, done.output


def test_the_remedy_holds_no_command_that_the_file_wrote(here: Path) -> None:
    spec = "a:$(touch imported); b"
    _, _, remedy = refused("run", written("case.json", {"ruleset": spec})).strip().partition("fsm ")
    assert shlex.split(remedy) == ["run", "--ruleset", spec, "FILE"]


def test_where_a_ruleset_is_given_anyway_that_of_the_scenario_is_not_read(here: Path) -> None:
    case = written("case.json", {"ruleset": "beside:MODEL"})
    done = command("explore", "magic", "-o", "page.html", "--load", case)
    assert done.exit_code == 0, done.output
    assert "beside" not in sys.modules and not Path("imported").exists()


def test_a_scenario_may_name_a_model_file_beside_it(
    here: Path, magic: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder is the scenario's, wherever the command is run."""
    written("cases/house.json", magic.to_json())
    written("cases/models/house.json", magic.to_json())
    names = ("house.json", "models/house.json")
    cases = [written(f"cases/{i}.json", {"ruleset": name}) for i, name in enumerate(names)]
    (here / "elsewhere").mkdir()
    monkeypatch.chdir(here / "elsewhere")
    for case in cases:
        assert command("run", str(here / case)).exit_code == 0
        [scenario] = scenarios.load(here / case)
        assert scenario.model.fingerprint == magic.fingerprint


ELSEWHERE = [
    "../house.json", "sub/../../house.json", "sub/../house.json", "{here}/cases/house.json", "/etc/passwd",
    "out/house.json", "round/x.json", "sub/\0.json",
]  # fmt: skip


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_model_file_elsewhere_is_refused(name: str, here: Path, magic: Model) -> None:
    for place in ("house.json", "cases/house.json", "cases/sub/house.json"):
        written(place, magic.to_json())
    Path("cases/out").symlink_to(here)
    Path("cases/round").symlink_to("round")
    case = written("cases/case.json", {"ruleset": name.format(here=here)})
    line = refused("run", case)
    assert "model file" in line and (
        "in or below its own folder" in line or "cannot be read" in line
    )


def test_a_model_file_that_is_not_there_is_refused_with_a_remedy(here: Path, magic: Model) -> None:
    written("house.json", magic.to_json())
    line = refused("run", written("cases/case.json", {"ruleset": "house.json"}))
    assert "is not beside the file that names it" in line and "--ruleset house.json FILE" in line


# other data ---------------------------------------------------------------------------------------


def test_a_trace_names_no_code(here: Path, magic: Model) -> None:
    game = TurnController(magic, ["A", "B"])
    game.answer(Answer())
    lines = [
        line.replace('"model":"magic"', '"model":"beside:MODEL"') for line in game.trace.lines()
    ]
    assert "beside:MODEL" in lines[0]
    shown: dict[str, Any] = Trace.read(lines)._repr_mimebundle_()
    assert set(shown) == {"text/plain"}
    Path("trace.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for words in (
        ("conform", "trace.jsonl"),
        ("draw", "magic", "-o", "x.svg", "--trace", "trace.jsonl"),
        ("explore", "magic", "-o", "x.html", "--load", "trace.jsonl"),
    ):
        command(*words)
    assert "beside" not in sys.modules and not Path("imported").exists()


def test_a_snapshot_names_no_code(here: Path, magic: Model) -> None:
    snapshot = {**TurnController(magic, ["A", "B"]).snapshot(), "model": "beside:MODEL"}
    with pytest.raises(FsmError):
        TurnController.restore(magic, snapshot)
    assert "beside" not in sys.modules


def test_coverage_data_names_no_code(here: Path) -> None:
    walk = Walk("turn", (("a -> b", "a"),))
    save(Data({Subject("beside:MODEL", "0" * 16): Seen(Counter([walk]))}), "x.fsmcov")
    assert combine(["x.fsmcov"]).firings == 1
    command("cover", "report", "x.fsmcov")
    assert "beside" not in sys.modules and not Path("imported").exists()


# what is named on the command line, and in Python -------------------------------------------------


def test_run_plays_all_scenarios_by_the_ruleset_that_is_given(here: Path, magic: Model) -> None:
    """Whatever they name, and whatever options they have."""
    named = ["magic", LANTERNS, "no such", "../house.json"]
    cases = [written(f"{i}.json", {"ruleset": name, **TWO_TURNS}) for i, name in enumerate(named)]
    cases.append(
        written("options.json", {"options": {"extra_draw_on_first_turn": False}, **TWO_TURNS})
    )
    done = command("run", "--ruleset", LANTERNS, *cases)
    assert done.exit_code == 0, done.output
    written("house.json", fsm.load(LANTERNS).to_json())
    assert command("run", "--ruleset", "house.json", *cases).exit_code == 0
    assert (
        command("run", "--ruleset", "magic", written("quiet.json", {"ruleset": LANTERNS})).exit_code
        == 0
    )
    assert "did you mean 'magic'?" in refused("run", "--ruleset", "magick", cases[0])


@pytest.mark.parametrize("as_model", [True, False])
def test_python_gives_a_ruleset_as_a_model_or_by_name(as_model: bool, here: Path) -> None:
    case = written("case.json", {"ruleset": "beside:MODEL", **TWO_TURNS})
    ruleset = fsm.load(LANTERNS) if as_model else LANTERNS
    for [scenario] in (
        scenarios.load(case, ruleset=ruleset),
        fsm.scenarios.load(
            json.loads(Path(case).read_text(encoding="utf-8")), place="case", ruleset=ruleset
        ),
    ):
        assert scenario.model == fsm.load(LANTERNS)
        assert play(scenario).ok
    assert "beside" not in sys.modules


def test_paths_through_a_ruleset_of_code_are_played_again(here: Path) -> None:
    """What `fsm paths` writes says what it is of, and is played with --ruleset."""
    assert (
        command(
            "paths", LANTERNS, "--to", "curfew_begin", "--format", "scenario", "-o", "paths.json"
        ).exit_code
        == 0
    )
    assert f"--ruleset {LANTERNS} FILE" in refused("run", "paths.json")
    done = command("run", "--ruleset", LANTERNS, "paths.json")
    assert done.exit_code == 0, done.output


# the user's code ----------------------------------------------------------------------------------

BREAKS = {
    "import": "{raises}",
    "call": "def MODEL():\n    {raises}",
    "read": "def __getattr__(name):\n    {raises}",
}


@pytest.mark.parametrize("place", BREAKS)
@pytest.mark.parametrize(
    "raises", ["raise SystemExit(0)", "import sys; sys.exit()", "raise ValueError('no')"]
)
@pytest.mark.parametrize("words", ["run --ruleset {} case.json", "check {}"])
def test_what_the_users_code_raises_is_one_sentence(
    words: str, raises: str, place: str, here: Path
) -> None:
    name = f"mine_{place}"
    Path(f"{name}.py").write_text(BREAKS[place].format(raises=raises) + "\n", encoding="utf-8")
    sys.modules.pop(name, None)
    written("case.json", {})
    line = refused(*words.format(f"{name}:MODEL").split())
    assert f"{name}:MODEL" in line and ("SystemExit" in line or "ValueError: no" in line)


DOOR = """
import transitions
class Door:
    def {method}(self, *_):
        raise SystemExit(0)
MACHINE = transitions.Machine(Door(), ["open", "shut"], initial="open", auto_transitions=False,
    transitions=[dict(trigger="close", source="open", dest="shut", before="leave")])
"""


def test_a_callback_that_exits_keeps_its_transition_from_firing(
    here: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """As any other exception that a callback raises."""
    Path("exiting.py").write_text(DOOR.format(method="leave"), encoding="utf-8")
    sys.modules.pop("exiting", None)
    assert command("paths", "exiting:MACHINE").exit_code == 1
    assert (
        "no way: open -> shut on close: its callbacks do not let it pass" in capfd.readouterr().out
    )


def test_an_exit_that_nothing_else_notices_is_one_sentence(here: Path) -> None:
    """Here it comes from copying the machine; it must not end the command with a code of its own."""
    Path("copying.py").write_text(DOOR.format(method="__deepcopy__"), encoding="utf-8")
    sys.modules.pop("copying", None)
    assert "SystemExit: 0" in refused("paths", "copying:MACHINE")


def test_an_interrupt_in_the_users_code_stays_one(here: Path) -> None:
    Path("interrupted.py").write_text("raise KeyboardInterrupt\n", encoding="utf-8")
    sys.modules.pop("interrupted", None)
    assert command("check", "interrupted:MODEL").exit_code == 130
