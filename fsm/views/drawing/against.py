"""One picture of two models: what only one has and what both have otherwise, told apart by sign, outline and colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from xml.etree import ElementTree as ET

from fsm.errors import DrawError
from fsm.model import Layer, Model
from fsm.views.diff import Difference, diff
from fsm.views.diff.combining import SIGNS, CombinedModels, combined
from fsm.views.diff.entries import rename_entry
from fsm.views.diff.text import DiffSection, sections_of, totals
from fsm.views.drawing.differences import Mark, marks
from fsm.views.drawing.dot import dot_source
from fsm.views.drawing.marking import mark_picture, signed
from fsm.views.drawing.options import Against, DrawOptions
from fsm.views.drawing.palette import theme
from fsm.views.drawing.picture import picture
from fsm.views.drawing.placed import Overlay, Paint, Placed
from fsm.views.drawing.views import place
from fsm.wording import plain, upper_first

Names = tuple[str, str]


def picture_against(model: Model, options: DrawOptions, over: Against) -> tuple[ET.Element, Placed]:
    """One picture of both models: all of `model`, and what only the other has.

    Raises DrawError for a view that one of the two does not have.
    """
    placed, found, called = place_against(model, options, over)
    colours = theme(options.theme)
    root = picture(placed, colours)
    mark_picture(root, placed, found, colours, called)
    return root, placed


def dot_against(model: Model, options: DrawOptions, over: Against) -> str:
    """The same as DOT, with the signs in the labels. Raises DrawError."""
    placed, found, _ = place_against(model, options, over)
    return dot_source(signed(placed, found), theme(options.theme))


def place_against(model: Model, options: DrawOptions, over: Against) -> tuple[Placed, list[Mark], Names]:
    """Both models in one placed view, what is to be marked in it, and what the two are called."""
    called = _called(over.other, model) if over.names is None else (plain(over.names[0]), plain(over.names[1]))
    return *_placed(model, over.other, options.view, options.layers, called), called


def _placed(model: Model, other: Model, view: str, layers: Sequence[Layer], called: Names) -> tuple[Placed, list[Mark]]:
    difference = diff(other, model)
    joined = _window(difference) if view == "window" else combined(difference)
    placed = place(replace(model, window=joined.model) if view == "window" else joined.model, view, layers)
    everywhere = [section for section in sections_of(joined.difference) if section.scope]
    found = marks(placed, joined, {c for section in everywhere for entry in section.entries for c in entry.of})
    what = placed.diagram.title.rpartition(": ")[2]
    diagram = replace(placed.diagram, title=f"{called[0]} \N{RIGHTWARDS ARROW} {called[1]}: {what}")
    changed = {placed.lines[m.index].line.id: Paint("taken", 2.6) for m in found if m.shape == "e"}
    said = _caption(joined.difference, called, everywhere)
    return replace(placed, diagram=diagram, overlay=Overlay(lines=changed, others=Paint("faded"), caption=said)), found


def _window(difference: Difference) -> CombinedModels:
    if difference.window is None:
        names = f"{difference.a.name} and {difference.b.name}"
        raise DrawError(f"not both of {names} have a window model, so there is no view 'window'; known: turn")
    return combined(difference.window)


def _called(other: Model, model: Model) -> Names:
    """What tells them apart: the titles, else names, editions or options."""
    for a, b in ((other.title, model.title), (other.name, model.name), (other.edition, model.edition)):
        if a and b and plain(a) != plain(b):
            return plain(a), plain(b)
    return f"{plain(other.name)} as it was", f"{plain(model.name)} as it is"


def _caption(difference: Difference, called: Names, everywhere: Sequence[DiffSection]) -> str:
    """Which editions, how much differs, what was renamed, and what is the same in every step."""
    a, b = plain(difference.a.edition), plain(difference.b.edition)
    said = (
        [f"{a}." if a == b else f"{called[0]}: {a or 'no edition'}. {called[1]}: {b or 'no edition'}."]
        if a or b
        else []
    )
    said.append("Nothing differs." if difference.empty else f"{totals(difference)}.")
    said += [upper_first(f"{plain(rename_entry(rename).text)}.") for rename in difference.renames]
    for section in everywhere:
        entries = [", ".join((f"{SIGNS[one.sign]} {one.text}", *one.more)) for one in section.entries]
        said.append(plain(f"In {section.scope} (here X): {'; '.join(entries)}."))
    return " ".join(said).replace("->", "\N{RIGHTWARDS ARROW}")
