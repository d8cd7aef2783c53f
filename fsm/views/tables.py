"""The turn as a table: the judge's page (HTML on one A4 sheet), Markdown, and text for terminals.

from fsm.views import tabulate
print(tabulate(model, format="txt", width=100))
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress, groupby, pairwise, zip_longest
from typing import NamedTuple
from unicodedata import combining, east_asian_width

from fsm.errors import DrawError
from fsm.model.model import ModelLike, as_model
from fsm.views.machines import Machine, read_machine
from fsm.views.pages import page_part, rendered
from fsm.views.reader import is_turn, read
from fsm.views.reading import Line, Mark, Note, Step, Turn
from fsm.views.svg import Theme, variables, wrapped
from fsm.views.ways import joined
from fsm.wording import citation, lower_first, upper_first

FORMATS = ("md", "html", "txt")
MARKS: dict[Mark, str] = {"full": "●", "hollow": "○", "": "—"}
NARROWEST = 40
_LAST_NUMBER = re.compile(r"\d*\w?$")


class Row(NamedTuple):
    """One row: what it is about, what happens in order, and the rules of that.

    `before` and `after` say when it is left out, and where it goes on.
    """

    name: str
    lines: Sequence[str]
    rule: str = ""
    before: Sequence[str] = ()
    after: Sequence[str] = ()
    mark: str = ""
    rules: str = ""
    hue: int = 0


class Table(NamedTuple):
    """A table: what is said above it, its heads, its rows in groups, and the lists below it."""

    title: str
    caption: Sequence[str]
    heads: tuple[str, str, str, str, str]
    groups: Sequence[tuple[str, Sequence[Row]]]
    lists: Sequence[tuple[str, Sequence[str]]] = ()


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
    DrawError.known_name("format", format, FORMATS)
    model = as_model(model)
    table = _of_turn(read(model)) if is_turn(model) else _of_machine(read_machine(model))
    if format == "html":
        style = variables(theme) + page_part("table.css")
        return rendered("table", table=table, style=style)
    lines = _markdown(table) if format == "md" else _text(table, max(width, NARROWEST))
    return "".join(f"{line.rstrip()}\n" for line in lines)


# the turn -----------------------------------------------------------------------------------------


def _of_turn(turn: Turn) -> Table:
    signs = f"● {turn.acting} · ○ only if something triggered · — nobody acts"
    lists = (*turn.windows, *turn.endings)
    return Table(
        title=f"{turn.title}: the {turn.word} on one page",
        caption=[". ".join(filter(None, [turn.edition, *_cited(turn.notes), signs])) + "."],
        heads=("Phase", "Step", "What happens, in order", upper_first(turn.term) or "Act", "Rules"),
        groups=[*_groups(turn)],
        lists=[(step.title + citation(step.rule), told(step)) for step in lists],
    )


def _groups(turn: Turn) -> Iterator[tuple[str, list[Row]]]:
    for phase, steps in groupby(turn.steps, lambda step: turn.phase_of(step.id)):
        assert phase is not None, "a step is in a phase"
        alone = phase.single is not None
        yield (
            phase.title,
            [
                Row(
                    name="" if alone else step.title,
                    rule=step.rule or (phase.rule if alone else ""),
                    lines=told(step, cited=False),
                    before=_cited(before(turn, step)),
                    after=_cited(after(turn, step)),
                    mark=MARKS[step.mark],
                    rules=_rules(step),
                    hue=phase.hue,
                )
                for step in steps
            ],
        )


def before(turn: Turn, step: Step) -> Iterator[Note]:
    """Yield when a step is left out, and the only cases in which it comes."""
    phase = turn.phase_of(step.id)
    whole = phase.left_out if phase and phase.parts[0] == step else ()
    for reason in (*whole, *step.left_out):
        yield Note(f"Left out: {reason.words}", reason.rule, reason.tells)
    into = [way for way in turn.ways if way.target == step.id and way.kind == "next"]
    if all(way.words for way in into):
        for way in into:
            yield Note(f"Only if {way.words}", way.rule, way.tells)


def after(turn: Turn, step: Step) -> Iterator[Note]:
    """Yield where it goes on, if not with the next step."""
    following = dict(pairwise(other.id for other in turn.steps)).get(step.id)
    for way in turn.ways:
        if way.source != step.id or not (way.words or way.kind == "left out"):
            continue
        words = way.words
        if way.kind not in ("again", "cut short"):
            if way.target == following:
                continue
            on = f"on with {turn.place(way.target)}"
            words = f"{words}: {on}" if words else on
        elif way.target == step.id and ":" not in words:
            words = f"if {words}: {step.title} again"
        yield Note(upper_first(words), way.rule, way.tells)


def note_of(line: Line) -> Note:
    """Return all that a line of a step says."""
    text = f"{line.text}: {line.detail}" if line.detail else line.text
    return Note(text, line.rule, tuple(filter(None, (line.state, *line.tells))))


def _cited(notes: Iterable[Note]) -> list[str]:
    return [note.text + citation(note.rule) for note in notes]


def told(step: Step, *, cited: bool = True) -> list[str]:
    """Return what happens in a step, each thing with its rule, and where it goes on after it."""
    texts: list[str] = []
    for line in step.lines:
        text = note_of(line).text
        if cited:
            text += citation(line.rule)
        elif line.mark:
            text = f"{MARKS[line.mark]} {upper_first(line.detail) or line.text}"
        if line.number or not texts:
            texts.append(text)
        else:
            texts[-1] += f"; {lower_first(text)}"
    return texts


def _rules(step: Step) -> str:
    """The rules of its lines, those in a row as one: "502.1–3"."""
    rules = joined(*(line.rule for line in step.lines)).split(", ")
    ranges = []
    for stem, alike in groupby(rules, lambda rule: _LAST_NUMBER.sub("", rule)):
        first, *others = alike
        last = others[-1].removeprefix(stem) if others else ""
        ranges.append(f"{first}–{last}" if last else first)
    return ", ".join(ranges)


# other machines -----------------------------------------------------------------------------------


def _of_machine(machine: Machine) -> Table:
    """What leads from each state to which."""
    rows = [Row(name, lines) for _, name, lines in leading(machine)]
    said = f"{len(machine.states)} states, {machine.transitions} transitions."
    return Table(machine.title, [said], ("", "State", "What leads where", "", ""), [("", rows)])


def leading(machine: Machine) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the id of each state, its name, and what leads from it to which state."""
    names = machine.names
    texts: dict[str, list[str]] = {id: [] for id in names}
    for line in machine.lines:
        name = names[line.target.id]
        texts[line.source.id] += [f"{label}: {name}" for label in line.labels]
    for place, labels in machine.stays.items():
        texts[place.id] += map(str, labels)
    for id, name in names.items():
        if texts[id] or id:
            yield id, name, texts[id]


