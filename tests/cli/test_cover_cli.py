"""`fsm cover`: report, combine and compare what was recorded."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
import transitions
from click.testing import CliRunner, Result

import fsm
from fsm import Answer
from fsm.cli.cover import cover
from fsm.coverage import Data, collecting, combine, context

QUICK = ("--criteria", "states,transitions")
"""What of pairs cannot be taken in Magic takes seconds to prove, which other tests see to."""


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cover, [str(a) for a in arguments], prog_name="fsm cover")


def door(*events: str) -> None:
    """A machine that no module has: it is known by the data alone."""
    machine = transitions.Machine(
        states=["shut", "open", "locked"],
        initial="shut",
        name="Door",
        transitions=[
            ["open", "shut", "open"],
            ["shut", "open", "shut"],
            ["lock", "shut", "locked"],
        ],
    )
    for event in events:
        machine.trigger(event)


PLACE = f" (tests/cli/test_cover_cli.py:{door.__code__.co_firstlineno + 2})"
"""Where `door` makes its machine."""


def game(answers: int) -> None:
    controller = fsm.TurnController(fsm.load("magic"), ["A", "B"])
    for _ in range(answers):
        controller.answer(Answer("done", dict.fromkeys(controller.request.facts, False)))


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two recordings: the second lacks what the first has of locking, and has shutting instead."""
    path = tmp_path_factory.mktemp("recorded")
    with collecting(path / "old"), context("test_old"):
        door("open")
        door("lock")
        game(2)
    with collecting(path / ".fsm-coverage"), context("test_new"):
        door("open", "shut")
        game(1)
    return path


@pytest.fixture
def folder(recorded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the recordings, where the command is run."""
    shutil.copytree(recorded, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_what_was_recorded_here(folder: Path) -> None:
    shown = run("report", *QUICK)
    assert shown.exit_code == 0
    lines = (line.replace(PLACE, "") for line in shown.output.splitlines()[1:3])
    rows = {line.split()[0]: line.split()[1::2] for line in lines}
    assert rows["Door"] == ["2/3", "2/3"]
    assert set(rows) == {"Door", "magic"}


def test_the_criteria_when_none_are_named(tmp_path: Path) -> None:
    with collecting(tmp_path):
        door("open", "shut")
    head, row, *_ = run("report", tmp_path).output.splitlines()
    assert head.split() == ["states", "transitions"]
    assert row.replace(PLACE, "").split()[::2] == ["Door", "66.6%", "66.6%"]


def test_several_files_and_what_is_missing(folder: Path) -> None:
    shown = run(
        "report", ".fsm-coverage", "old", "--criteria", "transitions", "--report", "term-missing"
    )
    assert f"Door{PLACE}  3/3  100%" in [
        re.sub(" +3/3", "  3/3", line) for line in shown.output.splitlines()
    ]
    assert re.search(r"^magic: \d+ of \d+ transitions; missing: \d+$", shown.output, re.M)
    assert "      by " in shown.output


def test_enough_of_it(folder: Path) -> None:
    assert run("report", "--fail-under", "0", *QUICK).exit_code == 0
    shown = run("report", *QUICK, "--fail-under", "transitions=99")
    assert shown.exit_code == 1
    assert shown.stderr.startswith("transitions: 2 of 2 machines are below 99%")


def test_reports_in_files_and_for_programs(folder: Path) -> None:
    shown = run(
        "report",
        "old",
        "--report",
        "markdown:a.md",
        "--report",
        "json:a.json",
        *QUICK,
    )
    assert shown.output.splitlines() == [
        "written: a.md",
        "written: a.json",
    ]
    assert (folder / "a.md").read_text().startswith("## Coverage of state machines")
    report = json.loads((folder / "a.json").read_text())
    assert [machine["name"] for machine in report["machines"]] == ["magic", f"Door{PLACE}"]
    assert report["contexts"] == ["test_old"]


def test_combining_keeps_everything_and_the_models(folder: Path) -> None:
    shown = run("combine", "old", ".fsm-coverage", "-o", "all.fsmcov")
    data = combine(["old", ".fsm-coverage"])
    assert shown.output == f"written: all.fsmcov: {data.firings} firings of 2 machines\n"
    assert combine(["all.fsmcov"]) == data
    assert combine(["all.fsmcov"]).models == data.models != {}
    assert (
        run("report", "all.fsmcov", *QUICK).output
        == run("report", "old", ".fsm-coverage", *QUICK).output
    )


def test_what_was_lost(folder: Path) -> None:
    shown = run("diff", "old", ".fsm-coverage")
    assert shown.exit_code == 1
    lines = shown.output.splitlines()
    assert "- Door: transition shut -> locked on lock" in lines
    assert "+ Door: transition open -> shut on shut" in lines
    assert "+ Door: pair shut -> open on open ; open -> shut on shut" in lines
    assert sum(line.startswith("- magic") for line in lines) > 0
    assert run("diff", "old", "old").exit_code == 0
    assert run("diff", "old", "old").output == "0 lost, 0 gained\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["report", "nowhere"], "'nowhere' does not exist"),
        (["report", "empty"], "'empty' has no files *.fsmcov"),
        (["report", "text"], "text: line 1"),
        (["report", "--criteria", "pears"], "did you mean 'pairs'?"),
        (["report", "--report", "htlm"], "did you mean 'html'?"),
        (["report", "--report", "json:no/where.json", *QUICK], "cannot be written"),
        (["report", "--fail-under", "120"], "'120' is no share in percent"),
        (["combine", "old"], "Missing option '-o'"),
        (["combine", "old", "-o", "no/where.fsmcov"], "no/where.fsmcov"),
        (["diff"], "Missing argument 'BASE'"),
        (["baseline", "old"], "Missing option '-o'"),
        (["baseline", "old", "-o", "x", "--criteria", "transition"], "did you mean 'transitions'?"),
        (["report", "old", "--baseline", "nowhere"], "'fsm cover baseline -o' writes one"),
        (["report", "old", "--baseline", "text"], "text: line 1"),
        (["repotr"], "did you mean 'report'?"),
    ],
)
def test_mistakes(folder: Path, arguments: list[str], said: str) -> None:
    (folder / "empty").mkdir()
    (folder / "text").write_text("hello\n")
    shown = run(*arguments)
    assert shown.exit_code == 2
    assert said in shown.stderr and len(shown.stderr.splitlines()) == 1


def test_without_a_run_it_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shown = run("report")
    assert shown.exit_code == 2 and "run 'pytest --fsm-cov' first" in shown.stderr


@pytest.mark.parametrize("command", ["report", "combine", "diff", "baseline"])
def test_every_command_has_an_example(command: str) -> None:
    assert f"fsm cover {command}" in run(command, "--help").output


def test_a_model_that_cannot_be_read_is_left_out(folder: Path) -> None:
    data = combine(["old"])
    assert isinstance(data, Data)
    path = next(Path("old").glob("*.fsmcov"))
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(line for line in lines if not line.startswith('["model"')))
    shown = run("report", "old", *QUICK)
    assert shown.exit_code == 0
    assert "Door" not in shown.output.splitlines()[1]
