"""The pytest plugin as its users run it: in processes of its own, on machines that know nothing of it."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import fsm
from fsm.coverage import combine, covered
from fsm.foreign import model_of

pytest_plugins = ["pytester"]

MACHINES = '''
from transitions import Machine
from transitions.extensions import AsyncMachine, HierarchicalMachine


class Ice:
    warm = False

    def is_warm(self):
        return self.warm


def ice():
    """Three states of matter, one way out of ice guarded."""
    thing = Ice()
    Machine(thing, ["solid", "liquid", "gas"], initial="solid", name="Ice", transitions=[
        {"trigger": "heat", "source": "solid", "dest": "liquid", "conditions": "is_warm"},
        {"trigger": "heat", "source": "liquid", "dest": "gas"},
        {"trigger": "cool", "source": "gas", "dest": "liquid"},
        {"trigger": "cool", "source": "liquid", "dest": "solid"},
    ])
    return thing


def ice_machine():
    return ice().trigger.func.__self__


signal = Machine(states=["stop", "ready", "go"], initial="stop", ordered_transitions=True, name="Signal")

brewer = HierarchicalMachine(
    states=["off", {"name": "on", "initial": "grinding", "children": ["grinding", "pouring"]}],
    transitions=[["start", "off", "on"], ["pour", "on_grinding", "on_pouring"], ["stop", "on", "off"]],
    initial="off", name="Brewer", auto_transitions=False,
)

parcel = AsyncMachine(
    states=["packed", "sent", "there"], initial="packed", name="Parcel",
    transitions=[["send", "packed", "sent"], ["arrive", "sent", "there"], ["return_", "there", "packed"]],
)
'''
TESTS = '''
import asyncio
import machines


def test_melting():
    thing = machines.ice()
    assert not thing.heat()
    thing.warm = True
    assert thing.heat()


def test_boiling():
    thing = machines.ice()
    thing.warm = True
    assert thing.heat() and thing.heat()


def test_signal():
    assert machines.signal.next_state()


def test_brewing():
    machines.brewer.start()
    machines.brewer.pour()
    machines.brewer.stop()


def test_parcel():
    async def way():
        await machines.parcel.send()
        await machines.parcel.arrive()

    asyncio.run(way())
'''
GAME = '''
import fsm


def test_game():
    game = fsm.TurnController(fsm.load("magic"), ["A", "B"])
    while game.request.at.turn < 2:
        inside = game.request.state != game.request.at.stage
        word = game.model.window.state(game.request.state).words[-1] if inside else "done"
        game.answer(fsm.Answer(word, {fact: fact == "stack_empty" for fact in game.request.facts}))
'''


@pytest.fixture
def here(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makepyfile(machines=MACHINES, test_things=TESTS)
    return pytester


def run(here: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """Pytest in a process of its own, with nothing loaded but this plugin and those asked for."""
    return here.runpytest_subprocess("-p", "pytest_turn_fsm", "-p", "no:cacheprovider", *arguments)


def shares(result: pytest.RunResult) -> dict[str, list[str]]:
    """What the table says of each machine: "3/4" and so on, without the percentages."""
    start = next(i for i, line in enumerate(result.outlines) if "coverage of state machines" in line)
    rows = [line.split() for line in result.outlines[start + 2 :] if re.search(r"\d+/\d+ +[\d.]+%", line)]
    return {row[0]: row[1::2] for row in rows}


def ice_model(here: pytest.Pytester) -> Any:
    spec = importlib.util.spec_from_file_location("machines_here", here.path / "machines.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return model_of(module.ice_machine())


ALL = {
    "Ice": ["3/3", "2/4", "2/2", "1/6"],
    "Signal": ["2/3", "1/3", "0/0", "0/3"],
    "Brewer": ["4/4", "3/3", "0/0", "2/4"],
    "Parcel": ["3/3", "2/3", "0/0", "1/3"],
}

# what is measured ----------------------------------------------------------------------------------------------


def test_machines_that_know_nothing_of_it_are_measured_each(here: pytest.Pytester) -> None:
    result = run(here, "--fsm-cov")
    result.assert_outcomes(passed=5)
    assert shares(result) == ALL


@pytest.mark.parametrize("how", ["-n2", "-n2 --dist=loadscope", "-p no:randomly"])
def test_workers_and_one_process_say_the_same(here: pytest.Pytester, how: str) -> None:
    result = run(here, "--fsm-cov", "--fsm-cov=machines:ice_machine", "--fsm-cov-report=term",
                 "--fsm-cov-report=json", *how.split())  # fmt: skip
    result.assert_outcomes(passed=5)
    assert shares(result) == {"machines:ice_machine": ALL["Ice"]}
    assert json.loads((here.path / "fsm-coverage.json").read_text())["machines"][0]["firings"] == 3


def test_models_of_the_tests_own_modules_are_found_by_workers(here: pytest.Pytester) -> None:
    """The process that reports imports no tests, and does not find what lies beside them."""
    here.mkdir("inner")
    for name in ("machines.py", "test_things.py"):
        (here.path / name).rename(here.path / "inner" / name)
    result = run(here, "--fsm-cov=machines:signal", "--fsm-cov=machines:brewer", "-n2", "inner")
    assert shares(result) == {f"machines:{name.lower()}": ALL[name] for name in ("Signal", "Brewer")}


def test_forked_tests_count(here: pytest.Pytester) -> None:
    pytest.importorskip("pytest_forked")
    result = run(here, "--fsm-cov", "--forked", "test_things.py")
    assert shares(result) == ALL  # what becomes of the tests is that plugin's affair, and is explained
    assert ("pytest-forked cannot hand on the results" in result.stdout.str()) is (result.ret != 0)


def test_pools_of_processes_count(here: pytest.Pytester) -> None:
    here.makepyfile(
        test_things="""
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
    )
    result = run(here, "--fsm-cov", "--fsm-cov-report=json")
    result.assert_outcomes(passed=4)
    report = json.loads((here.path / "fsm-coverage.json").read_text())
    (criterion,) = (c for c in report["machines"][0]["criteria"] if c["criterion"] == "transitions")
    (melting,) = (item for item in criterion["items"] if item["id"] == "solid -> liquid on heat [is_warm]")
    times = {report["contexts"][n].partition("::")[2]: count for n, count in melting["contexts"]}
    assert times == {"test_pool[fork]": 4, "test_pool[spawn]": 4, "test_pool[forkserver]": 4, "test_nested_forks": 2}


