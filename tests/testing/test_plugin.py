"""The pytest plugin as its users run it. Many assertions share a run; what takes long is in
tests/thorough/testing.
"""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner

import fsm
from fsm.cli.cover import cover
from fsm.coverage import combine, covered
from support.amounts import thorough
from support.pluginruns import EACH, MACHINES, SHARES, TESTS, Run, pytest_here, shares, write

pytest_plugins = ["pytester"]

MORE_TESTS = """
import os, subprocess, sys, threading
import machines, pytest
from fsm.coverage.instrumentation import collecting_now


def test_thread():
    thread = threading.Thread(target=machines.melt, args=["Started"])
    thread.start()
    thread.join()


def test_process():
    code = "import machines; machines.melt('Started').heat()"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_fork():
    if os.fork() == 0:
        machines.melt("Started").cool()
        os._exit(0)
    os.wait()


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
    assert not collecting_now() and "FSM_COVERAGE" not in os.environ
    machines.melt("Unwatched")
    subprocess.run([sys.executable, "-c", "import machines; machines.melt('Unwatched')"], check=True)


def test_after():
    assert collecting_now() and "FSM_COVERAGE" in os.environ
    machines.melt("After")
"""
NAMES = [*SHARES, "Started", "Fixed", "After"]
MELTS = "solid -> liquid on heat [is_warm]"
GAME = """
import fsm


def test_game():
    game = fsm.TurnController(fsm.load("magic"), ["A", "B"])
    while game.request.at.turn < 2:
        inside = game.request.state != game.request.at.stage
        word = game.model.window.state(game.request.state).words[-1] if inside else "done"
        game.answer(fsm.Answer(word, {fact: fact == "stack_empty" for fact in game.request.facts}))
"""
KINDS = ("term-missing", "json", "markdown:out.md")


# one run of everything, alone and by workers ------------------------------------------------------


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = write(
        tmp_path_factory.mktemp("alone"),
        machines=MACHINES,
        test_things=TESTS,
        test_others=MORE_TESTS,
    )
    return pytest_here(
        folder,
        "--fsm-cov",
        EACH,
        "--strict-markers",
        *(f"--fsm-cov-report={kind}" for kind in KINDS),
    )


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = write(
        tmp_path_factory.mktemp("workers"),
        machines=MACHINES,
        test_things=TESTS,
        test_others=MORE_TESTS,
    )
    return pytest_here(
        folder,
        "--fsm-cov",
        EACH,
        "--fsm-cov-report=json",
        "--fsm-cov-report=term",
        "-p",
        "xdist",
        "-n2",
    )


def test_machines_that_know_nothing_of_it_are_measured_each(alone: Run) -> None:
    assert (alone.code, alone.outcomes()) == (0, {"passed": 12})
    found = shares(alone.out)
    assert set(found) == set(NAMES)
    assert {name: found[name] for name in SHARES} == SHARES


def test_workers_and_one_process_say_the_same(alone: Run, workers: Run) -> None:
    assert (workers.code, workers.outcomes()) == (0, {"passed": 12})
    assert shares(workers.out) == shares(alone.out)
    assert all(workers.by_test(name) == alone.by_test(name) for name in NAMES)


def test_threads_processes_and_forks_count(alone: Run) -> None:
    by = alone.by_test("Started")
    assert by[MELTS] == {"test_thread": 1, "test_process": 1, "test_fork": 1}
    assert by["liquid -> gas on heat"] == {"test_process": 1}
    assert by["liquid -> solid on cool"] == {"test_fork": 1}


def test_each_test_knows_what_it_took_in_setup_too(alone: Run) -> None:
    by = alone.by_test("Fixed")
    assert by[MELTS] == by["liquid -> solid on cool"] == {"test_more[1]": 1, "test_more[2]": 1}
    assert by["gas -> liquid on cool"] == {"test_more[2]": 1}


