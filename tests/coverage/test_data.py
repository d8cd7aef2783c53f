"""Recorded coverage in files: written, read, added up, torn, damaged, of a machine that has changed,
compared.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import fsm
from fsm.coverage import (
    Data,
    collecting,
    combine,
    context,
    covered,
    difference,
    read,
    save,
    subject_of,
)
from fsm.errors import CoverageError
from support.measured import cover
from support.smallmodels import DARK, LAMP, OFF, ON, SMASH, Lamp

HEAD = '["fsm-coverage-2"]\n'


def recorded(*events: str, test: str = "", plugged: bool = True) -> Data:
    """What one lamp takes in this test."""
    with collecting() as session, context(test):
        Lamp(*events, plugged=plugged)
    return session.data


def taken(data: Data, criterion: str = "transitions") -> dict[str, int]:
    return {id: count for (_, id), count in covered(LAMP, criterion, data).taken.items()}


def test_a_ruleset_from_a_file_has_the_name_of_the_built_in_one() -> None:
    magic = fsm.load("magic")
    assert subject_of(fsm.Model.from_json(magic.to_json())) == subject_of(magic)


# files --------------------------------------------------------------------------------------------


def test_what_is_saved_is_read(tmp_path: Path) -> None:
    data = recorded("press", "press", "smash", test="test_ä")
    save(data, tmp_path / "a.fsmcov")
    assert read(tmp_path / "a.fsmcov") == data


def test_combining_adds_up(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    save(recorded("press", test="one"), tmp_path / "there" / "a.fsmcov")
    save(recorded("press", "press", test="two"), tmp_path / "b.fsmcov")
    both = combine([tmp_path / "there", tmp_path / "b.fsmcov"])
    assert (both.firings, taken(both)) == (3, {ON: 2, OFF: 1})
    assert covered(LAMP, "transitions", both).by["lamp", ON] == {"one": 1, "two": 1}
    assert taken(both, "pairs") == {f"{ON} ; {OFF}": 1}  # not across the two


def test_the_last_line_may_be_torn(tmp_path: Path) -> None:
    path = tmp_path / "killed.fsmcov"
    save(recorded("press"), path)
    whole = path.read_bytes()
    path.write_bytes(whole + b'["step",1,"a')
    data = read(path)
    assert taken(data) == {ON: 1}
    number = len(whole.splitlines()) + 1
    assert data.notes == [
        f"{path}: line {number} is torn and left out: the process that wrote it was killed"
    ]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("{}\n", 'line 1: a coverage file begins with ["fsm-coverage-2"]; record it again'),
        (HEAD + "not json\n", "line 2: this is not an entry"),
        (HEAD + '{"taken":[[0,1,2,3,4,1]],"subject":{}}\n', "line 2: this is not an"),
        (HEAD + '{"taken":[[0,1,2,3,4,1]],"subject":{"name":"a","fingerprint":"b"}}\n', "line 2: "),
        (HEAD + '{"subject":{"name":"a","fingerprint":"b"},"model":{}}\n', "line 2: "),
        (HEAD + "[" * 100_000 + "\n", "line 2: this is not an entry"),
    ],
    ids=["another version", "no JSON", "no subject", "no text", "no model", "deep"],
)
def test_a_damaged_or_foreign_file_is_refused_by_one_line(
    text: str, what: str, tmp_path: Path
) -> None:
    path = tmp_path / "bad.fsmcov"
    path.write_text(text)
    done = cover("report", path)
    assert (done.exit_code, done.stdout) == (2, "")
    [line] = done.stderr.splitlines()
    assert f"{path}: {what}" in line


@pytest.mark.parametrize("use", [read, lambda path: save(Data(), path / "x.fsmcov")])
def test_a_file_that_is_not_there_is_one_clear_error(tmp_path: Path, use: Any) -> None:
    with pytest.raises(CoverageError, match=r"none.*: No such file"):
        use(tmp_path / "none")


# machines that have changed -----------------------------------------------------------------------


def test_a_machine_that_has_changed_is_said_and_matched_by_ids() -> None:
    data = recorded("press", "press", "smash")
    coverage = covered(LAMP.without(SMASH), "transitions", data)
    assert [target.id for target in coverage.covered] == [ON, OFF]
    [note] = coverage.notes
    assert note == "lamp has changed since: 1 of the transitions taken are not in it any more"


def test_what_was_before_and_after_a_transition_that_is_gone_is_no_pair() -> None:
    data = recorded("press", "press", "press", "press", "smash")
    coverage = covered(LAMP.without(OFF), "pairs", data)
    assert coverage.taken == {}


def test_another_machine_is_not_taken_for_it() -> None:
    coverage = covered(replace(LAMP, options={"colour": "red"}), "transitions", recorded("press"))
    assert coverage.taken == {}
    assert coverage.notes[0] == "nothing was recorded of lamp?colour=red; recorded: lamp"


# compared -----------------------------------------------------------------------------------------


def test_what_was_lost_and_gained() -> None:
    before, after = recorded("press", "press"), recorded("press", plugged=False)
    found = difference(before, after)
    assert [(one.subject, one.id) for one in found.lost] == [("lamp", ON), ("lamp", OFF)]
    assert [one.id for one in found.gained] == [DARK, f"{ON} where plugged fails"]


def test_the_same_has_nothing_lost_and_a_machine_that_is_gone_has_lost_all() -> None:
    data = recorded("press")
    assert difference(data, data).lost == difference(data, data).gained == ()
    assert ON in {one.id for one in difference(data, Data()).lost}
