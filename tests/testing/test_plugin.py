"""`pytest --fsm-cov` as its users run it. Many assertions share a run. What takes long is in
tests/thorough/testing.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import fsm
from fsm.coverage import combine, covered
from support.amounts import sample, thorough
from support.measured import cover
from support.pluginruns import (
    ALLOW,
    ASKED,
    EACH,
    MACHINES,
    SHARES,
    TESTS,
    Run,
    pytest_here,
    shares,
    write,
)

pytest_plugins = ["pytester"]

MORE_TESTS = """
import threading
import machines, pytest

early = machines.ice("Early")

def test_thread():
    thread = threading.Thread(target=machines.melt, args=["Started"])
    thread.start()
    thread.join()

@pytest.fixture
def warm():
    thing = machines.melt("Fixed")
    yield thing
    thing.cool()

@pytest.mark.parametrize("times", [1, 2])
def test_more(warm, times):
    if times == 2:
        warm.heat()
        warm.cool()

@pytest.mark.no_fsm_cov
def test_unwatched():
    machines.melt("Unwatched")

def test_after():
    machines.melt("After")
    early.warm = True
    early.heat()
"""
PROCESSES = """
import os, subprocess, sys
import machines, pytest

def run(code):
    subprocess.run([sys.executable, "-c", f"import machines; {code}"], check=True)

def test_process():
    run("machines.melt('Begun').heat()")

def test_fork():
    if os.fork() == 0:
        machines.melt("Begun").cool()
        os._exit(0)
    os.wait()

@pytest.mark.no_fsm_cov
def test_unwatched_process():
    run("machines.melt('Unwatched')")
"""
NAMES = [*SHARES, "Started", "Fixed", "After", "Early", "Begun"]
MELTS = "solid -> liquid on heat [is_warm]"


# runs of everything -------------------------------------------------------------------------------


@pytest.fixture(scope="module", autouse=True)
def loaded() -> None:
    """What is loaded before a run within this process stays loaded after it."""
    cover("report", "nowhere")


@pytest.fixture
def here(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    write(pytester.path, machines=MACHINES, test_things=TESTS)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.syspathinsert()
    return pytester


def run(here: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """Pytest within this process."""
    return here.runpytest_inprocess("-p", "pytest_turn_fsm", "-p", "no:cacheprovider", *arguments)


def measured(here: pytest.Pytester, *reports: str) -> Run:
    """A run that measures all machines, and writes these reports besides JSON."""
    asked = [f"--fsm-cov-report={kind}" for kind in ("json", *reports)]
    result = run(here, "-q", "--fsm-cov", EACH, "--strict-markers", *asked)
    return Run(int(result.ret), result.stdout.str(), result.stderr.str(), here.path)


def test_machines_that_know_nothing_of_it_are_measured_each(here: pytest.Pytester) -> None:
    done = measured(here, "term")
    assert (done.code, done.outcomes()) == (0, {"passed": 5})
    assert shares(done.out) == SHARES


def test_threads_count_for_the_test_that_began_them_and_so_do_set_up_and_tear_down(
    here: pytest.Pytester,
) -> None:
    write(here.path, test_others=MORE_TESTS)
    done = measured(here)
    assert done.by_test("Started")[MELTS] == {"test_thread": 1}
    by = done.by_test("Fixed")
    assert by[MELTS] == by["liquid -> solid on cool"] == {"test_more[1]": 1, "test_more[2]": 1}
    assert by["gas -> liquid on cool"] == {"test_more[2]": 1}


def test_nothing_is_measured_of_a_test_that_says_so(here: pytest.Pytester) -> None:
    """And where a machine was made stays known after it."""
    write(here.path, test_others=MORE_TESTS)
    done = measured(here)
    names = {one["name"].partition(" (")[0] for one in done.report()["machines"]}
    assert names == {*SHARES, "Started", "Fixed", "After", "Early"}
    assert done.by_test("After") == done.by_test("Early") == {MELTS: {"test_after": 1}}
    assert all("(machines.py:" in one["name"] for one in done.report()["machines"])


def test_what_is_missing_comes_with_a_way_to_it(here: pytest.Pytester) -> None:
    assert (
        "Signal (machines.py:37): 1 of 3 transitions; missing: 2\n  ready -> go on next_state\n      by next_state(), next_state()"
        in measured(here, "term-missing").out
    )


def test_all_reports_that_are_asked_for_are_written(here: pytest.Pytester) -> None:
    done = measured(here, "term-missing", "markdown:out.md")
    written = re.findall(r"^written: (.*)$", done.out, re.M)
    assert set(written) == {"fsm-coverage.json", "out.md"}
    assert all((done.folder / name).stat().st_size for name in written)


def test_the_data_needs_no_program_to_be_reported_again(here: pytest.Pytester) -> None:
    data = measured(here).folder / ".fsm-coverage"
    done = cover("report", data, "--criteria", "transitions,rules")
    assert re.search(r"^Ice .* 2/4 +50%", done.output, re.M)


@thorough
def test_processes_count_for_their_test_and_workers_say_what_one_process_says(
    tmp_path: Path,
) -> None:
    runs = list[Run]()
    for name, arguments in {"alone": (), "workers": ("-p", "xdist", "-n2")}.items():
        folder = tmp_path / name
        folder.mkdir()
        parts = {"test_others": MORE_TESTS, "test_processes": PROCESSES}
        write(folder, machines=MACHINES, test_things=TESTS, **parts)
        runs.append(pytest_here(folder, "--fsm-cov", EACH, "--fsm-cov-report=json", *arguments))
        assert (runs[-1].code, runs[-1].outcomes()) == (0, {"passed": 13})
    alone, workers = runs
    begun = alone.by_test("Begun")
    assert begun[MELTS] == {"test_process": 1, "test_fork": 1}
    assert begun["liquid -> gas on heat"] == {"test_process": 1}
    assert begun["liquid -> solid on cool"] == {"test_fork": 1}
    assert "Unwatched" not in str(alone.report()["machines"])
    assert all(workers.by_test(name) == alone.by_test(name) for name in NAMES)


# short runs, within this process ------------------------------------------------------------------


def failures(result: pytest.RunResult) -> list[str]:
    """The problems that the summary names. There is never a traceback of ours."""
    text = result.stdout.str() + result.stderr.str()
    assert "INTERNALERROR" not in text and "Traceback" not in text
    return [line.removeprefix("FAIL ") for line in result.outlines if line.startswith("FAIL ")]


GAME = """
import fsm

