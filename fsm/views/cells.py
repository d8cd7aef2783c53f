"""Text in the cells of a terminal: its width, its lines, its colour."""

from __future__ import annotations

from collections.abc import Callable
from unicodedata import combining, east_asian_width

CODES = {
    "bold": 1,
    "dim": 2,
    "red": 31,
    "green": 32,
    "yellow": 33,
    "magenta": 35,
    "cyan": 36,
}


def cells(text: str) -> int:
    """Return how many columns a text takes: two for a Chinese character, none for a combining
    accent.
    """
    return sum(
        0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1 for letter in text
    )


def padded(text: str, room: int) -> str:
    """Return the text, padded with blanks to `room` columns."""
    return text + " " * (room - cells(text))


def wrapped(text: str, room: float, width: Callable[[str], float] = cells) -> list[str]:
    """Return the lines of a text, broken at blanks so that each fits. A word that is too long for a
    line is broken anywhere.
    """
    lines = [""]
    for word in text.split():
        joined = f"{lines[-1]} {word}".lstrip()
        if width(joined) <= room:
            lines[-1] = joined
            continue
        if lines[-1]:
            lines.append("")
        for letter in word if width(word) > room else [word]:
            if lines[-1] and width(lines[-1] + letter) > room:
                lines.append("")
            lines[-1] += letter
    return lines


def painted(text: str, style: str) -> str:
    """Return the text with a terminal's codes for a style: "bold red", "dim", "" for none."""
    codes = [str(CODES[word]) for word in style.split()]
    if codes and text:
        return f"\x1b[{';'.join(codes)}m{text}\x1b[0m"
    return text
