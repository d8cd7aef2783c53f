"""Recorded coverage as files: written, read, combined, torn, damaged, of a model that has changed,
compared.
"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from fsm.coverage import Data, Subject, Walk, combine, covered, difference, read, save, subject_of
from fsm.coverage.comparing import Taken
from fsm.errors import CoverageError
from support.smallmodels import DARK, LAMP, OFF, ON, SMASH, recorded

LAMPS = subject_of(LAMP)


def full() -> Data:
    """A bit of everything."""
    data = recorded(
        LAMP,
        [(ON, "off"), (OFF, "on")],
        [(ON, "off"), (OFF, "on")],
        [(DARK, "off")],
        context="test_a",
    )
    seen = data.of(LAMPS)
    seen.walks[
        Walk("lamp", ((ON, "off"), (OFF, "on"), (ON, "off")), ((0, "test_a"), (2, "test_ä")))
    ] += 2
    seen.literals["lamp", "test_a", (ON, "not burnt", False)] += 3
    seen.refused["lamp", "", ("broken", "press")] += 1
    seen.starts |= {"off", "on"}
    data.of(Subject("other", "f" * 16)).walks[Walk("turn", (("x", "y"),))] += 1
    return data


def test_what_is_saved_is_read(tmp_path: Path) -> None:
    save(full(), tmp_path / "a.fsmcov")
    assert read(tmp_path / "a.fsmcov") == full()


def test_files_and_directories_are_combined(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    save(full(), tmp_path / "there" / "a.fsmcov")
    save(full(), tmp_path / "b.fsmcov")
    twice = full()
    twice.update(full())
    assert combine([tmp_path / "there", tmp_path / "b.fsmcov"]) == twice
    assert twice.firings == 2 * full().firings == 2 * (2 + 2 + 1 + 6 + 1)
    assert twice.contexts == ("", "test_a", "test_ä")


def test_which_test_took_what() -> None:
    coverage = covered(LAMP, "transitions", full())
    assert coverage.by["lamp", ON] == {"test_a": 4, "test_ä": 2}
    assert covered(LAMP, "transitions", full(), context="test_ä").taken == {("lamp", ON): 2}
    assert covered(LAMP, "pairs", full()).by["lamp", f"{OFF} ; {ON}"] == {"test_ä": 2}


def test_the_last_line_may_be_torn(tmp_path: Path) -> None:
    path = tmp_path / "killed.fsmcov"
    save(full(), path)
    whole = path.read_bytes()
    start, lines = whole.rstrip(b"\n").rindex(b"\n") + 1, len(whole.splitlines())
    for cut in (start + 1, len(whole) - 1):
        path.write_bytes(whole[:cut])
        data = read(path)
        assert data.of(LAMPS) == full().of(LAMPS)
        assert [note.partition(": ")[2] for note in data.notes] == [
            f"line {lines} is torn and left out: the process that wrote it was killed"
        ]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("{}\n", 'line 1: a coverage file begins with ["fsm-coverage-1"]'),
        ("not json\n", "line 1: this is not an entry"),
        ('["fsm-coverage-4"]\n', "line 1: a coverage file begins"),
        ('["fsm-coverage-1"]\n["walk",1,7,"turn",0,[]]\n', "line 2: this is not an entry"),
        ('["fsm-coverage-1"]\n["dance"]\n', "line 2: this is not an entry"),
        ('["fsm-coverage-1"]\n["step",1,["a"],"b"]\n', "line 2: (['a'], 'b') is no step"),
        ('["fsm-coverage-1"]\n["step",1,"a"]\n', "line 2: ('a',) is no step"),
        (
            '["fsm-coverage-1"]\n["subject",1,"a","b","c"]\n',
            "line 2: ('a', 'b', 'c') is no subject",
        ),
        ('["fsm-coverage-1"]\n5\n', "line 2: this is not an entry"),
        ('["fsm-coverage-1"]\n' + "[" * 100_000 + "\n", "line 2: this is not an entry"),
    ],
)
def test_a_damaged_file_is_one_clear_error(text: str, what: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.fsmcov"
    path.write_text(text)
    with pytest.raises(CoverageError) as raised:
        combine([path])
    assert str(raised.value).startswith(f"{path}: {what}")


def test_a_file_that_is_not_there_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(CoverageError, match=r"none\.fsmcov: No such file"):
        read(tmp_path / "none.fsmcov")
    with pytest.raises(CoverageError, match="No such file"):
        save(Data(), tmp_path / "none" / "x.fsmcov")


def test_a_model_that_has_changed_is_told_and_matched_by_ids() -> None:
    changed = LAMP.without(SMASH)
    data = recorded(LAMP, [(ON, "off"), (OFF, "on"), (DARK, "off"), (SMASH, "off")])
    coverage = covered(changed, "transitions", data)
    assert [target.id for target in coverage.covered] == [ON, DARK, OFF]
    assert coverage.notes == (
        f"lamp has changed since ({LAMPS.fingerprint} then, {subject_of(changed).fingerprint} now): "
        "1 of the transitions taken are not in it any more",
    )
    gone = covered(LAMP.without(OFF), "pairs", data)
    assert {id for _, id in gone.taken} == {f"{DARK} ; {SMASH}"}, (
        "what was before and after it is no pair"
    )


def test_another_model_is_not_taken_for_it() -> None:
    data = recorded(LAMP, [(ON, "off")])
    other = replace(LAMP, options=(("colour", "red"),))
    coverage = covered(other, "transitions", data)
    assert coverage.taken == {}
    assert coverage.notes[0] == "nothing was recorded of lamp?colour=red; recorded: lamp"
    assert (
        covered(LAMP, "transitions", Data()).notes[0]
        == "nothing was recorded of lamp; recorded: nothing at all"
    )


def test_what_was_lost_and_gained() -> None:
    before = recorded(LAMP, [(ON, "off"), (OFF, "on")])
    after = recorded(LAMP, [(ON, "off")], [(DARK, "off")])
    before.of(LAMPS).literals["lamp", "", (ON, "plugged", False)] += 1
    after.of(LAMPS).refused["lamp", "", ("broken", "press")] += 1
    found = difference(before, after)
    assert found.lost == (
        Taken("lamp", "lamp", "literal", f"{ON} where plugged fails"),
        Taken("lamp", "lamp", "pair", f"{ON} ; {OFF}"),
        Taken("lamp", "lamp", "transition", OFF),
    )
    assert found.gained == (
        Taken("lamp", "lamp", "refusal", "press in broken"),
        Taken("lamp", "lamp", "transition", DARK),
    )
    assert difference(after, after).lost == difference(after, after).gained == ()
    assert difference(before, Data()).notes == ("lamp was recorded only before",)


def test_a_file_is_json_lines_that_begin_with_its_format(tmp_path: Path) -> None:
    save(full(), tmp_path / "a.fsmcov")
    lines = [json.loads(line) for line in (tmp_path / "a.fsmcov").read_text().splitlines()]
    assert lines[0] == ["fsm-coverage-1"]
    kinds = {"subject", "start", "step", "context", "walk", "walks", "literals", "refused"}
    assert {line[0] for line in lines[1:]} == kinds


def test_a_note_that_two_files_have_is_kept_once() -> None:
    data = Data(notes=["torn"])
    data.update(Data(notes=["torn", "another"]))
    assert data.notes == ["torn", "another"]