def test_nothing_is_measured_of_a_test_that_says_so(here: pytest.Pytester) -> None:
    here.makepyfile(
        test_things="""
        import os, subprocess, sys
        import machines, pytest
        from fsm.coverage.watching import collecting_now

        def test_before():
            machines.signal.next_state()

        @pytest.mark.no_fsm_cov
        def test_unwatched():
            assert not collecting_now() and "FSM_COVERAGE" not in os.environ
            machines.brewer.start()
            subprocess.run([sys.executable, "-c", "import machines; machines.brewer.start()"], check=True)

        def test_after():
            assert collecting_now() and "FSM_COVERAGE" in os.environ
            machines.signal.next_state()
        """
    )
    for how in ([], ["-n2"]):
        result = run(here, "--fsm-cov", "--strict-markers", *how)
        result.assert_outcomes(passed=3)
        assert set(shares(result)) == {"Signal"}

def test_threads_processes_and_forks_count(here: pytest.Pytester) -> None:
    here.makepyfile(
        test_things="""
        import os, subprocess, sys, threading
        import machines

        def melt():
            thing = machines.ice()
            thing.warm = True
            thing.heat()
            return thing

        def test_thread():
            thread = threading.Thread(target=melt)
            thread.start()
            thread.join()

        def test_process():
            code = "import machines; t = machines.ice(); t.warm = True; t.heat(); t.heat()"
            subprocess.run([sys.executable, "-c", code], check=True)

        def test_fork():
            if os.fork() == 0:
                melt().cool()
                os._exit(0)
            os.wait()
        """
    )
    result = run(here, "--fsm-cov", "--fsm-cov-report=json")
    result.assert_outcomes(passed=3)
    by = by_test(here, "transitions")
    assert by["solid -> liquid on heat [is_warm]"] == {
        f"test_things.py::test_{name}" for name in ("thread", "process", "fork")
    }
    assert by["liquid -> gas on heat"] == {"test_things.py::test_process"}
    assert by["liquid -> solid on cool"] == {"test_things.py::test_fork"}


