"""What the documents say of the package, and where their links lead."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from support.commandline import command
from support.folders import DOCS, ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PAGES = [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]
LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|srcset)=\"([^\"]+)\"")


def text_of(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def anchors(page: Path) -> set[str]:
    """The names that links can give to the headings of a page, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", text).strip().lower().replace(" ", "-") for text in headings}


def leads_somewhere(page: Path, target: str) -> bool:
    path, _, heading = target.partition("#")
    leads = page.parent / path if path else page
    return leads.exists() and (not heading or heading in anchors(leads))


def test_every_link_leads_somewhere() -> None:
    broken = []
    for page in PAGES:
        for link in LINK.finditer(page.read_text("utf-8")):
            target = link[1] or link[2]
            if not target.startswith("http") and not leads_somewhere(page, target):
                broken.append(f"{page.relative_to(ROOT)}: {target}")
    assert broken == []


def test_the_readme_links_every_section() -> None:
    linked = {ROOT / target for target in re.findall(r"\]\(([^)\s#]+)\)", text_of("README.md"))}
    beside = {ROOT / f"{name}.md" for name in ("CONTRIBUTING", "CHANGELOG", "SECURITY")}
    assert {*DOCS.glob("*.md"), *DOCS.glob("*/index.md"), *beside} - linked == set()


def test_the_architecture_page_has_the_layers_that_import_linter_checks() -> None:
    layers = " ".join(reversed(PROJECT["tool"]["importlinter"]["contracts"][0]["layers"]))
    rows = re.findall(r"^\| `fsm\.([a-z_]+)` \|", text_of("docs/architecture.md"), re.M)
    assert rows == re.findall(r"\w+", layers)


def test_every_dependency_has_its_cost_and_its_reason() -> None:
    page = text_of("docs/dependencies.md")
    needed = [re.split(r"[\[>=<~]", text)[0] for text in PROJECT["project"]["dependencies"]]
    for name in (*needed, *PROJECT["project"]["optional-dependencies"]):
        assert re.search(rf"^\| `{name}[^|]*` \| [\d.]+ \| .{{10,}} \|$", page, re.M), name


def test_every_command_has_a_line() -> None:
    described = re.findall(r"^\| `fsm (\w+)", text_of("docs/command-line.md"), re.M)
    commands = re.findall(r"^  (\w+)  ", command("").output, re.M)
    assert sorted(described) == sorted(commands)
