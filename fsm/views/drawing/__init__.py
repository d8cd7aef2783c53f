"""Pictures of a Model: the turn at a glance, its window, each phase, step and ending, in many formats.

    from fsm.views.drawing import draw
    svg = draw(model, view="turn", theme="dark")

Model -> diagram (what is seen) -> layout (where) -> SVG, or DOT.
Graphviz lays out machines that are no turns, and draws the SVG where that is asked for; it is loaded only then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypedDict, Unpack, overload

from fsm.engine.trace import Record
from fsm.errors import DrawError, suggest
from fsm.model import LAYERS, Layer, Model
from fsm.views.drawing.formats import FORMATS, Format, format_named
from fsm.views.drawing.options import ENGINES, Against, Asked, Counts, Engine, Now, OverlayAsked, Paper, Taken

__all__ = ["Counts", "Now", "draw", "format_names", "views_of"]


def views_of(model: Model) -> tuple[str, ...]:
    """The names of the views that a model has: "turn", "window", "phase:ID", "step:ID", "ending:EVENT"."""
    from fsm.views.drawing.endingview import ending_views
    from fsm.views.drawing.shape import is_turn
    from fsm.views.drawing.stages import stage_views

    window = ("window",) if model.window is not None else ()
    parts = (*stage_views(model), *ending_views(model)) if is_turn(model) else ()
    return ("turn", *window, *parts)


def format_names() -> tuple[str, ...]:
    """The names of the formats that `draw` knows."""
    return tuple(FORMATS)


class Wanted(TypedDict, total=False):
    """What may be asked of a picture, as `draw` takes it."""

    view: str
    theme: str
    layers: Sequence[str]
    trace: Sequence[Record] | None
    against: Model | Against | None
    now: Now | None
    counts: Counts | None
    link: str
    words: Mapping[str, str] | None
    engine: str


Text = Literal["svg", "dot", "mermaid", "plantuml", "scxml", "xstate", "json", "atlas", "md", "html", "txt"]


@overload
def draw(model: Model, *, format: Literal["png", "pdf"], **wanted: Unpack[Wanted]) -> bytes: ...
@overload
def draw(model: Model, *, format: Text = "svg", **wanted: Unpack[Wanted]) -> str: ...
@overload
def draw(model: Model, *, format: str, **wanted: Unpack[Wanted]) -> str | bytes: ...
def draw(
    model: Model,
    *,
    view: str = "turn",
    format: str = "svg",
    theme: str = "light",
    layers: Sequence[str] = LAYERS,
    trace: Sequence[Record] | None = None,
    against: Model | Against | None = None,
    now: Now | None = None,
    counts: Counts | None = None,
    link: str = "",
    words: Mapping[str, str] | None = None,
    engine: str = "own",
) -> str | bytes:
    """A model in one of the formats: text, or bytes for "png" and "pdf".

    `layers` are those whose transitions are drawn. Over a picture may lie one of these: `trace`, the way
    a run took, in its order; `now`, where a game stands and where it can go; `counts`, how often everything
    was taken; `against`, what differs from that model. `link` is a URL pattern for citations, with "{rule}" for the
    number. `words` are what to write instead of labels, names and texts. `engine` "graphviz" has Graphviz draw the
    placed picture as SVG. Raises DrawError for an unknown view, format, theme, layer or engine, for a view the model
    does not have, for what the format cannot show, and when Graphviz is needed and does not work.
    """
    other = Against(against) if isinstance(against, Model) else against
    over = _one_of(trace, now, counts, other)
    asked = Asked(view, paper(theme), checked_layers(layers), over, link, engine_named(engine))
    return drawn(model, asked, format, words or {})


def drawn(model: Model, asked: Asked, format: str, words: Mapping[str, str]) -> str | bytes:
    """As `draw`, of what is asked."""
    form = format_named(format)
    check_asked(asked, form, overlay=asked.overlay is not None)
    check_view(model, asked.view)
    form.check()
    if words:
        from fsm.views.drawing.translating import spoken_in

        model, asked = spoken_in(words, model, asked)
    return form.write(model, asked)


def check_asked(asked: Asked, form: Format, *, overlay: bool, theme: bool = False) -> None:
    """Raise DrawError when the format cannot show what is asked: nothing is left aside.

    `overlay`: there will be one; `theme`: it was asked for, even if it is the usual one.
    """
    plain = Asked()
    for name in ("view", "theme", "layers", "overlay", "link", "engine"):
        wanted = getattr(asked, name) != getattr(plain, name)
        wanted |= (theme and name == "theme") or (overlay and name == "overlay")
        if wanted and name not in form.takes:
            raise DrawError(f"{form.name} ({form.doc}) has no {name}: leave it out, or draw a picture (.svg)")
    if asked.link and asked.engine == "graphviz":
        raise DrawError("Graphviz draws no links to rules: leave out the link, or the engine")
    if asked.link:
        from fsm.views.drawing.linking import check_pattern

        check_pattern(asked.link)


def check_view(model: Model, view: str) -> None:
    """Raise DrawError when the model has no such view."""
    known = views_of(model)
    if view == "window" and view not in known:
        raise DrawError(f"{model.name} has no window model, so there is no view 'window'; known: turn")
    _known("view", view, known)


def checked_layers(layers: Sequence[str]) -> tuple[Layer, ...]:
    """The layers asked for, in the model's order. Raises DrawError if one of these names is unknown."""
    for layer in layers:
        _known("layer", layer, LAYERS)
    return tuple(layer for layer in LAYERS if layer in layers)


def paper(theme: str) -> Paper:
    """The theme of this name. Raises DrawError when there is none."""
    from fsm.views.drawing.palette import THEMES

    _known("theme", theme, THEMES)
    return "dark" if theme == "dark" else "light"


def engine_named(name: str) -> Engine:
    """The engine of this name. Raises DrawError when there is none."""
    _known("engine", name, ENGINES)
    return "graphviz" if name == "graphviz" else "own"


def _one_of(
    trace: Sequence[Record] | None, now: Now | None, counts: Counts | None, against: Against | None
) -> OverlayAsked | None:
    """What is to lie over the picture. Raises DrawError when it is more than one thing."""
    asked: dict[str, OverlayAsked | None] = {
        "a trace": None if trace is None else Taken(trace),
        "where a game stands": now,
        "counts": counts,
        "what differs from another model": against,
    }
    found = {name: overlay for name, overlay in asked.items() if overlay is not None}
    if len(found) > 1:
        *most, last = found
        raise DrawError(f"a picture shows {', '.join(most)} or {last}, not both; leave one out")
    return next(iter(found.values()), None)


def _known(what: str, name: str, known: Sequence[str]) -> None:
    if name not in known:
        raise DrawError(f"{what} {name!r} is unknown{suggest(name, known)}")
