"""One picture, from the model to text: each format a function of the model and what is asked."""

from __future__ import annotations

import json
from xml.etree import ElementTree as ET

from fsm.model import Model
from fsm.views.drawing.linking import link_rules
from fsm.views.drawing.options import Against, DrawOptions
from fsm.views.drawing.palette import theme
from fsm.views.drawing.picture import picture
from fsm.views.drawing.svg import markup
from fsm.views.drawing.views import place
from fsm.views.reader import is_turn


def svg(model: Model, options: DrawOptions) -> str:
    """The picture as SVG. Raises DrawError."""
    if not is_turn(model) and options.view == "turn" and options.overlay is None:
        from fsm.views.graph import draw_machine

        return draw_machine(model, options.theme)
    return markup(tree(model, options))


def dot(model: Model, options: DrawOptions) -> str:
    """The turn or machine as DOT."""
    from fsm.views import graph

    return graph.dot(model)


def mermaid(model: Model, options: DrawOptions) -> str:
    """The turn or machine as a state diagram of Mermaid."""
    from fsm.views import mermaid

    return mermaid.mermaid(model)


def tree(model: Model, options: DrawOptions) -> ET.Element:
    """The picture as SVG elements. Raises DrawError."""
    if isinstance(options.overlay, Against):
        from fsm.views.drawing.against import picture_against

        root, placed = picture_against(model, options, options.overlay)
    else:
        placed = place(model, options.view)
        if options.overlay is not None:
            from fsm.views.drawing.overlays import with_overlay

            placed = with_overlay(placed, model, options)
        root = picture(placed, theme(options.theme))
    if options.link:
        link_rules(root, placed, options.link)
    return root


def png(model: Model, options: DrawOptions) -> bytes:
    """The picture as PNG, twice its natural width. Raises DrawError, also when the extra is
    missing.
    """
    from fsm.views.drawing import raster

    return raster.png(svg(model, options))


def model_json(model: Model, options: DrawOptions) -> str:
    """The model as the text of a model file."""
    return json.dumps(model.to_json(), indent=2, ensure_ascii=False) + "\n"
