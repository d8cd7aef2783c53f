"""The documents' table of rules names parts that the models have, and generated pages are current."""

from __future__ import annotations

import pytest

from generate import drawn, pages
from rulemap import Document, documents, matching
from support.amounts import thorough


@pytest.mark.parametrize("document", documents(), ids=lambda document: document.title)
def test_each_clause_is_carried_by_parts_that_exist_or_is_the_game_s(document: Document) -> None:
    for clause in document.every():
        assert bool(clause.by) != bool(clause.host), clause.rule
        for entry in clause.by:
            assert matching(entry, clause.ruleset), f"{entry} is not in {clause.ruleset}"


@thorough
def test_generated_pages_are_current() -> None:
    for page, text in (pages() | drawn()).items():
        assert page.read_text("utf-8") == text, f"{page}: run python docs/generate.py"
