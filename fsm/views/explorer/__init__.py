"""The explorer: one HTML page in which you can walk through a turn.

    from fsm.views.explorer import explore
    page = explore(model)

The page needs no network and no server. It contains the exported model and a JavaScript
interpreter. The scripts in `machine/` are the interpreter, which also runs under Node; those in
`page/` are the page. They use only the exported model, never the Python machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from fsm.engine.trace import Trace
from fsm.errors import DrawError
from fsm.model import Model
from fsm.model.model import ModelLike, as_model
from fsm.views.explorer.data import (
    Picture as Picture,
    new_game,
    page_data,
    pictures_of,
    traced_game,
)
from fsm.views.pages import digest, page_colours, rendered
from fsm.views.reader import read
from fsm.views.reading import Step
from fsm.views.tables import note_of
from fsm.wording import plain

_HERE = files("fsm.views.explorer")
PLAYERS = ("Alice", "Bob")


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
    DrawError.known_name("theme", theme, ("", "light", "dark"))
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
    script = page_script()
    style = page_colours() + part("page/style.css") + part("page/map.css")
    turn = read(model)
    policy = (
        f"default-src 'none'; script-src {digest(script)}; style-src {digest(style)}; "
        "base-uri 'none'; form-action 'none'"
    )
    return rendered(
        "explorer",
        theme=theme,
        live=live,
        policy=policy + "; connect-src 'self'" * live,
        title=plain(model.title) or plain(model.name),
        edition=plain(model.edition),
        word=turn.word,
        table=[(step, _rows(step)) for step in turn.steps if step.lines],
        pictures=pictures,
        data=page_data(model, pictures, players, start),
        style=style,
        script=script,
    )


def _rows(step: Step) -> list[tuple[str, str]]:
    """What is told of a step in the table, each with its rule."""
    rows = [(f"Left out: {reason.words}", reason.rule) for reason in step.left_out]
    return rows + [(note_of(line).text, line.rule) for line in step.lines]


# files --------------------------------------------------------------------------------------------


@cache
def part(path: str) -> str:
    """The text of one file of this package."""
    return _HERE.joinpath(path).read_text(encoding="utf-8")


def scripts(folder: str) -> list[str]:
    """The scripts of a folder. The last one, `app`, starts the page; nothing else runs by itself."""
    names = sorted(file.name for file in _HERE.joinpath(folder).iterdir())
    names.sort(key="app.js".__eq__)
    return [f"{folder}/{name}" for name in names if name.endswith(".js")]


def page_script() -> str:
    """All scripts of the page as one, without comments and indentation."""
    found = ['"use strict";']
    for path in (*scripts("machine"), *scripts("page")):
        for line in map(str.lstrip, part(path).splitlines()):
            if line not in ("", '"use strict";') and not line.startswith(("//", "/**")):
                found.append(line)
    return "\n".join(found)
