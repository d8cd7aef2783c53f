"""`fsm cover` reports, combines and compares what tests have recorded."""

from __future__ import annotations

import shutil

import pytest
from transitions import Machine

from fsm.coverage import collecting, context
from support.commandline import refused, says


def play(*events: str) -> None:
    """Trigger these events on a new machine."""
    rows = [["open", "shut", "open"], ["shut", "open", "shut"], ["lock", "shut", "locked"]]
    machine = Machine("self", ["shut", "open", "locked"], "shut", rows, name="Door")
    for event in events:
        machine.trigger(event)


@pytest.fixture(autouse=True)
def recordings(here: object) -> None:
    """What has been recorded: `old` has locking, and `.fsm-coverage` has shutting instead."""
    with collecting("old"), context("test_old"):
        play("open")
        play("lock")
    with collecting(".fsm-coverage"), context("test_new"):
        play("open", "shut")


def test_a_report_is_of_what_was_recorded_here() -> None:
    head, row, *_ = says("cover report").splitlines()
    assert head.split() == ["states", "transitions"]
    assert row.startswith("Door") and row.split()[-4:] == ["2/3", "66.6%", "2/3", "66.6%"]


def test_a_report_of_several_recordings_and_of_what_is_missing() -> None:
    assert "3/3" in says("cover report old .fsm-coverage")
    assert "  shut -> locked on lock\n" in says("cover report --report term-missing")


def test_combined_recordings_report_the_same() -> None:
    told = says("cover combine old .fsm-coverage -o all.fsmcov")
    assert told == "written: all.fsmcov\n"
    assert says("cover report all.fsmcov") == says("cover report old .fsm-coverage")


def test_diff_ends_with_1_and_names_what_was_lost() -> None:
    told = says("cover diff old .fsm-coverage", code=1)
    assert "- Door: shut -> locked on lock" in told
    assert "+ Door: open -> shut on shut" in told
    assert says("cover diff old old") == "0 lost, 0 gained\n"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("report nowhere", "nowhere: this cannot be read: No such file"),
        ("report --criteria pears", "did you mean 'pairs'?"),
        ("report --report htlm", "did you mean 'html'?"),
        ("report --fail-under 120", "'120' is no share in percent"),
        ("report old --baseline nowhere", "nowhere: this cannot be read: No such file"),
        ("combine old", "Missing option '-o'"),
        ("diff", "Missing argument 'BASE'"),
        ("repotr", "Did you mean 'report'?"),
    ],
)
def test_a_mistake_is_refused(line: str, said: str) -> None:
    assert said in refused(f"cover {line}")


def test_a_report_before_any_run_says_what_to_run() -> None:
    shutil.rmtree(".fsm-coverage")
    assert "run 'pytest --fsm-cov' first" in refused("cover report")