def by_test(here: pytest.Pytester, criterion: str) -> dict[str, set[str]]:
    """Of the first machine in the JSON report: the tests that took each item."""
    report = json.loads((here.path / "fsm-coverage.json").read_text())
    found = next(c for c in report["machines"][0]["criteria"] if c["criterion"] == criterion)
    return {item["id"]: {report["contexts"][n] for n, _ in item.get("contexts", [])} for item in found["items"]}


def test_each_test_knows_what_it_took_in_setup_too(here: pytest.Pytester) -> None:
    here.makepyfile(
        test_things="""
        import machines, pytest

        @pytest.fixture
        def warm():
            thing = machines.ice()
            thing.warm = True
            thing.heat()
            yield thing
            thing.cool()

        @pytest.mark.parametrize("times", [1, 2])
        def test_more(warm, times):
            if times == 2:
                warm.heat()
                warm.cool()
        """
    )
    run(here, "--fsm-cov", "--fsm-cov-report=json").assert_outcomes(passed=2)
    both = {"test_things.py::test_more[1]", "test_things.py::test_more[2]"}
    by = by_test(here, "transitions")
    assert by["solid -> liquid on heat [is_warm]"] == by["liquid -> solid on cool"] == both
    assert by["gas -> liquid on cool"] == {"test_things.py::test_more[2]"}


def test_a_game_is_measured_and_so_is_its_window(here: pytest.Pytester) -> None:
    here.makepyfile(test_things=GAME)
    result = run(here, "--fsm-cov=magic", "--fsm-cov-criteria=transitions")
    taken, possible = map(int, shares(result)["magic"][0].split("/"))
    model = fsm.load("magic")
    assert model.window is not None and possible == len(model.transitions) + len(model.window.transitions)
    assert 60 < taken < possible
    data = combine([here.path / ".fsm-coverage"])
    assert len(covered(model, "transitions", data).covered) == taken


def test_it_goes_with_pytest_cov(here: pytest.Pytester) -> None:
    pytest.importorskip("pytest_cov")
    for how in ([], ["-n2"]):
        result = run(here, "--fsm-cov", "--cov=machines", *how)
        result.assert_outcomes(passed=5)
        assert shares(result) == ALL
        result.stdout.fnmatch_lines(["machines.py * 93%"])


def test_a_killed_run_leaves_what_it_took(here: pytest.Pytester) -> None:
    here.makepyfile(
        test_things="""
        import machines, pathlib, time

        def test_forever():
            thing = machines.ice()
            thing.warm = True
            for _ in range(1000):
                thing.heat()
                thing.cool()
            pathlib.Path("there").touch()
            time.sleep(600)
        """
    )
    command = [sys.executable, "-m", "pytest", "-p", "pytest_turn_fsm", "--fsm-cov", "-p", "no:cacheprovider"]
    with subprocess.Popen(command, cwd=here.path, stdout=subprocess.DEVNULL) as process:
        while not (here.path / "there").exists():
            assert process.poll() is None
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGKILL)
    assert len(covered(ice_model(here), "transitions", combine([here.path / ".fsm-coverage"])).covered) == 2


# off, and asked for in the file --------------------------------------------------------------------------------