def test_nothing_is_measured_of_a_test_that_says_so(alone: Run) -> None:
    assert "Unwatched" not in shares(alone.out)
    assert alone.by_test("After") == {MELTS: {"test_after": 1}}


def test_what_is_missing_comes_with_a_way_to_it(alone: Run) -> None:
    said = [
        "Signal: 1 of 3 transitions; missing: 2",
        "  ready -> go on next_state",
        "      by stop -> ready -> go",
    ]
    assert "\n".join(said) in alone.out


def test_files_of_reports_are_written(alone: Run) -> None:
    written = re.findall(r"^written: (.*)$", alone.out, re.M)
    assert set(written) >= {"fsm-coverage.json", "out.md"}
    assert all((alone.folder / name).stat().st_size for name in written)


def test_what_was_recorded_needs_no_program(alone: Run) -> None:
    data = combine([alone.folder / ".fsm-coverage"])
    assert {subject.name for subject in data.models} == set(NAMES)


# short runs, within this process ------------------------------------------------------------------


@pytest.fixture
def here(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    write(pytester.path, machines=MACHINES, test_things=TESTS)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.syspathinsert()
    return pytester


def run(here: pytest.Pytester, *arguments: str) -> pytest.RunResult:
    """Pytest within this process."""
    return here.runpytest_inprocess("-p", "pytest_turn_fsm", "-p", "no:cacheprovider", *arguments)


def test_a_game_is_measured_and_so_is_its_window(here: pytest.Pytester) -> None:
    write(here.path, test_things=GAME)
    result = run(here, "--fsm-cov=magic", "--fsm-cov-criteria=transitions")
    taken, possible = map(int, shares(result.stdout.str())["magic"][0].split("/"))
    model = fsm.load("magic")
    assert model.window is not None and possible == len(model.transitions) + len(
        model.window.transitions
    )
    assert 60 < taken < possible
    data = combine([here.path / ".fsm-coverage"])
    assert len(covered(model, "transitions", data).covered) == taken


def test_the_configuration_file_asks_and_the_command_line_has_the_last_word(
    here: pytest.Pytester,
) -> None:
    here.makepyprojecttoml(
        """
        [tool.pytest.ini_options]
        fsm_cov = ["machines:ice_machine", "machines:signal"]
        fsm_cov_criteria = ["transitions"]
        fsm_cov_fail_under = ["10"]
        fsm_cov_data = ["kept"]
        """
    )
    first = run(here)
    assert shares(first.stdout.str()) == {
        "machines:ice_machine": ["2/4"],
        "machines:signal": ["1/3"],
    }
    assert first.ret == 0
    assert (here.path / "kept").is_dir()
    again = run(
        here, "--fsm-cov=machines:brewer", "--fsm-cov-criteria=states,pairs", "-k", "brewing"
    )
    assert shares(again.stdout.str()) == {"machines:brewer": ["4/4", "2/4"]}
    assert {subject.name for subject in combine([here.path / "kept"]).seen} == {"Brewer"}, (
        "a new run begins anew"
    )
    assert "coverage of state machines" not in run(here, "--no-fsm-cov").stdout.str()


@pytest.mark.parametrize(
    ("least", "said"),
    [
        ("states=100,transitions=50", []),
        (
            "72,transitions=51,rules=10",
            [
                "FAIL total 71.4% (5 of 7) is below 72%; the least: Ice (machines.py:17) transitions 50%",
                "FAIL Ice (machines.py:17): transitions 50% (2 of 4) is below 51%",
                "FAIL Ice (machines.py:17): rules is not measured: it is not among the criteria",
            ],
        ),
    ],
)
def test_too_little_fails(here: pytest.Pytester, least: str, said: list[str]) -> None:
    result = run(here, "--fsm-cov", "--fsm-cov-fail-under", least, "-k", "melting or boiling")
    result.assert_outcomes(passed=2, deselected=3)
    assert result.ret == bool(said)
    assert [line for line in result.outlines if line.startswith("FAIL ")] == said


def test_nothing_recorded_is_too_little(here: pytest.Pytester) -> None:
    write(here.path, test_things="def test_nothing(): pass")
    result = run(here, "--fsm-cov", "--fsm-cov-fail-under=1")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["FAIL nothing was recorded of any machine"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--fsm-cov=magik"], "'magik' is no ruleset; did you mean 'magic'?"),
        (["--fsm-cov=magic?nope=1"], "nope"),
        (["--fsm-cov=machines:nothing"], "'machines' has no 'nothing'"),
        (["--fsm-cov=nowhere:machine"], "No module named 'nowhere'"),
        (["--fsm-cov", "--fsm-cov-criteria=transition"], "did you mean 'transitions'?"),
        (["--fsm-cov", "--fsm-cov-report=htm"], "did you mean 'html'?"),
        (["--fsm-cov", "--fsm-cov-report=term:x"], "leave out ':x'"),
        (["--fsm-cov", "--fsm-cov-fail-under=much"], "'much' is no share in percent"),
        (["--fsm-cov", "--fsm-cov-allow=nowhere.toml"], "nowhere.toml: there is no such file"),
        (["--fsm-cov", "--fsm-cov-baseline=nowhere"], "'fsm cover baseline -o' writes one"),
        (["--fsm-cov=test_things.py"], "'test_things.py' is no ruleset"),
        (["--fsm-cov", "--fsm-cov-data=machines.py"], "machines.py: File exists"),
    ],
)
def test_mistakes_are_told_in_a_sentence(
    here: pytest.Pytester, arguments: list[str], said: str
) -> None:
    result = run(here, *arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert said in result.stderr.str()
    assert "Traceback" not in result.stderr.str() + result.stdout.str()


CONFTEST = """
import pytest

def pytest_addoption(parser):
    parser.addoption("--asked", action="store_true")

@pytest.fixture
def asked(request):
    return request.config.getoption("asked")
"""
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
    asked = [
        "--fsm-cov=machines:ice_machine",
        "--fsm-cov-criteria=transitions",
        "--fsm-cov-fail-under=100",
    ]
    result = run(here, *asked)
    assert result.ret == 0, result.outlines
    assert shares(result.stdout.str()) == {"machines:ice_machine": ["2/2"]}
    result.stdout.fnmatch_lines(
        ["machines:ice_machine: allowed to be missing and left out: 2 transitions"]
    )


def test_a_list_that_is_overtaken_fails_the_run(here: pytest.Pytester) -> None:
    (here.path / "allow.toml").write_text(
        ALLOW.replace("gas -> liquid on cool", "liquid -> gas on heat")
    )
    result = run(here, "--fsm-cov=machines:ice_machine", "--fsm-cov-allow=allow.toml")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        ["FAIL *allow.toml: entry 1: *'liquid -> gas on heat' is taken after all*"]
    )


