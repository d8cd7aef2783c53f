"""How wide a text is in Helvetica (or Arial, or anything metric-compatible), without a font system."""

from __future__ import annotations

from functools import lru_cache

# Advance widths of the printable ASCII characters, in thousandths of the font size.
# fmt: off
_WIDTHS = (
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
)
# fmt: on
BOLDER = 1.07
_WIDE = 0x1100


@lru_cache(maxsize=4096)
def text_width(text: str, size: float, bold: bool = False) -> float:
    """The width of a text in points at `size` points; a little generous where a font may differ."""
    total = sum(_advance(ord(c)) for c in text)
    return total * size / 1000 * (BOLDER if bold else 1.0)


def _advance(code: int) -> int:
    if 32 <= code < 127:
        return _WIDTHS[code - 32]
    return 1000 if code >= _WIDE and code not in (0x25CF, 0x25CB, 0x2026, 0x2192) else 620


def clip(text: str, width: float, size: float, bold: bool = False) -> str:
    """The text, cut off with an ellipsis where it would be wider than `width`."""
    if text_width(text, size, bold) <= width:
        return text
    while text and text_width(text + "…", size, bold) > width:
        text = text[:-1]
    return text.rstrip() + "…"


def wrap(text: str, width: float, size: float, most: int = 99) -> tuple[str, ...]:
    """The text in lines no wider than `width`, at most `most` of them (the last one is cut off)."""
    lines: list[str] = []
    words = text.split()
    while words and len(lines) < most:
        line = words.pop(0)
        while words and text_width(f"{line} {words[0]}", size) <= width:
            line = f"{line} {words.pop(0)}"
        lines.append(line)
    if words and lines:
        lines[-1] = f"{lines[-1]} {' '.join(words)}"
    return tuple(clip(line, width, size) for line in lines)
