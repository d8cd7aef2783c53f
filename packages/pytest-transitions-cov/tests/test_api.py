"""The names of `transitions_cov`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from transitions import Machine

import transitions_cov
from transitions_cov import (
    CoverageError,
    collect,
    combine,
    compare,
    covered,
    criteria,
    report,
    subjects,
    traversed,
)


def door() -> Any:
    """A door of which every test takes something else."""
    states, rows = (
        ["shut", "open", "locked"],
        [["push", "shut", "open"], ["lock", "shut", "locked"]],
    )
    return Machine(
        states=states, transitions=rows, initial="shut", auto_transitions=False, name="Door"
    )


def test_every_name_is_there() -> None:
    assert all(hasattr(transitions_cov, name) for name in transitions_cov.__all__)


def test_what_is_collected_can_be_measured_and_reported() -> None:
    with collect() as session:
        machine = door()
        machine.push()
    [subject] = subjects(session.data)
    for of in (machine, subject):
        coverage = covered(of, "transitions", session.data)
        assert [target.id for target in coverage.missing] == ["shut -> locked on lock"]
    assert "missing: shut -> locked on lock" in report(
        session.data, "term-missing", ["transitions"]
    )
    assert json.loads(report(session.data, "json"))["machines"][0]["firings"] == 1
    assert {"states", "transitions", "pairs"} <= set(criteria())


def test_runs_are_joined_and_compared(tmp_path: Path) -> None:
    for name, event in (("a", "push"), ("b", "lock")):
        with collect(tmp_path / name):
            door().trigger(event)
    one, both = combine([tmp_path / "a"]), combine([tmp_path / "a", tmp_path / "b"])
    assert both.firings == 2
    assert compare(one, both).gained
    assert not compare(one, both).lost


def test_a_path_is_asserted() -> None:
    with traversed(machine := door()) as way:
        machine.push()
    assert way.took("shut -> open")
    assert not way.took_all()
    assert way.covered("transitions").share == 0.5


def test_another_object_is_refused() -> None:
    kinds = "a machine of the transitions library or one of its models, not a str"
    with pytest.raises(CoverageError, match=kinds), traversed("door"):
        pass
    with pytest.raises(CoverageError, match="covered\\(\\) takes a machine"):
        covered("door", "transitions", transitions_cov.Data())
