"""Writes the report as an HTML page that needs nothing from the network.

A machine has tiles with its totals, a map with counts, and one list of its targets. The page is
whole without scripts; `page.js` filters the list.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from fsm.coverage.target import Coverage, Result, Target, percent
from fsm.coverage.ways import way_text, way_to
from fsm.model.graph import graphs_of
from fsm.views.coveragemap import Map, map_of
from fsm.views.coveragewords import CRITERIA, TargetWords
from fsm.views.embedded import page_colours
from fsm.views.html import digest, page_part, rendered
from fsm.wording import plain, upper_first

MOST_MACHINES, MOST_ROWS, MOST_TESTS = 20, 400, 3
"""The other machines and targets are in the JSON report, and the other tests are counted."""
MOST_DRAWN = 600
"""A machine with more transitions is not drawn: nobody could read it, and the renderer may fail."""
_KINDS = ("missing", "refuted", "allowed", "taken", "impossible")


@dataclass(slots=True)
class Row:
    """A target of the list."""

    words: str
    id: str
    rule: str
    count: int
    kind: str
    heat: str = ""
    note: str = ""
    tests: Sequence[str] = ()
    more: int = 0
    parts: str = ""


@dataclass(slots=True)
class Listing:
    """The targets of one criterion in groups, and its totals."""

    criterion: str
    words: str
    coverage: Coverage
    groups: Mapping[str, list[Row]]
    left: int

    @property
    def share(self) -> str:
        """How much was taken, in percent."""
        return percent(self.coverage.share)


@dataclass(slots=True)
class Section:
    """One machine of the page."""

    number: int
    result: Result
    facts: str
    map: Map | None
    lists: list[Listing] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The title of a ruleset, or the name of a machine, with its place."""
        model = self.result.model
        titled = f"{plain(model.title)} {plain(model.edition)}".strip()
        return titled if titled and not self.result.place else plain(self.result.name)


def page(results: Sequence[Result]) -> str:
    """Return the page. Raises DrawError if drawing fails."""
    shown = enumerate(results[:MOST_MACHINES])
    return _page([_section(number, result) for number, result in shown], len(results))


def _page(sections: Sequence[Section], machines: int) -> str:
    style, script = page_colours() + page_part("coverage.css"), page_part("coverage.js")
    policy = f"default-src 'none'; style-src {digest(style)}; script-src {digest(script)}"
    alone = len(sections) == machines == 1
    return rendered(
        "coverage",
        title=f"Coverage of {sections[0].name}" if alone else "Coverage of state machines",
        sections=sections,
        alone=alone,
        left=machines - len(sections),
        names=list(dict.fromkeys(each.criterion for one in sections for each in one.lists)),
        policy=f"{policy}; base-uri 'none'",
        style=style,
        script=script,
    )


# one machine --------------------------------------------------------------------------------------


def _section(number: int, result: Result) -> Section:
    drawn = None
    if len(result.model.transitions) <= MOST_DRAWN:
        total = result.by("transitions")
        words = f"How often everything was taken, {plain(result.name)}"
        drawn = map_of(result, f"{words}: {total}" if total else words)
    section = Section(number, result, _facts(result), drawn)
    for coverage in result.coverages:
        section.lists.append(_Lister(result, coverage, drawn).listing())
    return section


def _facts(result: Result) -> str:
    """Return how much was recorded: "12 tests, 3,877 firings"."""
    by = [names for coverage in result.coverages for names in coverage.by.values()]
    tests = {name for names in by for name in names if name}
    counts = {"test": len(tests), "firing": result.firings}
    told = [f"{n:,} {what}{'s' * (n != 1)}" for what, n in counts.items() if n]
    return ", ".join(told) or "nothing recorded"


class _Lister:
    """Makes the list of one criterion."""

    def __init__(self, result: Result, coverage: Coverage, drawn: Map | None) -> None:
        self.result, self.coverage = result, coverage
        self.words = {graph.name: TargetWords(graph) for graph in graphs_of(result.model)}
        self.own = next(iter(self.words))
        self.parts = drawn.parts if drawn else {}
        self.kinds = {target.key: "missing" for target in coverage.missing}
        self.kinds |= {target.key: "allowed" for target in coverage.excused}
        self.kinds |= {target.key: "impossible" for target in coverage.infeasible}
        self.kinds |= {target.key: "refuted" for target in coverage.refuted}

    def listing(self) -> Listing:
        """Return the list, in groups. Those with something that was never taken come first."""
        coverage = self.coverage
        shown = sorted(coverage.targets, key=lambda t: _KINDS.index(self._kind(t)))[:MOST_ROWS]
        groups: dict[str, list[Row]] = defaultdict(list)
        for target in shown:
            group = self.words[target.machine].group_of(coverage.criterion, target)
            groups[group].append(self._row(target))
        order = [group for words in self.words.values() for group in words.groups]
        never = {group: rows[0].kind != "missing" for group, rows in groups.items()}
        sorted_groups = sorted(groups, key=lambda group: (never[group], order.index(group)))
        words = CRITERIA.get(coverage.criterion) or upper_first(plain(coverage.criterion))
        left = len(coverage.targets) - len(shown)
        return Listing(
            coverage.criterion, words, coverage, {g: groups[g] for g in sorted_groups}, left
        )

    def _kind(self, target: Target) -> str:
        return self.kinds.get(target.key, "taken")

    def _row(self, target: Target) -> Row:
        criterion, kind = self.coverage.criterion, self._kind(target)
        count = self.coverage.taken.get(target.key, 0)
        said = self.words[target.machine].said(criterion, target)
        row = Row(said, plain(target.id, 600), plain(target.rule), count, kind)
        row.parts = " ".join(self._parts_of(target))
        if kind == "missing":
            row.note = self._on_the_graph(target)
        elif kind == "taken":
            row.heat = self._heat(target, count)
            names = sorted(name for name in self.coverage.by.get(target.key, ()) if name)
            row.tests = [plain(name, 200) for name in names[:MOST_TESTS]]
            row.more = len(names) - len(row.tests)
        else:
            row.note = plain(self.coverage.allowed.get(target.key) or target.infeasible, 300)
        return row

    def _on_the_graph(self, target: Target) -> str:
        if len(self.coverage.missing) > MOST_ROWS or " ; " in target.id:
            return ""
        way = way_text(way_to(self.result.model, self.coverage.criterion, target), 6)
        return f"on the graph: {plain(way, 300)}" if way else ""

    def _heat(self, target: Target, count: int) -> str:
        """A window opens often in one turn: what happens in it is compared with itself."""
        taken = self.coverage.taken
        most = max(n for (machine, _), n in taken.items() if machine == target.machine)
        return "heat1" if count * 10 < most else "heat2" if count * 10 <= 6 * most else "heat3"

    def _parts_of(self, target: Target) -> Iterator[str]:
        """Yield the parts of the map at which a target is."""
        if target.machine == self.own:
            rows = self.words[self.own].rows_of(self.coverage.criterion, target)
            meant = {row.id for row in rows} or {target.id}
            meant |= {end for row in rows for end in (row.source, row.target) if end}
            for part, ids in self.parts.items():
                if ids & meant:
                    yield part
