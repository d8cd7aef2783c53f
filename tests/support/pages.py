"""Files and commands that a page of the documentation shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

_BLOCK = re.compile(r"^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_NAME = re.compile(r"`([\w-]+\.(?:py|jsonl|json|toml|txt))`:?\s*\Z")


def blocks(page: Path) -> Iterator[tuple[str, str, str]]:
    """The language and the text of each block, with the name of the file that the words before it
    end with, or "".
    """
    text = page.read_text("utf-8")
    for found in _BLOCK.finditer(text):
        name = _NAME.search(text, 0, found.start())
        yield found["language"], found["text"], name[1] if name else ""


def files(page: Path) -> dict[str, str]:
    """The files that a reader of the page has been told to save."""
    return {name: text for language, text, name in blocks(page) if name and language != "console"}


def programs(page: Path) -> list[str]:
    """The Python programs of a page: those that it does not show as a session with `>>>`."""
    return [
        text
        for language, text, _ in blocks(page)
        if language == "python" and not text.startswith(">>>")
    ]


def sessions(page: Path) -> Iterator[tuple[str, str]]:
    """Each command that the page shows, and what it says is printed."""
    for language, text, _ in blocks(page):
        if language == "console":
            for part in text.removeprefix("$ ").split("\n$ "):
                command, _, output = part.partition("\n")
                yield command, output
