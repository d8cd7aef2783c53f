"""The page on continuous integration: its jobs, its commands and its hooks are run in a project of
their own.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from support import processes, tools
from support.folders import DOCS, ROOT

PAGE = (DOCS / "how-to" / "continuous-integration.md").read_text("utf-8")
DOOR = """
from transitions import Machine


class Door(Machine):
    def __init__(self):
        super().__init__(
            states=["shut", "open", "locked"], initial="shut", auto_transitions=False,
            transitions=[
                ["push", "shut", "open"],
                ["pull", "open", "shut"],
                ["lock", "shut", "locked"],
                ["unlock", "locked", "shut"],
            ],
        )
"""
TEST_DOOR = """
from machines import Door


def test_it_opens():
    door = Door()
    assert door.push() and door.pull() and door.lock()
"""
CASES = '[{"id": "no-attackers", "players": 2, "through_turn": 1, "expect": [{"turn": 1, "visits": {"draw": 0}}]}]'
DISTRIBUTION = (
    "pyproject.toml",
    "README.md",
    "LICENSE",
    ".pre-commit-hooks.yaml",
    "pytest_turn_fsm.py",
)
UNREACHABLE = (
    "Could not find a version",
    "No matching distribution",
    "Failed to establish",
    "Temporary failure",
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    files = {
        "machines.py": DOOR,
        "test_door.py": TEST_DOOR,
        "mygame.py": "import fsm\n\nGAME = fsm.load('grand-archive')\n",
        "cases.json": CASES,
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def blocks(language: str) -> Iterator[str]:
    """The blocks of code of the page in this language."""
    yield from re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.M | re.S)


def run(command: str, folder: Path, **variables: str) -> CompletedProcess[str]:
    """Run a command of the page with the programs of this environment."""
    program, *arguments = shlex.split(command)
    call = {"fsm": [sys.executable, "-m", "fsm"], "pytest": [sys.executable, "-m", "pytest"]}.get(
        program, [program]
    )
    return processes.run([*call, *arguments], cwd=folder, env={**os.environ, **variables})


def commands(block: str) -> list[str]:
    """The commands of a job, without the installation."""
    found = re.findall(r"^ +- run: (.*)$", block, re.M)
    assert found[0] == "pip install turn-fsm pytest"
    return found[1:]


@pytest.fixture
def with_baseline(project: Path) -> Path:
    """The project after the commands of the section on baselines."""
    (section,) = (block for block in blocks("sh") if "cover baseline" in block)
    assert run("git init -q", project).returncode == 0
    for command in section.splitlines():
        done = run(command, project)
        assert done.returncode == 0, f"$ {command}\n{done.stdout}{done.stderr}"
    return project


@pytest.mark.parametrize(
    "job", [block for block in blocks("yaml") if "runs-on" in block], ids=["game", "machines"]
)
def test_the_steps_of_a_job_end_well_and_report_to_github(with_baseline: Path, job: str) -> None:
    summary = with_baseline / "summary.md"
    for command in commands(job):
        done = run(
            command,
            with_baseline,
            GITHUB_STEP_SUMMARY=str(summary),
            GITHUB_WORKSPACE=str(with_baseline),
        )
        assert done.returncode == 0, f"$ {command}\n{done.stdout}{done.stderr}"
    assert "locked -&gt; shut on unlock" in summary.read_text("utf-8")
    assert "| transitions |" in summary.read_text("utf-8")


def test_a_test_that_is_lost_fails_the_job(with_baseline: Path) -> None:
    (with_baseline / "test_door.py").write_text(TEST_DOOR.replace(" and door.lock()", ""))
    *_, gate = (block for block in blocks("sh") if "cover baseline" in block)
    done = run(gate.splitlines()[-1], with_baseline)
    assert done.returncode == 1
    assert re.search(r"Door.*: transition shut -> locked on lock$", done.stdout, re.M)


def test_the_hooks_run_in_another_repository(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    program = tools.tool("pre-commit")
    ours = repository(tmp_path_factory.mktemp("ours"))
    (config,) = (block for block in blocks("yaml") if "hooks:" in block)
    assert "repo: https://github.com/turn-fsm/turn-fsm\n" in config
    config = re.sub(r"repo: .*", f"repo: {ours}", config)
    version = run("git rev-parse HEAD", ours).stdout.strip()
    (project / ".pre-commit-config.yaml").write_text(re.sub(r"rev: .*", f"rev: {version}", config))
    assert run("pytest -q --fsm-cov", project).returncode == 0
    committed(project)
    home = str(tmp_path_factory.mktemp("home"))

    def hook(name: str) -> tuple[int, str]:
        done = run(
            f"{program} run {name} --all-files --hook-stage manual -v",
            project,
            PRE_COMMIT_HOME=home,
        )
        text = done.stdout + done.stderr
        if any(words in text for words in UNREACHABLE):
            tools.missing("a package index")
        return done.returncode, text

    assert hook("fsm-check")[0] == 0
    assert hook("fsm-cover")[0] == 0
    (project / "machines.py").write_text(DOOR.replace('["lock", "shut"', '["lock", "locked"'))
    run("git add -A", project)
    code, text = hook("fsm-check")
    assert code == 1 and "locked" in text
    (project / ".pre-commit-config.yaml").write_text(
        (project / ".pre-commit-config.yaml")
        .read_text()
        .replace("transitions=60", "transitions=90")
    )
    run("git add -A", project)
    code, text = hook("fsm-cover")
    assert code == 1 and "is below 90%" in text


def repository(folder: Path) -> Path:
    """A repository with the distribution as it is here, committed or not."""
    for name in DISTRIBUTION:
        shutil.copy(ROOT / name, folder / name)
    shutil.copytree(ROOT / "fsm", folder / "fsm", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "llms.txt", folder / "docs" / "llms.txt")
    committed(folder)
    return folder


def committed(folder: Path) -> None:
    author = "-c user.name=someone -c user.email=someone@example.org"
    for command in ("git init -q", "git add -A", f"git {author} commit -q -m all"):
        done = run(command, folder)
        assert done.returncode == 0, done.stderr
