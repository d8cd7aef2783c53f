"""The commands that a page shows print what the page says. A line `...` stands for any lines."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

from support import processes
from support.folders import DOCS
from support.pages import files, sessions

SOURCES = [DOCS / "llms.txt", *sorted(DOCS.rglob("*.md"))]
PAGES = [page for page in SOURCES if any(sessions(page))]


def pattern(output: str) -> str:
    """A pattern for what the page says is printed."""
    lines = [re.escape(line) + r"\s*\n" for line in output.splitlines()]
    return "".join(lines).replace(re.escape("...") + r"\s*\n", r"(.*\n)*?")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_commands_print_what_the_page_says(page: Path, tmp_path: Path) -> None:
    text = page.read_text("utf-8")
    for command, output in sessions(page):
        before = text[: text.index(f"$ {command}\n")]
        for name, content in files(page).items():
            if f"`{name}`" in before:  # a file that the page adds later is not there yet
                (tmp_path / name).write_text(content, encoding="utf-8")
        program, *arguments = command.split()
        module = [] if program == "python" else ["-m", program]
        wide = {**os.environ, "COLUMNS": "80"}
        done = processes.run([sys.executable, *module, *arguments], cwd=tmp_path, env=wide)
        printed = f"$ {command}\n{done.stdout}{done.stderr}"
        assert re.fullmatch(pattern(output), done.stdout), printed
