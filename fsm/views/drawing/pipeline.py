"""One picture, from the model to text: each format a function of the model and what is asked."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from fsm.model import Model
from fsm.views.drawing.linking import link_rules
from fsm.views.drawing.options import Against, Asked
from fsm.views.drawing.overlays import with_overlay
from fsm.views.drawing.palette import theme
from fsm.views.drawing.picture import picture
from fsm.views.drawing.placed import Placed
from fsm.views.drawing.svg import markup
from fsm.views.drawing.views import place


def svg(model: Model, asked: Asked) -> str:
    """The picture as SVG, drawn by us or by Graphviz. Raises DrawError."""
    if asked.engine == "graphviz":
        from fsm.views.drawing.render import render

        return render(dot(model, asked), engine="nop2")
    return markup(tree(model, asked))


def tree(model: Model, asked: Asked) -> ET.Element:
    """The picture as SVG elements. Raises DrawError."""
    if isinstance(asked.overlay, Against):
        from fsm.views.drawing.against import picture_against

        root, placed = picture_against(model, asked, asked.overlay)
    else:
        placed = _placed(model, asked)
        root = picture(placed, theme(asked.theme))
    if asked.link:
        link_rules(root, placed, asked.link)
    return root


def dot(model: Model, asked: Asked) -> str:
    """The picture as DOT, every place decided. Raises DrawError."""
    if isinstance(asked.overlay, Against):
        from fsm.views.drawing.against import dot_against

        return dot_against(model, asked, asked.overlay)
    from fsm.views.drawing.dot import dot_source

    return dot_source(_placed(model, asked), theme(asked.theme))


def png(model: Model, asked: Asked) -> bytes:
    """The picture as PNG, twice its natural width. Raises DrawError, also when the extra is missing."""
    from fsm.views.drawing import raster

    return raster.png(svg(model, asked))


def pdf(model: Model, asked: Asked) -> bytes:
    """The picture as PDF. Raises DrawError, also when the extra is missing."""
    from fsm.views.drawing import raster

    return raster.pdf(svg(model, asked))


def _placed(model: Model, asked: Asked) -> Placed:
    return with_overlay(place(model, asked.view, asked.layers), model, asked)
