"""The command as a process: signals, pipes, closed streams, consoles, pages of running games."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import fsm
from support import processes
from support.amounts import thorough
from support.commandline import LUNCH, refused, written
from support.processes import Process, started

FSM = [sys.executable, "-m", "fsm"]


# streams ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("closed", "code", "said"),
    [
        ("<&- >&- 2>&-", 0, ""),
        ("> /dev/full", 2, "fsm: No space left on device\n"),
        ("| true", 0, ""),
    ],
)
def test_standard_output_that_takes_nothing(closed: str, code: int, said: str) -> None:
    line = f"{shlex.quote(sys.executable)} -m fsm --help {closed}"
    done = processes.run(["bash", "-c", line])
    assert (done.returncode, done.stderr) == (code, said)


@thorough
@pytest.mark.parametrize("rulesets", [["lunch.py:SNACK"], ["lunch.py:LUNCH", "lunch.py:SNACK"]])
def test_a_progress_bar_on_a_terminal_lets_the_results_through(
    tmp_path: Path, rulesets: list[str]
) -> None:
    pty = pytest.importorskip("pty")
    here, terminal = pty.openpty()
    try:
        written("lunch.py", LUNCH)
        done = processes.run([*FSM, "check", *rulesets, "--prove"], stderr=terminal)
        assert done.returncode == len(rulesets) - 1
        assert done.stdout.count("no game gets stuck") == len(rulesets)
        shown = os.read(here, 10_000).decode()
        assert "places explored" in shown and re.search(r"([1-9]\d*)/\1\b", shown)
    finally:
        os.close(here)
        os.close(terminal)


def test_standard_input_is_read_from_a_file() -> None:
    written("lunch.py", LUNCH)
    with open(written("quiet.json", {"through_turn": 1}), "rb") as quiet:
        assert (
            processes.run(
                [*FSM, "run", "--ruleset", "lunch.py:LUNCH", "/dev/stdin"], stdin=quiet
            ).returncode
            == 0
        )


def test_standard_input_is_not_read_from_a_pipe() -> None:
    piped = processes.run([*FSM, "run", "/dev/stdin"], given="{}")
    assert piped.returncode == 2 and "a device, not a file" in piped.stderr


def test_the_writer_of_a_refused_pipe_is_not_disturbed() -> None:
    """The pipe is not even opened: its writer goes on waiting for another reader."""
    os.mkfifo("pipe.json")
    text = ("for somebody else", "utf-8")
    writer = threading.Thread(target=Path("pipe.json").write_text, args=text, daemon=True)
    writer.start()
    assert "a device, not a file" in refused("run pipe.json")
    assert Path("pipe.json").read_text("utf-8") == text[0]
    writer.join()


def test_a_console_shows_the_signs_that_it_has() -> None:
    """No locale decides anything: a file that is opened without an encoding is an error."""
    strict = ["-X", "warn_default_encoding", "-W", "error::EncodingWarning"]
    plain = {
        "LC_ALL": "C",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
        "PYTHONIOENCODING": "cp1252",
    }
    written("lunch.py", LUNCH)
    name = written("case.json", {"id": "\x1b[2J\x9b31m", "through_turn": 1})
    words = ["run", name, "--ruleset", "lunch.py:LUNCH", "--trace", "run.jsonl"]
    command = [sys.executable, *strict, "-m", "fsm", *words]
    done = processes.run(command, env={**os.environ, **plain}, encoding="cp1252")
    assert (done.returncode, done.stderr) == (0, "")
    assert "CO----EA*" in done.stdout and "\\x1b[2J\\x9b31m" in done.stdout
    assert "\x1b" not in done.stdout and "\x9b" not in done.stdout
    assert b"\r" not in Path("run.jsonl").read_bytes()


def test_a_module_in_the_current_folder_is_found_and_an_fsm_py_is_in_nobodys_way() -> None:
    written("fsm.py", "raise SystemExit('the wrong one')\n")
    written("lunch.py", LUNCH)
    root = str(Path(fsm.__file__).parents[1])
    code = "from fsm.__main__ import main; main()"
    script = [sys.executable, "-P", "-c", code, "check", "lunch:missing"]
    done = processes.run(script, env={**os.environ, "PYTHONPATH": root})
    assert done.returncode == 2
    assert "lunch" in done.stderr and "has no 'missing'" in done.stderr


# long work ----------------------------------------------------------------------------------------

SLOW = """
from pathlib import Path
from time import sleep
from transitions import Machine

def is_slow(*_):
    Path("begun").touch()
    sleep(0.1)
    return True

rows = [[f"to_{n}", f"s{m}", f"s{n}", is_slow] for m in range(9) for n in range(9) if m != n]
machine = Machine("self", [f"s{n}" for n in range(9)], "s0", rows, auto_transitions=False)
"""


@thorough
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_long_work_in_one_line(sign: signal.Signals) -> None:
    written("slow.py", SLOW)
    with started([*FSM, "paths", "slow:machine"]) as process:
        while not Path("begun").exists():
            process.pause()
        process.popen.send_signal(sign)
        assert (process.wait(), process.stderr.strip()) == (130, "fsm: interrupted")


# the page of a running game -----------------------------------------------------------------------


@contextmanager
def followed(*words: str) -> Iterator[tuple[Process, Iterator[Any]]]:
    """A page in a process of its own, and what the page is told."""
    with started([*words, *FSM, "explore", "magic", "--live", "game.jsonl"]) as process:
        address = process.line().removeprefix("live: ")
        with urllib.request.urlopen(f"{address}events", timeout=20) as stream:
            lines = (line for line in stream if line.startswith(b"data: "))
            yield process, (json.loads(line[6:]) for line in lines)


@thorough
def test_the_file_of_a_game_is_followed_while_it_is_written() -> None:
    game = fsm.TurnController("magic", ["Ann", "Ben"])
    with fsm.hosts.saving(game, "game.jsonl"), followed() as (process, news):
        assert next(news)["answers"] == []
        game.answer(next(iter(game)).quiet())
        assert len(next(news)["answers"]) == 1
        assert process.end(signal.SIGINT) == 0
        assert process.stdout.endswith("ended\n") and process.stderr == ""


@thorough
def test_sigterm_ends_it_where_interrupts_are_ignored() -> None:
    """So it is in the background of a script."""
    with fsm.hosts.saving(fsm.TurnController("magic", ["Ann", "Ben"]), "game.jsonl"):
        pass
    with followed("bash", "-c", "trap '' INT; exec \"$@\"", "bash") as (process, news):
        assert next(news)["start"]["players"] == ["Ann", "Ben"]
        assert process.end() == 0
