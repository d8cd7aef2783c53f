"""The plugin as its users run it, where this distribution is installed."""

from __future__ import annotations

import json
import re
import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

README = Path(__file__).resolve().parent.parent / "README.md"
DOOR = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.S)[0]
ALL = ("--transitions-cov", "--transitions-cov-criteria=transitions")


@pytest.fixture
def door(pytester: pytest.Pytester) -> pytest.Pytester:
    """A folder with the example of the README."""
    pytester.makepyfile(door=DOOR)
    return pytester


def run(door: pytest.Pytester, *words: str) -> pytest.RunResult:
    return door.runpytest_subprocess("-q", "-p", "no:cacheprovider", *words)


def test_the_readme_shows_what_is_printed(door: pytest.Pytester) -> None:
    console = re.findall(
        r"```console\n\$ pytest -q (.*?)\n(.*?)```", README.read_text(encoding="utf-8"), re.S
    )
    [(words, shown)] = console
    done = run(door, *words.split())
    assert done.ret == 1
    assert shown.strip() in done.stdout.str()


def test_nothing_is_imported_before_it_is_asked_for(door: pytest.Pytester) -> None:
    door.makeconftest("""
        import sys

        def pytest_configure(config):
            print(sorted(name for name in sys.modules if name.partition(".")[0] == "transitions_cov"))
    """)
    names = ["", ".coverageoptions", ".extensions", ".lazily", ".pytestplugin"]
    done = run(door, "--collect-only")
    assert str([f"transitions_cov{name}" for name in names]) in done.stdout.str()


def test_the_configuration_file_has_the_same_options(door: pytest.Pytester) -> None:
    door.makepyprojecttoml("""
        [tool.pytest.ini_options]
        transitions_cov = ["door:Door"]
        transitions_cov_criteria = ["states"]
        transitions_cov_fail_under = ["60"]
        transitions_cov_report = ["json:out.json"]
    """)
    assert run(door, "door.py").ret == 0
    report = json.loads((door.path / "out.json").read_text(encoding="utf-8"))
    [machine] = report["machines"]
    assert [(c["criterion"], c["taken"], c["targets"]) for c in machine["criteria"]] == [
        ("states", 2, 3)
    ]
    assert "coverage" not in run(door, "door.py", "--no-transitions-cov").stdout.str()


@pytest.mark.parametrize("spec", ["door:Door", "specs:door", "specs:machine", "specs:make"])
def test_a_spec_is_a_machine_or_what_makes_or_is_driven_by_one(
    door: pytest.Pytester, spec: str
) -> None:
    door.makepyfile(
        specs="""
        from door import Door

        door = Door()
        machine = door.trigger.func.__self__

        def make():
            return Door()
    """
    )
    done = run(
        door, "door.py", f"--transitions-cov={spec}", "--transitions-cov-criteria=transitions"
    )
    done.stdout.fnmatch_lines([f"{spec}*2/3 66.6%"])


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("door", "'door' names no machine: write module:attribute"),
        ("door:Dor", "machine 'door:Dor': 'door' has no 'Dor'"),
        ("nowhere:x", "machine 'nowhere:x': cannot import 'nowhere': No module named 'nowhere'"),
        (
            "sys:path",
            "machine 'sys:path' is a list, but must be a machine of the transitions library, an object",
        ),
    ],
)
def test_a_wrong_spec_is_one_sentence(door: pytest.Pytester, spec: str, says: str) -> None:
    done = run(door, "door.py", f"--transitions-cov={spec}")
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    assert says in done.stderr.str()
    assert "Traceback" not in done.stderr.str()


def test_what_may_be_missing_does_not_count(door: pytest.Pytester) -> None:
    [listed] = re.findall(r"```toml\n(.*?)```", README.read_text(encoding="utf-8"), re.S)
    (door.path / "allow.toml").write_text(listed, encoding="utf-8")
    done = run(
        door,
        "door.py",
        *ALL,
        "--transitions-cov-fail-under=100",
        "--transitions-cov-allow=allow.toml",
    )
    assert done.ret == 0


