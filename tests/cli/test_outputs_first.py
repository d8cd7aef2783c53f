"""An output that cannot be written is reported before the work begins: each command has an input
that fails, too.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from fsm.cli import cli
from fsm.files import check_writable

NO = "no/such/folder/x"
COMMANDS = [
    f"draw nonsense -o {NO}.svg",
    f"draw nonsense -o {NO}.mmd --against nothing",
    f"explore nonsense -o {NO}.html --load none.json",
    f"diff nonsense nothing -o {NO}.svg",
    f"paths nonsense -o {NO}.py --format pytest",
    f"run none.json --svg {NO}.svg",
    f"run none.json --timeline {NO}.svg",
    f"run none.json --trace {NO}.jsonl",
    f"conform none.log --ruleset nonsense --timeline {NO}.svg",
    f"cover combine none -o {NO}.fsmcov",
    f"cover report none --report html:{NO}.html",
]


def refused(line: str) -> str:
    done = CliRunner().invoke(cli, line.split(), prog_name="fsm")
    assert done.exit_code == 2, done.output
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    return done.stderr


@pytest.mark.parametrize("line", COMMANDS)
def test_an_output_that_cannot_be_written(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = refused(line)
    assert NO in said
    assert "cannot be written: No such file or directory" in said
    assert list(tmp_path.iterdir()) == []


def test_a_folder_for_witnesses_that_cannot_be_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("kept")
    said = refused("check nonsense --prove --witnesses file/folder")
    assert "folder: cannot be written" in said
    assert (tmp_path / "file").read_text() == "kept"


def test_an_extra_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    said = refused("draw nonsense -o x.png")
    assert "the extra" in said and "pip install" in said


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("-o x.svg --theme drak", "theme 'drak' is unknown"),
        ("-o x.svg --link nowhere", "is no pattern for citations"),
        ("-o x.json --at upkeep", "json (the model itself) has no overlay"),
        ("-o x.svg --at a --trace b", "a picture shows --trace or --at, not both"),
    ],
)
def test_what_no_model_could_be_drawn_with(
    options: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert said in refused(f"draw nonsense {options}")


def test_a_check_changes_nothing(tmp_path: Path) -> None:
    there, new = tmp_path / "there.svg", tmp_path / "new.svg"
    there.write_text("kept")
    check_writable([str(there), str(new), "-", None])
    assert there.read_text() == "kept"
    assert list(tmp_path.iterdir()) == [there]
    with pytest.raises(OSError, match="cannot be written: it is a directory"):
        check_writable([str(tmp_path)])
