"""The explorer: one HTML page on which a turn is walked through, by the exported model and an interpreter of its own.

    from fsm.views.explorer import explore
    page = explore(model)

The page needs no network and no server. Its scripts are the files of `machine/` (the interpreter, which runs under
Node as well) and of `page/`; they know the model, never the Python machine.
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
    """The page for a model, as one self-contained HTML file.

    `theme` is "light" or "dark", "" for what the reader's screen uses. `players` start the game, in turn order; with
    `trace` its game is loaded instead, ready to be walked. `link` is a pattern for citations, "https://…{rule}".
    Raises DrawError for an unknown theme or a pattern that is none, TraceError when the trace is of another model, and
    FsmError when nobody can play.
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
