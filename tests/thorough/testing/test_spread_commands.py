"""The commands with `--jobs` and `--cluster` tell the same, and leave no process behind."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from support import processes
from support.mutatedshop import STRONG, WEAK, shop
from support.tools import package

COMMANDS = ("proof", "mutate")
VOLATILE = ("seconds",)
ENVIRONMENT = {
    **os.environ,
    "PYTEST_ADDOPTS": "-p no:cacheprovider -p no:xdist -p no:hypothesispytest",
    "PYTHONDONTWRITEBYTECODE": "1",
}
linux = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes in /proc")


def words(name: str, folder: Path, *, long: bool = False) -> list[str]:
    """The words of a command, with its input in the folder."""
    if name == "proof":
        bounds = ["--turns", "2"] if long else ["--turns", "1", "--stack", "1", "--together", "0"]
        return ["check", "magic-classic", "magic-2010", "--prove", *bounds, "--json"]
    slow = STRONG.replace("def test_all():", "def test_all():\n    import time\n    time.sleep(2)")
    shop(folder, slow if long else WEAK)
    return ["mutate", "shop:door", "--limit", "4", "--json"]


def told(name: str, folder: Path, *more: str) -> tuple[int, Any]:
    """The exit code, and what the command tells as JSON, but for times and memory."""
    command = [sys.executable, "-m", "fsm", *words(name, folder), *more]
    done = processes.run(command, cwd=folder, env=ENVIRONMENT)
    assert done.returncode in (0, 1), done.stderr
    return done.returncode, _steady(
        json.loads("[" + done.stdout.strip().replace("\n{", ",\n{") + "]")
    )


def _steady(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _steady(value) for key, value in data.items() if key not in VOLATILE}
    return [_steady(value) for value in data] if isinstance(data, list) else data


def below(process: int) -> list[int]:
    """A process and all that it has started, also those in groups of their own."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text("utf-8").split()
    return [process, *(each for child in map(int, children) for each in below(child))]


@pytest.mark.parametrize("name", COMMANDS)
def test_two_jobs_tell_the_same(name: str, tmp_path: Path) -> None:
    assert told(name, tmp_path, "--jobs", "2") == told(name, tmp_path)


@linux
@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("whole_group", [True, False], ids=["Ctrl+C", "SIGTERM"])
def test_an_interrupt_leaves_no_process(name: str, whole_group: bool, tmp_path: Path) -> None:
    command = [*words(name, tmp_path, long=True), "--jobs", "2"]
    with processes.started(
        [sys.executable, "-m", "fsm", *command], cwd=tmp_path, env=ENVIRONMENT
    ) as running:
        while len(below(running.pid)) < 4:  # the command, two workers, and what counts resources
            running.pause()
        time.sleep(3)
        every = below(running.pid)
        if whole_group:
            os.killpg(running.pid, signal.SIGINT)
        else:
            running.popen.terminate()
        began = time.monotonic()
        assert running.wait() == 130, running.stderr
        assert time.monotonic() - began < 30
        assert "Traceback" not in running.stderr
        assert "interrupted" in running.stderr or name == "mutate"
        while any(Path(f"/proc/{process}").exists() for process in every):
            running.pause()


@pytest.mark.filterwarnings("ignore")  # what Dask and its packages warn of is theirs
def test_a_cluster_tells_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = package("distributed")
    monkeypatch.chdir(tmp_path)  # where the workers find the files
    monkeypatch.syspath_prepend(tmp_path)
    with distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=None) as cluster:
        for name in COMMANDS:
            there = told(name, tmp_path, "--cluster", cluster.scheduler_address)
            assert there == told(name, tmp_path), name


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    distributed = package("distributed")
    with distributed.LocalCluster(n_workers=0, dashboard_address=None) as cluster:
        for address, text in (
            ("tcp://127.0.0.1:1", "no Dask scheduler answers"),
            ("no-such-host.invalid", "no Dask scheduler answers"),
            (cluster.scheduler_address, "has no workers; start some"),
        ):
            command = [*words("proof", tmp_path), "--cluster", address]
            done = processes.run([sys.executable, "-m", "fsm", *command])
            assert done.returncode == 2
            assert len(done.stderr.splitlines()) == 1 and text in done.stderr
