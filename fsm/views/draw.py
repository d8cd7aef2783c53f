"""Pictures and texts of a Model in many formats.

    import fsm
    svg = fsm.draw("magic", view="phase:combat_phase")
    svg = fsm.draw(game)                            # where a game stands

A turn is read once (`fsm.views.read`), and every view and format is made from that reading. Other
machines are laid out by Graphviz.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypedDict, Unpack, get_args, overload

from fsm.engine.controller import TurnController
from fsm.engine.trace import Record, Trace
from fsm.errors import DrawError, FsmError
from fsm.model import Model
from fsm.model.model import Bundle, ModelLike, as_model
from fsm.views.machines import Machine, read_machine
from fsm.views.overlays import NONE, OVERLAYS, Counts, Now, now_of
from fsm.views.pictures import picture
from fsm.views.reader import is_turn, read
from fsm.views.svg import FONT, Theme
from fsm.wording import listed

__all__ = ["FORMATS", "Counts", "Format", "Now", "draw", "views_of"]


class Format(NamedTuple):
    """A format: its name, the file endings that stand for it, what it is, and what it can show."""

    name: str
    endings: tuple[str, ...]
    doc: str
    takes: tuple[str, ...] = ()


_PICTURE = "view", "theme", "overlay"
FORMATS = {
    form.name: form
    for form in (
        Format("svg", (".svg",), "a picture", _PICTURE),
        Format("png", (".png",), "a picture", _PICTURE),
        Format("dot", (".dot", ".gv"), "Graphviz"),
        Format("mermaid", (".mmd", ".mermaid"), "Mermaid"),
        Format("json", (".json",), "the model itself"),
        Format("md", (".md",), "the turn as a table, Markdown"),
        Format("html", (".html", ".htm"), "the turn on one page, HTML", ("theme",)),
        Format("txt", (".txt",), "the turn as a table, text"),
    )
}
"""The formats by name."""


class Wanted(TypedDict, total=False):
    """The options of `draw`."""

    view: str
    theme: str
    trace: Sequence[Record] | None
    against: ModelLike | None
    now: Now | None
    counts: Counts | None


def views_of(model: Model) -> tuple[str, ...]:
    """Return the names of the views of a model: "turn", "window", "phase:ID", "endings", "bar"."""
    return tuple(titles_of(model))


def titles_of(model: Model) -> dict[str, str]:
    """Return what each view of a model shows, in a few words, by its name."""
    if not is_turn(model):
        return {"turn": "the machine"}
    turn = read(model)
    titles = {"turn": "the whole turn at a glance"}
    if turn.windows:
        titles["window"] = "what happens each time that players may act"
    titles |= {f"phase:{phase.id}": phase.label for phase in model.of_kind("phase")}
    if turn.endings:
        titles["endings"] = "what happens when a turn is cut short"
    return titles | {"bar": "one row of steps, for clients and streams"}


@overload
def draw(
    what: ModelLike | TurnController, *, format: Literal["png"], **wanted: Unpack[Wanted]
) -> bytes: ...
@overload
def draw(
    what: ModelLike | TurnController, *, format: str = "svg", **wanted: Unpack[Wanted]
) -> str | Any: ...
def draw(  # noqa: PLR0913 - all that can be asked of a picture
    what: ModelLike | TurnController,
    *,
    format: str = "svg",
    view: str = "turn",
    theme: str = "auto",
    trace: Sequence[Record] | None = None,
    against: ModelLike | None = None,
    now: Now | None = None,
    counts: Counts | None = None,
) -> str | bytes:
    """Draw a model or a game, or write it in another format.

    At most one of `trace`, `now`, `counts` and `against` can be given.

    Parameters
    ----------
    what
        The Model to draw, or a game, of which the picture shows where it stands. If the game has a
        trace, what its turn has left out so far is pale, and what it had more is gold.
    format
        The name of a format, see `FORMATS`.
    view
        What is drawn. `views_of` returns the names of the views of a model. The default is "turn".
    theme
        "light", "dark", or "auto" to follow the reader's screen, which is the default.
    trace
        The records of a run. The picture shows the way that its last turn took.
    against
        Another model. The picture shows what differs from it.
    now
        Where a game stands and where it can go.
    counts
        How often each transition was taken.

    Returns
    -------
    str or bytes
        The text, or bytes for the format "png".

    Raises
    ------
    DrawError
        If a view, format or theme is unknown, if the model does not have the view, if the format
        cannot show what is asked for, if more than one overlay is given, or if Graphviz is needed
        and does not work.
    """
    if isinstance(what, TurnController):
        now = now or now_of(what)
        what = what.model
    model = as_model(what)
    given = {
        "a trace": trace,
        "where a game stands": now,
        "counts": counts,
        "what differs from another model": against,
    }
    shown = {words: value for words, value in given.items() if value is not None}
    form = format_named(format)
    DrawError.known_name("theme", theme, get_args(Theme))
    if len(shown) > 1:
        raise DrawError(f"a picture shows {listed([*shown], 'or')}, not both; leave one out")
    asked = {"view": view != "turn", "theme": theme != "auto", "overlay": shown}
    for name in asked:
        if asked[name] and name not in form.takes:
            raise DrawError(
                f"{format} ({form.doc}) has no {name}: leave it out, or draw a picture (.svg)"
            )
    DrawError.known_name("view", view, titles_of(model))
    if format not in ("svg", "png"):
        return _text(model, format, theme)
    svg = _picture(model, view, theme, shown)
    return svg if format == "svg" else png(svg)


def format_named(name: str) -> Format:
    """Return the format of this name. Raises DrawError if there is none."""
    return FORMATS[DrawError.known_name("format", name, FORMATS)]


# drawing: what other pictures and formats need is not imported ------------------------------------


def _picture(model: Model, view: str, theme: Any, shown: Mapping[str, Any]) -> str:
    reading = read(model) if is_turn(model) else read_machine(model)
    painters = OVERLAYS[type(reading)]
    overlay = NONE
    for words, value in shown.items():
        if words not in painters:
            raise DrawError(
                f"{model.name} has no phases and no steps, so no picture of it shows {words}; "
                "`fsm diff` tells in words what differs"
            )
        overlay = painters[words](reading, model, value)
    if isinstance(reading, Machine):
        from fsm.views.graph import draw_machine

        return draw_machine(reading, theme, overlay)
    return picture(overlay.turn or reading, view, theme, overlay)


def _text(model: Model, format: str, theme: Any) -> str:
    if format == "json":
        return json.dumps(model.to_json(), indent=2, ensure_ascii=False) + "\n"
    if format in ("dot", "mermaid"):
        from fsm.views import charts

        return charts.dot(model) if format == "dot" else charts.mermaid(model)
    from fsm.views.tables import tabulate

    return tabulate(model, format=format, theme=theme)


# PNG, by the extra `png`: resvg, with the fonts beside this module --------------------------------


PIXELS = 64_000_000
"""More than this takes more than a quarter of a gigabyte while it is drawn."""


def png(svg: str) -> bytes:
    """A picture of ours as PNG, twice as large; less for enormous pictures.

    The same bytes each time on one machine. Raises DrawError when the extra is missing.
    """
    wide, high = map(float, re.findall(r'(?:width|height)="(\d+)"', svg)[:2])
    zoom = min(2, (PIXELS / (wide * high)) ** 0.5)
    ours_first = svg.replace(FONT, f"Liberation Sans,{FONT}", 1)
    fonts = str(Path(__file__).with_name("fonts"))
    try:
        resvg = import_module("resvg_py")
        return bytes(resvg.svg_to_bytes(ours_first, zoom=zoom, font_dirs=[fonts]))
    except ImportError:
        raise DrawError("PNG needs the extra 'png': run pip install 'turn-fsm[png]'") from None
    except (ValueError, OSError, RuntimeError) as error:
        raise DrawError(f"the picture cannot be converted: {error}") from error


# notebooks ----------------------------------------------------------------------------------------


def bundle(value: Any) -> Bundle:
    """The text of a Model, game or Trace, and the turn at a glance with what it says of it, or why
    that is not drawn. There is none if the Model of a Trace is not known.
    """
    shown = {"text/plain": str(value)}
    what, records = (value.model, value.records) if isinstance(value, Trace) else (value, None)
    try:
        if what is not None:
            shown["image/svg+xml"] = draw(what, trace=records)
    except FsmError as error:
        shown["text/plain"] += f" (not drawn: {error})"
    return shown
