"""One picture of two models: what only one has and what both have otherwise, told apart by sign, outline and colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fsm.diffing import Difference, compare
from fsm.diffing.entries import renamed
from fsm.diffing.telling import Section, counted, tell
from fsm.diffing.union import SIGNS, Union, union
from fsm.drawing.differences import Mark, marks
from fsm.drawing.dot import dot_source
from fsm.drawing.marking import mark_svg, signed
from fsm.drawing.palette import theme as theme_of
from fsm.drawing.placed import Overlay, Placed
from fsm.drawing.polish import polish
from fsm.drawing.render import render
from fsm.drawing.views import place
from fsm.drawing.words import plain, upper_first
from fsm.errors import DrawError
from fsm.model import LAYERS, Layer, Model

Names = tuple[str, str]


def draw_against(
    model: Model,
    other: Model,
    *,
    view: str = "turn",
    format: str = "svg",
    theme: str = "light",
    layers: Sequence[str] = LAYERS,
    names: Names | None = None,
) -> str:
    """One picture of both models: all of `model`, and what only `other` has.

    `names` are what to call the other and this one. Raises DrawError for an unknown view, format, theme or
    layer, for a view that one of the two does not have, and when no renderer works.
    """
    from fsm.drawing import checked_layers

    chosen = checked_layers(view, format, theme, layers)
    called = _called(other, model) if names is None else (plain(names[0]), plain(names[1]))
    placed, found = _placed(model, other, view, chosen, called)
    colours = theme_of("dark" if theme == "dark" else "light")
    if format == "dot":
        return dot_source(signed(placed, found), colours)
    return mark_svg(polish(render(dot_source(placed, colours)), placed, colours), placed, found, colours, called)


def _placed(model: Model, other: Model, view: str, layers: Sequence[Layer], called: Names) -> tuple[Placed, list[Mark]]:
    difference = compare(other, model)
    joined = _window(difference) if view == "window" else union(difference)
    placed = place(replace(model, window=joined.model) if view == "window" else joined.model, view, layers)
    everywhere = [section for section in tell(joined.difference) if section.scope]
    found = marks(placed, joined, {c for section in everywhere for entry in section.entries for c in entry.of})
    what = placed.diagram.title.rpartition(": ")[2]
    diagram = replace(placed.diagram, title=f"{called[0]} \N{RIGHTWARDS ARROW} {called[1]}: {what}")
    changed = frozenset(placed.lines[m.index].line.id for m in found if m.shape == "e")
    return replace(
        placed, diagram=diagram, overlay=Overlay(changed, (), _caption(joined.difference, called, everywhere))
    ), found


def _window(difference: Difference) -> Union:
    if difference.window is None:
        names = f"{difference.a.name} and {difference.b.name}"
        raise DrawError(f"not both of {names} have a window model, so there is no view 'window'; known: turn")
    return union(difference.window)


def _called(other: Model, model: Model) -> Names:
    """What tells them apart: the titles, else names, editions or options."""
    for a, b in ((other.title, model.title), (other.name, model.name), (other.edition, model.edition)):
        if a and b and plain(a) != plain(b):
            return plain(a), plain(b)
    return f"{plain(other.name)} as it was", f"{plain(model.name)} as it is"


def _caption(difference: Difference, called: Names, everywhere: Sequence[Section]) -> str:
    """Which editions, how much differs, what was renamed, and what is the same in every step."""
    a, b = plain(difference.a.edition), plain(difference.b.edition)
    said = (
        [f"{a}." if a == b else f"{called[0]}: {a or 'no edition'}. {called[1]}: {b or 'no edition'}."]
        if a or b
        else []
    )
    said.append("Nothing differs." if difference.empty else f"{counted(difference)}.")
    said += [upper_first(f"{plain(renamed(rename).text)}.") for rename in difference.renames]
    for section in everywhere:
        entries = [", ".join((f"{SIGNS[one.sign]} {one.text}", *one.more)) for one in section.entries]
        said.append(plain(f"In {section.scope} (here X): {'; '.join(entries)}."))
    return " ".join(said).replace("->", "\N{RIGHTWARDS ARROW}")
