"""The commands with `--jobs` and `--cluster` tell the same, survive a lost worker, and leave no
process behind.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from support.mutatedshop import STRONG, WEAK, shop
from support.tools import package

COMMANDS = ("fuzz", "proof", "paths", "mutate")
VOLATILE = ("seconds", "peak_memory")
ENVIRONMENT = {
    **os.environ,
    "PYTEST_ADDOPTS": "-p no:cacheprovider -p no:xdist -p no:hypothesispytest",
    "PYTHONDONTWRITEBYTECODE": "1",
}
linux = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes in /proc")


def words(name: str, folder: Path, *, long: bool = False) -> list[str]:
    """The words of a command, with its input in the folder."""
    if name == "fuzz":
        return ["fuzz", "magic-classic", "--games", "1000000" if long else "50", "--json"]
    if name == "proof":
        bounds = ["--turns", "2"] if long else ["--turns", "1", "--stack", "1", "--together", "0"]
        return ["check", "magic-classic", "grand-archive", "magic", "--prove", *bounds, "--json"]
    if name == "paths":
        effort, criteria = (
            ("1000000", ("pairs", "mcdc", "literals"))
            if long
            else ("800", ("states", "rules", "literals"))
        )
        return [
            "paths",
            "magic",
            "--effort",
            effort,
            "--format",
            "json",
            *(w for c in criteria for w in ("--criterion", c)),
        ]
    slow = STRONG.replace("def test_all():", "def test_all():\n    import time\n    time.sleep(2)")
    shop(folder, slow if long else WEAK)
    return ["mutate", "shop:door", "--json"]


def told(name: str, folder: Path, *more: str) -> tuple[int, Any]:
    """The exit code, and what the command tells as JSON, but for times and memory."""
    command = [sys.executable, "-m", "fsm", *words(name, folder), *more]
    done = subprocess.run(
        command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 1), done.stderr
    return done.returncode, _steady(
        json.loads("[" + done.stdout.strip().replace("\n{", ",\n{") + "]")
    )


def _steady(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: _steady(value) for key, value in data.items() if key not in VOLATILE}
    return [_steady(value) for value in data] if isinstance(data, list) else data


def processes(group: int) -> Iterator[tuple[int, str]]:
    """The processes of a group, with their command lines."""
    for folder in Path("/proc").iterdir():
        try:
            fields = (folder / "stat").read_text("utf-8").rpartition(")")[2].split()
            if fields[0] != "Z" and int(fields[2]) == group:
                yield int(folder.name), (folder / "cmdline").read_text("utf-8").replace("\0", " ")
        except OSError:  # it is no process, or has ended
            continue


def workers(group: int) -> list[int]:
    return [process for process, command in processes(group) if "spawn_main" in command]


def when(happened: Callable[[], bool], seconds: float = 60) -> None:
    """Wait until this is so."""
    until = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < until
        time.sleep(0.1)


@contextmanager
def started(command: Sequence[str], folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A command with a group of processes of its own. None of them is left in the end."""
    with subprocess.Popen(
        [sys.executable, "-m", "fsm", *command],
        cwd=folder,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as running:
        try:
            yield running
        finally:
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)


@pytest.mark.parametrize("name", COMMANDS)
def test_any_number_of_jobs_tells_the_same(name: str, tmp_path: Path) -> None:
    one = told(name, tmp_path)
    assert told(name, tmp_path, "--jobs", "2") == told(name, tmp_path, "--jobs", "3") == one


@linux
@pytest.mark.parametrize("name", COMMANDS)
def test_an_interrupt_leaves_no_process(name: str, tmp_path: Path) -> None:
    with started([*words(name, tmp_path, long=True), "--jobs", "2"], tmp_path) as running:
        when(lambda: len(workers(running.pid)) == 2)
        time.sleep(3)
        began, inner = time.monotonic(), _all_below(running.pid)
        os.killpg(running.pid, signal.SIGINT)
        _, said = running.communicate(timeout=60)
        assert running.returncode == (1 if name == "paths" else 130), said
        assert "Traceback" not in said and ("interrupted" in said or name == "mutate")
        when(lambda: not list(processes(running.pid)), 3)
        when(lambda: not any(Path(f"/proc/{process}").exists() for process in inner), 3)
        assert time.monotonic() - began < 30


def _all_below(process: int) -> list[int]:
    """A process and all that it has started, also those in groups of their own."""
    children = Path(f"/proc/{process}/task/{process}/children").read_text("utf-8").split()
    return [process, *(each for child in map(int, children) for each in _all_below(child))]


@linux
def test_a_command_goes_on_when_a_worker_is_killed(tmp_path: Path) -> None:
    with started(
        [*words("fuzz", tmp_path)[:3], "150", "--json", "--jobs", "2"], tmp_path
    ) as running:
        when(lambda: len(workers(running.pid)) == 2)
        time.sleep(2)
        os.kill(workers(running.pid)[0], signal.SIGKILL)
        out, said = running.communicate(timeout=300)
    assert running.returncode == 0 and not said
    assert json.loads(out)["games"] == 150


@pytest.mark.filterwarnings("ignore")  # what Dask and its packages warn of is theirs
def test_a_cluster_tells_the_same(tmp_path: Path) -> None:
    distributed = package("distributed")
    options = {
        "n_workers": 2,
        "threads_per_worker": 2,
        "processes": True,
        "dashboard_address": None,
    }
    with distributed.LocalCluster(**options) as cluster:
        for number, name in enumerate(COMMANDS):
            folder = tmp_path / str(number)
            folder.mkdir()
            assert told(name, folder, "--cluster", cluster.scheduler_address) == told(
                name, folder
            ), name
        [worker, _] = cluster.workers.values()
        with started(
            [
                "fuzz",
                "magic-classic",
                "--games",
                "150",
                "--json",
                "--cluster",
                cluster.scheduler_address,
            ],
            tmp_path,
        ) as running:
            time.sleep(8)
            os.kill(worker.pid, signal.SIGKILL)
            out, said = running.communicate(timeout=300)
        assert running.returncode == 0, said
        assert json.loads(out)["games"] == 150


@pytest.mark.filterwarnings("ignore")
def test_a_cluster_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    distributed = package("distributed")
    with distributed.LocalCluster(n_workers=0, dashboard_address=None) as cluster:
        empty = cluster.scheduler_address
        for address, text in (
            ("tcp://127.0.0.1:1", "no Dask scheduler answers"),
            ("no-such-host.invalid", "no Dask scheduler answers"),
            (empty, "has no workers; start some"),
        ):
            with started(["fuzz", "magic-classic", "--cluster", address], tmp_path) as running:
                _, said = running.communicate(timeout=120)
            assert running.returncode == 2
            assert len(said.splitlines()) == 1 and text in said
