"""Writes the report as an HTML page that needs nothing from the network, with an explorer page for
the ways to targets.

A machine has tiles with its totals, a map with counts, and a list of its targets. The list is made
by `page.js` from the data of `fsm.views.coverage.listing`. Without scripts, the page shows totals,
maps and what is missing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path

from fsm.coverage.reports.totals import percent
from fsm.coverage.target import Coverage, Result
from fsm.model.graph import graphs_of
from fsm.views.coverage.listing import Links, Listing
from fsm.views.coverage.maps import Map, map_of, part_picture
from fsm.views.coverage.words import TargetWords, criterion_words
from fsm.views.draw import views_of
from fsm.views.embedded import page_colours
from fsm.views.explorer import explore
from fsm.views.explorer.parts import part as shared_part
from fsm.views.html import Html, digest, element, joined, text
from fsm.views.reader import is_turn
from fsm.wording import blanks, citation, plain, upper_first

MOST_MACHINES = 20
MOST_BYTES = 400_000
"""The largest size of a page. Lists are shortened, pictures of parts left out, and finally whole
machines.
"""
FRAME_BYTES = 14_000
"""The size of the head of the page and of the colours of its pictures."""
FOR_LISTS = 0.75
"""The share of the room that lists may take. Pictures of parts have the rest."""
MOST_DRAWN = 600
"""A machine with more transitions is not drawn: nobody could read it, and the renderer may fail."""
NAMED, MOST_PLAIN = 5, 60
"""How many targets that were never taken stand beside the map, and in the page without scripts."""
_VIEWS = ("window", "phase", "endings")
FindLinks = Callable[[Result], Links]


def pages(
    results: Sequence[Result], file: str, links_of: FindLinks, *, most: int = MOST_BYTES
) -> Mapping[str, str]:
    """Return the page for this file, in so many bytes, and the explorer pages that it links to.

    Raises DrawError if drawing fails.
    """
    links = [links_of(result) for result in results[:MOST_MACHINES]]
    explorers: dict[int, tuple[str, str]] = {}
    for number, (result, name) in enumerate(zip(results, _names_of(results), strict=True)):
        if number < len(links) and any(links[number].values()):
            word = f"explorer-{name}" if len(results) > 1 else "explorer"
            whole = Path(file)
            path = str(whole.with_name(f"{whole.stem}-{word}{whole.suffix}"))
            explorers[number] = path, explore(result.model)
    named = {
        number: path.replace("\\", "/").rpartition("/")[2]
        for number, (path, _) in explorers.items()
    }
    return {file: _page(results, links, named, most), **dict(explorers.values())}


def _names_of(results: Sequence[Result]) -> tuple[str, ...]:
    """Return a different word for each result that can be part of a file name."""
    found: list[str] = []
    for result in results:
        word = re.sub(r"[^\w.+-]+", "-", result.name.partition(" (")[0]).strip("-.") or "machine"
        same = [other for other in found if re.fullmatch(rf"{re.escape(word)}(-\d+)?", other)]
        found.append(f"{word}-{len(same) + 1}" if same else word)
    return tuple(found)


def _page(
    results: Sequence[Result], links: Sequence[Links], explorers: Mapping[int, str], most: int
) -> str:
    layout, script = (
        _short(_file("page.css")),
        _short(shared_part("page/elements.js") + _file("page.js")),
    )
    sections = list[str]()
    room = most - FRAME_BYTES - len(layout.encode()) - len(script.encode())
    told = results[:MOST_MACHINES]
    for number, result in enumerate(told):
        made = _Machine(number, result, links[number], explorers.get(number, ""), len(results))
        section = made.section(room // (len(told) - number))
        room -= len(section.encode())
        if room < 0 and number:
            break
        sections.append(section)
    style = _colours() + layout
    policy = f"default-src 'none'; style-src {digest(style)}; script-src {digest(script)}; base-uri 'none'"
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{text(policy)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"{element('title', _title(results))}\n<style>{style}</style>\n</head>\n<body>",
            _header(results),
            f'<main id="main">{_summary(results, len(sections))}',
            *sections,
            f"</main>\n<script>{script}</script>\n</body>\n</html>\n",
        ]
    )


def _colours() -> str:
    """Return the style sheet of the pictures, and of the counts in the list."""
    tones = {"few": "heat1", "some": "heat2", "most": "heat3", "never": "jump"}
    tones |= {"on-few": "ink", "on-some": "ink", "on-most": "onheat", "control": "muted"}
    named = ";".join(f"--{name}:var(--{colour})" for name, colour in tones.items())
    return f"{page_colours()}:root{{{named};--rule:var(--rule-line)}}\n"


def _file(name: str) -> str:
    """Return the text of a file of this package."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _short(written: str) -> str:
    """Return a script or a style without comments and indentation."""
    lines = (line.strip() for line in written.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith(("//", "/*")))


def _title(results: Sequence[Result]) -> str:
    return (
        f"Coverage of {_called(results[0])}" if len(results) == 1 else "Coverage of state machines"
    )


