"""A baseline lists what was taken. What it lists must not be lost, and may be gained."""

from __future__ import annotations

from pathlib import Path

import pytest

from fsm.coverage import Data
from fsm.coverage.baseline import Baseline, is_baseline, read_baseline
from fsm.coverage.comparing import Taken
from fsm.coverage.reports.losses import lost_from, notes_on
from fsm.errors import CoverageError
from support.smallmodels import DARK, LAMP, OFF, ON, SMASH, recorded

LOST = Taken("lamp", "lamp", "transition", OFF)


def lamp(*walks: list[tuple[str, str]]) -> Data:
    data = recorded(LAMP, *walks)
    data.models = {subject: LAMP.to_json() for subject in data.seen}
    return data


BOTH, ONE = lamp([(ON, "off"), (OFF, "on")]), lamp([(ON, "off")])


def saved(folder: Path, text: str) -> Path:
    path = folder / "base.jsonl"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_file_has_a_sorted_line_for_each_thing_and_is_read_as_it_was(tmp_path: Path) -> None:
    baseline = Baseline.of(BOTH)
    head, *lines = baseline.text.splitlines()
    assert head == '["fsm-coverage-baseline-1", "literal", "transition"]'
    assert lines == sorted(lines) and len(lines) == len(baseline.taken) == 2
    path = saved(tmp_path, baseline.text)
    assert read_baseline(path) == baseline and is_baseline(path)


def test_lines_of_two_branches_are_merged_by_keeping_all(tmp_path: Path) -> None:
    head, *lines = Baseline.of(BOTH).text.splitlines()
    mixed = "\n".join([head, *reversed(lines), "", *lines]) + "\n"
    assert read_baseline(saved(tmp_path, mixed)) == Baseline.of(BOTH)


def test_only_what_was_taken_and_no_longer_is_is_lost() -> None:
    assert Baseline.of(BOTH).compare(ONE).lost == (LOST,)
    gained = Baseline.of(ONE).compare(BOTH)
    assert (gained.lost, gained.gained, gained.notes) == ((), (LOST,), ())
    assert not Baseline.of(BOTH).compare(BOTH).gained


def test_pairs_count_only_if_they_are_listed() -> None:
    pair = Taken("lamp", "lamp", "pair", f"{ON} ; {OFF}")
    apart = lamp([(ON, "off")], [(OFF, "on")])
    assert not Baseline.of(BOTH).compare(apart).lost
    assert Baseline.of(BOTH, ["pairs"]).compare(apart).lost == (pair,)
    with pytest.raises(CoverageError, match="'states' cannot be in a baseline"):
        Baseline.of(BOTH, ["states"])


def test_a_transition_that_the_machine_no_longer_has_is_not_lost(tmp_path: Path) -> None:
    text = Baseline.of(ONE).text + '["lamp", "lamp", "transition", "on -> green on paint"]\n'
    found = read_baseline(saved(tmp_path, text)).compare(ONE)
    assert found.lost == ()
    assert found.notes == (
        "lamp has changed: 1 lines of the baseline name what is not in it any more",
    )
    assert (
        list(notes_on("base", found))[-1]
        == "base: 'fsm cover baseline -o base' brings it up to date"
    )


def test_all_is_lost_of_a_machine_that_was_not_recorded() -> None:
    assert len(Baseline.of(BOTH).compare(Data()).lost) == 2


def test_a_long_loss_is_told_in_a_few_lines() -> None:
    many = Baseline.of(
        lamp([(ON, "off"), (OFF, "on"), (DARK, "off"), (SMASH, "off")]), ["transitions", "pairs"]
    )
    (said,) = lost_from("base", many.compare(Data()))
    head, *lines = said.splitlines()
    assert head == f"base: {len(many.taken)} of what it lists is no longer taken"
    assert len(lines) == 6 and lines[-1].strip() == f"and {len(many.taken) - 5} more"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1"),
        ("hello\n", "line 1"),
        (
            '["fsm-coverage-baseline-9"]\n',
            'line 1: a baseline begins with ["fsm-coverage-baseline-1"',
        ),
        (
            '["fsm-coverage-baseline-1", "transition"]\n<<<<<<< HEAD\n',
            "line 2: this is not a line of a baseline",
        ),
        ('["fsm-coverage-baseline-1", "transition"]\n["lamp"]\n', "line 2: write [machine"),
    ],
)
def test_a_file_that_cannot_be_read_names_the_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(CoverageError) as error:
        read_baseline(saved(tmp_path, text))
    assert said in str(error.value)
