"""Writes a turn table as one self-contained HTML page, for light and dark themes, print and phones."""

from __future__ import annotations

from collections.abc import Iterator

from fsm.views.html import Html, element, joined
from fsm.views.tables.turntable import Ending, Footnote, PhaseRows, Row, StepRows, TurnTable

LIGHT = "--ink:#1c2126;--soft:#5b6570;--paper:#fff;--head:#eef1f4;--line:#c9d0d7;--thin:#e4e8ec;--mark:#8a3b00"
DARK = "--ink:#e6e9ec;--soft:#a3adb8;--paper:#15191e;--head:#222931;--line:#46515d;--thin:#2b333c;--mark:#ffb37a"
SCHEMES = {
    "": f":root{{color-scheme:light dark;{LIGHT}}}@media (prefers-color-scheme:dark){{:root{{{DARK}}}}}",
    "light": f":root{{color-scheme:light;{LIGHT}}}",
    "dark": f":root{{color-scheme:dark;{DARK}}}",
}
STYLE = """
body{margin:0 auto;padding:1rem;max-width:70rem;background:var(--paper);color:var(--ink);
  font:1rem/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
table{border-collapse:collapse;width:100%}
caption{text-align:left;padding:0 0 .8rem;font-size:1.5em;font-weight:600}
caption small,td.rule,span.rule,.note{color:var(--soft);font-size:.85em;font-weight:400}
caption small,.note{display:block}
th,td{padding:.35rem .6rem;text-align:left;vertical-align:top;border:1px solid var(--line)}
thead th,tbody th,td.step{background:var(--head)}
tbody th{width:11%}
tbody td{border-top-color:var(--thin);border-bottom-color:var(--thin)}
tr.first td{border-top-color:var(--line)}
tbody{border-bottom:2px solid var(--line)}
td.rule{width:10%}
.nothing,.absent,.again,.then,.event,.expiry,.end{color:var(--soft)}
.hole{color:var(--mark);font-weight:600}
sup{color:var(--mark);font-weight:600;line-height:0}
sup a{color:inherit;text-decoration:none}
h1{font-size:1em;font-weight:600;margin:0}
.footnote{margin:1em 0 0;font-size:.95em}
h2{font-size:1.05em;margin:1.2em 0 .2em}
ol{margin:.2em 0;padding-left:1.6rem}
@media (max-width:40rem){
  body{padding:.5rem;font-size:.9rem}
  thead{position:absolute;left:-100vw}
  table,tbody,caption,tr,tbody th{display:block}
  th,td{box-sizing:border-box;border-width:0}
  tr{border-bottom:1px solid var(--thin)}
  tbody th{width:auto}
  tbody th.phase{font-size:1.1em}
  tbody th.step{padding-left:1.2rem;font-weight:500}
  td.step{display:none}
  td{display:inline-block;width:calc(100% - 5rem);padding-left:1.2rem}
  td.rule{width:5rem;padding-left:0}
}
@media print{
  body{max-width:none;padding:0;font-size:9pt;line-height:1.3}
  th,td{padding:.15rem .4rem}
  tr{break-inside:avoid}
  thead{display:table-header-group}
}
""".strip()


def page(table: TurnTable, theme: str = "") -> str:
    """Return the page. `theme` is "light", "dark", or "" for the reader's own setting."""
    return "\n".join(_lines(table, theme)) + "\n"


def _lines(table: TurnTable, theme: str) -> Iterator[str]:
    yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"{element('title', table.title)}\n<style>\n{SCHEMES[theme]}\n{STYLE}\n</style>\n</head>\n<body>\n<main>"
    yield "<table>"
    title = element(
        "h1", table.title, *([" ", element("small", table.edition)] if table.edition else [])
    )
    yield element("caption", title)
    yield element(
        "thead", element("tr", *(element("th", head, scope="col") for head in table.heads))
    )
    for phase in table.phases:
        yield from _phase(phase)
    yield "</table>"
    yield from map(_note, table.footnotes)
    for ending in table.endings:
        yield from _ending(ending)
    if table.holes:
        yield element("p", f"No way on from: {', '.join(table.holes)}", class_="hole")
    if table.options:
        given = joined([element("code", f"{name}={value}") for name, value in table.options], ", ")
        yield element("p", "Options: ", given, class_="note")
    yield "</main>\n</body>\n</html>"


def _phase(phase: PhaseRows) -> Iterator[str]:
    yield "<tbody>"
    for number, step in enumerate(phase.steps):
        for at, row in enumerate(step.rows):
            heads = [_phase_head(phase)] if number == at == 0 else []
            heads += [_head("step", step.label, _small(step), len(step.rows))] if at == 0 else []
            cells = (
                element("td", row.text, _mark(row), class_=row.kind),
                element("td", row.rule, class_="rule"),
            )
            yield element("tr", *heads, *cells, class_="first" if at == 0 else False)
    yield "</tbody>"


def _phase_head(phase: PhaseRows) -> Html:
    note = element("span", phase.note, class_="note") if phase.note else Html()
    return _head("phase", phase.label, note, phase.height)


def _small(step: StepRows) -> Html:
    return joined(
        [" ", element("span", step.rule, class_="note")] if step.label and step.rule else []
    )


def _head(kind: str, label: str, more: Html, height: int) -> Html:
    high = height if height > 1 else False
    if not label:  # the phase has no other step
        return element("td", class_=kind, rowspan=high)
    return element("th", label, more, class_=kind, scope="rowgroup", rowspan=high)


def _mark(row: Row) -> Html:
    link = element("a", row.mark, href=f"#note-{row.mark}")
    return joined([Html("&nbsp;"), element("sup", link)] if row.mark else [])


def _note(note: Footnote) -> Html:
    said = joined(map(_said, note.sentences), " ")
    return element(
        "p", element("sup", note.mark), " ", said, id=f"note-{note.mark}", class_="footnote"
    )


def _ending(ending: Ending) -> Iterator[str]:
    yield f"{element('h2', ending.when)}\n<ol>"
    yield from (element("li", _said(row)) for row in ending.rows)
    yield "</ol>"


def _said(row: Row) -> Html:
    cited = [" ", element("span", f"({row.rule})", class_="rule")] if row.rule else []
    return joined([row.text, *cited])
