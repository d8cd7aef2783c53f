"""Pipes, devices, sockets and folders in place of an input file are refused with one sentence;
nothing hangs.
"""

from __future__ import annotations

import os
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from fsm import load, scenarios
from fsm.checks.notes import notes_of
from fsm.cli import cli
from fsm.conformance.recordings.opening import open_recording
from fsm.conformance.recordings.rownames import read_names
from fsm.coverage import read
from fsm.coverage.reports import read_allowed
from fsm.errors import FsmError
from fsm.model import Model
from support import processes

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")

COMMANDS = [
    "run FILE",
    "explore magic -o page.html --load FILE",
    "conform FILE",
    "conform quiet.jsonl --names FILE",
    "draw FILE -o x.svg",
    "draw magic -o x.svg --trace FILE",
    "draw magic -o x.svg --coverage FILE",
    "check magic --notes FILE",
    "cover report FILE",
    "cover report quiet.fsmcov --allow FILE",
    "cover diff FILE FILE",
    "cover combine FILE -o all.fsmcov",
]


def pipe(path: Path) -> Path:
    os.mkfifo(path)
    return path


def device(path: Path) -> Path:
    path.symlink_to(os.devnull)
    return path


def folder(path: Path) -> Path:
    path.mkdir()
    return path


def bound(path: Path) -> Path:
    """A socket; its path may be too long to be bound from elsewhere."""
    here = os.getcwd()
    os.chdir(path.parent)
    with socket.socket(socket.AF_UNIX) as end:
        end.bind(path.name)
    os.chdir(here)
    return path


KINDS: dict[Callable[[Path], Path], str] = {
    pipe: "a pipe",
    device: "a device",
    folder: "a folder",
    bound: "a socket",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_refuses_a_pipe(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    pipe(tmp_path / "in.json")
    (tmp_path / "quiet.jsonl").write_text(
        '{"turn": 1, "player": "A", "step": "untap"}\n', encoding="utf-8"
    )
    (tmp_path / "quiet.fsmcov").write_text('["fsm-coverage-1"]\n', encoding="utf-8")
    done = CliRunner().invoke(cli, command.replace("FILE", "in.json").split(), prog_name="fsm")
    assert (done.exit_code, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)
    assert "in.json" in done.stderr and "a pipe, not a file" in done.stderr


READERS: dict[str, Callable[[Path, Model], object]] = {
    "scenario": lambda path, _: scenarios.load(path),
    "model": lambda path, _: load(str(path)),
    "recording": lambda path, magic: list(open_recording(path, magic)),
    "names": lambda path, magic: read_names(path, magic),
    "coverage": lambda path, _: read(path),
    "allowed": lambda path, _: read_allowed(path),
    "notes": lambda path, _: notes_of(str(path.with_name("in.json"))),
}


@pytest.mark.parametrize("make", KINDS, ids=lambda make: make.__name__)
@pytest.mark.parametrize("reader", READERS)
def test_a_reader_refuses_what_is_no_file(
    reader: str, make: Callable[[Path], Path], tmp_path: Path, magic: Model
) -> None:
    path = make(tmp_path / ("in.check.toml" if reader == "notes" else "in.json"))
    with pytest.raises(FsmError) as refused:
        READERS[reader](path, magic)
    assert KINDS[make] in str(refused.value) and path.name in str(refused.value)


def test_a_writer_of_a_pipe_that_is_refused_is_not_disturbed(tmp_path: Path) -> None:
    """The pipe is not even opened: who waits to write into it goes on waiting, for another reader."""
    path = pipe(tmp_path / "in.json")
    writer = threading.Thread(
        target=path.write_text, args=("for somebody else", "utf-8"), daemon=True
    )
    writer.start()
    with pytest.raises(FsmError, match="a pipe"):
        scenarios.load(path)
    assert path.read_text(encoding="utf-8") == "for somebody else"
    writer.join()


def test_standard_input_is_read_when_it_comes_from_a_file(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "fsm", "run", "/dev/stdin"]
    (tmp_path / "quiet.json").write_text("{}", encoding="utf-8")
    with open(tmp_path / "quiet.json", "rb") as given:
        assert processes.run(command, stdin=given).returncode == 0
    piped = processes.run(command, given="{}")
    assert piped.returncode == 2 and "a pipe, not a file" in piped.stderr