def test_a_marked_test_is_not_measured(door: pytest.Pytester) -> None:
    door.makepyfile(
        test_marked="""
        import pytest
        from door import Door

        @pytest.mark.no_transitions_cov
        def test_lock():
            Door().lock()

        def test_push():
            Door().push()
    """
    )
    done = run(door, "test_marked.py", *ALL)
    done.stdout.fnmatch_lines(["Door*1/3 33.3%"])


def test_child_processes_are_measured(door: pytest.Pytester) -> None:
    door.makepyfile(
        test_child="""
        import subprocess, sys

        def test_lock():
            subprocess.run([sys.executable, "-c", "import door; door.Door().lock()"], check=True)
    """
    )
    done = run(door, "test_child.py", *ALL)
    done.stdout.fnmatch_lines(["Door*1/3 33.3%"])


def test_workers_are_measured(door: pytest.Pytester) -> None:
    pytest.importorskip("xdist")
    done = run(door, "door.py", *ALL, "-n", "1")
    done.stdout.fnmatch_lines(["Door*2/3 66.6%"])


def test_a_failed_comparison_says_where_the_paths_part(door: pytest.Pytester) -> None:
    door.makepyfile(
        test_path="""
        from door import Door
        from transitions_cov import traversed

        def test_path():
            with traversed(door := Door()) as way:
                door.push()
            assert way.states == ["shut", "locked"]
    """
    )
    done = run(door, "test_path.py")
    done.stdout.fnmatch_lines(["E*the path goes to 'open', and 'locked' was expected (place 1)"])


def test_pages_need_turn_fsm(door: pytest.Pytester) -> None:
    done = run(door, "door.py", *ALL, "--transitions-cov-report=html")
    try:
        version("turn-fsm")
    except PackageNotFoundError:
        assert done.ret == pytest.ExitCode.USAGE_ERROR
        done.stderr.fnmatch_lines(
            ["*report 'html' needs turn-fsm *: run pip install 'pytest-transitions-cov?html?'"]
        )
    else:
        page = (door.path / "fsm-coverage.html").read_text(encoding="utf-8")
        assert "<svg" in page and "locked" in page


def test_one_run_is_measured_once(door: pytest.Pytester) -> None:
    if find_spec("pytest_turn_fsm") is None:
        pytest.skip("turn-fsm is not installed")
    done = run(door, "door.py", *ALL, "--fsm-cov")
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    assert "measure the same: give one of them" in done.stderr.str()


def test_the_command_reports_joins_and_compares(door: pytest.Pytester) -> None:
    def command(*words: str) -> pytest.RunResult:
        return door.run(sys.executable, "-m", "transitions_cov", *words)

    assert run(door, "door.py", *ALL).ret == 0
    command("combine", "-o", "all.fsmcov").stdout.fnmatch_lines(
        ["written: all.fsmcov: 2 firings of 1 machine"]
    )
    missing = command(
        "report", "all.fsmcov", "--criteria", "transitions", "--report", "term-missing"
    )
    missing.stdout.fnmatch_lines(
        ["Door (door.py:6): 2 of 3 transitions; missing: shut -> locked on lock"]
    )
    assert missing.ret == 0
    assert command("report", "--of", "door:Door", "--fail-under", "100").ret == 1
    assert command("diff", "all.fsmcov", ".transitions-cov").outlines == ["0 lost, 0 gained"]
    assert (
        run(
            door, "--transitions-cov", "--deselect", "door.py::test_it_opens_and_shuts", "door.py"
        ).ret
        == 5
    )
    wrong = command("report", "nowhere")
    assert (wrong.ret, wrong.errlines) == (2, ["transitions-cov: 'nowhere' does not exist"])