def test_game():
    game = fsm.TurnController("magic", ["Ann", "Ben"])
    fsm.drive(game, fsm.BaseHost(), until=lambda request: request.at.turn > 1)
"""


def test_a_game_is_measured_and_so_is_its_window(here: pytest.Pytester) -> None:
    write(here.path, test_things=GAME)
    result = run(here, "--fsm-cov=magic", "--fsm-cov-criteria=transitions")
    model = fsm.load("magic")
    coverage = covered(model, "transitions", combine([here.path / ".fsm-coverage"]))
    assert shares(result.stdout.str()) == {
        "magic": [f"{len(coverage.covered)}/{len(coverage.targets)}"]
    }
    assert {machine for machine, _ in coverage.taken} == {"turn", "window"}


def test_the_configuration_file_asks_and_the_command_line_has_the_last_word(
    here: pytest.Pytester,
) -> None:
    here.makepyprojecttoml(
        """
        [tool.pytest.ini_options]
        fsm_cov = ["machines:ice_machine", "machines:signal"]
        fsm_cov_criteria = ["transitions"]
        fsm_cov_data = ["kept"]
        """
    )
    configured = run(here)
    assert configured.ret == 0
    found = {"machines:ice_machine": ["2/4"], "machines:signal": ["1/3"]}
    assert shares(configured.stdout.str()) == found
    asked = run(here, "--fsm-cov=machines:brewer", "--fsm-cov-criteria=states,pairs", "-k", "brew")
    assert shares(asked.stdout.str()) == {"machines:brewer": ["4/4", "2/4"]}
    assert {subject.name for subject in combine([here.path / "kept"]).seen} == {"Brewer"}
    assert "coverage of state machines" not in run(here, "--no-fsm-cov").stdout.str()


@pytest.mark.parametrize(
    ("least", "said"),
    [
        ("states=100,transitions=50", []),
        (
            "72,transitions=51",
            [
                "total 71.4% (5 of 7) is below 72%",
                "Ice (machines.py:17): transitions 50% (2 of 4) is below 51%",
            ],
        ),
    ],
    ids=["enough", "too little"],
)
def test_too_little_fails_the_run(here: pytest.Pytester, least: str, said: list[str]) -> None:
    result = run(here, "--fsm-cov", "--fsm-cov-fail-under", least, "-k", "melting or boiling")
    result.assert_outcomes(passed=2, deselected=3)
    assert (result.ret, failures(result)) == (bool(said), said)


def test_nothing_recorded_is_too_little(here: pytest.Pytester) -> None:
    write(here.path, test_things="def test_nothing(): pass")
    result = run(here, "--fsm-cov", "--fsm-cov-fail-under=1")
    assert (result.ret, failures(result)) == (1, ["nothing was recorded of any machine"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    sample(
        [
            ("--fsm-cov=magik", "'magik' is unknown; did you mean 'magic'?"),
            ("--fsm-cov=magic?nope=1", "nope"),
            ("--fsm-cov=test_things.py", "'test_things.py' is unknown"),
            ("--fsm-cov=machines:nothing", "'machines' has no 'nothing'"),
            ("--fsm-cov=nowhere:machine", "No module named 'nowhere'"),
            (
                "--fsm-cov=broken:machine",
                "cannot import 'broken': ZeroDivisionError: division by zero",
            ),
            ("--fsm-cov=ending:machine", "cannot import 'ending': SystemExit: 3"),
            ("--fsm-cov-criteria=transition", "did you mean 'transitions'?"),
            ("--fsm-cov-report=htm", "did you mean 'html'?"),
            ("--fsm-cov-report=term:x", "report 'term:x' is unknown"),
            ("--fsm-cov-fail-under=much", "'much' is no share in percent"),
            ("--fsm-cov-allow=nowhere.toml", "nowhere.toml: this cannot be read: No such file"),
            ("--fsm-cov-baseline=nowhere", "nowhere: this cannot be read: No such file"),
            ("--fsm-cov-data=machines.py", "machines.py: File exists"),
        ],
        8,
    ),
)
def test_a_mistake_is_told_in_a_sentence_before_anything_runs(
    here: pytest.Pytester, arguments: str, said: str
) -> None:
    write(here.path, broken="1 / 0", ending="raise SystemExit(3)")
    result = run(here, "--fsm-cov", arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert said in result.stderr.str() and failures(result) == []


def test_what_may_be_missing_is_left_out(here: pytest.Pytester) -> None:
    (here.path / "allow.toml").write_text(ALLOW)
    (here.path / "pytest.ini").write_text("[pytest]\nfsm_cov_allow = allow.toml\n")
    result = run(here, *ASKED, "--fsm-cov-fail-under=100")
    assert (result.ret, shares(result.stdout.str())) == (0, {"machines:ice_machine": ["2/2"]})


def test_a_list_that_is_overtaken_fails_the_run(here: pytest.Pytester) -> None:
    (here.path / "allow.toml").write_text(
        ALLOW.replace("gas -> liquid on cool", "liquid -> gas on heat")
    )
    result = run(here, *ASKED, "--fsm-cov-allow=allow.toml")
    [problem] = failures(result)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert "'liquid -> gas on heat' is taken or impossible" in problem


def test_a_baseline_fails_when_something_is_lost(here: pytest.Pytester) -> None:
    run(here, "--fsm-cov", "-k", "melting or boiling")
    cover("combine", here.path / ".fsm-coverage", "-o", here.path / "base.toml")
    same = run(here, "--fsm-cov", "--fsm-cov-baseline=base.toml", "-k", "melting or boiling")
    assert same.ret == 0 and "base.toml" not in same.stdout.str()
    more = run(here, "--fsm-cov", "--fsm-cov-baseline=base.toml")
    assert more.ret == 0
    more.stdout.fnmatch_lines(["base.toml: * more is taken than it lists; *"])
    less = run(here, "--fsm-cov", "--fsm-cov-baseline=base.toml", "-k", "melting")
    assert (less.ret, failures(less)) == (1, ["base.toml: 1 of what it lists is no longer taken"])
    less.stdout.fnmatch_lines(["    Ice: liquid -> gas on heat"])


CONFTEST = """
import pytest

