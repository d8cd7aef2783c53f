"""The explorer: one HTML page in which you can walk through a turn.

    from fsm.views.explorer import explore
    page = explore(model)

The page needs no network and no server. It contains the exported model and a JavaScript
interpreter. The scripts in `machine/` are the interpreter, which also runs under Node; those in
`page/` are the page. They use only the exported model, never the Python machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import Template

from fsm.engine.trace import Trace
from fsm.errors import DrawError
from fsm.errors import suggest as suggest
from fsm.model import Model
from fsm.model.likeness import ModelLike, as_model
from fsm.views.embedded import page_colours
from fsm.views.explorer.data import new_game, page_data, traced_game
from fsm.views.explorer.parts import page_script, part
from fsm.views.explorer.pictures import Picture, pictures_of
from fsm.views.explorer.tablepart import table_part
from fsm.views.html import Html, digest, element, text
from fsm.wording import blanks, plain, upper_first

PLAYERS = ("Alice", "Bob")
THEMES = ("", "light", "dark")


def explore(
    model: ModelLike,
    *,
    theme: str = "",
    players: Sequence[str] = PLAYERS,
    trace: Trace | None = None,
) -> str:
    """Write the explorer page of a model.

    Parameters
    ----------
    model
        The Model to explore.
    theme
        "light", "dark", or "" to follow the reader's setting.
    players
        The names of the players of the game, in turn order.
    trace
        A trace, whose game is loaded instead of a new one.

    Returns
    -------
    str
        The page, as one self-contained HTML file.

    Raises
    ------
    DrawError
        If the theme is unknown.
    TraceError
        If the trace was recorded with another model.
    FsmError
        If the players cannot play the model.
    """
    model = as_model(model)
    check_theme(theme)
    start = new_game(model, players) if trace is None else traced_game(model, trace)
    return page_of(model, start, players=players, theme=theme)


def page_of(
    model: Model,
    start: Mapping[str, object],
    *,
    players: Sequence[str] = PLAYERS,
    theme: str = "",
    live: bool = False,
) -> str:
    """Return the page of a game that starts like this. If it is live, the page is served, and asks
    for what happens (`fsm.views.live`).
    """
    pictures = pictures_of(model)
    data = page_data(model, pictures, players, start)
    script = page_script()
    style = page_colours() + part("page/style.css") + part("page/map.css")
    name = plain(model.title) or plain(model.name)
    return Template(part("page/page.html")).substitute(
        theme=(f' data-theme="{theme}"' if theme else "") + " data-live" * live,
        policy=_policy(script, style) + "; connect-src 'self'" * live,
        title=text(f"{name}: turn explorer"),
        ruleset=_ruleset(model),
        table=table_part(model),
        style=style,
        views="\n".join(_button(picture.view) for picture in pictures[1:]),
        pictures="".join(picture.svg for picture in pictures),
        captions="\n".join(map(_caption, pictures)),
        data=data,
        script=script,
    )


def check_theme(theme: str) -> None:
    """Raise DrawError for an unknown theme."""
    if theme not in THEMES:
        raise DrawError(
            f"theme {theme!r} is unknown", kind="unknown-theme", found=theme, known=THEMES[1:]
        )


def _ruleset(model: Model) -> Html:
    """The name of the ruleset."""
    edition = [" ", element("small", plain(model.edition))] if model.edition else []
    return element("p", plain(model.title) or plain(model.name), *edition, id="ruleset")


def _policy(script: str, style: str) -> str:
    """Nothing from outside, and of what is inside only this script and this style."""
    return (
        f"default-src 'none'; script-src {digest(script)}; style-src {digest(style)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _button(view: str) -> Html:
    """The button of a view."""
    return element("button", upper_first(blanks(view)), data_look=view, aria_pressed="false")


def _caption(picture: Picture) -> Html:
    hidden = picture.view != "turn"
    return element("p", picture.caption, class_="caption", data_caption=picture.view, hidden=hidden)
