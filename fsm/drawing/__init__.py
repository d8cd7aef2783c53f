"""Pictures of a Model: the turn at a glance and the window, as SVG or DOT.

    from fsm.drawing import draw
    svg = draw(model, view="turn", theme="dark")

Model -> diagram (what is seen) -> layout (where) -> DOT -> Graphviz -> post-pass.
Graphviz is loaded at the first drawing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from fsm.errors import DrawError, suggest
from fsm.model import LAYERS, Layer, Model
from fsm.trace import Record

View = Literal["turn", "window"]
Format = Literal["svg", "dot"]
_VIEWS: tuple[View, ...] = ("turn", "window")
_FORMATS: tuple[Format, ...] = ("svg", "dot")


def views() -> tuple[str, ...]:
    """The names of the views that `draw` knows."""
    return _VIEWS


def formats() -> tuple[str, ...]:
    """The names of the formats that `draw` knows."""
    return _FORMATS


def draw(
    model: Model,
    *,
    view: str = "turn",
    format: str = "svg",
    theme: str = "light",
    layers: Sequence[str] = LAYERS,
    trace: Sequence[Record] | None = None,
    against: Model | None = None,
) -> str:
    """The picture of a model as text.

    `layers` are those whose transitions are drawn. With `trace`, the lines taken stand out and carry
    the order in which they were taken. With `against`, what differs from that model stands out, and what
    only that one has is drawn, too. Raises DrawError for an unknown view, format, theme or layer, for
    a view the model does not have, and when no renderer works.
    """
    from fsm.drawing.pipeline import picture

    if against is not None:
        from fsm.drawing.against import draw_against

        if trace is not None:
            raise DrawError("a picture shows a trace or what differs from another model, not both; leave one out")
        return draw_against(model, against, view=view, format=format, theme=theme, layers=layers)
    return picture(model, view, format, theme, checked_layers(view, format, theme, layers), trace)


def checked_layers(view: str, format: str, theme: str, layers: Sequence[str]) -> tuple[Layer, ...]:
    """The layers asked for, in the model's order. Raises DrawError if one of these names is unknown."""
    from fsm.drawing.palette import THEMES

    _known("view", view, _VIEWS)
    _known("format", format, _FORMATS)
    _known("theme", theme, THEMES)
    for layer in layers:
        _known("layer", layer, LAYERS)
    return tuple(layer for layer in LAYERS if layer in layers)


def _known(what: str, name: str, known: Sequence[str]) -> None:
    if name not in known:
        raise DrawError(f"{what} {name!r} is unknown{suggest(name, known)}")
