"""Outputs are checked before long work, and are written whole or not at all."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from support.commandline import refused, says, written

NO = "no/such/folder/x"


@pytest.mark.parametrize(
    "line",
    [
        f"draw nonsense -o {NO}.svg",
        f"explore nonsense -o {NO}.html",
        f"paths nonsense -o {NO}.py --format pytest",
        f"run none.json --timeline {NO}.svg",
        f"conform none.log --timeline {NO}.svg",
        f"cover combine none -o {NO}.fsmcov",
    ],
)
def test_an_output_that_cannot_be_written_is_told_before_anything_else(line: str) -> None:
    said = refused(line)
    assert NO in said and "cannot be written: No such file or directory" in said


def test_a_folder_for_witnesses_that_cannot_be_made_is_told_first() -> None:
    written("file", "kept")
    assert "Not a directory" in refused("check nonsense --prove --witnesses file/folder")


def test_an_extra_that_is_missing_is_told_with_its_installation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    assert "pip install 'turn-fsm[" in refused("draw magic -o x.png")


def test_of_two_outputs_none_is_written_when_one_cannot_be() -> None:
    written("old.svg", "kept")
    written("quiet.json", {})
    Path("folder").mkdir()
    assert "folder" in refused("run quiet.json --svg old.svg --trace folder")


@pytest.mark.skipif(os.name != "posix", reason="permissions are POSIX's")
def test_a_file_keeps_its_permissions() -> None:
    old = Path(written("old.dot", "before"))
    old.chmod(0o604)
    mask = os.umask(0o027)
    try:
        says("draw magic -o old.dot")
        says("draw magic -o new.dot")
    finally:
        os.umask(mask)
    assert [path.stat().st_mode & 0o777 for path in (old, Path("new.dot"))] == [0o604, 0o640]
