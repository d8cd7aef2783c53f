"""Finds the rules in the plain text of pages: each has a title and numbered lists, such as "End
Phase" and its "3.".

Which lines are titles is known from the ruleset's citations, from its notes (`[titles]`), and from
the list of pages that a site shows beside each of them. A list below a title of its own, such as
"Opportunity", goes by that; one below "General Rules", or right below the title of the page, has
the general rules of the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from fsm.analysis.rulebook.normalising import normalised
from fsm.analysis.rulebook.numbering import page_and_general
from fsm.analysis.rulebook.parsing import Collector

_ITEM = re.compile(r"(\s{0,80})(?:GR)?(\d{1,3}(?:\.\d{1,3}){0,8})([.)]?)\s+(\S.*)", re.DOTALL)
_ENTRY = re.compile(r"\s{0,80}[\u2022\u25e6\u25aa*+-]\s+(\S.*)", re.DOTALL)
_CHAPTER_AND_PAGE = re.compile(r"[A-Z][^.:;?!]{1,60} - [A-Z][^.:;?!]{1,60}")
_FURNITURE = re.compile(
    r"Previous.*Next|Last updated|Powered by|On this page$|Export as|Was this helpful|Copy$|©"
)
_GENERAL = "general rules"
_LONGEST = 80
_END = ".:;,?!"


@dataclass(frozen=True)
class Titles:
    """How citations call the pages: `called` has each title in small letters, `general` the pages
    cited with "GR".
    """

    called: Mapping[str, str]
    general: frozenset[str]

    @classmethod
    def of(cls, citations: Iterable[str], titles: Mapping[str, str]) -> Titles:
        """Return them for these citations and the titles that differ from how they are cited."""
        pages = [page_and_general(citation) for citation in citations]
        called = {_key(page): page for page, _ in pages}
        called |= {_key(title): page for page, title in titles.items()}
        return cls(called, frozenset(page for page, general in pages if general))

    def call(self, title: str) -> str:
        """Return what citations call a title: "Wake Up" for "Turn Order - Wake Up Phase"."""
        last = title.rpartition(" - ")[2]
        return self.called.get(_key(title)) or self.called.get(_key(last)) or last

    def knows(self, title: str) -> bool:
        """Say whether the citations or notes have this title."""
        return _key(title) in self.called or _key(title.rpartition(" - ")[2]) in self.called


@lru_cache(1_000)
def _key(title: str) -> str:
    return normalised(title).lower()


@dataclass
class _Place:
    """Where the reading is: the page, the title of the list, and the numbers of the items around."""

    page: str = ""
    title: str = ""
    around: list[tuple[int, int]] = field(default_factory=list)

    def number(self, indent: int, item: str) -> str:
        """Return the number of an item: "1.2" for the second one, further in, below the first."""
        if "." in item:
            self.around = []
            return item
        while self.around and self.around[-1][0] > indent:
            self.around.pop()
        if self.around and (self.around[-1][0] == indent or item != "1"):
            self.around.pop()
        self.around.append((indent, int(item)))
        return ".".join(str(number) for _, number in self.around)


def rules_of_pages(lines: Sequence[str], titles: Titles) -> Collector:
    """Return the rules that these lines have."""
    shown = {
        _key(match[1])
        for line in lines
        if (match := _ENTRY.match(line)) and _is_short(match[1].strip())
    }
    found, place, heading = Collector(), _Place(), ""
    for count, line in enumerate(lines, 1):
        bare = line.strip()
        if not bare:
            continue
        item, entry = _ITEM.match(line), _ENTRY.match(line)
        title, heading = heading, ""
        if _FURNITURE.match(bare) or (entry and _is_title(entry[1], titles, shown)):
            found.end()
        elif item and (item[3] or "." in item[2]):
            if not place.page or _is_title(item[4].strip(), titles, shown):
                found.end()  # the way to a page, at its head
                continue
            number = place.number(len(item[1]), item[2])
            if title and number == "1":
                found.take_back()
                place.title = "" if _key(title) == _GENERAL else titles.call(title)
            found.begin(_cited_as(place, number, titles), item[4].strip(), count)
        elif not entry and _is_title(bare, titles, shown):
            place = _Place(titles.call(bare))
            found.begin(place.page, "", count)
        else:
            found.add(bare)
            heading = bare if not entry and _is_short(bare) else ""
    found.end()
    return found


def _is_title(words: str, titles: Titles, shown: set[str]) -> bool:
    if not _is_short(words) or _key(words) == _GENERAL:
        return False
    return (
        titles.knows(words)
        or _key(words) in shown
        or _CHAPTER_AND_PAGE.fullmatch(words) is not None
    )


def _is_short(words: str) -> bool:
    return len(words) <= _LONGEST and words[-1] not in _END


def _cited_as(place: _Place, number: str, titles: Titles) -> str:
    """Return the number as citations have it: with "GR" in the general rules of a page that is
    cited so.
    """
    page = place.title or place.page
    return (
        f"{page} GR{number}"
        if not place.title and page in titles.general
        else f"{page} {number}".strip()
    )
