"""The command line as a new user meets it: in a folder of their own, right and wrong."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from click.testing import CliRunner, Result

import fsm
from fsm.cli import COMMANDS, cli
from support import processes


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(a) for a in arguments], prog_name="fsm")


def fsm_process(
    *arguments: object, cwd: Path, env: dict[str, str] | None = None
) -> CompletedProcess[str]:
    command = [sys.executable, "-m", "fsm", *map(str, arguments)]
    return processes.run(command, cwd=cwd, env=env)


def scenario(folder: Path, **changes: object) -> Path:
    data: dict[str, object] = {
        "id": "mine",
        "players": 2,
        "through_turn": 1,
        "given": [
            {"when": {"turn": 1, "step": "declare_attackers"}, "do": "attackers", "count": 1}
        ],
        "expect": [{"turn": 1, "contains": ["declare_blockers", "combat_damage"]}],
    }
    path = folder / "mine.json"
    path.write_text(json.dumps({**data, **changes}), encoding="utf-8")
    return path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


# help ---------------------------------------------------------------------------------------------


def test_help_lists_every_command() -> None:
    for arguments in ([], ["--help"], ["-h"]):
        shown = run(*arguments)
        assert shown.exit_code == 0
        assert all(re.search(rf"^  {name} ", shown.output, re.M) for name in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_an_example(command: str) -> None:
    shown = run(command, "--help")
    assert shown.exit_code == 0
    assert re.search(rf"Examples?:\n +fsm {command}", shown.output)


def test_version() -> None:
    assert run("--version").output == f"turn-fsm {fsm.__version__}\n"


# running ------------------------------------------------------------------------------------------


def test_a_scenario_that_holds(folder: Path) -> None:
    done = run("run", scenario(folder))
    assert (done.exit_code, done.stderr) == (0, "")
    assert "ok   mine: 1 expectation holds" in done.output


def test_a_scenario_that_fails_names_what_was_wanted_and_got(folder: Path) -> None:
    done = run("run", scenario(folder, expect=[{"turn": 1, "visits": {"draw": 1}}]))
    assert done.exit_code == 1
    assert "FAIL mine" in done.output
    assert "draw" in done.output
    assert "Traceback" not in done.output


def test_json_prints_one_object_a_visited_step(folder: Path) -> None:
    done = run("run", scenario(folder), "--format", "json")
    visits = [json.loads(line) for line in done.stdout.splitlines()]
    steps = "untap upkeep precombat_main beginning_of_combat declare_attackers declare_blockers combat_damage"
    assert [v["step"] for v in visits] == [
        *steps.split(),
        "end_of_combat",
        "postcombat_main",
        "end",
        "cleanup",
    ]
    assert visits[1] == {
        "scenario": "mine",
        "turn": 1,
        "active": "A",
        "extra": False,
        "phase": "beginning",
        "step": "upkeep",
        "iteration": 1,
        "priority": True,
    }
    assert "ok   mine" in done.stderr
    assert run("run", scenario(folder), "--json").stdout == done.stdout


def test_an_endless_cleanup_stops_at_the_bound_and_says_so(folder: Path) -> None:
    endless = [{"do": "standing_trigger", "id": "again", "step": "cleanup"}]
    done = run("run", scenario(folder, given=endless, expect=[]), "--max-steps", 200)
    assert "200" in done.output
    assert "↻CL" in done.output


def test_a_when_that_never_comes_is_a_warning_and_with_strict_a_failure(folder: Path) -> None:
    never = [{"when": {"turn": 1, "step": "first_strike_damage"}, "do": "sba"}]
    path = scenario(folder, given=never, expect=[])
    assert run("run", path).exit_code == 0
    assert "warning" in run("run", path).output
    assert run("run", path, "--strict").exit_code == 1


def test_verbose_names_the_transitions_that_were_not_taken(folder: Path) -> None:
    done = run("run", scenario(folder), "--verbose")
    numbers = re.search(r"^(\d+) of (\d+) transitions of the model taken", done.output, re.M)
    assert numbers is not None
    missed = re.findall(r"^  not taken: (.+)$", done.output, re.M)
    assert len(missed) == int(numbers[2]) - int(numbers[1])
    assert "turn -> end_turn_triggers on end_turn" in missed


def test_the_trace_of_a_run_replays(folder: Path) -> None:
    assert run("run", scenario(folder), "--trace", "run.jsonl").exit_code == 0
    trace = fsm.Trace.read((folder / "run.jsonl").read_text("utf-8").splitlines())
    assert trace.replay(fsm.load("magic")).trace.records == trace.records


def test_several_files_are_summed_up(folder: Path) -> None:
    first = scenario(folder)
    second = folder / "other.json"
    wrong = {"id": "other", "players": 2, "through_turn": 1, "expect": [{"turn": 1, "active": "B"}]}
    second.write_text(json.dumps(wrong))
    done = run("run", first, second)
    assert done.exit_code == 1
    assert "1 of 2 scenarios hold" in done.output


# drawing and listing ------------------------------------------------------------------------------


def test_draw_to_standard_output(folder: Path) -> None:
    done = fsm_process("draw", "magic", "-o", "-", "--format", "dot", cwd=folder)
    assert done.stdout.startswith("digraph")
    assert list(folder.iterdir()) == []


def test_draw_replaces_a_file_and_leaves_nothing_else(folder: Path) -> None:
    (folder / "it.svg").write_text("old")
    assert run("draw", "magic", "-o", "it.svg").exit_code == 0
    assert [p.name for p in folder.iterdir()] == ["it.svg"]
    assert (folder / "it.svg").read_text("utf-8") != "old"


def test_rulesets_as_text_and_as_json() -> None:
    assert re.search(r"^magic +CR 2026-01 +\d+ +\d+", run("rulesets").output, re.M)
    magic, *_ = json.loads(run("rulesets", "--json").output)
    model = fsm.load("magic")
    assert (magic["states"], magic["transitions"]) == (len(model.states), len(model.transitions))
    assert magic["fingerprint"] == model.fingerprint


# terminals ----------------------------------------------------------------------------------------


def test_names_from_outside_reach_the_terminal_as_text(folder: Path) -> None:
    path = scenario(folder, id="\x1b[2Jclear", turn_order=["\x9b31mRed", "\ud800"])
    done = fsm_process("run", path, cwd=folder)
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert "\x9b" not in done.stdout
    assert "\\x1b[2Jclear" in done.stdout
    visits = fsm_process("run", path, "--json", cwd=folder).stdout.splitlines()
    assert json.loads(visits[0])["active"] == "\x9b31mRed"
    assert "\x9b" not in visits[0]


def test_a_terminal_without_unicode_gets_plain_signs(folder: Path) -> None:
    done = fsm_process("run", cwd=folder, env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert "@CL" in done.stdout
    assert done.stdout.isascii()


@pytest.mark.parametrize(("closed", "code"), [(">&-", 0), (">&- 2>&-", 0), ("> /dev/full", 2)])
def test_standard_output_that_takes_nothing(folder: Path, closed: str, code: int) -> None:
    command = f"{sys.executable} -m fsm run {closed}"
    done = processes.run(["bash", "-c", command], cwd=folder)
    assert done.returncode == code
    assert done.stderr == ("" if code == 0 else "fsm: No space left on device\n")


def test_a_reader_that_stops_early_is_no_error(folder: Path) -> None:
    command = (
        f"{sys.executable} -m fsm run --verbose | head -n 1 > /dev/null; echo ${{PIPESTATUS[0]}}"
    )
    done = processes.run(["bash", "-c", command], cwd=folder)
    assert done.stderr == ""
