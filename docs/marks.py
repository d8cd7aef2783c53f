"""Markdown that the generated pages have in common."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

_TABLE = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


def anchor(heading: str) -> str:
    """Return the name that GitHub gives to a heading."""
    return re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-")


def codes(words: Iterable[str]) -> str:
    """Return names as code, with commas."""
    return ", ".join(f"`{word}`" for word in words)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table. A bar in a cell becomes a slash."""
    lines = []
    for cells in (head, ["---"] * len(head), *rows):
        line = "\0".join(cells).replace("|", "/").replace("\0", " | ")
        lines.append(f"| {line} |")
    return "\n".join(lines)


def filled(text: str, made: Mapping[str, str]) -> str:
    """Return a document with its marked parts up to date."""
    return _TABLE.sub(lambda found: f"{found[1]}{made[found[2]]}\n{found[3]}", text)
