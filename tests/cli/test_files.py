"""Output files are written all or not at all, and nothing is left beside them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fsm.files import write_files


def test_nothing_is_left_where_one_of_the_files_cannot_be_written(tmp_path: Path) -> None:
    old = tmp_path / "old.txt"
    old.write_text("before")
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="it is a directory"):
        write_files(
            {str(old): "after", str(tmp_path / "new.txt"): "new", str(tmp_path / "folder"): "none"}
        )
    assert old.read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "old.txt"]


@pytest.mark.skipif(os.name != "posix", reason="permissions are POSIX's")
def test_a_file_keeps_its_permissions(tmp_path: Path) -> None:
    old, new = tmp_path / "old.txt", tmp_path / "new.txt"
    old.write_text("before")
    old.chmod(0o604)
    mask = os.umask(0o027)
    try:
        write_files({str(old): "after", str(new): "new"})
    finally:
        os.umask(mask)
    assert [path.stat().st_mode & 0o777 for path in (old, new)] == [0o604, 0o640]
