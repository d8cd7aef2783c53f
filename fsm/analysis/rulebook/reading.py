"""Opens the plain text of a rulebook: UTF-8, UTF-16 or Windows-1252, with line ends of any system."""

from __future__ import annotations

import codecs
from pathlib import Path

from fsm.analysis.rulebook.book import RulebookError
from fsm.inputfiles import regular

LIMIT = 64 * 1024 * 1024
"""A larger file is no rulebook."""
_REMEDY = "name the plain text of a rulebook"
_OTHERS = {
    b"%PDF": "a PDF file",
    b"PK\x03\x04": "an office document or an archive",
    b"\x1f\x8b": "a compressed file",
}
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_PAGES = ("<!doctype html", "<html")


def text_of(path: str | Path) -> str:
    """Return the text of a file. Raises RulebookError if it cannot be read or is not plain text."""
    try:
        with open(path, "rb", opener=regular) as file:
            data = file.read(LIMIT + 1)
    except OSError as error:
        raise _wrong(path, f"cannot be read ({error.strerror or error})", _REMEDY) from None
    if len(data) > LIMIT:
        raise _wrong(path, f"has more than {LIMIT // 1024**2} MB", _REMEDY)
    for start, what in _OTHERS.items():
        if data.startswith(start):
            raise _wrong(path, f"is {what}", "save its text as a .txt file and name that")
    text = _decoded(data)
    if "\0" in text:
        raise _wrong(path, "is not text", _REMEDY)
    if text[:200].lstrip().lower().startswith(_PAGES):
        raise _wrong(
            path,
            "is a web page",
            "open it in a browser, save what it shows as text, and name that file",
        )
    return text


def _decoded(data: bytes) -> str:
    if data.startswith(_UTF16):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _wrong(path: str | Path, text: str, remedy: str) -> RulebookError:
    return RulebookError(f"{path}: {text}", place=str(path), remedy=remedy)
