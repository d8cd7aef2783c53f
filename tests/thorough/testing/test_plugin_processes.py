"""The pytest plugin with other plugins, in pools and forks, killed, and run within a run."""

from __future__ import annotations

import importlib.util
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from fsm.adapters import model_of
from fsm.coverage import combine, covered
from support.pluginruns import EACH, MACHINES, SHARES, TESTS, pytest_here, shares, write
from support.processes import started


@pytest.fixture
def here(tmp_path: Path) -> Path:
    return write(tmp_path, machines=MACHINES, test_things=TESTS)


@pytest.mark.parametrize("how", ["-p xdist -n2 --dist=loadscope", "-p no:randomly"])
def test_however_tests_are_spread_the_shares_are_the_same(here: Path, how: str) -> None:
    asked = [
        "--fsm-cov",
        "--fsm-cov=machines:ice_machine",
        EACH,
        "--fsm-cov-report=term",
        "--fsm-cov-report=json",
    ]
    result = pytest_here(here, *asked, *how.split())
    assert result.outcomes() == {"passed": 5}
    assert shares(result.out) == {"machines:ice_machine": SHARES["Ice"]}
    assert result.report()["machines"][0]["firings"] == 3


def test_models_of_the_tests_own_modules_are_found_by_workers(tmp_path: Path) -> None:
    """The process that reports imports no tests, and does not find what lies beside them."""
    write(tmp_path / "inner", machines=MACHINES, test_things=TESTS)
    result = pytest_here(
        tmp_path,
        "--fsm-cov=machines:signal",
        "--fsm-cov=machines:brewer",
        EACH,
        "-p",
        "xdist",
        "-n2",
        "inner",
    )
    assert shares(result.out) == {
        f"machines:{name.lower()}": SHARES[name] for name in ("Signal", "Brewer")
    }


def test_workers_cannot_find_a_wrong_name_either(here: Path) -> None:
    result = pytest_here(here, "--fsm-cov=machines:nothing", "-p", "xdist", "-n2")
    assert result.code == pytest.ExitCode.TESTS_FAILED
    [problem] = [line for line in result.out.splitlines() if line.startswith("FAIL ")]
    assert (
        problem.startswith("FAIL machines:nothing: ")
        and "'machines' has no 'nothing'; known: " in problem
    )


def test_workers_beside_another_fsm_say_what_is_in_the_way(tmp_path: Path) -> None:
    write(
        tmp_path,
        fsm="class Door: pass\n",
        test_door="from fsm import Door\n\ndef test_door(): pass\n",
    )
    result = pytest_here(tmp_path, "--fsm-cov", "-p", "xdist", "-n2", module=False)
    assert result.code == pytest.ExitCode.TESTS_FAILED
    [problem] = [line for line in result.out.splitlines() if line.startswith("FAIL ")]
    assert problem.startswith(
        f"FAIL {tmp_path / 'fsm.py'} hides the package 'fsm' of turn-fsm: rename or uninstall it"
    )


ALLOW = """
[[allow]]
of = "machines:ice_machine"
criterion = "transitions"
target = ["liquid -> solid on cool", "gas -> liquid on cool"]
why = "ice is never wanted back"
"""


@pytest.mark.parametrize("how", [["-p", "xdist", "-n2"], ["deep/../test_things.py"]])
def test_a_list_in_the_configuration_file_is_found_from_everywhere(
    here: Path, how: list[str]
) -> None:
    (here / "allow.toml").write_text(ALLOW)
    (here / "pytest.ini").write_text("[pytest]\nfsm_cov_allow = allow.toml\n")
    (here / "deep").mkdir()
    asked = [
        "--fsm-cov=machines:ice_machine",
        "--fsm-cov-criteria=transitions",
        "--fsm-cov-fail-under=100",
    ]
    result = pytest_here(here, *asked, *how)
    assert result.code == 0, result.out
    assert shares(result.out) == {"machines:ice_machine": ["2/2"]}


def test_forked_tests_count(here: Path) -> None:
    pytest.importorskip("pytest_forked")
    result = pytest_here(here, "--fsm-cov", EACH, "--forked", "test_things.py", autoload=True)
    assert (
        shares(result.out) == SHARES
    )  # what becomes of the tests is that plugin's affair, and is explained
    assert ("pytest-forked cannot hand on the results" in result.out) is (result.code != 0)


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
    assert result.by_test("Ice")["solid -> liquid on heat [is_warm]"] == {
        "test_pool[fork]": 4,
        "test_pool[spawn]": 4,
        "test_pool[forkserver]": 4,
        "test_nested_forks": 2,
    }


@pytest.mark.parametrize("how", [[], ["-p", "xdist", "-n2"]])
def test_it_goes_with_pytest_cov(here: Path, how: list[str]) -> None:
    pytest.importorskip("pytest_cov")
    result = pytest_here(here, "--fsm-cov", EACH, "-p", "pytest_cov", "--cov=machines", *how)
    assert result.outcomes() == {"passed": 5}
    assert shares(result.out) == SHARES
    [line] = [line for line in result.out.splitlines() if line.startswith("machines.py ")]
    assert line.endswith("76%")  # all but the bodies of two functions that no test calls


FOREVER = """
import machines, pathlib, time

def test_forever():
    thing = machines.melt("Ice")
    for seconds in (1, 0):
        for _ in range(1000):
            thing.cool()
            thing.heat()
        time.sleep(seconds)
    pathlib.Path("there").touch()
    time.sleep(600)
"""


def test_a_killed_run_leaves_what_it_took(here: Path) -> None:
    write(here, test_things=FOREVER)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "pytest_turn_fsm",
        "--fsm-cov",
        "-p",
        "no:cacheprovider",
    ]
    with started(command, cwd=here) as process:
        while not (here / "there").exists():
            assert process.is_running, process.stderr
            process.pause()
        process.end(signal.SIGKILL)
    assert (
        len(covered(_ice_model(here), "transitions", combine([here / ".fsm-coverage"])).covered)
        == 2
    )


def _ice_model(here: Path) -> Any:
    spec = importlib.util.spec_from_file_location("machines_here", here / "machines.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return model_of(module.ice_machine())


def test_all_reports_at_once(here: Path) -> None:
    kinds = ("html:out.html", "markdown:out.md", "json:out.json")
    result = pytest_here(
        here, "--fsm-cov=machines:ice_machine", *(f"--fsm-cov-report={kind}" for kind in kinds)
    )
    assert result.code == 0
    written = {"out.html", "out.md", "out.json"}
    assert written <= {path.name for path in here.iterdir()}
    assert "pairs" not in result.out  # the terminal was not asked for


NESTED = """
import machines, os, subprocess, sys

def test_inner(tmp_path):
    (tmp_path / "test_inner.py").write_text("import machines\\ndef test(): machines.signal.next_state()")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "pytest_turn_fsm", "--fsm-cov=all", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert "Signal" in done.stdout, done.stdout
    assert "FSM_COVERAGE" in os.environ

def test_after():
    subprocess.run([sys.executable, "-c", "import machines; machines.brewer.start()"], check=True)
"""


def test_runs_beside_each_other_do_not_mix(here: Path) -> None:
    """A test that runs tests itself: each run has what is its own, and the outer one goes on being
    told.
    """
    write(here, test_things=NESTED)
    result = pytest_here(here, "--fsm-cov", "--fsm-cov-data=outer")
    assert result.outcomes() == {"passed": 2}
    assert set(shares(result.out)) == {"Signal", "Brewer"}
