"""The turn as a table: phases and steps in order, and what happens in each.

    from fsm.views.tables import tabulate
    print(tabulate(model, format="txt", width=100))

A Model is turned into a TurnTable (plain values), and the TurnTable into Markdown, HTML or text.
"""

from __future__ import annotations

from fsm.errors import DrawError, suggest
from fsm.model.likeness import ModelLike, as_model
from fsm.views.tables.building import table_of
from fsm.views.tables.turntable import Ending, Footnote, PhaseRows, Row, StepRows, TurnTable

FORMATS = ("md", "html", "txt")
THEMES = ("light", "dark")
VIEWS = ("turn", "window")

__all__ = [
    "FORMATS",
    "Ending",
    "Footnote",
    "PhaseRows",
    "Row",
    "StepRows",
    "TurnTable",
    "suggest",
    "table_of",
    "tabulate",
]


def tabulate(
    model: ModelLike,
    *,
    view: str = "turn",
    format: str = "md",
    theme: str = "",
    width: int = 100,
    colour: bool = False,
    ascii: bool = False,
) -> str:
    """Write the turn of a model as a table.

    Parameters
    ----------
    model
        The Model to write.
    view
        "turn" or "window".
    format
        "md", "html" or "txt".
    theme
        For HTML: "light", "dark", or "" to follow the reader's setting.
    width
        For text: the number of columns.
    colour
        For text: whether it is coloured.
    ascii
        For text: whether only ASCII characters are used.

    Returns
    -------
    str
        The table.

    Raises
    ------
    DrawError
        If the view, format or theme is unknown, or if the model has no window and the view is
        "window".
    """
    model = as_model(model)
    _known("view", view, VIEWS)
    _known("format", format, FORMATS)
    if theme:
        _known("theme", theme, THEMES)
    table = table_of(model, view)
    if format == "html":
        from fsm.views.tables.page import page

        return page(table, theme)
    if format == "md":
        from fsm.views.tables.markdown import markdown

        return markdown(table)
    from fsm.views.tables.terminal import text

    return text(table, width, colour=colour, ascii=ascii)


def _known(what: str, name: str, known: tuple[str, ...]) -> None:
    if name not in known:
        raise DrawError(
            f"{what} {name!r} is unknown", kind=f"unknown-{what}", found=name, known=known
        )
