"""Long commands leave no process behind when they are interrupted."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from support import processes
from support.mutatedshop import STRONG, shop

ENVIRONMENT = {
    **os.environ,
    "PYTEST_ADDOPTS": "-p no:cacheprovider -p no:xdist -p no:hypothesispytest",
}


def below(process: int) -> list[int]:
    """A process and all that it has started, also those in groups of their own."""
    found = [process]
    for task in Path(f"/proc/{process}/task").iterdir():
        for child in (task / "children").read_text("utf-8").split():
            found += below(int(child))
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes in /proc")
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_ends_every_process(sign: signal.Signals, tmp_path: Path) -> None:
    shop(tmp_path, STRONG.replace("test_all():", "test_all():\n    import time; time.sleep(2)"))
    command = [sys.executable, "-m", "fsm", "mutate", "shop:door", "--limit", "2", "--jobs", "2"]
    with processes.started(command, cwd=tmp_path, env=ENVIRONMENT) as running:
        while len(below(running.pid)) < 3:  # the command and two runs of the tests
            running.pause()
        time.sleep(1)
        every = below(running.pid)
        running.popen.send_signal(sign)
        assert running.wait() == 130, running.stderr
        assert "Traceback" not in running.stderr
        while any(Path(f"/proc/{process}").exists() for process in every):
            running.pause()
