"""The commands that a page shows print what the page says. A line `...` stands for any lines."""

from __future__ import annotations

import os
import re
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from support import processes
from support.folders import DOCS
from support.pages import files, sessions

NEEDS = {"python-statemachine.md": "statemachine"}
SOURCES = [DOCS / "llms.txt", *sorted(DOCS.rglob("*.md"))]
PAGES = [page for page in SOURCES if any(sessions(page))]


def as_pattern(output: str) -> str:
    """A pattern for what the page says is printed."""
    lines = [
        r"(.*\n)*?" if line == "..." else re.escape(line) + r"\s*\n" for line in output.splitlines()
    ]
    return "".join(lines)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(DOCS).as_posix())
def test_the_commands_print_what_the_page_says(page: Path, tmp_path: Path) -> None:
    if (needed := NEEDS.get(page.name)) and find_spec(needed) is None:
        pytest.skip(f"{needed} is not installed")
    found = files(page)
    for command, output in sessions(page):
        for name, text in found.items():
            # A page adds a file after the commands before it were run: those must not see it.
            if page.read_text("utf-8").index(f"`{name}`") < page.read_text("utf-8").index(
                f"$ {command}\n"
            ):
                (tmp_path / name).write_text(text, encoding="utf-8")
        program, *arguments = command.split()
        call = {"python": [], "fsm": ["-m", "fsm"], "pytest": ["-m", "pytest"]}[program]
        done = processes.run([sys.executable, *call, *arguments], cwd=tmp_path, env={**os.environ, "COLUMNS": "80"})  # fmt: skip
        assert re.fullmatch(as_pattern(output), done.stdout), (
            f"$ {command}\n{done.stdout}{done.stderr}"
        )


def test_a_page_that_says_otherwise_is_noticed() -> None:
    assert re.fullmatch(as_pattern("a\n...\nd\n"), "a\nb\nc\nd\n")
    assert not re.fullmatch(as_pattern("a\n...\nd\n"), "a\nb\nc\n")
    assert not re.fullmatch(as_pattern("a\n"), "a\nb\n")
