"""`pytest --fsm-cov` with other plugins, in pools and forks, killed, and run within a run."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.pluginruns import (
    ALLOW,
    ASKED,
    EACH,
    MACHINES,
    SHARES,
    TESTS,
    pytest_here,
    shares,
    write,
)

WORKERS = ["-p", "xdist", "-n2"]


@pytest.fixture
def here(tmp_path: Path) -> Path:
    return write(tmp_path, machines=MACHINES, test_things=TESTS)


def problem(text: str) -> str:
    """The only problem that the summary names."""
    [line] = [line for line in text.splitlines() if line.startswith("FAIL ")]
    return line


def test_machines_of_the_tests_own_modules_are_found_by_workers(tmp_path: Path) -> None:
    """The process that reports imports no tests, and does not find what lies beside them."""
    write(tmp_path / "inner", machines=MACHINES, test_things=TESTS)
    asked = ("--fsm-cov=machines:signal", "--fsm-cov=machines:brewer", EACH)
    result = pytest_here(tmp_path, *asked, *WORKERS, "inner")
    found = {f"machines:{name.lower()}": SHARES[name] for name in ("Signal", "Brewer")}
    assert shares(result.out) == found


def test_workers_cannot_find_a_wrong_name_either(here: Path) -> None:
    result = pytest_here(here, "--fsm-cov=machines:nothing", *WORKERS)
    assert result.code == pytest.ExitCode.TESTS_FAILED
    said = problem(result.out)
    assert said.startswith("FAIL machines:nothing: ")
    assert "'machines' has no 'nothing'; known: " in said


def test_workers_beside_another_fsm_say_what_is_in_the_way(tmp_path: Path) -> None:
    write(tmp_path, fsm="class Door: pass\n", test_door="from fsm import Door\ndef test(): pass\n")
    result = pytest_here(tmp_path, "--fsm-cov", *WORKERS, module=False)
    assert result.code == pytest.ExitCode.TESTS_FAILED
    hidden = f"FAIL {tmp_path / 'fsm.py'} hides the package 'fsm' of turn-fsm: rename or uninstall"
    assert problem(result.out).startswith(hidden)


def test_alone_it_does_not_take_the_file_after_it_with_workers(here: Path) -> None:
    result = pytest_here(here, "-p", "xdist", "-n1", "--fsm-cov", "test_things.py")
    assert result.outcomes() == {"passed": 5}
    assert shares(result.out).keys() == SHARES.keys()


@pytest.mark.parametrize("how", [WORKERS, ["deep/../test_things.py"]])
def test_a_list_in_the_configuration_file_is_found_from_everywhere(
    here: Path, how: list[str]
) -> None:
    (here / "allow.toml").write_text(ALLOW)
    (here / "pytest.ini").write_text("[pytest]\nfsm_cov_allow = allow.toml\n")
    (here / "deep").mkdir()
    result = pytest_here(here, *ASKED, "--fsm-cov-fail-under=100", *how)
    assert result.code == 0, result.out
    assert shares(result.out) == {"machines:ice_machine": ["2/2"]}


POOLS = """
import multiprocessing, os
from concurrent.futures import ProcessPoolExecutor
import machines, pytest

def melt(_):
    thing = machines.ice()
    thing.warm = True
    return thing.heat()

@pytest.mark.parametrize("how", ["fork", "spawn", "forkserver"])
def test_pool(how):
    context = multiprocessing.get_context(how)
    with ProcessPoolExecutor(2, mp_context=context) as pool:
        assert list(pool.map(melt, range(4))) == [True] * 4

def test_nested_forks():
    if os.fork() == 0:
        if os.fork() == 0:
            melt(0)
            os._exit(0)
        os.wait()
        melt(0)
        os._exit(0)
    os.wait()
"""


def test_pools_of_processes_count(here: Path) -> None:
    write(here, test_things=POOLS)
    result = pytest_here(here, "--fsm-cov", "--fsm-cov-report=json")
    assert result.outcomes()["passed"] == 4
    pools = {f"test_pool[{how}]": 4 for how in ("fork", "spawn", "forkserver")}
    by = result.by_test("Ice")["solid -> liquid on heat [is_warm]"]
    assert by == {**pools, "test_nested_forks": 2}


@pytest.mark.parametrize("how", [[], WORKERS], ids=["alone", "workers"])
def test_it_goes_with_pytest_cov(here: Path, how: list[str]) -> None:
    pytest.importorskip("pytest_cov")
    result = pytest_here(here, "--fsm-cov", EACH, "-p", "pytest_cov", "--cov=machines", *how)
    assert result.outcomes() == {"passed": 5}
    assert shares(result.out) == SHARES
    [line] = [line for line in result.out.splitlines() if line.startswith("machines.py ")]
    assert line.endswith("76%")  # all but the bodies of two functions that no test calls


NESTED = """
import machines, subprocess, sys

def test_inner(tmp_path):
    (tmp_path / "test_inner.py").write_text("import machines\\ndef test(): machines.signal.next_state()")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "pytest_turn_fsm", "--fsm-cov=all", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert "Signal" in done.stdout, done.stdout

def test_after():
    subprocess.run([sys.executable, "-c", "import machines; machines.brewer.start()"], check=True)
"""


def test_a_run_within_a_run_has_what_is_its_own(here: Path) -> None:
    """The outer one goes on being told."""
    write(here, test_things=NESTED)
    result = pytest_here(here, "--fsm-cov", "--fsm-cov-data=outer")
    assert result.outcomes() == {"passed": 2}
    assert shares(result.out).keys() == {"Signal", "Brewer"}
