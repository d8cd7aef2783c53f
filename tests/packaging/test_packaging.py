"""What README, pyproject.toml, tox.ini and .ci/run promise one another."""

from __future__ import annotations

import re
import subprocess
import tomllib

import fsm
from support.folders import ROOT

README = (ROOT / "README.md").read_text("utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def command(word: str) -> str:
    [line] = [line for line in README.splitlines() if line.startswith("python3 -m venv") and word in line]
    return line


def test_the_readme_names_its_two_commands_on_the_first_screen() -> None:
    first_screen = "\n".join(README.splitlines()[:30])
    assert "pip install . && .venv/bin/fsm run --svg turn.svg" in first_screen
    assert command("tox") in first_screen


def test_ci_runs_exactly_the_readme_s_second_command() -> None:
    assert f"quick='{command('tox')}'" in (ROOT / ".ci" / "run").read_text("utf-8")


def test_ci_is_executable_bash() -> None:
    script = ROOT / ".ci" / "run"
    assert script.stat().st_mode & 0o111
    subprocess.run(["bash", "-n", str(script)], check=True)


def test_the_readme_maps_the_package() -> None:
    """Each module or folder directly under fsm has a line, or its parts have; no line names what is not there."""
    mapped = set(re.findall(r"^\| `(fsm/[a-z_/0-9]+(?:\.py)?)` \|", README, re.M))
    assert [path for path in sorted(mapped) if not (ROOT / path).exists()] == []
    here = {
        path.name
        for path in (ROOT / "fsm").iterdir()
        if path.suffix == ".py" or (path.is_dir() and path.name[0] != "_")
    }
    assert here == {path.split("/")[1] for path in mapped}


def test_the_readme_says_what_every_dependency_costs_and_why_it_is_there() -> None:
    names = [re.split(r"[\[>=<~]", requirement)[0] for requirement in PROJECT["dependencies"]]
    for name in (*names, "graphviz", "paths", "pdf", "png"):
        assert re.search(rf"^\| `{name}[^|]*` \| [\d.]+ \| .{{10,}} \|$", README, re.M), name


def test_links_in_the_readme_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)\)|(?:src|srcset)=\"([^\"]+)\"", README)
    targets = {a or b for a, b in links if not (a or b).startswith("http")}
    assert targets
    assert [t for t in sorted(targets) if not (ROOT / t).exists()] == []


def test_the_readme_says_that_it_is_unofficial() -> None:
    for words in ("unofficial", "Wizards of the Coast", "Weebs of the Shore"):
        assert words in README


def test_the_changelog_knows_this_version() -> None:
    assert re.search(rf"^## {re.escape(fsm.__version__)}\b", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)


def test_every_address_of_the_repository_is_the_same() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    home = PROJECT["urls"]["Repository"].removeprefix("https://github.com/")
    assert set(re.findall(r"https://(?:github|raw\.githubusercontent)\.com/([\w-]+/[\w-]+)", text)) == {home}
