"""What README, pyproject.toml, .ci/run and the hooks of pre-commit promise one another."""

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


def test_the_first_screen_of_the_readme_installs_and_tests() -> None:
    first_screen = "\n".join(README.splitlines()[:30])
    assert "pip install . && .venv/bin/fsm run --svg turn.svg" in first_screen
    assert ".venv/bin/tox run" in first_screen
    assert 'src="diagrams/magic/turn.svg"' in README


def test_ci_runs_the_second_command_of_the_readme() -> None:
    quick = next(line for line in README.splitlines() if line.endswith("tox run-parallel"))
    script = ROOT / ".ci" / "run"
    assert f"quick='{quick}'" in script.read_text("utf-8")
    assert script.stat().st_mode & 0o111
    processes.run(["bash", "-n", script], check=True)


def test_the_readme_says_that_the_project_is_unofficial() -> None:
    assert "neither produced nor endorsed by" in README
    assert "Wizards of the Coast" in README and "Weebs of the Shore" in README


def test_the_readme_names_every_extra_and_the_script_is_there() -> None:
    project = PYPROJECT["project"]
    assert [name for name in project["optional-dependencies"] if f"`{name}`" not in README] == []
    assert callable(resolve_name(project["scripts"]["fsm"]))


def test_the_changelog_knows_this_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert re.search(rf"^## {re.escape(fsm.__version__)}\b", changelog, re.M)


def test_the_hooks_of_pre_commit_use_what_the_project_uses() -> None:
    """pre-commit installs them apart, so they have lists of their own."""
    text = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")
    lists = re.findall(r"additional_dependencies: (\[.*?\])$", text, re.M | re.S)
    groups = PYPROJECT["dependency-groups"]
    known = {*groups["lint"], *groups["types"], *PYPROJECT["project"]["dependencies"]}
    assert len(lists) == 4
    for found in lists:
        assert set(json.loads(found)) <= known
