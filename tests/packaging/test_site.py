"""The pages of the documentation site that are generated, and where a reader finds the others."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from apipages import MODULES, homes
from generate import pages
from support.folders import DOCS
from support.publicnames import PUBLIC

REFERENCE = DOCS / "reference"
GENERATED = {path: text for path, text in pages().items() if path.is_relative_to(REFERENCE)}


@pytest.mark.parametrize("page", GENERATED, ids=lambda page: page.stem)
def test_the_generated_pages_are_current(page: Path) -> None:
    assert page.read_text("utf-8") == GENERATED[page], "python docs/generate.py"


def test_no_page_of_a_module_is_left_over() -> None:
    assert {*(REFERENCE / "api").glob("*.md")} == {
        path for path in GENERATED if path.parent.name == "api"
    }


def test_every_public_name_is_described_once() -> None:
    described = re.findall(
        r"^\.\. (?:auto\w+|py:data):: (\S+)$", "\n".join(GENERATED.values()), re.M
    )
    assert len({*described}) == len(described)
    assert {*MODULES, "fsm"} == set(PUBLIC)
    assert {module: " ".join(homes(module)) for module in PUBLIC} == {
        module: " ".join(sorted(names.split())) for module, names in PUBLIC.items()
    }


def test_every_page_is_in_a_table_of_contents() -> None:
    listed = {DOCS / "index.md"}
    for page in DOCS.rglob("*.md"):
        for entries in re.findall(r"```\{toctree\}\n(.*?)```", page.read_text("utf-8"), re.S):
            names = [entry for entry in entries.split() if entry[0].isalnum() or entry[0] == "."]
            listed |= {path.resolve() for name in names for path in page.parent.glob(f"{name}.md")}
    assert sorted({*DOCS.rglob("*.md")} - listed) == []
