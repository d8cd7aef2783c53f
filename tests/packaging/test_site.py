"""The pages of the documentation site that are generated are current, and describe every name once."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from generate import pages
from support.folders import DOCS, ROOT
from support.publicnames import PUBLIC


@pytest.fixture(scope="module")
def generated() -> dict[Path, str]:
    return {path: text for path, text in pages().items() if path.is_relative_to(DOCS / "reference")}


def test_the_generated_pages_are_current(generated: dict[Path, str]) -> None:
    """`python docs/generate.py` writes them."""
    stale = [path for path, text in generated.items() if path.read_text("utf-8") != text]
    assert [str(path.relative_to(ROOT)) for path in stale] == []


def test_no_page_of_a_module_is_left_over(generated: dict[Path, str]) -> None:
    folder = DOCS / "reference" / "api"
    assert {*folder.glob("*.md")} == {path for path in generated if path.parent == folder}


def test_every_public_name_is_listed_and_described_once(generated: dict[Path, str]) -> None:
    text = "\n".join(generated.values())
    described = Counter(re.findall(r"^\.\. (?:auto\w+|py:data):: (\S+)$", text, re.M))
    assert [name for name, times in described.items() if times > 1] == []
    listed = set(re.findall(r"^\| \{py:obj\}`(\w+) <", text, re.M))
    assert listed == set(" ".join(PUBLIC.values()).split())
