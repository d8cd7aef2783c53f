"""The rulebook watch on files of 10 MB: the largest rulebook that exists has about 1 MB."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fsm.analysis.rulebook import RulebookError, compare, report
from support.madeuprules import GAME, NOTES, book_of_words

SIZE = 10_000_000
SECTIONS = 1_000
MUCH = 1_000_000


@pytest.fixture(scope="module")
def book() -> str:
    """About 10 MB in 41,000 rules."""
    text = book_of_words(SECTIONS, length=30)
    assert 0.9 < len(text) / SIZE < 1.2
    return text


def test_one_file(book: str, tmp_path: Path) -> None:
    path = tmp_path / "rules.txt"
    path.write_bytes(b"\xef\xbb\xbf" + book.replace("\n", "\r\n").encode())
    found = report(GAME, path, NOTES)
    assert len(found.book.rules) == 41 * SECTIONS
    assert [use.number for use in found.absent] == ["202.1a"]
    assert len(found.uncited) == 3 * 40 - 5, (
        "three modelled sections; four rules are cited and one is explained"
    )


def test_two_files_of_which_one_is_renumbered_and_changed(book: str, tmp_path: Path) -> None:
    old, new = tmp_path / "old.txt", tmp_path / "new.txt"
    old.write_text(book, "utf-8")
    lines = book_of_words(SECTIONS, first=201, length=30).split("\n\n")
    lines[100] += " Unless it rains."
    del lines[200]
    new.write_text("\n\n".join(lines), "utf-8")
    found = compare(GAME, old, new, NOTES)
    every = [one.change for one in found.concerned] + list(found.others)
    kinds = [change.kind for change in every]
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {
        "renumbered": 41 * SECTIONS - 2,
        "renumbered and changed": 1,
        "went": 1,
    }
    assert all(
        int(c.new.partition(".")[0]) == int(c.old.partition(".")[0]) + 1 for c in every if c.new
    )


def test_two_files_with_nothing_in_common(book: str, tmp_path: Path) -> None:
    old, new = tmp_path / "old.txt", tmp_path / "new.txt"
    old.write_text(book, "utf-8")
    new.write_text(book_of_words(SECTIONS, seed=2, length=30), "utf-8")
    found = compare(GAME, old, new, NOTES)
    assert {change.kind for change in found.others} == {"changed"}


HOSTILE: dict[str, Callable[[], str]] = {
    "one line": lambda: "200.1. " + "a b " * (MUCH // 4),
    "spaces": lambda: "200.1. a" + " " * MUCH + "b",
    "dots": lambda: "200.1. a" + "." * MUCH + "b",
    "digits": lambda: "200.1. " + "1" * MUCH,
    "dashes": lambda: "200.1. a" + " -" * (MUCH // 2),
    "a number without end": lambda: "200" + ".1" * (MUCH // 2) + "\n200.1. a",
    "references": lambda: "200.1. see rules " + "1, " * (MUCH // 3),
    "empty lines": lambda: "\n" * MUCH + "200.1. a",
    "the same rule again": lambda: "200.1. a\n" * (MUCH // 9),
    "the same words everywhere": lambda: "".join(
        f"{s}.{n}. a\n" for s in range(100, 300) for n in range(1_000)
    ),
    "items": lambda: "Turn Order - End Phase\n" + "1. a\n" * (MUCH // 5) + "200.1. a",
    "titles": lambda: "Turn Order - End Phase\n" * (MUCH // 23) + "1. a\n200.1. a",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_no_file_takes_for_ever(kind: str, tmp_path: Path) -> None:
    """Each is read as both kinds of rulebooks, and compared. Something quadratic would take hours."""
    path = tmp_path / "rules.txt"
    path.write_text(HOSTILE[kind](), "utf-8")
    assert "200.1" in report(GAME, path, NOTES).book.rules
    assert compare(GAME, path, path, NOTES).good
    try:
        report("grand-archive", path)
    except RulebookError as error:
        assert error.remedy