@pytest.mark.parametrize("place", ["command line", "PYTEST_ADDOPTS", "addopts", "workers"])
def test_alone_it_does_not_take_the_file_after_it(
    here: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    write(here.mkdir("inner"), test_inner="def test(asked): assert asked", conftest=CONFTEST)
    if place == "PYTEST_ADDOPTS":
        monkeypatch.setenv("PYTEST_ADDOPTS", "--fsm-cov")
    if place == "addopts":
        here.makeini("[pytest]\naddopts = --fsm-cov\n")
    asked = ["--fsm-cov"] if place in ("command line", "workers") else []
    workers = ["-p", "xdist", "-n1"] if place == "workers" else []
    result = run(here, *workers, *asked, "inner/test_inner.py", "test_things.py", "--asked")
    result.assert_outcomes(passed=6)
    assert set(shares(result.stdout.str())) == set(SHARES)


def test_collecting_only_reports_nothing(here: pytest.Pytester) -> None:
    result = run(here, "--fsm-cov", "--fsm-cov-fail-under=90", "--collect-only", "-q")
    assert result.ret == 0
    result.stdout.no_fnmatch_line("*coverage of state machines*")


# what goes wrong in reporting is one line of the summary ------------------------------------------

GONE = """
import shutil
import machines


def test_cleaning():
    thing = machines.melt("Ice")
    for _ in range(400):
        thing.cool()
        thing.heat()
    shutil.rmtree(".fsm-coverage")
    for _ in range(400):
        thing.cool()
        thing.heat()


def test_its_own_fault():
    assert 1 == 2
"""
BROKEN_DATA = """
import pathlib
import machines


def test_breaking():
    machines.melt("Ice")
    pathlib.Path(".fsm-coverage", "broken.fsmcov").write_text("hello\\n")
"""
REPORT_RAISES = """
import dataclasses
import fsm


class Model(fsm.Model):
    broken = False

    def kept(self, *arguments):
        if self.broken:
            raise ZeroDivisionError("no report today")
        return super().kept(*arguments)


magic = fsm.load("magic")
model = Model(**{field.name: getattr(magic, field.name) for field in dataclasses.fields(magic) if field.init})


def test_fine():
    Model.broken = True


def test_its_own_fault():
    assert 1 == 2
"""
RAISING = """
def raising():
    raise ZeroDivisionError("no machine today")


def test_fine():
    pass
"""


def failed(result: pytest.RunResult) -> list[str]:
    """The problems that the summary names. Never an internal error, and never a traceback of ours."""
    text = result.stdout.str() + result.stderr.str()
    assert "INTERNALERROR" not in text and "Traceback" not in text
    return [line.removeprefix("FAIL ") for line in result.outlines if line.startswith("FAIL ")]


def test_a_data_folder_that_goes_away_disturbs_no_test(here: pytest.Pytester) -> None:
    write(here.path, test_things=GONE)
    result = run(here, "--fsm-cov")
    result.assert_outcomes(passed=1, failed=1)
    first, *_ = failed(result)
    assert re.search(r"\.fsm-coverage/.*\.fsmcov: cannot be written: No such file", first)


def test_data_that_cannot_be_read_fail_the_run(here: pytest.Pytester) -> None:
    write(here.path, test_things=BROKEN_DATA)
    result = run(here, "--fsm-cov")
    result.assert_outcomes(passed=1)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    [problem] = failed(result)
    assert "broken.fsmcov: line 1" in problem


def test_a_report_that_raises_is_a_line_beside_the_results_of_the_tests(
    here: pytest.Pytester,
) -> None:
    write(here.path, test_things=REPORT_RAISES)
    for chosen, outcomes in (
        ("fine", {"passed": 1, "deselected": 1}),
        ("fine or fault", {"passed": 1, "failed": 1}),
    ):
        result = run(here, "--fsm-cov=test_things:model", "--fsm-cov-criteria=states", "-k", chosen)
        result.assert_outcomes(**outcomes)
        assert result.ret == pytest.ExitCode.TESTS_FAILED
        [problem] = failed(result)
        assert problem.startswith("no report can be made: ZeroDivisionError: no report today (")


def test_files_that_cannot_be_written_are_named(here: pytest.Pytester) -> None:
    result = run(here, "--fsm-cov", "--fsm-cov-report=json:nowhere/out.json", "-k", "signal")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    [problem] = failed(result)
    assert re.search(r"nowhere/out[\w.-]*: cannot be written: No such file", problem)


def test_a_machine_that_cannot_be_made_or_imported_is_a_usage_error(here: pytest.Pytester) -> None:
    write(here.path, test_things=RAISING, broken="1 / 0", ending="raise SystemExit(3)")
    for spec, said in {
        "test_things:raising": "ZeroDivisionError: no machine today",
        "broken:machine": "cannot import 'broken': ZeroDivisionError: division by zero",
        "ending:machine": "cannot import 'ending': SystemExit: 3",
    }.items():
        result = run(here, f"--fsm-cov={spec}")
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        assert said in result.stderr.str()
        assert failed(result) == []


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


def test_off_nothing_is_imported_rewritten_or_written(tmp_path: Path) -> None:
    write(tmp_path, test_things=OFF)
    result = pytest_here(tmp_path, "-W", "error", "--fsm-cov", "--no-fsm-cov", autoload=True)
    assert (result.code, result.outcomes()) == (0, {"passed": 2}), result.out
    assert "coverage of state machines" not in result.out
    assert not (tmp_path / ".fsm-coverage").exists()


def command(*arguments: str) -> tuple[int, str]:
    """What `fsm cover` ends with and prints, run here."""
    done = CliRunner().invoke(cover, arguments, prog_name="fsm cover")
    return done.exit_code, done.output


def test_a_baseline_fails_when_something_is_lost_and_says_what_was_gained(
    here: pytest.Pytester,
) -> None:
    run(here, "--fsm-cov", "-k", "melting or boiling")
    assert command("baseline", "-o", "base.jsonl") == (
        0,
        "written: base.jsonl: 4 lines of 1 machine\n",
    )
    asked = ("--fsm-cov", "--fsm-cov-baseline=base.jsonl")
    same = run(here, *asked, "-k", "melting or boiling")
    assert same.ret == 0 and "base.jsonl" not in same.stdout.str()
    more = run(here, *asked)
    assert more.ret == 0
    more.stdout.fnmatch_lines(
        ["base.jsonl: * more is taken than it lists", "*'fsm cover baseline -o base.jsonl' *"]
    )
    less = run(here, *asked, "-k", "melting")
    assert less.ret == pytest.ExitCode.TESTS_FAILED
    said = [
        "FAIL base.jsonl: 1 of what it lists is no longer taken",
        "    Ice: transition liquid -> gas on heat",
    ]
    less.stdout.fnmatch_lines(said)
    code, text = command("diff", "base.jsonl")
    assert code == 1 and text.splitlines() == [
        "- Ice: transition liquid -> gas on heat",
        "1 lost, 0 gained",
    ]
    assert command("report", "--baseline", "base.jsonl")[0] == 1


@thorough
def test_what_was_proved_is_kept_beside_the_data(tmp_path: Path) -> None:
    folder = write(tmp_path, test_game=GAME)
    asked = ("--fsm-cov=magic", "--fsm-cov-criteria=transitions", "--fsm-cov-report=term-missing")
    first = pytest_here(folder, *asked).out
    (kept,) = folder.glob(".fsm-coverage/proved/*.json")
    text = kept.read_text(encoding="utf-8")
    [missing] = [line for line in first.splitlines() if "transitions; missing: " in line]
    assert missing in pytest_here(folder, *asked).out.splitlines()
    assert kept.read_text(encoding="utf-8") == text


def test_the_terminal_says_how_to_ask_for_more(here: pytest.Pytester) -> None:
    hint = "--fsm-cov-criteria=literals,pairs asks for more"
    assert hint in run(here, "--fsm-cov").outlines
    assert hint not in run(here, "--fsm-cov", "--fsm-cov-criteria=pairs").outlines


def test_machines_without_an_object_are_counted(here: pytest.Pytester) -> None:
    write(
        here.path,
        shared=dedent("""
            from transitions import Machine

            ROWS = [["go", "a", "b"]]
            nameless = Machine(None, ["a", "b"], "a", ROWS, auto_transitions=False)
            named = Machine(None, ["a", "b"], "a", ROWS, auto_transitions=False, name="door")
        """),
        test_shared=dedent("""
            from shared import named, nameless

            class Lamp:
                pass

            def test_both():
                for machine in (named, nameless):
                    machine.add_model(lamp := Lamp())
                    lamp.go()
        """),
    )
    result = run(here, "--fsm-cov=shared:named", "--fsm-cov=shared:nameless", "test_shared.py")
    result.stdout.fnmatch_lines(["shared:named *1/1  100%*", "shared:nameless *1/1  100%*"])
