"""The commands with `--jobs` and `--cluster` tell the same, and leave no process behind."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path

import pytest

from support import processes
from support.commandline import LUNCH
from support.mutatedshop import STRONG, shop
from support.tools import package

FSM = [sys.executable, "-m", "fsm"]
ENVIRONMENT = {
    **os.environ,
    "PYTEST_ADDOPTS": "-p no:cacheprovider -p no:xdist -p no:hypothesispytest",
}
SHORT = "check lunch:LUNCH lunch:SNACK --prove --json"
LONG = "check magic-classic magic-2010 --prove --turns 2"
MUTATE = "mutate shop:door --limit 2"


def told(line: str, folder: Path, *more: str) -> tuple[int, list[object]]:
    """The exit code, and what a command tells as JSON, but for times."""
    (folder / "lunch.py").write_text(LUNCH, "utf-8")
    done = processes.run([*FSM, *line.split(), *more], cwd=folder, env=ENVIRONMENT)
    assert done.returncode in (0, 1), done.stderr
    parts = done.stdout.strip().replace("\n{", "\n\0{").split("\0")
    return done.returncode, [json.loads(part, object_pairs_hook=_timeless) for part in parts]


def _timeless(pairs: list[tuple[str, object]]) -> dict[str, object]:
    return {key: value for key, value in pairs if key != "seconds"}


def test_two_jobs_tell_the_same(tmp_path: Path) -> None:
    assert told(SHORT, tmp_path, "--jobs", "2") == told(SHORT, tmp_path)


def below(process: int) -> list[int]:
    """A process and all that it has started, also those in groups of their own."""
    found = [process]
    for child in Path(f"/proc/{process}/task/{process}/children").read_text("utf-8").split():
        found += below(int(child))
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes in /proc")
@pytest.mark.parametrize(
    ("line", "sign"),
    [(LONG, signal.SIGINT), (MUTATE, signal.SIGTERM)],
    ids=["prove, Ctrl+C", "mutate, SIGTERM"],
)
def test_an_interrupt_ends_every_process(line: str, sign: signal.Signals, tmp_path: Path) -> None:
    shop(tmp_path, STRONG.replace("test_all():", "test_all():\n    import time; time.sleep(2)"))
    command = [*FSM, *line.split(), "--jobs", "2"]
    with processes.started(command, cwd=tmp_path, env=ENVIRONMENT) as running:
        while len(below(running.pid)) < 4:  # the command, two workers, and what counts resources
            running.pause()
        time.sleep(3)
        every = below(running.pid)
        if sign is signal.SIGINT:
            os.killpg(running.pid, sign)  # as a terminal does
        else:
            running.popen.terminate()
        assert running.wait() == 130, running.stderr
        assert "Traceback" not in running.stderr
        while any(Path(f"/proc/{process}").exists() for process in every):
            running.pause()


@pytest.mark.filterwarnings("ignore")  # what Dask and its packages warn of is theirs
def test_a_cluster_tells_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    distributed = package("distributed")
    monkeypatch.chdir(tmp_path)  # where the workers find the files
    monkeypatch.syspath_prepend(tmp_path)
    with distributed.LocalCluster(2, threads_per_worker=1, dashboard_address=None) as cluster:
        there = told(SHORT, tmp_path, "--cluster", cluster.scheduler_address)
        assert there == told(SHORT, tmp_path)


def test_a_cluster_that_is_not_there_is_one_sentence() -> None:
    package("distributed")
    done = processes.run([*FSM, "check", "magic", "--prove", "--cluster", "tcp://127.0.0.1:1"])
    assert done.returncode == 2
    assert done.stderr.startswith(
        "fsm: no Dask scheduler answers at 'tcp://127.0.0.1:1'; start one"
    )
