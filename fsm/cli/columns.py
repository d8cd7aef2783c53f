"""Lays out rows of text in columns that fit a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from fsm.views.cells import cells, padded, wrapped

Row = Sequence[str]
GAP = "  "
READABLE = 32
"""A cell of several words is not made narrower than this."""


def laid_out(rows: Sequence[Row], room: int) -> list[list[str]]:
    """Return the lines of each row. The first row is the heading.

    Cells of several words are wrapped. A word is never broken, because people type it: where the
    longest words leave too little room, each row becomes a paragraph.
    """
    widths = _widths(rows, room)
    return (
        _paragraphs(rows, room)
        if widths is None
        else [list(_in_columns(row, widths)) for row in rows]
    )


def _widths(rows: Sequence[Row], room: int) -> list[int] | None:
    """Return how wide each column is, the widest made narrower until all fit, or None if they
    cannot fit.
    """
    columns = list(zip(*rows, strict=True))
    widths = [max(map(cells, column)) for column in columns]
    words = [
        max((cells(word) for text in column for word in text.split()), default=0)
        for column in columns
    ]
    least = [
        min(width, max(word, READABLE)) if word < width else width
        for width, word in zip(widths, words, strict=True)
    ]
    while sum(widths) + len(GAP) * (len(widths) - 1) > room:
        wide = [n for n, width in enumerate(widths) if width > least[n]]
        if not wide:
            return None
        widths[max(wide, key=widths.__getitem__)] -= 1
    return widths


def _in_columns(row: Row, widths: Sequence[int]) -> Iterator[str]:
    texts = [wrapped(text, width) for text, width in zip(row, widths, strict=True)]
    for line in zip_longest(*texts, fillvalue=""):
        yield GAP.join(
            padded(text, width) for text, width in zip(line, widths, strict=True)
        ).rstrip()


def _paragraphs(rows: Sequence[Row], room: int) -> list[list[str]]:
    """Return the names of each row on one line and each text below them. A first name that repeats
    is a title.
    """
    columns = list(zip(*rows[1:], strict=True))
    names = [n for n, column in enumerate(columns) if not any(" " in text for text in column)]
    texts = [n for n in range(len(columns)) if n not in names]
    title = 0 in names and len(set(columns[0])) < len(columns[0])
    names, margin = (names[1:], GAP) if title else (names, "")
    found, above = [], ""
    for row in rows:
        lines = [row[0]] if title and row[0] != above else []
        lines += [margin + GAP.join(row[n] for n in names if row[n])]
        lines += [
            margin + 2 * GAP + line
            for n in texts
            if row[n]
            for line in wrapped(row[n], room - len(margin) - 4)
        ]
        found.append(lines)
        above = row[0]
    return found