def test_off_nothing_is_imported_or_written(here: pytest.Pytester) -> None:
    here.makepyfile(
        test_things="""
        import sys

        def test_off():
            loaded = {name for name in sys.modules if name.partition(".")[0] in ("fsm", "transitions", "networkx")}
            assert loaded == {"fsm", "pytest_turn_fsm"}
        """
    )
    for arguments in ([], ["--fsm-cov", "--no-fsm-cov"]):
        result = run(here, *arguments)
        result.assert_outcomes(passed=1)
        result.stdout.no_fnmatch_line("*coverage of state machines*")
    assert not (here.path / ".fsm-coverage").exists()


def test_the_configuration_file_asks_and_the_command_line_has_the_last_word(here: pytest.Pytester) -> None:
    here.makepyprojecttoml(
        """
        [tool.pytest.ini_options]
        fsm_cov = ["machines:ice_machine", "machines:signal"]
        fsm_cov_criteria = ["transitions"]
        fsm_cov_fail_under = ["10"]
        fsm_cov_data = ["kept"]
        """
    )
    assert shares(run(here)) == {"machines:ice_machine": ["2/4"], "machines:signal": ["1/3"]}
    assert (here.path / "kept").is_dir()
    again = run(here, "--fsm-cov=machines:brewer", "--fsm-cov-criteria=states,pairs")
    assert shares(again) == {"machines:brewer": ["4/4", "2/4"]}


def test_a_new_run_begins_anew(here: pytest.Pytester) -> None:
    run(here, "--fsm-cov")
    assert list(shares(run(here, "--fsm-cov", "-k", "signal"))) == ["Signal"]


# thresholds and mistakes ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("least", "code", "said"),
    [
        ("50", 1, "FAIL Ice: pairs 16.6% (1 of 6) is below 50%"),
        ("states=100,transitions=50", 0, ""),
        ("transitions=51", 1, "FAIL Ice: transitions 50% (2 of 4) is below 51%"),
        ("rules=10", 1, "FAIL Ice: rules is not measured: it is not among the criteria"),
    ],
)
def test_too_little_fails(here: pytest.Pytester, least: str, code: int, said: str) -> None:
    result = run(here, "--fsm-cov", "--fsm-cov-fail-under", least, "-k", "melting or boiling")
    result.assert_outcomes(passed=2, deselected=3)
    assert result.ret == code
    assert said in result.stdout.str()


def test_nothing_recorded_is_too_little(here: pytest.Pytester) -> None:
    here.makepyfile(test_things="def test_nothing(): pass")
    result = run(here, "--fsm-cov", "--fsm-cov-fail-under=1")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["FAIL nothing was recorded of any machine"])
    assert run(here, "--fsm-cov=magic", "--fsm-cov-fail-under=1").ret == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--fsm-cov=magik"], "'magik' is no ruleset; did you mean 'magic'?"),
        (["--fsm-cov=magic?nope=1"], "nope"),
        (["--fsm-cov=machines:nothing"], "'machines' has no 'nothing'"),
        (["--fsm-cov", "--fsm-cov-criteria=transition"], "did you mean 'transitions'?"),
        (["--fsm-cov", "--fsm-cov-report=htm"], "did you mean 'html'?"),
        (["--fsm-cov", "--fsm-cov-report=term:x"], "leave out ':x'"),
        (["--fsm-cov", "--fsm-cov-fail-under=much"], "'much' is no share in percent"),
        (["--fsm-cov", "test_things.py"], "'test_things.py' is a file or directory"),
    ],
)
def test_mistakes_are_told_in_a_sentence(here: pytest.Pytester, arguments: list[str], said: str) -> None:
    result = run(here, *arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert said in result.stderr.str()
    assert "Traceback" not in result.stderr.str() + result.stdout.str()


def test_workers_cannot_find_it_either(here: pytest.Pytester) -> None:
    result = run(here, "--fsm-cov=machines:nothing", "-n2")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["FAIL machines:nothing: *'machines' has no 'nothing'"])


ALLOW = """
[[allow]]
of = "machines:ice_machine"
criterion = "transitions"
target = ["liquid -> solid on cool", "gas -> liquid on cool"]
why = "ice is never wanted back"
"""


