"""The numbers of rules: "508.1a" is below "508.1", and "End Phase GR3" below "End Phase"."""

from __future__ import annotations

import re
from collections.abc import Iterator

_LAST = re.compile(r"(?<=\d)[a-z]+$|\.\d+$| (?:GR)?\d+$")
_OF_PAGE = re.compile(r"(?P<page>.+?) (?P<general>GR)?(?P<item>\d+(?:\.\d+)*)")
_PLAIN = re.compile(r"\d+(?:\.\d+)*[a-z]*")


def above(number: str) -> str:
    """Return the number of the rule above this one, or "" for a section or a page."""
    last = _LAST.search(number)
    return number[: last.start()] if last else ""


def last_part(number: str) -> str:
    """Return what this number adds to the one above it."""
    return number[len(above(number)) :]


def chain(number: str) -> Iterator[str]:
    """Yield the number and those of all rules above it."""
    while number:
        yield number
        number = above(number)


def section_of(number: str) -> str:
    """Return the section or page that a rule is in."""
    return list(chain(number))[-1]


def is_plain(number: str) -> bool:
    """Say whether this is a number, such as "508.1a", and not a page with a number."""
    return _PLAIN.fullmatch(number) is not None


def page_and_general(number: str) -> tuple[str, bool]:
    """Return the page of a rule, and whether the number says that it is one of the page's general
    rules.
    """
    found = _OF_PAGE.fullmatch(number)
    return (found["page"], bool(found["general"])) if found else (number, False)


def inside(number: str, section: str) -> bool:
    """Say whether a rule is in a section: "508.1a" is in "508", in "508.1" and in "500 to 514"."""
    first, to, last = section.partition(" to ")
    if to and first.isdigit() and last.isdigit():
        own = section_of(number)
        return own.isdigit() and int(first) <= int(own) <= int(last)
    return section in chain(number)


def in_order(number: str) -> tuple[tuple[int, int, str], ...]:
    """Return a key that sorts numbers as a rulebook does: "508.2" before "508.10"."""
    parts = re.findall(r"\d+|[^\d.]+", number)
    return tuple((1, int(part), "") if part.isdigit() else (0, 0, part) for part in parts)
