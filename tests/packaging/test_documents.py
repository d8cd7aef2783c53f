"""What the documents say of the package, and where their links lead."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

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


def test_every_page_is_in_one_list_of_contents() -> None:
    listed = [DOCS / "index.md"]
    for page in DOCS.rglob("*.md"):
        for contents in re.findall(
            r"^```{toctree}\n(.*?)```", page.read_text("utf-8"), re.M | re.S
        ):
            listed += [
                page.parent / f"{name}.md"
                for name in re.findall(r"^[\w.][\w./-]*$", contents, re.M)
            ]
    assert sorted(path.resolve() for path in listed) == sorted(DOCS.rglob("*.md"))


def test_the_architecture_page_has_the_layers_that_import_linter_checks() -> None:
    layers = " ".join(reversed(PROJECT["tool"]["importlinter"]["contracts"][0]["layers"]))
    rows = re.findall(r"^\| `fsm\.([a-z_]+)` \|", text_of("docs/architecture.md"), re.M)
    assert rows == re.findall(r"\w+", layers)
