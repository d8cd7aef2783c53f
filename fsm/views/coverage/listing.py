"""The list of the page as plain JSON values: each target with its words, how often it was taken,
and a way to it.

Texts that occur often stand once, and the list has their numbers. If there is too little room, each
list has its first targets only, those that are missing before the others.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from fsm.coverage.reports.ways import way_text, way_to
from fsm.coverage.target import Coverage, Key, Result, Target
from fsm.model.graph import graphs_of
from fsm.views.coverage.maps import Map
from fsm.views.coverage.words import TargetWords, criterion_words
from fsm.views.explorer.links import Link
from fsm.wording import plain

Links = Mapping[str, Mapping[Key, Link]]
"""Links to a game that takes a target, by criterion and target."""
LENGTHS = (4_000, 2_000, 1_200, 800, 500, 300, 150, 80, 40, 20, 10, 4)
"""The lengths to which lists are shortened."""
MOST_TESTS, LONGEST_TEST, STATES = 3, 70, 6
_UNSAFE = {
    ord("<"): "\\u003c",
    ord(">"): "\\u003e",
    ord("&"): "\\u0026",
    0x2028: "\\u2028",
    0x2029: "\\u2029",
}


class Numbered:
    """Texts that stand once: each has a number."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """Return the number of a text."""
        return self._numbers.setdefault(text, len(self._numbers))

    @property
    def texts(self) -> list[str]:
        """All texts in the order of their numbers."""
        return list(self._numbers)


class Listing:
    """The lists of one machine, one for each criterion."""

    def __init__(self, result: Result, links: Links) -> None:
        self.result, self.links = result, links
        self.words = {graph.name: TargetWords(graph) for graph in graphs_of(result.model)}
        self.groups = list(
            dict.fromkeys(group for words in self.words.values() for group in words.groups)
        )

    def data(self, drawn: Map | None, explorer: str, room: int) -> str:
        """Return the lists as JSON that can stand in a page, in this many bytes if there are any so
        short.
        """
        for most in LENGTHS:
            found = self._data(drawn, explorer, most)
            text = json.dumps(found, separators=(",", ":"), ensure_ascii=False).translate(_UNSAFE)
            if len(text.encode()) <= room:
                break
        return text

    def _data(self, drawn: Map | None, explorer: str, most: int) -> dict[str, object]:
        self.notes, self.tests, self.walks = (
            Numbered(),
            Numbered(),
            Walks(self.links if explorer else {}),
        )
        self.rows: dict[tuple[str, str], int] = {}
        lists = [self._list(coverage, most) for coverage in self.result.coverages]
        return {
            "groups": self.groups,
            "window": self.groups.index(self.words["window"].groups[0])
            if "window" in self.words
            else -1,
            "lists": lists,
            "rows": [self._row(name, id) for name, id in self.rows],
            "notes": self.notes.texts,
            "tests": self.tests.texts,
            "starts": self.walks.starts.texts,
            "walks": self.walks.told,
            "explorer": explorer if self.walks.told else "",
            "map": self._parts(drawn) if drawn is not None else {},
        }

    def _row(self, machine: str, id: str) -> list[object]:
        words = self.words[machine]
        row = words.rows[id]
        return [words.of_row(row), plain(id), plain(row.rule), self._group(words.group_of_row(row))]

    def _parts(self, drawn: Map) -> dict[str, list[object]]:
        """Return what each part of the map stands for: the numbers of its transitions, and its
        states.
        """
        own = next(iter(self.words))
        numbers = {id: number for (machine, id), number in self.rows.items() if machine == own}
        found: dict[str, list[object]] = {}
        for part, ids in drawn.rows.items():
            found[part] = [[numbers[id] for id in ids if id in numbers], []]
        for part, states in drawn.states.items():
            rows = [
                r
                for r in self.words[own].rows.values()
                if {r.source, r.target} & states and r.id in numbers
            ]
            found[part] = [[numbers[r.id] for r in rows], sorted(states)]
        return found

    def _group(self, name: str) -> int:
        return self.groups.index(name) if name in self.groups else 0

    # the targets of one criterion -----------------------------------------------------------------

    def _list(self, coverage: Coverage, most: int) -> dict[str, object]:
        kinds = {
            **{t.key: "missing" for t in coverage.missing},
            **{t.key: "allowed" for t in coverage.excused},
            **{t.key: "impossible" for t in coverage.infeasible},
            **{t.key: "refuted" for t in coverage.refuted},
        }
        order = ("missing", "refuted", "allowed", "taken", "impossible")
        ranked = sorted(coverage.targets, key=lambda t: order.index(kinds.get(t.key, "taken")))
        chosen = {t.key for t in ranked[:most]}
        shown = [t for t in coverage.targets if t.key in chosen]
        return {
            "criterion": coverage.criterion,
            "what": criterion_words(coverage.criterion),
            "left": len(coverage.targets) - len(shown),
            "items": [
                self._item(coverage, t, kinds.get(t.key, ""), whole=most > 20) for t in shown
            ],
        }

    def _item(self, coverage: Coverage, target: Target, kind: str, *, whole: bool) -> list[object]:
        note, way, tests = self._note(coverage, target, kind), list[int](), list[object]()
        if kind == "missing":
            way = self.walks.way(coverage.criterion, target)
            note = note if way or not whole else self._on_the_graph(coverage, target)
        elif not kind:
            tests = self._tests(coverage.by.get(target.key, {}))
        count = coverage.taken.get(target.key, 0)
        found: list[object] = [
            self._subject(coverage.criterion, target),
            count,
            kind,
            note,
            way,
            tests,
        ]
        while not found[-1] and len(found) > 2:
            found.pop()
        return found

    def _subject(self, criterion: str, target: Target) -> object:
        """Return the number of a transition, the numbers of several, or words, id, rule, group and
        transitions.
        """
        words = self.words[target.machine]
        ids = words.rows_of(criterion, target)
        rows = [self.rows.setdefault((target.machine, id), len(self.rows)) for id in ids]
        if ids and " ; ".join(ids) == target.id:
            return rows if len(rows) > 1 else rows[0]
        group = self._group(words.group_of(criterion, target))
        return [words.said(criterion, target), plain(target.id), plain(target.rule), group, rows]

    def _note(self, coverage: Coverage, target: Target, kind: str) -> int:
        why = coverage.allowed.get(target.key, "") if kind == "allowed" else target.infeasible
        return 1 + self.notes.number(plain(why, 300)) if why else 0

    def _on_the_graph(self, coverage: Coverage, target: Target) -> int:
        if len(coverage.missing) > 400 or " ; " in target.id:
            return 0
        way = way_text(way_to(self.result.model, coverage.criterion, target), STATES)
        return 1 + self.notes.number(f"on the graph: {plain(way, 300)}") if way else 0

    def _tests(self, by: Mapping[str, int]) -> list[object]:
        names = sorted(by)
        shown = [self.tests.number(_short(name)) for name in names[:MOST_TESTS]]
        return [len(names), *shown] if names != [""] else []


class Walks:
    """The ways to targets. A way is the beginning of a walk, and `told` has the walks: each with
    its start.
    """

    def __init__(self, links: Links) -> None:
        self.links = links
        self.starts = Numbered()
        self.told: list[tuple[int, str]] = []
        self._known: dict[Link, int] = {}
        every = {link for by in links.values() for link in by.values()}
        for link in sorted(every, key=lambda link: (-len(link.answers), link.start, link.answers)):
            if link not in self._known:
                for end in range(len(link.answers) + 1):
                    self._known.setdefault(Link(link.start, link.answers[:end]), len(self.told))
                self.told.append((self.starts.number(link.start), link.told))

    def way(self, criterion: str, target: Target) -> list[int]:
        """Return the number of the walk and the number of answers, or []."""
        link = self.links.get(criterion, {}).get(target.key)
        return [self._known[link], len(link.answers)] if link is not None else []


def _short(name: str) -> str:
    """Return the name of a test. Of a long name, the end is kept, which says most."""
    name = plain(name, 1000)
    return (
        "outside any test"
        if not name
        else name
        if len(name) <= LONGEST_TEST
        else f"...{name[-LONGEST_TEST:]}"
    )
