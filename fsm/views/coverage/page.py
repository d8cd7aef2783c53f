"""Writes the report as one HTML page without scripts and without anything from the network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.resources import files

from fsm.coverage.reports.totals import percent
from fsm.coverage.target import Coverage, Result
from fsm.model.graph import graphs_of
from fsm.views.coverage.heat import heat_map
from fsm.views.coverage.pagecolours import PageColours
from fsm.views.coverage.tables import tables
from fsm.views.drawing import views_of
from fsm.views.html import Html, digest, element, joined, text
from fsm.wording import plain

MOST_MACHINES = 20
MOST_BYTES = 480_000
"""The largest size of a page. Tables are shortened, pictures of parts left out, and finally whole machines."""
SCALES = (1.0, 0.6, 0.4, 0.25, 0.15, 0.08, 0.0)
"""The shares of their full length to which tables are shortened."""
HEAD_BYTES = 2_000
"""The size of the head of a machine."""
TOOLTIP_BYTES = 200_000
"""With less room, pictures have no tooltips, which are more than half of their size."""
MOST_DRAWN = 600
"""A machine with more transitions is not drawn: nobody could read it, and the renderer may fail."""
_VIEWS = ("window", "phase", "ending")


def page(results: Sequence[Result]) -> str:
    """Return the page: a summary, and each machine with pictures and tables. Raises DrawError if drawing fails."""
    colours, sections, room = PageColours(), list[str](), MOST_BYTES
    for number, result in enumerate(results[:MOST_MACHINES]):
        section = _section(number, result, colours, room // (min(len(results), MOST_MACHINES) - number))
        room -= len(section.encode())
        if room < 0 and number:
            break
        sections.append(section)
    style = colours.style() + files(__package__).joinpath("page.css").read_text(encoding="utf-8")
    policy = f"default-src 'none'; style-src {digest(style)}"
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{text(policy)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"{element('title', _title(results))}\n<style>{style}</style>\n</head>\n<body>",
            '<a class="skip" href="#machine-0">To the first machine</a>',
            f"{element('header', element('h1', _title(results)))}\n<main>",
            _summary(results, len(sections)),
            *sections,
            "</main>\n</body>\n</html>\n",
        ]
    )


def _title(results: Sequence[Result]) -> str:
    return f"Coverage of {plain(results[0].name)}" if len(results) == 1 else "Coverage of state machines"


# the summary ------------------------------------------------------------------------------------------------


def _summary(results: Sequence[Result], told: int) -> Html:
    if not results:
        return element("p", "Nothing was recorded of any machine.")
    names = list(dict.fromkeys(c for r in results for c in (*(x.criterion for x in r.coverages), *r.refused)))
    heads = element("tr", *(element("th", name, scope="col") for name in ("machine", *names)))
    rows = (_row(n, result, names, linked=n < told) for n, result in enumerate(results[:100]))
    caption = element("caption", "Taken, of what can be taken")
    table = element("table", caption, element("thead", heads), element("tbody", *rows), class_="summary")
    more = f"Not shown below, but in the JSON report: {len(results) - told} of {len(results)} machines."
    return joined([element("div", table, class_="wide"), element("p", more) if told < len(results) else ""])


def _row(number: int, result: Result, names: Sequence[str], *, linked: bool) -> Html:
    name = plain(result.name)
    first = element("a", name, href=f"#machine-{number}") if linked else name
    return element("tr", element("th", first, scope="row"), *(_cell(result, n) for n in names))


def _cell(result: Result, criterion: str) -> Html:
    coverage = result.by(criterion)
    if coverage is None:
        return element("td", "refused", title=result.refused.get(criterion, ""))
    kind = "all" if not coverage.missing else "some" if coverage.covered else "none"
    share = element("meter", min=0, max=1, value=f"{coverage.share:.3f}", aria_hidden="true")
    counted = f" {len(coverage.covered)}/{coverage.asked}"
    return element("td", element("b", percent(coverage.share)), counted, share, class_=kind)


# one machine -------------------------------------------------------------------------------------------------


def _section(number: int, result: Result, colours: PageColours, room: int) -> str:
    model = result.model
    title = " ".join(filter(None, (plain(model.title), plain(model.edition)))) or plain(model.name)
    whole = _picture(result, colours, "turn", tips=room > TOOLTIP_BYTES) if len(model.transitions) <= MOST_DRAWN else ""
    room -= len(whole.encode())
    text = _tables(result, room - HEAD_BYTES)
    inside = f" and {len(model.window.transitions)} in its window" if model.window is not None else ""
    own = graphs_of(model)[0]
    room -= sum(len(part.encode()) for part in text)
    return "\n".join(
        [
            f'<section id="machine-{number}" aria-labelledby="head-{number}">',
            element("h2", plain(result.name), id=f"head-{number}"),
            element(
                "p",
                f"{title}: {len(own.states)} states, {len(own.rows)} transitions{inside}; "
                f"{result.firings} firings recorded.",
            ),
            *(element("p", plain(note), class_="note") for note in _notes(result)),
            whole,
            *_parts(result, colours, room),
            *text,
            "</section>",
        ]
    )


def _tables(result: Result, room: int) -> list[Html]:
    """Return the longest tables for which there is room, or the shortest ones."""
    for scale in SCALES:
        text = [tables(result, coverage, scale) for coverage in result.coverages]
        if sum(len(part.encode()) for part in text) <= room:
            break
    return text


def _notes(result: Result) -> Iterator[str]:
    yield from result.notes
    yield from (f"Not measured: {why}" for why in result.refused.values())


def _parts(result: Result, colours: PageColours, room: int) -> Iterator[Html]:
    """Yield folded pictures of parts, as many as there is room for."""
    for view in (v for v in views_of(result.model) if v.partition(":")[0] in _VIEWS):
        figure = _picture(result, colours, view)
        room -= len(figure.encode())
        if room < 0:
            return
        yield element("details", element("summary", f"Picture: {_words(view)}"), figure)


def _picture(result: Result, colours: PageColours, view: str, *, tips: bool = True) -> Html:
    alt = _alt(result, view)
    drawn = colours.both(heat_map(result, view), heat_map(result, view, "dark"), alt, tips=tips)
    return element("figure", Html(drawn), class_="wide", tabindex="0", aria_label=alt)


def _words(view: str) -> str:
    kind, _, name = view.partition(":")
    return f"{kind} {name}".replace("_", " ").strip()


def _alt(result: Result, view: str) -> str:
    coverage = result.by("transitions")
    said = f": {coverage}" if isinstance(coverage, Coverage) and view == "turn" else ""
    return f"How often everything was taken, {_words(view)} of {plain(result.name)}{said}"
