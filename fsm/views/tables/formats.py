"""The table as formats of `fsm draw`: functions of a model and the options."""

from __future__ import annotations

from fsm.model import Model
from fsm.views.drawing.options import Asked
from fsm.views.tables import tabulate


def md(model: Model, asked: Asked) -> str:
    """Return the table as Markdown."""
    return tabulate(model, view=asked.view, format="md")


def html(model: Model, asked: Asked) -> str:
    """Return the table as a page."""
    return tabulate(model, view=asked.view, format="html", theme=asked.theme)


def txt(model: Model, asked: Asked) -> str:
    """Return the table as text of 100 columns."""
    return tabulate(model, view=asked.view, format="txt")
