"""What was proved of a large model is kept in files, and nothing is proved when nothing was
recorded.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from fsm.coverage import Data, covered, subject_of, targets
from fsm.coverage.keeping import LEAST, MOST, keeping
from fsm.model import Event, Fact, Model, State, Term, Transition


def ladder(size: int = LEAST) -> Model:
    """A model with one row that can never fire, made anew so that nothing is known of it."""
    states = [State(f"s{number}", "stage") for number in range(size)]
    rows = [Transition(f"s{n}", f"s{n + 1}", "up") for n in range(size - 1)]
    never = Transition("s0", "s1", "fly", (Term("winged"), Term("winged", False)))
    events = (Event("up"), Event("fly"))
    return Model(
        "ladder",
        "s0",
        tuple(states),
        (*rows, never),
        events,
        facts=(Fact("winged", "It has wings"),),
    )


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    with keeping(tmp_path / "proved"):
        yield tmp_path / "proved"


def test_what_is_kept_is_what_was_proved(folder: Path) -> None:
    first = targets(ladder(), "transitions")
    assert [bool(target.infeasible) for target in first] == [False] * (LEAST - 1) + [True]
    assert len(list(folder.iterdir())) == 1
    assert targets(ladder(), "transitions") == first


def test_a_file_is_read_instead_of_proving(folder: Path) -> None:
    targets(ladder(), "transitions")
    (file,) = folder.iterdir()
    data = json.loads(file.read_text())
    data["targets"][0][4] = "somebody wrote this"
    file.write_text(json.dumps(data))
    assert targets(ladder(), "transitions")[0].infeasible == "somebody wrote this"


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"key": []}', '{"key": [], "targets": []}', '{"key": 1, "targets": [[1]]}'],
)
def test_a_broken_file_is_ignored_and_replaced(folder: Path, text: str) -> None:
    first = targets(ladder(), "transitions")
    (file,) = folder.iterdir()
    whole = file.read_text()
    file.write_text(text)
    assert targets(ladder(), "transitions") == first
    assert file.read_text() == whole


def test_another_version_criterion_or_start_has_a_file_of_its_own(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    targets(ladder(), "transitions")
    targets(ladder(), "states")
    targets(ladder(), "transitions", starts=frozenset({"s5"}))
    monkeypatch.setattr("fsm.coverage.keeping.version", lambda: "another")
    targets(ladder(), "transitions")
    assert len(list(folder.iterdir())) == 4


def test_the_folder_is_bounded(folder: Path) -> None:
    for size in range(MOST + 3):
        targets(ladder(LEAST + size), "states")
    assert len(list(folder.iterdir())) == MOST


def test_little_is_not_kept_and_a_folder_that_cannot_be_made_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with keeping(tmp_path / "file"):
        assert len(targets(ladder(), "states")) == LEAST
    with keeping(tmp_path / "proved"):
        targets(ladder(LEAST - 1), "states")
    assert not (tmp_path / "proved").exists()


def test_nothing_is_proved_when_nothing_was_recorded(folder: Path) -> None:
    model = ladder()
    found = covered(model, "transitions", Data())
    assert not found.infeasible and len(found.missing) == LEAST
    assert "was not proved" in found.notes[-1]
    assert not folder.exists()
    data = Data()
    data.of(subject_of(model)).starts.add("s0")
    assert len(covered(model, "transitions", data).infeasible) == 1
