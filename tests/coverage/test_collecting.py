"""What is taken in threads, tasks, forked and started processes is counted in the test that began it.
A process that is killed loses the last moment only.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from transitions import Machine
from transitions.extensions import AsyncMachine

from fsm.coverage import Data, collecting, combine, context, covered, start, stop
from fsm.errors import CoverageError
from support import processes
from support.amounts import thorough
from support.folders import ROOT

# Which test is noted, and which processes are measured, is measured here.
pytestmark = pytest.mark.no_fsm_cov
ROWS = [["press", "off", "on"], ["press", "on", "off"]]
ON, OFF = "off -> on on press", "on -> off on press"


def lamp(kind: Any = Machine) -> Any:
    return kind(None, ["off", "on"], "off", ROWS, auto_transitions=False)


def pressed(times: int) -> None:
    thing: Any = type("Lamp", (), {})()
    lamp().add_model(thing)
    for _ in range(times):
        thing.press()


def by_test(data: Data) -> dict[str, dict[str, int]]:
    """How often each test took each transition of the only machine."""
    [subject] = data.seen
    model = data.models[subject]
    assert model is not None
    coverage = covered(model, "transitions", data)
    found: dict[str, dict[str, int]] = {}
    for (_, id), tests in coverage.by.items():
        for test, count in tests.items():
            found.setdefault(test, {})[id] = count
    return found


# threads and tasks --------------------------------------------------------------------------------


def test_each_thread_takes_in_its_own_test() -> None:
    barrier = threading.Barrier(8)

    def press(number: int) -> None:
        with context(f"thread {number}"):
            barrier.wait()
            pressed(2 * number)

    with collecting() as session:
        threads = [threading.Thread(target=press, args=(number,)) for number in range(1, 9)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert by_test(session.data) == {f"thread {n}": {ON: n, OFF: n} for n in range(1, 9)}


def test_a_thread_that_knows_of_no_test_takes_in_the_latest() -> None:
    with collecting() as session, context("the test"):
        thread = threading.Thread(target=pressed, args=[1])
        thread.start()
        thread.join()
    assert by_test(session.data) == {"the test": {ON: 1}}


def test_each_task_takes_in_its_own_test() -> None:
    async def press(machine: Any, name: str, times: int) -> None:
        thing: Any = type("Lamp", (), {})()
        machine.add_model(thing)
        with context(name):
            for _ in range(times):
                await thing.press()
                await asyncio.sleep(0)

    async def both() -> None:
        machine = lamp(AsyncMachine)
        await asyncio.gather(press(machine, "a", 4), press(machine, "b", 6))

    with collecting() as session:
        asyncio.run(both())
    assert by_test(session.data) == {"a": {ON: 2, OFF: 2}, "b": {ON: 3, OFF: 3}}


def test_of_two_measurements_at_once_each_has_all_of_its_time() -> None:
    with collecting() as outer:
        pressed(1)
        with collecting() as inner:
            pressed(2)
        pressed(3)
    assert (outer.data.firings, inner.data.firings) == (6, 2)


# processes ----------------------------------------------------------------------------------------

CHILD = f"""
from transitions import Machine
machine = Machine(states=["off", "on"], initial="off", auto_transitions=False, transitions={ROWS})
for _ in range(5):
    machine.press()
"""


def test_a_started_process_is_measured_without_knowing_it(tmp_path: Path) -> None:
    """Its places are shown from the same root. Another sitecustomize runs as ever."""
    (tmp_path / "sitecustomize.py").write_text("print('own')\n")
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "lamps.py").write_text(CHILD)
    before = dict(os.environ)
    session = start(tmp_path / "data", children=True, root=tmp_path)
    try:
        paths = [*os.environ["PYTHONPATH"].split(os.pathsep), str(tmp_path), str(ROOT)]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
        command: list[str | Path] = [sys.executable, tmp_path / "project" / "lamps.py"]
        done = processes.run(command, cwd=tmp_path / "project", env=environment)
    finally:
        stop(session)
    assert (done.returncode, done.stdout, done.stderr) == (0, "own\n", "")
    assert [subject.label for subject in session.data.seen] == ["Machine (project/lamps.py:3)"]
    assert by_test(session.data) == {"": {ON: 3, OFF: 2}}
    assert dict(os.environ) == before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_process_writes_what_is_its_own(tmp_path: Path) -> None:
    with collecting(tmp_path):
        machine: Any = Machine(states=["off", "on"], initial="off", transitions=ROWS)
        machine.press()
        if os.fork() == 0:
            with context("child"):
                machine.press()
                machine.press()
            os._exit(0)
        os.wait()
        machine.press()
    assert by_test(combine([tmp_path])) == {"": {ON: 1, OFF: 1}, "child": {ON: 1, OFF: 1}}


@thorough
def test_a_killed_process_keeps_what_it_took_until_it_last_wrote(tmp_path: Path) -> None:
    lines = [
        "import os, signal, time",
        "from fsm.coverage import start",
        f"start({str(tmp_path)!r})",
        CHILD,
        "for _ in range(1000): machine.press()",
        "time.sleep(0.6)",  # it writes twice a second
        "for _ in range(1000): machine.press()",
        "os.kill(os.getpid(), signal.SIGKILL)",
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = processes.run([sys.executable, "-c", "\n".join(lines)], env=environment)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert 1005 <= combine([tmp_path]).firings <= 2005


def test_a_folder_that_cannot_be_made_is_said_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with (
        pytest.raises(CoverageError, match="name another directory"),
        collecting(tmp_path / "file" / "data"),
    ):
        pass
