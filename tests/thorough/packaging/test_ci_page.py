"""The page on continuous integration: its jobs and its hooks run in a project of their own."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from support import processes, tools
from support.folders import DOCS, ROOT
from support.pages import blocks

PAGE = DOCS / "how-to" / "continuous-integration.md"
SHELL, YAML = ([text for kind, text, _ in blocks(PAGE) if kind == word] for word in ("sh", "yaml"))
DOOR = """
from transitions import Machine

class Door(Machine):
    def __init__(self):
        super().__init__("self", ["shut", "open", "locked"], "shut", auto_transitions=False)
        self.add_transition("push", "shut", "open")
        self.add_transition("pull", "open", "shut")
        self.add_transition("lock", "shut", "locked")
        self.add_transition("unlock", "locked", "shut")
"""
TEST_DOOR = """
from machines import Door

def test_it_opens():
    door = Door()
    assert door.push() and door.pull() and door.lock()
"""
CASES = '[{"id": "no-attackers", "expect": [{"turn": 1, "visits": {"draw": 0}}]}]'
DISTRIBUTION = (
    "pyproject.toml",
    "README.md",
    "LICENSE",
    ".pre-commit-hooks.yaml",
    "pytest_turn_fsm.py",
)


def run(command: str, folder: Path, **variables: str) -> CompletedProcess[str]:
    """Run a command of the page with the programs of this environment."""
    program, *arguments = shlex.split(command)
    python = [sys.executable, "-m"] if program in ("fsm", "pytest") else []
    environment = {**os.environ, **variables}
    return processes.run([*python, program, *arguments], cwd=folder, env=environment)


def succeed(commands: str, folder: Path) -> None:
    for command in commands.splitlines():
        done = run(command, folder)
        assert done.returncode == 0, f"$ {command}\n{done.stdout}{done.stderr}"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a baseline, as the page says."""
    files = {
        "machines.py": DOOR,
        "test_door.py": TEST_DOOR,
        "mygame.py": "import fsm\n\nGAME = fsm.load('grand-archive')\n",
        "cases.json": CASES,
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    baseline = next(text for text in SHELL if "combine -o cover-baseline" in text)
    succeed(f"git init -q\n{baseline}", tmp_path)
    return tmp_path


def test_the_steps_of_the_job_end_well_and_report_to_github(project: Path) -> None:
    job = next(text for text in YAML if "runs-on" in text)
    summary = project / "summary.md"
    installs, *commands = re.findall(r"^ +- run: (.*)$", job, re.M)
    assert installs == "pip install turn-fsm pytest"
    job_of_github = "\n".join(commands).replace("$GITHUB_STEP_SUMMARY", str(summary))
    succeed(job_of_github, project)
    assert "locked -&gt; shut on unlock" in summary.read_text("utf-8")


def commit(folder: Path) -> None:
    author = "-c user.name=someone -c user.email=someone@example.org"
    succeed(f"git init -q\ngit add -A\ngit {author} commit -q -m all", folder)


@pytest.fixture
def ours(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with the distribution as it is here, committed or not."""
    folder = tmp_path_factory.mktemp("ours")
    for name in DISTRIBUTION:
        shutil.copy(ROOT / name, folder / name)
    shutil.copytree(ROOT / "fsm", folder / "fsm", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "docs").mkdir()
    shutil.copy(ROOT / "docs" / "llms.txt", folder / "docs")
    commit(folder)
    return folder


def test_the_hooks_run_in_another_repository(project: Path, ours: Path) -> None:
    pre_commit = tools.tool("pre-commit")
    config = next(text for text in YAML if "hooks:" in text)
    version = run("git rev-parse HEAD", ours).stdout.strip()
    config = re.sub(r"rev: .*", f"rev: {version}", re.sub(r"repo: .*", f"repo: {ours}", config))
    (project / ".pre-commit-config.yaml").write_text(config, "utf-8")
    commit(project)

    for hook in ("fsm-check", "fsm-cover"):
        words = f"{pre_commit} run {hook} --all-files --hook-stage manual -v"
        done = run(words, project, PRE_COMMIT_HOME=str(ours.parent / "home"))
        text = done.stdout + done.stderr
        if re.search("No matching distribution|Failed to establish|Temporary failure", text):
            tools.missing("a package index")
        assert done.returncode == 0, text
