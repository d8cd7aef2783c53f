"""`fsm cover` reports, combines and compares what tests have recorded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from transitions import Machine

from fsm.coverage import collecting, context
from support.commandline import command, refused


def play(*events: str) -> None:
    """Trigger these events on a new machine."""
    rows = [["open", "shut", "open"], ["shut", "open", "shut"], ["lock", "shut", "locked"]]
    machine = Machine(
        states=["shut", "open", "locked"], initial="shut", name="Door", transitions=rows
    )
    for event in events:
        machine.trigger(event)


@pytest.fixture(autouse=True)
def recordings(here: Path) -> None:
    """What has been recorded: `old` has locking, and `.fsm-coverage` has shutting instead."""
    with collecting("old"), context("test_old"):
        play("open")
        play("lock")
    with collecting(".fsm-coverage"), context("test_new"):
        play("open", "shut")


def test_a_report_is_of_what_was_recorded_here() -> None:
    done = command("cover report")
    assert done.exit_code == 0
    head, row, *_ = done.output.splitlines()
    assert head.split() == ["states", "transitions"]
    assert row.startswith("Door") and row.split()[-4:] == ["2/3", "66.6%", "2/3", "66.6%"]


def test_a_report_of_several_recordings_says_what_is_missing() -> None:
    assert "3/3" in command("cover report old .fsm-coverage").output
    done = command("cover report --report term-missing")
    assert "missing: shut -> locked on lock" in done.output


def test_a_threshold_that_is_not_reached_ends_with_1() -> None:
    assert command("cover report --fail-under 60").exit_code == 0
    done = command("cover report --fail-under transitions=99")
    assert done.exit_code == 1
    assert "transitions 66.6% (2 of 3) is below 99%" in done.stderr


def test_reports_are_written_to_files() -> None:
    done = command(
        "cover report old --report markdown:a.md --report json:a.json --report html:a.html"
    )
    assert done.output.splitlines() == [f"written: a.{kind}" for kind in ("md", "json", "html")]
    assert Path("a.md").read_text("utf-8").startswith("## Coverage of state machines")
    report = json.loads(Path("a.json").read_text("utf-8"))
    assert report["machines"][0]["name"].startswith("Door")
    assert report["contexts"] == ["test_old"]
    assert "</html>" in Path("a.html").read_text("utf-8")


def test_combined_recordings_report_the_same() -> None:
    done = command("cover combine old .fsm-coverage -o all.fsmcov")
    assert done.output == "written: all.fsmcov: 4 firings of 1 machine\n"
    together = command("cover report old .fsm-coverage").output
    assert command("cover report all.fsmcov").output == together


def test_diff_ends_with_1_and_names_what_was_lost() -> None:
    done = command("cover diff old .fsm-coverage")
    assert done.exit_code == 1
    assert "- Door: transition shut -> locked on lock" in done.output
    assert "+ Door: transition open -> shut on shut" in done.output
    assert command("cover diff old old").output == "0 lost, 0 gained\n"


def test_a_baseline_holds_what_is_taken_now() -> None:
    assert command("cover baseline old -o base.jsonl").exit_code == 0
    assert command("cover report old --baseline base.jsonl").exit_code == 0
    assert command("cover report .fsm-coverage --baseline base.jsonl").exit_code == 1


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("report nowhere", "'nowhere' does not exist"),
        ("report --criteria pears", "did you mean 'pairs'?"),
        ("report --report htlm", "did you mean 'html'?"),
        ("report --fail-under 120", "'120' is no share in percent"),
        ("report old --baseline nowhere", "'fsm cover baseline -o' writes one"),
        ("combine old", "Missing option '-o'"),
        ("diff", "Missing argument 'BASE'"),
        ("repotr", "did you mean 'report'?"),
    ],
)
def test_a_mistake_is_refused(line: str, said: str) -> None:
    assert said in refused(f"cover {line}")


def test_a_report_before_any_run_says_what_to_run(tmp_path: Path) -> None:
    for file in Path(".fsm-coverage").iterdir():
        file.unlink()
    Path(".fsm-coverage").rmdir()
    assert "run 'pytest --fsm-cov' first" in refused("cover report")