# the formats --------------------------------------------------------------------------------------


def _markdown(table: Table) -> Iterator[str]:
    yield from (f"# {_safe(table.title)}", "", *map(_safe, table.caption), "")
    yield _piped(table, table.heads)
    yield _piped(table, ("---", "---", "---", ":-:", "---"))
    for group, rows in table.groups:
        head = f"**{_safe(group)}**" if group else ""
        for row in rows:
            lines = _numbered(map(_safe, row.lines))
            cell = "<br>".join([*_slanted(row.before), *lines, *_slanted(row.after)])
            name = f"{_safe(row.name)} {_safe(row.rule)}".strip()
            yield _piped(table, (head, name, cell, row.mark, _safe(row.rules)))
            head = ""
    for title, sentences in table.lists:
        yield from ("", f"**{_safe(title)}**", "", *_numbered(map(_safe, sentences)))


def _slanted(lines: Iterable[str]) -> list[str]:
    return [f"*{_safe(line)}*" for line in lines]


def _numbered(lines: Iterable[str]) -> list[str]:
    return [f"{i}. {line}" for i, line in enumerate(lines, 1)]


def _piped(table: Table, cells: Sequence[str]) -> str:
    """A row of Markdown. Columns without a head are left out."""
    return f"| {' | '.join(compress(cells, table.heads))} |"


def _safe(text: str) -> str:
    escaped = re.sub(r"([|*_\[\]\\`])", r"\\\1", text)
    return escaped.replace("<", "&lt;").replace(">", "&gt;")


def cells(text: str) -> int:
    """Return how many columns of a terminal a text takes: two for a Chinese character, none for a
    combining accent.
    """
    return sum(
        0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1 for letter in text
    )


def _padded(text: str, room: int) -> str:
    return text + " " * (room - cells(text))


def _text(table: Table, room: int) -> Iterator[str]:
    names = [row.name for _, rows in table.groups for row in rows]
    left = min(max(map(cells, names)) + 4, room // 3)
    for text in (table.title, *table.caption):
        yield from wrapped(text, room, cells)
    for group, rows in table.groups:
        if group:
            yield from ("", group.upper())
        for row in rows:
            lines = [*row.before, *_numbered(row.lines), *row.after]
            yield from _block(row.name, lines, row.rules, left, room)
    for title, sentences in table.lists:
        yield from ("", *wrapped(title, room, cells))
        yield from _block("", _numbered(sentences), "", 2, room)


def _block(name: str, lines: Sequence[str], rules: str, left: int, room: int) -> Iterator[str]:
    """A name at the left, its sentences beside it, and rules at the right. Later lines of a
    sentence are indented.
    """
    right = min(cells(rules), room // 5)
    wide = room - left - right
    middle: list[str] = []
    for line in lines:
        first, *others = wrapped(line, wide - 1, cells)
        rest = wrapped(" ".join(others), wide - 4, cells)
        middle += [first, *(f"   {part}" for part in rest)]
    columns = wrapped(name, left - 3, cells), middle, wrapped(rules, right, cells)
    for start, sentence, rule in zip_longest(*columns, fillvalue=""):
        yield _padded(f"  {start}", left) + _padded(sentence, wide) + rule
