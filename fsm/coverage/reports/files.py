"""The names of the files of a report."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from fsm.coverage.target import Result


def beside(path: str, word: str) -> str:
    """Insert a word before the ending of a path: "a.svg" and "dark" become "a-dark.svg"."""
    whole = Path(path)
    return str(whole.with_name(f"{whole.stem}-{word}{whole.suffix}")) if word else path


def names_of(results: Sequence[Result]) -> tuple[str, ...]:
    """Return a different word for each result that can be part of a file name."""
    found: list[str] = []
    for result in results:
        word = (
            re.sub(r"[^\w.+-]+", "-", result.name.replace(f" ({result.place})", "")).strip("-.")
            or "machine"
        )
        same = sum(
            1 for other in found if other == word or re.fullmatch(rf"{re.escape(word)}-\d+", other)
        )
        found.append(f"{word}-{same + 1}" if same else word)
    return tuple(found)
