"""The turn as a table: the judge's page (HTML on one A4 sheet), Markdown, and text for terminals.

from fsm.views import tabulate
print(tabulate(model, format="txt", width=100))
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from fsm.errors import DrawError
from fsm.model import Model
from fsm.model.likeness import ModelLike, as_model
from fsm.views.cells import cells, padded, wrapped
from fsm.views.html import Html, element
from fsm.views.html import joined as html_joined
from fsm.views.machines import Label, read_machine
from fsm.views.reader import is_turn, read
from fsm.views.reading import Line, Mark, Phase, Reason, Step, Turn, steps_of
from fsm.views.svg import COLOURS, FONT, HUES, Theme
from fsm.views.ways import joined
from fsm.wording import citation, label_of, lower_first, upper_first

FORMATS = ("md", "html", "txt")
MARKS: dict[Mark, str] = {"full": "●", "hollow": "○", "": "—"}
NARROWEST = 40


@dataclass(frozen=True, slots=True)
class Row:
    """One row: what it is about, what happens in order, and the rules of that.

    `before` and `after` say when it is left out, and where it goes on.
    """

    group: str
    name: str
    rule: str
    lines: Sequence[str]
    before: Sequence[str] = ()
    after: Sequence[str] = ()
    mark: str = ""
    rules: str = ""
    hue: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """A table with what is said above it, its heads, and the lists below it."""

    title: str
    caption: Sequence[str]
    heads: tuple[str, str, str, str, str]
    rows: Sequence[Row]
    notes: Sequence[tuple[str, Sequence[str]]] = ()


def tabulate(
    model: ModelLike, *, format: str = "md", theme: Theme = "auto", width: int = 100
) -> str:
    """Write a model as a table: the phases and steps of a turn, or the states of another machine.

    Parameters
    ----------
    model
        The Model to write.
    format
        "md", "html" or "txt".
    theme
        For HTML: "light", "dark", or "auto" to follow the reader's screen.
    width
        For text: the number of columns, at least 40.

    Returns
    -------
    str
        The table.

    Raises
    ------
    DrawError
        If the format is unknown.
    """
    if format not in FORMATS:
        said = f"format {format!r} is unknown"
        raise DrawError(said, kind="unknown-format", found=format, known=FORMATS)
    found = as_model(model)
    table = table_of(read(found)) if is_turn(found) else machine_table(found)
    if format == "html":
        return page(table, theme)
    return markdown(table) if format == "md" else text(table, max(width, NARROWEST))


# the turn -----------------------------------------------------------------------------------------


def table_of(turn: Turn) -> Table:
    """Return the table of a turn."""
    rows = []
    for step in turn.steps:
        phase = turn.phase_of(step.id)
        rows += [_row(turn, phase, step)] if phase else []
    signs = f"● {turn.acting} · ○ only if something triggered · — nobody acts"
    said = [turn.edition] if turn.edition else []
    said += [note.text + citation(note.rule) for note in turn.notes]
    return Table(
        title=f"{turn.title}: the {turn.word} on one page",
        caption=[". ".join([*said, signs]) + "."],
        heads=("Phase", "Step", "What happens, in order", upper_first(turn.term) or "Act", "Rules"),
        rows=rows,
        notes=[(s.title + citation(s.rule), told(s)) for s in (*turn.windows, *turn.endings)],
    )


def _row(turn: Turn, phase: Phase, step: Step) -> Row:
    first = steps_of(phase.parts)[:1] == (step,)
    reasons = [*(phase.left_out if first else ()), *step.left_out]
    same = phase.single is not None
    return Row(
        group=phase.title,
        name="" if same else step.title,
        rule=step.rule or (phase.rule if same else ""),
        lines=told(step, cited=False),
        before=[*map(_left_out, reasons), *_only(turn, step)],
        after=list(_after(turn, step)),
        mark=MARKS[step.mark],
        rules=_rules(step),
        hue=phase.hue,
    )


def _left_out(reason: Reason) -> str:
    return f"Left out: {reason.words}{citation(reason.rule)}"


def _only(turn: Turn, step: Step) -> Iterator[str]:
    """The only cases in which a step comes."""
    into = [way for way in turn.ways if way.target == step.id and way.kind == "next"]
    if all(way.words for way in into):
        yield from (f"Only if {way.words}{citation(way.rule)}" for way in into)


def _after(turn: Turn, step: Step) -> Iterator[str]:
    """Where it goes on, if not with the next step."""
    ids = [other.id for other in turn.steps]
    following = [*ids[ids.index(step.id) + 1 :], ""][0]
    for way in turn.ways:
        if way.source != step.id or not (way.words or way.kind == "left out"):
            continue
        if way.kind in ("again", "cut short"):
            yield upper_first(way.words) + citation(way.rule)
        elif way.target != following:
            goal = f"on with {turn.place(way.target)}"
            words = f"{upper_first(way.words)}: {goal}" if way.words else upper_first(goal)
            yield words + citation(way.rule)


def told(step: Step, *, cited: bool = True) -> list[str]:
    """Return what happens in a step, each thing with its rule, and where it goes on after it."""
    found: list[str] = []
    for line in step.lines:
        said = _said(line, cited=cited)
        if line.number:
            found.append(said)
        elif found:
            found[-1] += f"; {lower_first(said)}"
        else:
            found.append(said)
    return found


def _said(line: Line, *, cited: bool) -> str:
    rule = citation(line.rule) if cited else ""
    if line.mark and not cited:
        return f"{MARKS[line.mark]} {upper_first(line.detail) or line.text}"
    return f"{line.text}: {line.detail}{rule}" if line.detail else line.text + rule


def _rules(step: Step) -> str:
    """The rules of its lines, those in a row as one: "502.1–3"."""
    found: list[tuple[str, str, str]] = []
    for rule in joined(*(line.rule for line in step.lines)).split(", "):
        stem, last = _parted(rule)
        if found and found[-1][0] == stem and last:
            found[-1] = stem, found[-1][1], last
        else:
            found.append((stem, last, last))
    return ", ".join(f"{stem}{first}{_until(first, last)}" for stem, first, last in found)


def _until(first: str, last: str) -> str:
    return f"–{last}" if last != first else ""


def _parted(rule: str) -> tuple[str, str]:
    """A citation without and with its last number."""
    last = re.search(r"\d*\w?$", rule)
    cut = last.start() if last else len(rule)
    return rule[:cut], rule[cut:]


# other machines -----------------------------------------------------------------------------------


def machine_table(model: Model) -> Table:
    """Return the table of a machine that is no turn: what leads from each state to which."""
    machine = read_machine(model)
    names = {state.id: label_of(state) for state in machine.states} | {"": "any state"}
    rows = []
    for id, name in names.items():
        lines = list[str]()
        for line in machine.lines:
            if line.source == id:
                lines += [f"{_event(label)}: {names[line.target]}" for label in line.labels]
        lines += map(_event, machine.stays.get(id, ()))
        if lines or id:
            rows.append(Row("", name, "", lines))
    states, count = len(machine.states), machine.transitions
    said = f"{states} states, {count} transitions."
    return Table(machine.title, [said], ("", "State", "What leads where", "", ""), rows)


def _event(label: Label) -> str:
    return f"{label.event} {label.more}".strip()


# the formats --------------------------------------------------------------------------------------


def markdown(table: Table) -> str:
    """Return the table as Markdown."""
    lines = [f"# {_safe(table.title)}", "", *map(_safe, table.caption), ""]
    lines += [_piped(table, table.heads), _piped(table, ["---", "---", "---", ":-:", "---"])]
    before = None
    for row in table.rows:
        group = f"**{_safe(row.group)}**" if row.group != before else ""
        before = row.group
        steps = _numbered(map(_safe, row.lines))
        cell = "<br>".join([*_slanted(row.before), *steps, *_slanted(row.after)])
        name = f"{_safe(row.name)} {_safe(row.rule)}".strip()
        lines.append(_piped(table, [group, name, cell, row.mark, _safe(row.rules)]))
    for head, sentences in table.notes:
        lines += ["", f"**{_safe(head)}**", "", *_numbered(map(_safe, sentences))]
    return "\n".join(lines) + "\n"


def _numbered(lines: Iterable[str]) -> list[str]:
    return [f"{i}. {line}" for i, line in enumerate(lines, 1)]


def _slanted(lines: Iterable[str]) -> list[str]:
    return [f"*{_safe(line)}*" for line in lines]


def _piped(table: Table, cells: Sequence[str]) -> str:
    """A row of Markdown. Columns without a head are left out."""
    shown = [cell for head, cell in zip(table.heads, cells, strict=True) if head]
    return f"| {' | '.join(shown)} |"


def _safe(text: str) -> str:
    escaped = re.sub(r"([|*_\[\]\\`])", r"\\\1", text)
    return escaped.replace("<", "&lt;").replace(">", "&gt;")


def text(table: Table, room: int) -> str:
    """Return the table for a terminal of so many columns."""
    return "\n".join(line.rstrip() for line in _text(table, room)) + "\n"


def _text(table: Table, room: int) -> Iterator[str]:
    left = min(max(cells(row.name) for row in table.rows) + 4, room // 3)
    for said in (table.title, *table.caption):
        yield from wrapped(said, room)
    before = None
    for row in table.rows:
        if row.group and row.group != before:
            yield from ("", row.group.upper())
        before = row.group
        lines = [*row.before, *_numbered(row.lines), *row.after]
        yield from _block(row.name, lines, row.rules, left, room)
    for head, sentences in table.notes:
        yield from ("", *wrapped(head, room))
        yield from _block("", _numbered(sentences), "", 2, room)


def _block(name: str, lines: Sequence[str], rules: str, left: int, room: int) -> Iterator[str]:
    """A name at the left, its sentences beside it, and rules at the right."""
    right = min(cells(rules), room // 5)
    middle = [part for line in lines for part in _hanging(line, room - left - right - 1)]
    columns = (wrapped(name, left - 3), middle, wrapped(rules, right) if right else [])
    for i in range(max(map(len, columns))):
        head, said, rule = (column[i] if i < len(column) else "" for column in columns)
        yield padded(f"  {head}", left) + padded(said, room - left - right) + rule


def _hanging(line: str, room: int) -> list[str]:
    """A sentence in lines, the later ones indented."""
    first, *others = wrapped(line, room)
    return [first, *(f"   {part}" for part in wrapped(" ".join(others), room - 3) if part)]


_STYLE = """
* { box-sizing: border-box; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
body { font: 14px/1.35 FONT; color: var(--ink); background: var(--paper); max-width: 1000px;
  margin: 16px auto; padding: 0 14px; }
h1 { font-size: 20px; margin: 0 0 4px; }
p { color: var(--muted); margin: 0 0 4px; font-size: 12px; }
table { border-collapse: collapse; width: 100%; margin: 10px 0; }
th, td { text-align: left; vertical-align: top; padding: 3px 8px; }
th { font-size: 11px; color: var(--muted); }
tbody tr { border-top: 1px solid var(--rule); }
th.group { border-left: 4px solid; font-size: 12.5px; width: 110px; }
td.name { width: 132px; }
td.mark { text-align: center; width: 56px; }
td.rules, small { color: var(--muted); font-size: 11px; }
td.rules { width: 96px; }
ol { margin: 0; padding: 0 0 0 17px; }
li::marker { color: var(--muted); }
em { color: var(--muted); display: block; }
section { columns: 2; column-gap: 28px; font-size: 12px; }
div { break-inside: avoid; margin-bottom: 8px; }
h2 { font-size: 12px; margin: 0 0 2px; }
@media (max-width: 600px) { section { columns: 1; } td.mark, td.rules, .wide { display: none; } }
@media print { @page { size: A4; margin: 9mm; } body { margin: 0; padding: 0; max-width: none;
  font-size: 10px; line-height: 1.25; } h1 { font-size: 16px; } table { margin: 4px 0; }
  th, td { padding: 1.2px 6px; } section, h2, p, th.group { font-size: 9.6px; }
  div { margin-bottom: 4px; } td.rules, small { font-size: 9px; } }
"""


def page(table: Table, theme: Theme) -> str:
    """Return the table as an HTML page, in one file, which prints on one sheet."""
    named = [head.lower() for head in table.heads if head]
    heads = element("tr", *(element("th", head, scope="col") for head in named))
    notes = [element("div", element("h2", head), _list(lines)) for head, lines in table.notes]
    parts = [
        Html('<!DOCTYPE html>\n<html lang="en">\n<meta charset="utf-8">\n'),
        Html('<meta name="viewport" content="width=device-width">\n'),
        element("title", table.title),
        Html(f"\n<style>{_scheme(theme)}{_STYLE.replace('FONT', FONT)}</style>\n"),
        element(
            "main",
            element("h1", table.title),
            *(element("p", said) for said in table.caption),
            element("table", element("thead", heads), element("tbody", *_html_rows(table))),
            element("section", *notes),
        ),
        Html("\n</html>\n"),
    ]
    return html_joined(parts)


def _html_rows(table: Table) -> Iterator[Html]:
    before = None
    for row in table.rows:
        alike = [other for other in table.rows if other.group == row.group]
        parts: list[Html] = []
        if row.group and row.group != before:
            look = f"group p{row.hue}"
            parts = [element("th", row.group, class_=look, rowspan=len(alike), scope="rowgroup")]
        before = row.group
        name = [element("b", row.name), " ", element("small", row.rule)]
        before_it = [element("em", said) for said in row.before]
        after_it = [element("em", said) for said in row.after]
        parts.append(element("td", *name, class_="name"))
        parts.append(element("td", *before_it, _list(row.lines), *after_it))
        if table.heads[-1]:
            parts.append(element("td", row.mark, class_="mark"))
            parts.append(element("td", row.rules, class_="rules"))
        yield element("tr", *parts)


def _list(lines: Sequence[str]) -> Html:
    return element("ol", *(element("li", line) for line in lines)) if lines else Html()


def _scheme(theme: Theme) -> str:
    """The colours of the page as variables, and those of the groups."""
    chosen = _root(dark=theme == "dark")
    if theme == "auto":
        chosen += f"@media screen and (prefers-color-scheme:dark){{{_root(dark=True)}}}"
    for hue in range(HUES):
        look = f"background:var(--tint{hue});color:var(--title{hue})"
        chosen += f".p{hue}{{{look};border-left-color:var(--edge{hue})!important}}"
    return chosen


def _root(*, dark: bool) -> str:
    colours = [f"--{name}:{pair[dark]};" for name, pair in COLOURS.items()]
    return f":root{{{''.join(colours)}}}"
