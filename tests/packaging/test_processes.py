"""How the tests start processes: no test waits without limit, and nothing is left running."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import pytest

from support import processes

STUBBORN = """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(child.pid, flush=True)
print("the last words", file=sys.stderr, flush=True)
time.sleep(600)
"""


def is_running(pid: int) -> bool:
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and stat.read_text("utf-8").rpartition(")")[2].split()[0] != "Z"


def test_a_process_that_takes_too_long_is_killed_with_its_children(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(processes, "GRACE", 1)
    monkeypatch.setattr(processes, "seconds", lambda _: 4)
    with processes.started([sys.executable, "-c", STUBBORN]) as process:
        child = int(process.line())
        with pytest.raises(pytest.fail.Exception, match=r"within 3 s(.|\n)*the last words"):
            process.wait()
        assert process.popen.returncode == -signal.SIGKILL
    while is_running(child):
        pass


def test_a_process_is_ended_after_its_block() -> None:
    with processes.started([sys.executable, "-c", "import time; time.sleep(600)"]) as process:
        assert process.is_running
    assert process.popen.returncode == -signal.SIGTERM
