"""One picture, from the model to text: each format a function of the model and what is asked."""

from __future__ import annotations

from fsm.drawing.asked import Against, Asked
from fsm.drawing.dot import dot_source
from fsm.drawing.linking import linked
from fsm.drawing.overlays import with_overlay
from fsm.drawing.palette import theme
from fsm.drawing.placed import Placed
from fsm.drawing.polish import polish
from fsm.drawing.render import render
from fsm.drawing.views import place
from fsm.model import Model


def svg(model: Model, asked: Asked) -> str:
    """The picture as SVG. Raises DrawError."""
    if isinstance(asked.overlay, Against):
        from fsm.drawing.against import svg_against

        return svg_against(model, asked, asked.overlay)
    placed, colours = _placed(model, asked), theme(asked.theme)
    text = polish(render(dot_source(placed, colours)), placed, colours)
    return linked(text, placed, asked.link) if asked.link else text


def dot(model: Model, asked: Asked) -> str:
    """The picture as DOT, every place decided. Raises DrawError."""
    if isinstance(asked.overlay, Against):
        from fsm.drawing.against import dot_against

        return dot_against(model, asked, asked.overlay)
    return dot_source(_placed(model, asked), theme(asked.theme))


def png(model: Model, asked: Asked) -> bytes:
    """The picture as PNG, twice its natural width. Raises DrawError, also when the extra is missing."""
    from fsm.drawing import raster

    return raster.png(svg(model, asked))


def pdf(model: Model, asked: Asked) -> bytes:
    """The picture as PDF. Raises DrawError, also when the extra is missing."""
    from fsm.drawing import raster

    return raster.pdf(svg(model, asked))


def _placed(model: Model, asked: Asked) -> Placed:
    return with_overlay(place(model, asked.view, asked.layers), model, asked)