def pytest_addoption(parser):
    parser.addoption("--asked", action="store_true")

@pytest.fixture
def asked(request):
    return request.config.getoption("asked")
"""


@pytest.mark.parametrize("place", ["command line", "PYTEST_ADDOPTS", "addopts"])
def test_alone_it_does_not_take_the_file_after_it(
    here: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """Nor does it hide options of a conftest in a folder that is named."""
    write(here.mkdir("inner"), test_inner="def test(asked): assert asked", conftest=CONFTEST)
    if place == "PYTEST_ADDOPTS":
        monkeypatch.setenv("PYTEST_ADDOPTS", "--fsm-cov")
    if place == "addopts":
        here.makeini("[pytest]\naddopts = --fsm-cov\n")
    asked = ["--fsm-cov"] if place == "command line" else []
    result = run(here, *asked, "inner/test_inner.py", "test_things.py", "--asked")
    result.assert_outcomes(passed=6)
    assert shares(result.stdout.str()).keys() == SHARES.keys()


def test_collecting_only_reports_nothing(here: pytest.Pytester) -> None:
    result = run(here, "--fsm-cov", "--fsm-cov-fail-under=90", "--collect-only", "-q")
    assert result.ret == 0
    result.stdout.no_fnmatch_line("*coverage of state machines*")


SHARED = """
from transitions import Machine

