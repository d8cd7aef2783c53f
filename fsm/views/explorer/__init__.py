"""The explorer: one HTML page in which you can walk through a turn.

    from fsm.views.explorer import explore
    page = explore(model)

The page needs no network and no server. It contains the exported model and a JavaScript interpreter. The scripts in
`machine/` are the interpreter, which also runs under Node; those in `page/` are the page. They use only the exported
model, never the Python machine.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from string import Template

from fsm.engine.trace import Trace
from fsm.errors import DrawError, suggest
from fsm.model import Model
from fsm.views.explorer.data import page_data
from fsm.views.explorer.parts import page_script, part
from fsm.views.explorer.pictures import Picture, pictures_of, theme_style
from fsm.wording import blanks, plain, upper_first

PLAYERS = ("Alice", "Bob")
THEMES = ("", "light", "dark")


def explore(
    model: Model, *, theme: str = "", players: Sequence[str] = PLAYERS, trace: Trace | None = None, link: str = ""
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
    link
        A URL pattern for citations, with "{rule}" for the number of the rule.

    Returns
    -------
    str
        The page, as one self-contained HTML file.

    Raises
    ------
    DrawError
        If the theme is unknown or the pattern is not a URL pattern.
    TraceError
        If the trace was recorded with another model.
    FsmError
        If the players cannot play the model.
    """
    check_options(theme, link)
    pictures = pictures_of(model)
    data = page_data(model, pictures, players, trace, link)
    script = page_script()
    style = theme_style() + part("page/style.css")
    name = plain(model.title) or plain(model.name)
    return Template(part("page/page.html")).substitute(
        theme=f' data-theme="{theme}"' if theme else "",
        policy=_policy(script, style),
        title=escape(f"{name}: turn explorer"),
        ruleset=escape(plain(model.name) + (f" ({plain(model.edition)})" if model.edition else "")),
        style=style,
        views="\n".join(_button(picture.view) for picture in pictures[1:]),
        pictures="".join(picture.svg for picture in pictures),
        captions="\n".join(map(_caption, pictures)),
        data=data,
        script=script,
    )


def check_options(theme: str, link: str) -> None:
    """Raise DrawError for an unknown theme or a pattern that is none."""
    if theme not in THEMES:
        raise DrawError(f"theme {theme!r} is unknown{suggest(theme, THEMES[1:])}")
    if link and not (link.startswith(("https://", "http://")) and "{rule}" in link):
        raise DrawError(f"the pattern for citations {link!r} must begin with https:// and contain {{rule}}")


def _policy(script: str, style: str) -> str:
    """Nothing from outside, and of what is inside only this script and this style."""
    hashes = {kind: b64encode(sha256(text.encode()).digest()).decode() for kind, text in (("s", script), ("t", style))}
    return (
        f"default-src 'none'; script-src 'sha256-{hashes['s']}'; style-src 'sha256-{hashes['t']}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _button(view: str) -> str:
    """The button of a view; an ending is called by its event."""
    kind, _, event = view.partition(":")
    words = upper_first(blanks(event or kind))
    return f'<button data-look="{escape(view)}" aria-pressed="false">{escape(words)}</button>'


def _caption(picture: Picture) -> str:
    hidden = "" if picture.view == "turn" else " hidden"
    return f'<p class="caption" data-caption="{escape(picture.view)}"{hidden}>{escape(" ".join(picture.caption))}</p>'
