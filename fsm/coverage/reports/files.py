"""The names of the files of a report."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from fsm.coverage.reports.results import Result


def beside(path: str, word: str) -> str:
    """The path with a word before its ending: "a.svg" and "dark" is "a-dark.svg"."""
    whole = Path(path)
    return str(whole.with_name(f"{whole.stem}-{word}{whole.suffix}")) if word else path


def names_of(results: Sequence[Result]) -> tuple[str, ...]:
    """A word for each that is fit for a file's name, no two alike."""
    found: list[str] = []
    for result in results:
        word = re.sub(r"[^\w.+-]+", "-", result.name).strip("-.") or "machine"
        same = sum(1 for other in found if other == word or re.fullmatch(rf"{re.escape(word)}-\d+", other))
        found.append(f"{word}-{same + 1}" if same else word)
    return tuple(found)