def _called(result: Result) -> str:
    """Return the title of a ruleset, or the name of a machine, with its place."""
    model = result.model
    titled = " ".join(filter(None, (plain(model.title), plain(model.edition))))
    return titled if titled and not result.place else plain(result.name)


def _header(results: Sequence[Result]) -> Html:
    said = _facts(results[0]) if len(results) == 1 else f"{len(results)} machines"
    titles = element("div", element("h1", _title(results)), element("p", said))
    print_ = element(
        "button", _ICONS["print"], class_="btn icon", id="print", type="button", aria_label="Print"
    )
    night = element(
        "button",
        _ICONS["dark"],
        class_="btn icon",
        id="dark",
        type="button",
        aria_label="Dark",
        aria_pressed="false",
    )
    return element("header", titles, element("div", print_, night, class_="tools scripted"))


def _facts(result: Result) -> str:
    """Return how much was recorded: "12 tests, 29 turns, 3,877 firings"."""
    tests = {
        name for coverage in result.coverages for by in coverage.by.values() for name in by if name
    }
    own = graphs_of(result.model)[0].model
    begins = {
        s.id
        for s in own.leaves
        if s.role == "begin" and s.parent in {t.id for t in own.of_kind("turn")}
    }
    taken = result.by("transitions")
    rows = (
        [row.id for row in own.transitions if row.target in begins]
        if begins and taken is not None
        else []
    )
    turns = (
        sum(taken.taken.get((graphs_of(result.model)[0].name, id), 0) for id in rows)
        if taken is not None
        else 0
    )
    counted = [
        _many(len(tests), "test"),
        _many(turns, "turn"),
        _many(result.firings, "firing") or "nothing recorded",
    ]
    return ", ".join(filter(None, counted))


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}" if count else ""


# the summary of several machines ------------------------------------------------------------------


def _summary(results: Sequence[Result], told: int) -> Html:
    if not results:
        return element("p", "Nothing was recorded of any machine.")
    if len(results) == 1:
        return Html()
    names = list(
        dict.fromkeys(c for r in results for c in (*(x.criterion for x in r.coverages), *r.refused))
    )
    heads = element("tr", *(element("th", name, scope="col") for name in ("machine", *names)))
    rows = (_row(n, result, names, linked=n < told) for n, result in enumerate(results[:100]))
    caption = element("caption", "Taken, of what can be taken")
    table = element(
        "table", caption, element("thead", heads), element("tbody", *rows), class_="summary"
    )
    more = f"Not shown below, but in the JSON report: {len(results) - told} of {len(results)} machines."
    return joined(
        [_wide(table, "Totals of all machines"), element("p", more) if told < len(results) else ""]
    )


def _wide(content: str, label: str) -> Html:
    return element("div", content, class_="wide", tabindex=0, role="region", aria_label=label)


def _row(number: int, result: Result, names: Sequence[str], *, linked: bool) -> Html:
    name = plain(result.name)
    first = element("a", name, href=f"#machine-{number}") if linked else name
    return element("tr", element("th", first, scope="row"), *(_cell(result, n) for n in names))


def _cell(result: Result, criterion: str) -> Html:
    coverage = result.by(criterion)
    if coverage is None:
        return element("td", "refused", title=plain(result.refused.get(criterion, "")))
    return element(
        "td", element("b", percent(coverage.share)), f" {len(coverage.covered)}/{coverage.asked}"
    )


# one machine --------------------------------------------------------------------------------------


