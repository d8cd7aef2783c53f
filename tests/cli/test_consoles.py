"""Consoles that are not UTF-8: a Windows code page, plain ASCII. Files are UTF-8 with plain line
ends anyhow.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from support import processes

CODE_PAGES = ("cp1252", "cp437", "ascii")


def run(folder: Path, encoding: str, *arguments: str) -> str:
    """What a command prints. No locale decides anything: a file opened without an encoding is an
    error.
    """
    settings = {
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONIOENCODING": encoding,
    }
    strict = ("-X", "warn_default_encoding", "-W", "error::EncodingWarning")
    command = [sys.executable, *strict, "-m", "fsm", *arguments]
    done = processes.run(command, cwd=folder, env={**os.environ, **settings}, encoding=encoding)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("encoding", CODE_PAGES)
def test_a_game_is_shown_in_the_signs_that_there_are(encoding: str, tmp_path: Path) -> None:
    assert "UN----UP*" in run(tmp_path, encoding, "run", "--trace", "run.jsonl")
    assert "\r" not in (tmp_path / "run.jsonl").read_bytes().decode("utf-8")


def test_a_table_on_such_a_console_is_ascii(tmp_path: Path) -> None:
    assert run(tmp_path, "cp1252", "draw", "magic", "-o", "-", "--format", "txt").isascii()
    run(tmp_path, "cp1252", "draw", "magic", "-o", "turn.txt")
    assert "│" in (tmp_path / "turn.txt").read_bytes().decode("utf-8")
