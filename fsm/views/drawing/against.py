"""One picture of two models: what only one has and what both have otherwise, told apart by sign,
outline and colour.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from xml.etree import ElementTree as ET

import msgspec

from fsm.errors import DrawError
from fsm.model import Model, State, Transition
from fsm.views.diff import Difference, diff
from fsm.views.difftext import Entry, Section, opening, sections_of, unrelated
from fsm.views.drawing.combining import SIGNS, CombinedModels, combined
from fsm.views.drawing.differences import Mark, marks
from fsm.views.drawing.marking import mark_picture
from fsm.views.drawing.options import Against, DrawOptions
from fsm.views.drawing.palette import theme
from fsm.views.drawing.picture import picture
from fsm.views.drawing.placed import Overlay, Paint, Placed
from fsm.views.drawing.views import place
from fsm.wording import citation, doc_of, label_of, lower_first, plain, upper_first

Names = tuple[str, str]
_HAPPENS = {"skip": "it can be left out", "extra": "an extra one can come"}


def picture_against(model: Model, options: DrawOptions, over: Against) -> tuple[ET.Element, Placed]:
    """One picture of both models: all of `model`, and what only the other has.

    Raises DrawError for a view that one of the two does not have.
    """
    placed, found, called = place_against(model, options, over, place)
    colours = theme(options.theme)
    root = picture(placed, colours)
    mark_picture(root, placed, found, colours, called)
    return root, placed


def place_against(
    model: Model, options: DrawOptions, over: Against, placing: Callable[[Model, str], Placed]
) -> tuple[Placed, list[Mark], Names]:
    """Both models in one placed view, what is to be marked in it, and what the two are called.

    `placing` places a view of a model.
    """
    titled = bool(
        over.other.title and model.title and plain(over.other.title) != plain(model.title)
    )
    given = over.names if over.names is not None and not titled else None
    called = _called(over.other, model) if given is None else (plain(given[0]), plain(given[1]))
    return *_placed(model, over.other, options.view, called, placing), called


def _placed(
    model: Model,
    other: Model,
    view: str,
    called: Names,
    placing: Callable[[Model, str], Placed],
) -> tuple[Placed, list[Mark]]:
    difference = diff(other, model)
    if unrelated(difference):
        said = _unrelated(difference, called)
        return replace(placing(model, view), overlay=Overlay(caption=said)), []
    joined = _window(difference) if view == "window" else combined(difference)
    both = msgspec.structs.replace(model, window=joined.model) if view == "window" else joined.model
    placed = placing(both, view)
    everywhere = [section for section in sections_of(joined.difference) if section.scope]
    found = marks(
        placed, joined, {c for section in everywhere for entry in section.entries for c in entry.of}
    )
    what = placed.diagram.title.rpartition(": ")[2]
    diagram = replace(placed.diagram, title=f"{called[0]} \N{RIGHTWARDS ARROW} {called[1]}: {what}")
    changed = {placed.lines[m.index].line.id: Paint("taken", 2.6) for m in found if m.shape == "e"}
    said = _caption(joined.difference, called, everywhere)
    return replace(
        placed, diagram=diagram, overlay=Overlay(lines=changed, others=Paint("faded"), caption=said)
    ), found


def _unrelated(difference: Difference, called: Names) -> str:
    """What is said if nearly all differs: outlines around everything would tell nothing."""
    a, b = called
    return (
        f"{a} and {b} have hardly anything in common, so nothing is marked: this is {b} alone. "
        f"{_counted(difference)}"
    )


def _window(difference: Difference) -> CombinedModels:
    if difference.window is None:
        names = f"{difference.a.name} and {difference.b.name}"
        raise DrawError(
            f"not both of {names} have a window model, so there is no view 'window'; known: turn"
        )
    return combined(difference.window)


def _called(other: Model, model: Model) -> Names:
    """What tells them apart: the titles, else names, editions or options."""
    for a, b in (
        (other.title, model.title),
        (other.name, model.name),
        (other.edition, model.edition),
    ):
        if a and b and plain(a) != plain(b):
            return plain(a), plain(b)
    return f"{plain(other.name)} as it was", f"{plain(model.name)} as it is"


def _caption(difference: Difference, called: Names, everywhere: Sequence[Section]) -> str:
    """Which editions, how much differs, what was renamed, and what is the same in every step."""
    a, b = plain(difference.a.edition), plain(difference.b.edition)
    said = (
        [
            f"{a}."
            if a == b
            else f"{called[0]}: {a or 'no edition'}. {called[1]}: {b or 'no edition'}."
        ]
        if a or b
        else []
    )
    said.append("Nothing differs." if difference.empty else _counted(difference))
    named = (entry.text for entry in opening(difference) if "is now called" in entry.text)
    said += [upper_first(f"{plain(text)}.") for text in named]
    for section in everywhere:
        entries = [_everywhere(one, difference, called[0]) for one in section.entries]
        said.append(plain(f"In {section.scope}: {'; '.join(entries)}."))
    return " ".join(said).replace("->", "\N{RIGHTWARDS ARROW}")


def _counted(difference: Difference) -> str:
    """How much differs, for who has not read the legend yet."""
    signs = [c.sign for c in difference.changes]
    counts = {"new": signs.count("+"), "gone": signs.count("-"), "changed": signs.count("~")}
    said = [f"{count} {word}" for word, count in counts.items() if count]
    said += [f"{len(difference.renames)} with another name"] if difference.renames else []
    return f"States and arrows: {', '.join(said)}."


def _everywhere(entry: Entry, difference: Difference, before: str) -> str:
    """What differs in every step or phase, as a player would say it; X is any of them."""
    change = entry.of[0]
    if isinstance(change.part, State):
        a, b = (doc_of(part) if isinstance(part, State) else "" for part in (change.a, change.b))
        if a != b:
            when = "as it ends" if change.part.role == "end" else lower_first(label_of(change.part))
            was = f" (in {before}: {lower_first(a)})" if a else ""
            return f"{when}, {lower_first(b) or 'nothing more happens'}{was}{citation(change.part.rule)}"
    elif (
        isinstance(change.part, Transition) and change.sign != "~" and change.part.layer in _HAPPENS
    ):
        only = f"only in {before}, " if change.b is None else ""
        condition = re.sub(r"\bX\b", "it", entry.text.partition("), ")[2].partition("  [")[0])
        return f"{only}{_HAPPENS[change.part.layer]}{f' {condition}' if condition else ''}{citation(change.part.rule)}"
    return ", ".join((f"{SIGNS[entry.sign]} {entry.text} (X is any of them)", *entry.more))
