"""The programs that the documentation shows run, each in a process of its own, beside the files of
its page.

Sessions with `>>>` are doctests: pytest collects docs/*.md as well. What the commands of a page print is compared by
`tests/thorough/packaging/test_doc_commands.py`.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from support import processes
from support.folders import DOCS
from support.pages import files, programs

NEEDS = {"python-statemachine.md": "statemachine"}
"""What a page's programs import beyond the extra `test`."""
FRAGMENTS = {
    "scenarios.md": "it reads a file that the reader has",
    "your-own-game.md": "tests/rulesets/test_own_game.py looks at it",
}
"""Pages whose programs are not whole, and why."""
SOURCES = [DOCS / "llms.txt", *sorted(DOCS.rglob("*.md"))]
PAGES = [page for page in SOURCES if programs(page) and page.name not in FRAGMENTS]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(DOCS).as_posix())
def test_the_programs_run(page: Path, tmp_path: Path) -> None:
    if (needed := NEEDS.get(page.name)) and find_spec(needed) is None:
        pytest.skip(f"{needed} is not installed")
    for name, text in files(page).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    for program in programs(page):
        done = processes.run([sys.executable, "-c", program], cwd=tmp_path)
        assert done.returncode == 0, done.stderr


def test_no_fragment_is_excused_that_is_gone() -> None:
    assert all(programs(page) for page in DOCS.rglob("*.md") if page.name in FRAGMENTS)
    assert {page.name for page in PAGES} >= {"cover-your-machine.md", "index.md", *NEEDS}
