"""How wide a text is in Helvetica (or Arial, or anything metric-compatible), without a font system."""

from __future__ import annotations

from functools import lru_cache
from unicodedata import category, normalize

# Advance widths in thousandths of the font size: the printable ASCII characters, then some others.
# fmt: off
_WIDTHS = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
)
_OTHERS = {
    "\u2039": 333, "\u203a": 333, "\u2013": 556, "\u2014": 1000, "\u2026": 1000, "\u2018": 278, "\u2019": 278,
    "\u201c": 500, "\u201d": 500, "\u2022": 350, "\u25cf": 604, "\u25cb": 604, "\u2190": 1000, "\u2192": 1000,
    "\xd7": 584, "\u2212": 584, "\xb7": 278, "\u2264": 549, "\u2265": 549,
}
# fmt: on
_UNKNOWN, _WIDE, _BOLDER = 620, 0x1100, 1.07


@lru_cache(maxsize=4096)
def text_width(text: str, size: float, bold: bool = False) -> float:
    """The width of a text in points at `size` points; a little generous where a font may differ."""
    return sum(map(_advance, text)) * size / 1000 * (_BOLDER if bold else 1.0)


def _advance(letter: str) -> int:
    code = ord(letter)
    if 32 <= code < 127:
        return _WIDTHS[code - 32]
    if letter in _OTHERS:
        return _OTHERS[letter]
    base = normalize("NFD", letter)[0]
    if base != letter:
        return _advance(base)
    if category(letter) in ("Mn", "Me", "Cf"):  # drawn on the letter before, or not at all
        return 0
    return 1000 if code >= _WIDE else _UNKNOWN


def clip(text: str, width: float, size: float, bold: bool = False) -> str:
    """The text, cut off with an ellipsis where it would be wider than `width`."""
    if text_width(text, size, bold) <= width:
        return text
    while text and text_width(text + "…", size, bold) > width:
        text = text[:-1]
    return text.rstrip() + "…"


def wrap(
    text: str, width: float, size: float, most: int = 99, *, bold: bool = False
) -> tuple[str, ...]:
    """The text in lines no wider than `width`, at most `most` of them (the last one is cut off)."""
    lines: list[str] = []
    words = text.split()
    while words and len(lines) < most:
        line = words.pop(0)
        while words and text_width(f"{line} {words[0]}", size, bold) <= width:
            line = f"{line} {words.pop(0)}"
        lines.append(line)
    if words and lines:
        lines[-1] = f"{lines[-1]} {' '.join(words)}"
    return tuple(clip(line, width, size, bold) for line in lines)


def evened(text: str, width: float, size: float) -> tuple[str, ...]:
    """The text in as few lines as `wrap` makes of it, each as short as it can be then."""
    lines = wrap(text, width, size)
    while len(lines) > 1:
        shorter = wrap(text, max(text_width(line, size) for line in lines) - 0.1, size)
        if len(shorter) > len(lines) or " ".join(shorter) != " ".join(lines):
            break
        lines = shorter
    return lines