def test_what_may_be_missing(here: pytest.Pytester) -> None:
    (here.path / "allow.toml").write_text(ALLOW)
    (here.path / "pytest.ini").write_text("[pytest]\nfsm_cov_allow = allow.toml\n")
    here.mkdir("deep")
    asked = ["--fsm-cov=machines:ice_machine", "--fsm-cov-criteria=transitions", "--fsm-cov-fail-under=100"]
    for how in ([], ["-n2"], ["--rootdir=.", "deep/../test_things.py"]):
        result = run(here, *asked, *how)
        assert result.ret == 0, result.outlines
        assert shares(result) == {"machines:ice_machine": ["2/2"]}
        result.stdout.fnmatch_lines(["machines:ice_machine: allowed to be missing and left out: 2 transitions"])


def test_a_list_that_is_overtaken_fails_the_run(here: pytest.Pytester) -> None:
    (here.path / "allow.toml").write_text(ALLOW.replace("gas -> liquid on cool", "liquid -> gas on heat"))
    result = run(here, "--fsm-cov=machines:ice_machine", "--fsm-cov-allow=allow.toml")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["FAIL *allow.toml: entry 1: *'liquid -> gas on heat' is taken after all*"])
    result = run(here, "--fsm-cov", "--fsm-cov-allow=nowhere.toml")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "nowhere.toml: No such file" in result.stderr.str()


# reports ----------------------------------------------------------------------------------------------------------


def test_what_is_missing_comes_with_a_way_to_it(here: pytest.Pytester) -> None:
    result = run(here, "--fsm-cov", "--fsm-cov-report=term-missing", "-k", "melting")
    result.stdout.fnmatch_lines(
        [
            "Ice: transitions not taken: 3",
            "  liquid -> gas on heat",
            "      by solid -> liquid -> gas",
            "  liquid -> solid on cool",
            "      by solid -> liquid -> solid",
            "  gas -> liquid on cool",
            "      by solid -> liquid -> gas -> liquid",
        ]
    )


def test_all_reports_at_once(here: pytest.Pytester) -> None:
    kinds = ("html:out.html", "svg:out.svg", "json:out.json", "lcov:out.info")
    here.mkdir("deep")
    result = run(here, "--fsm-cov=machines:ice_machine", *(f"--fsm-cov-report={kind}" for kind in kinds))
    assert result.ret == 0
    written = {"out.html", "out.svg", "out-dark.svg", "out.json", "out.info", "out-machines-ice_machine.txt"}
    assert written <= {path.name for path in here.path.iterdir()}
    result.stdout.no_fnmatch_line("*states*pairs*")  # the terminal was not asked for


def test_files_that_cannot_be_written_are_named(here: pytest.Pytester) -> None:
    result = run(here, "--fsm-cov", "--fsm-cov-report=html:nowhere/out.html")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["FAIL *nowhere*out.html: cannot be written: No such file*"])


def test_collecting_only_reports_nothing(here: pytest.Pytester) -> None:
    result = run(here, "--fsm-cov", "--fsm-cov-fail-under=90", "--collect-only", "-q")
    assert result.ret == 0
    result.stdout.no_fnmatch_line("*coverage of state machines*")


def test_runs_beside_each_other_do_not_mix(here: pytest.Pytester) -> None:
    """A test that runs tests itself: each run has what is its own, and the outer one goes on being told."""
    here.makepyfile(
        test_things="""
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
    )
    result = run(here, "--fsm-cov", "--fsm-cov-data=outer")
    result.assert_outcomes(passed=2)
    assert set(shares(result)) == {"Signal", "Brewer"}


def test_the_report_of_a_file_elsewhere_needs_no_program(here: pytest.Pytester, tmp_path: Path) -> None:
    run(here, "--fsm-cov", "--fsm-cov-report=json")
    data = combine([here.path / ".fsm-coverage"])
    assert {subject.name for subject in data.models} == set(ALL)