class _Machine:
    def __init__(
        self, number: int, result: Result, links: Links, explorer: str, machines: int
    ) -> None:
        self.number, self.result, self.links, self.explorer = number, result, links, explorer
        self.alone = machines == 1
        self.heading = "h2" if self.alone else "h3"

    def section(self, room: int) -> str:
        """Return the section of the machine, in about this many bytes."""
        result = self.result
        drawn = None
        if len(result.model.transitions) <= MOST_DRAWN:
            drawn = map_of(result, _alt(result, "turn"))
        before = [
            *([] if self.alone else [element("h2", plain(result.name), id=f"head-{self.number}")]),
            *([] if self.alone else [element("p", _facts(result), class_="muted")]),
            *(element("p", plain(note, 600), class_="note") for note in self._notes()),
            self._tiles(),
            self._map(drawn) if drawn is not None else "",
        ]
        room -= sum(len(part.encode()) for part in before)
        data = Listing(result, self.links).data(drawn, self.explorer, int(room * FOR_LISTS))
        list_ = [
            element("div", class_="list scripted"),
            element("noscript", self._without_scripts()),
        ]
        list_ += [Html(f'<script type="application/json" class="data">{data}</script>')]
        parts = list(self._parts(room - len(data.encode())))
        if parts:
            words = f"{_many(len(parts), 'more picture')} with counts"
            list_ += [element("details", element("summary", words), *parts, class_="parts")]
        named = (
            {"aria_label": "Coverage"} if self.alone else {"aria_labelledby": f"head-{self.number}"}
        )
        return element(
            "section", *before, *list_, id=f"machine-{self.number}", class_="machine", **named
        )

    def _notes(self) -> Iterator[str]:
        yield from self.result.notes
        yield from (f"Not measured: {why}" for why in self.result.refused.values())

    def _tiles(self) -> Html:
        tiles = (_tile(coverage) for coverage in self.result.coverages)
        return element("div", *tiles, class_="tiles", role="group", aria_label="What is counted")

    def _map(self, drawn: Map) -> Html:
        label = f"Map of {plain(self.result.name)}"
        tabs = (
            element("button", name, type="button", data_at=f"{left:.0f} {top:.0f} {width:.0f}")
            for name, left, top, width in drawn.phases
        )
        bar = element(
            "div",
            *tabs,
            class_="tabs scripted",
            role="group",
            aria_label="Go to a phase on the map",
        )
        view = element(
            "div", Html(drawn.svg), class_="view", tabindex=0, role="region", aria_label=label
        )
        legend = element(
            "ul",
            *(element("li", element("i", class_=c), words) for c, words in _LEGEND),
            class_="legend",
        )
        aside = element(
            "div", element(self.heading, "How often"), legend, *self._never(drawn), class_="aside"
        )
        return element("div", bar if drawn.phases else "", view, aside, class_="map")

    def _never(self, drawn: Map) -> Iterator[Html]:
        coverage = self.result.by("transitions")
        missing = coverage.missing if coverage is not None else ()
        if coverage is not None and not missing:
            yield element("p", "All that can be taken was taken.")
        on, words = (
            [t for t in missing if t.id in drawn.never and t.machine != "window"],
            self._words(),
        )
        if on:
            yield element(self.heading, "Never taken here")
            said = (
                (words[t.machine].said("transitions", t) or plain(t.id)) + citation(plain(t.rule))
                for t in on
            )
            yield element("ul", *(element("li", one) for one in list(said)[:NAMED]))
        if more := len(missing) - min(len(on), NAMED):
            yield element(
                "p",
                f"{more} {'more ' if on else ''}{'is' if more == 1 else 'are'} in the list.",
                class_="muted",
            )
        yield element(
            "p", "Click a step or a line: the list shows what belongs to it.", class_="scripted"
        )

    def _words(self) -> Mapping[str, TargetWords]:
        return {graph.name: TargetWords(graph) for graph in graphs_of(self.result.model)}

    def _without_scripts(self) -> Html:
        words = self._words()
        found = [(c, t) for c in self.result.coverages for t in c.missing]
        items = (
            element(
                "li",
                f"{words[t.machine].said(c.criterion, t)} ",
                element("code", plain(t.id)),
                citation(plain(t.rule)),
            )
            for c, t in found[:MOST_PLAIN]
        )
        more = (
            f"And {len(found) - MOST_PLAIN} more, in the JSON report."
            if len(found) > MOST_PLAIN
            else ""
        )
        return joined(
            [
                element(self.heading, f"Never taken: {len(found)}"),
                element("ul", *items),
                element("p", more),
            ]
        )

    def _parts(self, room: int) -> Iterator[Html]:
        """Yield pictures of parts, as many as there is room for."""
        if len(self.result.model.transitions) > MOST_DRAWN or not is_turn(self.result.model):
            return
        for view in (v for v in views_of(self.result.model) if v.partition(":")[0] in _VIEWS):
            drawn = part_picture(self.result, view, _alt(self.result, view))
            figure = element(
                "figure",
                element("figcaption", _view_words(view)),
                _wide(Html(drawn), _alt(self.result, view)),
            )
            room -= len(figure.encode())
            if room < 0:
                return
            yield figure


def _tile(coverage: Coverage) -> Html:
    share = percent(coverage.share)
    bar = element(
        "progress", max=max(coverage.asked, 1), value=len(coverage.covered), aria_hidden="true"
    )
    return element(
        "button",
        element("small", criterion_words(coverage.criterion)),
        element("span", element("b", f"{len(coverage.covered):,}"), f" of {coverage.asked:,}"),
        element("span", share, class_="share"),
        bar,
        class_="tile",
        type="button",
        aria_pressed="false",
        data_criterion=coverage.criterion,
    )


def _alt(result: Result, view: str) -> str:
    coverage = result.by("transitions")
    said = f": {coverage}" if isinstance(coverage, Coverage) and view == "turn" else ""
    return (
        f"How often everything was taken, {_view_words(view).lower()} of {plain(result.name)}{said}"
    )


def _view_words(view: str) -> str:
    kind, _, name = view.partition(":")
    return upper_first(f"{kind} {blanks(name)}".strip())


_LEGEND = (
    ("never", "never taken"),
    ("few", "under 10 % of the most"),
    ("some", "10 to 60 %"),
    ("most", "over 60 %"),
)


def _icon(path: str) -> Html:
    return Html(
        '<svg class="ic" width="18" height="18" viewBox="0 0 20 20" fill="none" stroke="currentColor" stroke-width="2" '
        f'stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="{path}"/></svg>'
    )


_ICONS = {
    "print": _icon("M6 7V3h8v4M6 14H3V7h14v7h-3M6 11h8v6H6z"),
    "dark": _icon("M16 12A7 7 0 1 1 8 4a6 6 0 0 0 8 8z"),
}
