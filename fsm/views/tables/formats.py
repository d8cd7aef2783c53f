"""The table as formats of `fsm draw`: functions of a model and the options."""

from __future__ import annotations

from fsm.model import Model
from fsm.views.drawing.options import DrawOptions
from fsm.views.tables import tabulate


def md(model: Model, options: DrawOptions) -> str:
    """Return the table as Markdown."""
    return tabulate(model, view=options.view, format="md")


def html(model: Model, options: DrawOptions) -> str:
    """Return the table as a page."""
    return tabulate(model, view=options.view, format="html", theme=options.theme)


def txt(model: Model, options: DrawOptions) -> str:
    """Return the table as text of 100 columns."""
    return tabulate(model, view=options.view, format="txt")
