"""What README, pyproject.toml, tox.ini, .ci/run and the hooks of pre-commit promise one another."""

from __future__ import annotations

import json
import re
import tomllib
from pkgutil import resolve_name

import fsm
from support import processes
from support.folders import ROOT

README = (ROOT / "README.md").read_text("utf-8")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]


def command(word: str) -> str:
    [line] = [
        line for line in README.splitlines() if line.startswith("python3 -m venv") and word in line
    ]
    return line


def test_the_readme_names_its_two_commands_on_the_first_screen() -> None:
    first_screen = "\n".join(README.splitlines()[:30])
    assert "pip install . && .venv/bin/fsm run --svg turn.svg" in first_screen
    assert command("tox") in first_screen


def test_ci_runs_exactly_the_readme_s_second_command() -> None:
    assert f"quick='{command('tox')}'" in (ROOT / ".ci" / "run").read_text("utf-8")


def test_there_is_one_script() -> None:
    assert PROJECT["scripts"] == {"fsm": "fsm.__main__:main"}
    assert callable(resolve_name(PROJECT["scripts"]["fsm"]))


def test_ci_is_executable_bash() -> None:
    script = ROOT / ".ci" / "run"
    assert script.stat().st_mode & 0o111
    processes.run(["bash", "-n", str(script)], check=True)


def test_the_readme_says_that_it_is_unofficial() -> None:
    for words in ("unofficial", "Wizards of the Coast", "Weebs of the Shore"):
        assert words in README


def test_the_changelog_knows_this_version() -> None:
    assert re.search(
        rf"^## {re.escape(fsm.__version__)}\b", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M
    )


def test_every_address_of_the_repository_is_the_same() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    home = PROJECT["urls"]["Repository"].removeprefix("https://github.com/")
    assert set(
        re.findall(r"https://(?:github|raw\.githubusercontent)\.com/([\w-]+/[\w-]+)", text)
    ) == {home}


def test_the_hooks_of_pre_commit_use_what_the_project_uses() -> None:
    """pre-commit installs them apart, so they have lists of their own."""
    text = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")
    lists = re.findall(r"entry: ([\w-]+).*?additional_dependencies: (\[.*?\])$", text, re.M | re.S)
    assert [tool for tool, _ in lists] == ["ruff", "ruff", "lint-imports", "mypy"]
    groups = PYPROJECT["dependency-groups"]
    known = {*groups["lint"], *groups["types"], *PROJECT["dependencies"]}
    for tool, found in lists:
        assert set(json.loads(found)) <= known, tool
