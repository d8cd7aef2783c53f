"""The table as formats of a picture: functions of a model and what is asked."""

from __future__ import annotations

from fsm.model import Model
from fsm.views.drawing.options import Asked
from fsm.views.tables import tabulate


def md(model: Model, asked: Asked) -> str:
    """The table as Markdown."""
    return tabulate(model, view=asked.view, format="md")


def html(model: Model, asked: Asked) -> str:
    """The table as a page."""
    return tabulate(model, view=asked.view, format="html", theme=asked.theme)


def txt(model: Model, asked: Asked) -> str:
    """The table as text, 100 columns wide."""
    return tabulate(model, view=asked.view, format="txt")
