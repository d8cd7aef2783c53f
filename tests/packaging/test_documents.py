"""What the documents say of the package, and where their links lead."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from fsm.cli import COMMANDS
from support.folders import DOCS, ROOT

PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PAGES = [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]
ARCHITECTURE = (DOCS / "architecture.md").read_text("utf-8")


def anchors(page: Path) -> set[str]:
    """The names that links can give to the headings of a page, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.M)
    return {
        re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings
    }


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)\s]+)\)|(?:src|srcset)=\"([^\"]+)\"", page.read_text("utf-8"))
    for target in (a or b for a, b in links if not (a or b).startswith("http")):
        path, _, heading = target.partition("#")
        leads = page.parent / path if path else page
        assert leads.exists(), target
        assert not heading or heading in anchors(leads), target


def test_the_readme_links_its_pictures_and_every_section() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert 'src="diagrams/magic/turn.svg"' in readme
    beside = (ROOT / f"{name}.md" for name in ("CONTRIBUTING", "CHANGELOG", "SECURITY"))
    pages = {*DOCS.glob("*.md"), *DOCS.glob("*/index.md"), *beside}
    linked = {ROOT / target for target in re.findall(r"\]\(([^)\s#]+)\)", readme)}
    assert sorted(pages - linked) == []


def test_every_decision_is_listed() -> None:
    index = DOCS / "decisions" / "README.md"
    records = {page.name for page in index.parent.glob("*.md")} - {index.name}
    assert set(re.findall(r"\]\((\d{4}-[\w-]+\.md)\)", index.read_text("utf-8"))) == records


def test_the_architecture_page_maps_the_package() -> None:
    """Each module or folder directly under fsm has a line, or its parts have; no line names what is
    not there.
    """
    mapped = set(re.findall(r"^\| `(fsm/[a-z_/0-9]+(?:\.py)?)` \|", ARCHITECTURE, re.M))
    assert [path for path in sorted(mapped) if not (ROOT / path).exists()] == []
    here = {
        path.name
        for path in (ROOT / "fsm").iterdir()
        if path.suffix == ".py" or (path.is_dir() and path.name[0] != "_")
    }
    assert here == {path.split("/")[1] for path in mapped}


def test_the_architecture_page_has_the_layers_that_import_linter_checks() -> None:
    contract = PYPROJECT["tool"]["importlinter"]["contracts"][0]
    layers = [
        name for layer in reversed(contract["layers"]) for name in re.split(r"\s*[|:]\s*", layer)
    ]
    assert re.findall(r"^\| `fsm\.([a-z_]+)` \|", ARCHITECTURE, re.M) == layers


def test_every_dependency_has_its_cost_and_its_reason() -> None:
    page = (DOCS / "dependencies.md").read_text("utf-8")
    names = [
        re.split(r"[\[>=<~]", requirement)[0]
        for requirement in PYPROJECT["project"]["dependencies"]
    ]
    for name in (*names, *PYPROJECT["project"]["optional-dependencies"]):
        assert re.search(rf"^\| `{name}[^|]*` \| [\d.]+ \| .{{10,}} \|$", page, re.M), name


def test_every_command_has_a_line() -> None:
    page = (DOCS / "command-line.md").read_text("utf-8")
    assert sorted(re.findall(r"^\| `fsm (\w+)", page, re.M)) == sorted(COMMANDS)
