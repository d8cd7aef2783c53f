"""`fsm explore` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import fsm
from fsm import TurnController
from fsm.cli import cli


def run(*args: str) -> tuple[int, str]:
    """Exit code and output of a command."""
    result = CliRunner().invoke(cli, ["explore", *args])
    return result.exit_code, result.output


def test_it_writes_a_page(tmp_path: Path) -> None:
    path = tmp_path / "turn.html"
    assert run("magic", "-o", str(path), "--players", "Ann, Ben", "--theme", "dark") == (
        0,
        f"written: {path}\n",
    )
    page = path.read_text(encoding="utf-8")
    assert (
        page.startswith("<!DOCTYPE html>")
        and 'data-theme="dark"' in page
        and '"players":["Ann","Ben"]' in page
    )


def test_it_loads_a_scenario_and_its_trace(tmp_path: Path) -> None:
    case, trace, path = tmp_path / "case.json", tmp_path / "case.jsonl", tmp_path / "case.html"
    case.write_text(json.dumps({"turn_order": ["Ann", "Ben"], "through_turn": 1}), encoding="utf-8")
    assert CliRunner().invoke(cli, ["run", str(case), "--trace", str(trace)]).exit_code == 0
    for source in (case, trace):
        assert run("magic", "-o", str(path), "--load", str(source)) == (0, f"written: {path}\n")
        assert '"answers":[{"is":"Answer"' in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (("magik", "-o", "x.html"), "did you mean 'magic'"),
        (("magic",), "Missing option '-o'"),
        (("magic", "-o", "x.html", "--theme", "drak"), "did you mean 'dark'"),
        (("magic", "-o", "x.html", "--players", ""), "players must be"),
        (("magic", "-o", "x.html", "--load", "no-such.json"), "no-such.json"),
        (
            ("magic", "-o", "x.html", "--load", "two.json", "--players", "A"),
            "leave one of the two out",
        ),
        (("magic-2010", "-o", "x.html", "--load", "magic.jsonl"), "was recorded with magic"),
        (("magic", "-o", "x.html", "--load", "two.json"), "holds 2 scenarios"),
        (("magic", "-o", "x.html", "--load", "bad.jsonl"), "trace line 1"),
    ],
)
def test_wrong_input_is_one_sentence_and_writes_nothing(
    args: tuple[str, ...], error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    trace = "".join(
        f"{line}\n" for line in TurnController(fsm.load("magic"), ["A", "B"]).trace.lines()
    )
    Path("magic.jsonl").write_text(trace, encoding="utf-8")
    Path("two.json").write_text("[{}, {}]", encoding="utf-8")
    Path("bad.jsonl").write_text("{}", encoding="utf-8")
    code, output = run(*args)
    assert code == 2 and error in output and len(output.splitlines()) == 1
    assert not Path("x.html").exists()
