"""The turn as a table, as judges know it: phases, steps, and what happens in each, in order.

    from fsm.views.tables import tabulate
    print(tabulate(model, format="txt", width=100))

Model -> TurnTable (what it says, plain values) -> Markdown, HTML or text.
"""

from __future__ import annotations

from fsm.errors import DrawError, suggest
from fsm.model import Model
from fsm.views.tables.building import table_of
from fsm.views.tables.turntable import Ending, Footnote, PhaseRows, Row, StepRows, TurnTable

FORMATS = ("md", "html", "txt")
THEMES = ("light", "dark")
VIEWS = ("turn", "window")

__all__ = ["FORMATS", "Ending", "Footnote", "PhaseRows", "Row", "StepRows", "TurnTable", "table_of", "tabulate"]


def tabulate(
    model: Model,
    *,
    view: str = "turn",
    format: str = "md",
    theme: str = "",
    width: int = 100,
    colour: bool = False,
    ascii: bool = False,
) -> str:
    """The table of a model as Markdown, HTML or text.

    `theme` is for HTML only: "light" or "dark", or "" to follow the reader's setting. `width` (columns), `colour`
    and `ascii` are for text only. Raises DrawError for an unknown view, format or theme, and for a window that
    the model does not have.
    """
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
        raise DrawError(f"{what} {name!r} is unknown{suggest(name, known)}")