def test_lamp():
    lamp.add_model(thing := type("Lamp", (), {})())
    thing.go()

lamp = Machine(None, ["a", "b"], "a", [["go", "a", "b"]], auto_transitions=False)
"""


def test_a_machine_without_an_object_can_be_named(here: pytest.Pytester) -> None:
    write(here.path, test_shared=SHARED)
    result = run(here, "--fsm-cov=test_shared:lamp", "test_shared.py")
    result.stdout.fnmatch_lines(["test_shared:lamp *2/2  100% *1/1  100%*"])


# what goes wrong is one line of the summary -------------------------------------------------------

GONE = """
import shutil, machines

def test_cleaning():
    thing = machines.melt("Ice")
    for times in range(800):
        if times == 400:
            shutil.rmtree(".fsm-coverage")
        thing.cool()
        thing.heat()

def test_its_own_fault():
    assert 1 == 2
"""
BROKEN = """
import pathlib, machines

def test_breaking():
    machines.melt("Ice")
    pathlib.Path(".fsm-coverage", "broken.fsmcov").write_text("hello\\n")
"""
RAISES = """
import fsm

class Model(fsm.Model):
    broken = False

    def __getattribute__(self, name):
        if type(self).broken:
            raise ZeroDivisionError("no report today")
        return super().__getattribute__(name)

magic = fsm.load("magic")
model = Model(**{name: getattr(magic, name) for name in magic.__struct_fields__})

def test_fine():
    Model.broken = True
"""


@pytest.mark.parametrize(
    ("tests", "arguments", "said"),
    [
        (GONE, ["--fsm-cov"], r"\.fsm-coverage/.*\.fsmcov: cannot be written: No such file"),
        (BROKEN, ["--fsm-cov"], r"broken\.fsmcov: line 1"),
        (
            RAISES,
            ["--fsm-cov=test_things:model"],
            "^ZeroDivisionError: no report today",
        ),
        (
            TESTS,
            ["--fsm-cov", "--fsm-cov-report=json:nowhere/out.json"],
            r"nowhere/out\S*: cannot be written",
        ),
    ],
    ids=["the folder goes", "damaged data", "the report raises", "a file that cannot be written"],
)
def test_what_goes_wrong_fails_the_run_and_disturbs_no_test(
    here: pytest.Pytester, tests: str, arguments: list[str], said: str
) -> None:
    write(here.path, test_things=tests)
    result = run(here, *arguments)
    result.assert_outcomes(
        passed=tests.count("def test_") - tests.count("1 == 2"), failed=tests.count("1 == 2")
    )
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert re.search(said, failures(result)[0])


# off ----------------------------------------------------------------------------------------------

OFF = """
import sys

def test_off():
    loaded = {name for name in sys.modules if name.partition(".")[0] in ("fsm", "transitions")}
    assert loaded == set()

def test_assertions_of_fsm_are_not_rewritten():
    import fsm.coverage
    for module in [module for name, module in sys.modules.items() if name.partition(".")[0] == "fsm"]:
        assert "rewrite" not in type(module.__loader__).__module__
"""


@thorough
def test_off_nothing_is_imported_rewritten_or_written(tmp_path: Path) -> None:
    write(tmp_path, test_things=OFF)
    result = pytest_here(tmp_path, "-W", "error", "--fsm-cov", "--no-fsm-cov")
    assert (result.code, result.outcomes()) == (0, {"passed": 2}), result.out
    assert "coverage of state machines" not in result.out
    assert not (tmp_path / ".fsm-coverage").exists()
