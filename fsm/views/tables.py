"""The turn as a table: the judge's page (HTML on one A4 sheet), Markdown, and text for terminals.

from fsm.views import tabulate
print(tabulate(model, format="txt", width=100))
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple
from unicodedata import combining, east_asian_width

from fsm.errors import DrawError
from fsm.model.model import ModelLike, as_model
from fsm.views.machines import WHOLE, Machine, read_machine
from fsm.views.pages import page_colours, page_part, rendered
from fsm.views.reader import is_turn, read
from fsm.views.reading import END, HOLE, Line, Note, Step, Turn, Way, steps_of
from fsm.views.svg import Theme, wrapped
from fsm.wording import citation, plain, upper_first

FORMATS = ("md", "html", "txt")
MARKS = {"full": "●", "hollow": "○", "": "—"}
NARROWEST = 40
DASH = "–"


class Row(NamedTuple):
    """One row: a phase, a step, a state or a list, and the sentences about it.

    Sentences in order have a number, others a dash. What is no part of a phase has no hue. A step
    is `inside` if its phase has a row, too.
    """

    title: str
    lines: Sequence[str] = ()
    hue: int | None = None
    inside: bool = False


class Table(NamedTuple):
    """A table: its title, what holds for all of it, and its rows."""

    title: str
    caption: str
    rows: Sequence[Row]


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
        style = page_colours() + page_part("table.css")
        return rendered("table", table=table, theme=theme, style=style)
    lines = _markdown(table) if format == "md" else _text(table, max(width, NARROWEST))
    return "".join(f"{line}\n" for line in lines)


# the turn -----------------------------------------------------------------------------------------


def _of_turn(turn: Turn) -> Table:
    said = [
        turn.edition,
        *map(_cited, turn.notes),
        f"● {turn.acting} · ○ only if something triggered · — nobody acts",
    ]
    cuts = [Step(phase.id, f"In any step of {phase.title}") for phase in turn.all_phases]
    lists = [
        Row(step.title + citation(step.rule), _sentences(turn, step))
        for step in (*turn.windows, *turn.endings, Step("", "From any step"), *cuts)
    ]
    return Table(
        title=f"{turn.title}: the {turn.word} on one page",
        caption=". ".join(filter(None, said)) + ".",
        rows=[*_rows(turn), *(row for row in lists if row.lines)],
    )


def _rows(turn: Turn) -> Iterator[Row]:
    for phase, steps in groupby(turn.steps, lambda step: turn.phase_of(step.id)):
        assert phase is not None, "a step is in a phase"
        inside = phase.single is None
        if inside:
            yield Row(phase.title + citation(phase.rule), hue=phase.hue)
        for step in steps:
            yield Row(
                title=f"{step.title}{citation(step.rule)} {MARKS[step.mark]}",
                lines=_sentences(turn, step),
                hue=phase.hue,
                inside=inside,
            )


def _sentences(turn: Turn, step: Step) -> list[str]:
    """All that is said of a step. What happens in order has a number."""
    numbers = {note_of(line): f"{line.number}." for line in step.lines if line.number}
    return [f"{numbers.get(note, DASH)} {_cited(note)}" for note in notes_of(turn, step)]


def notes_of(turn: Turn, step: Step) -> list[Note]:
    """Return all that is said of a step, in order."""
    return [*before(turn, step), *map(note_of, step.lines), *after(turn, step)]


def before(turn: Turn, step: Step) -> Iterator[Note]:
    """Yield when a step is left out, and the only case in which it comes."""
    for part in turn.parts:
        if steps_of([part])[:1] == (step,):
            for reason in part.left_out:
                yield Note(f"Left out: {reason.words}", reason.rule, reason.tells)
    for way in turn.ways:
        if way.target == step.id and way.words and _is_course(turn, way):
            yield Note(f"Only if {way.words}", way.rule, way.tells)


def after(turn: Turn, step: Step) -> Iterator[Note]:
    """Yield where it goes on, if not with the next step."""
    ways = [way for way in turn.ways if way.source == step.id]
    otherwise = "otherwise" * any(way.words for way in ways)
    for way in ways:
        if _is_course(turn, way):
            continue
        words = way.words or otherwise
        goal = turn.place(way.target)
        if way.target == step.id:
            goal = "" if ":" in words else f"{step.title} again"
        elif turn.phase_of(way.target):
            goal = f"on with {goal}"
        elif way.target == HOLE:
            goal = ""
        text = ": ".join(filter(None, (words, goal)))
        yield Note(upper_first(text), way.rule, way.tells)


def _is_course(turn: Turn, way: Way) -> bool:
    """Whether a way leads to the next step, always or in the only case in which that comes."""
    course = pairwise([*(step.id for step in turn.steps), END])
    cases = {other.words for other in turn.ways if other.target == way.target}
    needs_no_words = not way.words or (cases == {way.words} and way.target != END)
    return needs_no_words and (way.source, way.target) in course


def note_of(line: Line) -> Note:
    """Return all that a line of a step says."""
    text = ": ".join(filter(None, (line.text, line.detail)))
    return Note(text, line.rule, tuple(filter(None, (line.state, *line.tells))))


def _cited(note: Note) -> str:
    return note.text + citation(note.rule)


# other machines -----------------------------------------------------------------------------------


def _of_machine(machine: Machine) -> Table:
    """What leads from each state to which."""
    return Table(
        title=machine.title,
        caption=f"{machine.caption}.",
        rows=[
            Row(name, [f"{DASH} {line}" for line in lines]) for _, name, lines in leading(machine)
        ],
    )


def leading(machine: Machine) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the id of each state, its name, and what leads from it to which state.

    A state whose name others have, too, is called by its whole path, which is its id.
    """
    names = {place.id: place.name for place in (*machine.states, WHOLE)}
    every = [*names.values()]
    for state in machine.states:
        if every.count(state.name) > 1:
            names[state.id] = plain(state.id)
    texts = defaultdict[str, list[str]](list)
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
    yield from (f"# {_safe(table.title)}", "", _safe(table.caption), "")
    yield "| Where | What happens |\n| --- | --- |"
    for row in table.rows:
        bold = "**" * (not row.inside)
        cell = "<br>".join(map(_safe, row.lines))
        yield f"| {bold}{_safe(row.title)}{bold} | {cell} |"


def _safe(text: str) -> str:
    text = re.sub(r"([|*_\[\]\\`])", r"\\\1", text)
    return text.replace("<", "&lt;").replace(">", "&gt;")


def cells(text: str) -> int:
    """Return how many columns of a terminal a text takes: two for a Chinese character, none for a
    combining accent.
    """
    return sum(
        0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1 for letter in text
    )


def _text(table: Table, room: int) -> Iterator[str]:
    yield from wrapped(table.title, room, cells)
    yield from wrapped(table.caption, room, cells)
    for row in table.rows:
        if not row.inside:
            yield ""
        yield _indented(row.title, "  " * row.inside, room)
        for line in row.lines:
            yield _indented(line, "    ", room)


def _indented(text: str, left: str, room: int) -> str:
    """The lines of a text. Those after the first stand further in."""
    return left + f"\n{left}   ".join(wrapped(text, room - len(left) - 3, cells))
