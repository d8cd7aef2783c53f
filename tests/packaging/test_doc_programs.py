"""The programs that the documentation shows run, each page in a folder with the files that it shows.

Sessions with `>>>` are doctests: pytest collects docs/*.md as well. What the commands of a page print is compared by
`tests/thorough/packaging/test_doc_commands.py`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from support import processes
from support.amounts import thorough
from support.folders import DOCS
from support.pages import files, programs

FRAGMENTS = {"scenarios.md"}
"""Pages whose programs are not whole."""
SOURCES = [DOCS / "llms.txt", *sorted(DOCS.rglob("*.md"))]
SLOW = {"checking.md", "llms.txt", "tests.md"}
"""Pages whose programs take more than half a second."""
PAGES = [page for page in SOURCES if programs(page) and page.name not in FRAGMENTS]
CASES = [
    pytest.param(page, id=page.stem, marks=[thorough] if page.name in SLOW else [])
    for page in PAGES
]


@pytest.mark.parametrize("page", CASES)
def test_the_programs_of_a_page_run(page: Path, tmp_path: Path) -> None:
    for name, text in files(page).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    processes.run([sys.executable, "-c", "\n".join(programs(page))], cwd=tmp_path, check=True)


def test_programs_are_found() -> None:
    assert {"cover-your-machine", "first-game", "llms"} <= {page.stem for page in PAGES}
