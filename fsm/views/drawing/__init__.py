"""Pictures of a Model in many formats: the whole turn, its window, and each phase, step and ending.

    from fsm.views.drawing import draw
    svg = draw(model, view="turn", theme="dark")

A Model is turned into a diagram (what is shown), the diagram into a layout (where it is shown), and
the layout into SVG. Graphviz lays out machines that are not turns. It is loaded only then.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict, Unpack, overload

from fsm.engine.records import Record
from fsm.errors import DrawError
from fsm.model import Model
from fsm.model.likeness import ModelLike, as_model
from fsm.views.drawing.formats import FORMATS, Format, format_named
from fsm.views.drawing.options import (
    Against,
    Counts,
    DrawOptions,
    Now,
    OverlayOption,
    Paper,
    Taken,
)

__all__ = ["Counts", "Now", "draw", "format_names", "views_of"]


def views_of(model: Model) -> tuple[str, ...]:
    """Return the names of the views of a model: "turn", "window", "phase:ID", "step:ID",
    "ending:EVENT".
    """
    from fsm.views.drawing.endingview import ending_views
    from fsm.views.drawing.shape import is_turn

    window = ("window",) if model.window is not None else ()
    if not is_turn(model):
        return ("turn", *window)
    stages = (f"{s.kind}:{s.id}" for s in model.states if s.kind in ("phase", "step"))
    return ("turn", *window, *stages, *ending_views(model))


def format_names() -> tuple[str, ...]:
    """Return the names of the formats that `draw` knows."""
    return tuple(FORMATS)


class Wanted(TypedDict, total=False):
    """The options of `draw`."""

    view: str
    theme: str
    trace: Sequence[Record] | None
    against: ModelLike | Against | None
    now: Now | None
    counts: Counts | None
    link: str


Text = Literal["svg", "dot", "mermaid", "json", "md", "html", "txt"]


@overload
def draw(model: ModelLike, *, format: Literal["png"], **wanted: Unpack[Wanted]) -> bytes: ...
@overload
def draw(model: ModelLike, *, format: Text = "svg", **wanted: Unpack[Wanted]) -> str: ...
@overload
def draw(model: ModelLike, *, format: str, **wanted: Unpack[Wanted]) -> str | bytes: ...
def draw(
    model: ModelLike,
    *,
    view: str = "turn",
    format: str = "svg",
    theme: str = "light",
    trace: Sequence[Record] | None = None,
    against: ModelLike | Against | None = None,
    now: Now | None = None,
    counts: Counts | None = None,
    link: str = "",
) -> str | bytes:
    """Draw a model, or write it in another format.

    At most one of `trace`, `now`, `counts` and `against` can be given.

    Parameters
    ----------
    model
        The Model to draw.
    view
        What is drawn. `views_of` returns the names of the views of a model.
    format
        The name of a format. `format_names` returns all of them.
    theme
        "light" or "dark".
    trace
        The records of a run, whose path is shown in the picture.
    against
        Another model. The picture shows what differs from it.
    now
        Where a game stands and where it can go.
    counts
        How often each transition was taken.
    link
        A URL pattern for citations, with "{rule}" for the number of the rule.

    Returns
    -------
    str or bytes
        The text, or bytes for the format "png".

    Raises
    ------
    DrawError
        If a view, format or theme is unknown, if the model does not have the view, if the format
        cannot show what is asked for, if more than one overlay is given, or if Graphviz is needed
        and does not work.
    """
    other = (
        against if against is None or isinstance(against, Against) else Against(as_model(against))
    )
    over = _one_of(trace, now, counts, other)
    return drawn(as_model(model), DrawOptions(view, paper(theme), over, link), format)


def drawn(model: Model, options: DrawOptions, format: str) -> str | bytes:
    """Draw a model with checked options, as `draw` does."""
    form = format_named(format)
    check_options(options, form, overlay=options.overlay is not None)
    check_view(model, options.view)
    form.check()
    return form.write(model, options)


def check_options(
    options: DrawOptions, form: Format, *, overlay: bool, theme: bool = False
) -> None:
    """Raise DrawError if the format cannot show everything that is asked for.

    `overlay` says that there will be an overlay, and `theme` that a theme was named, even if it is
    the default one.
    """
    plain = DrawOptions()
    for name in ("view", "theme", "overlay", "link"):
        wanted = getattr(options, name) != getattr(plain, name)
        wanted |= (theme and name == "theme") or (overlay and name == "overlay")
        if wanted and name not in form.takes:
            raise DrawError(
                f"{form.name} ({form.doc}) has no {name}: leave it out, or draw a picture (.svg)"
            )
    if options.link:
        from fsm.views.drawing.linking import check_pattern

        check_pattern(options.link)


def check_view(model: Model, view: str) -> None:
    """Raise DrawError if the model does not have this view."""
    known = views_of(model)
    if view == "window" and view not in known:
        raise DrawError(
            f"{model.name} has no window model, so there is no view 'window'; known: turn"
        )
    _known("view", view, known)


def paper(theme: str) -> Paper:
    """Return the theme of this name. Raises DrawError if there is none."""
    from fsm.views.drawing.palette import THEMES

    _known("theme", theme, THEMES)
    return "dark" if theme == "dark" else "light"


def _one_of(
    trace: Sequence[Record] | None, now: Now | None, counts: Counts | None, against: Against | None
) -> OverlayOption | None:
    """Return the overlay of the picture. Raises DrawError if there are several."""
    given: dict[str, OverlayOption | None] = {
        "a trace": None if trace is None else Taken(trace),
        "where a game stands": now,
        "counts": counts,
        "what differs from another model": against,
    }
    found = {name: overlay for name, overlay in given.items() if overlay is not None}
    if len(found) > 1:
        *most, last = found
        raise DrawError(f"a picture shows {', '.join(most)} or {last}, not both; leave one out")
    return next(iter(found.values()), None)


def _known(what: str, name: str, known: Sequence[str]) -> None:
    if name not in known:
        raise DrawError(
            f"{what} {name!r} is unknown", kind=f"unknown-{what}", found=name, known=known
        )
