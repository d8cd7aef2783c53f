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
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack, cast, get_args, overload

from fsm.engine.controller import TurnController
from fsm.engine.trace import Trace
from fsm.errors import DrawError, FsmError
from fsm.model import Model
from fsm.model.model import Bundle, ModelLike, as_model
from fsm.runs.turns import read_turns
from fsm.views import overlays
from fsm.views.overlays import NONE, Counts, Now
from fsm.views.pictures import bar, picture
from fsm.views.reader import is_turn, read
from fsm.views.svg import FONT, Theme

if TYPE_CHECKING:
    from fsm.engine.trace import Record


__all__ = ["FORMATS", "Counts", "Format", "Now", "draw", "views_of"]

Text = Literal["svg", "dot", "mermaid", "json", "md", "html", "txt"]


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its name, the file endings that stand for it, what it is, and what it can show."""

    name: str
    endings: tuple[str, ...]
    doc: str
    takes: frozenset[str] = frozenset()


_PICTURE = frozenset({"view", "theme", "overlay"})
_ALL = (
    Format("svg", (".svg",), "a picture", _PICTURE),
    Format("png", (".png",), "a picture", _PICTURE),
    Format("dot", (".dot", ".gv"), "Graphviz"),
    Format("mermaid", (".mmd", ".mermaid"), "Mermaid"),
    Format("json", (".json",), "the model itself"),
    Format("md", (".md",), "the turn as a table, Markdown"),
    Format("html", (".html", ".htm"), "the turn on one page, HTML", frozenset({"theme"})),
    Format("txt", (".txt",), "the turn as a table, text"),
)
_VIEWS = {
    "turn": "the whole turn at a glance",
    "endings": "what happens when a turn is cut short",
    "bar": "one row of steps, for clients and streams",
}
FORMATS = {form.name: form for form in _ALL}
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
    if not is_turn(model):
        return ("turn",)
    endings = ["endings"] if read(model).endings else []
    phases = [f"phase:{phase.id}" for phase in model.of_kind("phase")]
    return ("turn", *windows_of(model), *phases, *endings, "bar")


def windows_of(model: Model) -> tuple[str, ...]:
    """Return the names of the windows of a model."""
    return tuple(name for name in model.machines if name != "turn")


def title_of(model: Model, view: str) -> str:
    """Return what a view shows, in a few words."""
    kind, _, id = view.partition(":")
    if kind == "phase":
        return model.state(id).label
    if kind == "turn" and not is_turn(model):
        return "the machine"
    return _VIEWS.get(kind, "what happens each time that players may act")


@overload
def draw(
    what: ModelLike | TurnController, *, format: Literal["png"], **wanted: Unpack[Wanted]
) -> bytes: ...
@overload
def draw(
    what: ModelLike | TurnController, *, format: Text = "svg", **wanted: Unpack[Wanted]
) -> str: ...
@overload
def draw(
    what: ModelLike | TurnController, *, format: str, **wanted: Unpack[Wanted]
) -> str | bytes: ...
def draw(
    what: ModelLike | TurnController, *, format: str = "svg", **wanted: Unpack[Wanted]
) -> str | bytes:
    """Draw a model or a game, or write it in another format.

    At most one of `trace`, `now`, `counts` and `against` can be given.

    Parameters
    ----------
    what
        The Model to draw, or a game, of which the picture shows where it stands.
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
    from fsm.engine.controller import TurnController
    from fsm.views.overlays import now_of

    shown = Shown(**wanted)
    if isinstance(what, TurnController):
        model = what.model
        shown = replace(shown, now=shown.now or now_of(what))
    else:
        model = as_model(what)
    check(shown, format_named(format))
    check_view(model, shown.view)
    return drawn(model, shown, format)


@dataclass(frozen=True, slots=True)
class Shown:
    """What is asked of a picture: the view, the theme, and at most one overlay."""

    view: str = "turn"
    theme: str = "auto"
    trace: Sequence[Record] | None = None
    against: ModelLike | None = None
    now: Now | None = None
    counts: Counts | None = None

    @property
    def colours(self) -> Theme:
        """The theme, which has been checked."""
        return cast(Theme, self.theme)

    @property
    def overlays(self) -> list[str]:
        """The overlays that are given, in words."""
        given = {
            "a trace": self.trace,
            "where a game stands": self.now,
            "counts": self.counts,
            "what differs from another model": self.against,
        }
        return [words for words, overlay in given.items() if overlay is not None]


# checking -----------------------------------------------------------------------------------------


def format_named(name: str) -> Format:
    """Return the format of this name. Raises DrawError if there is none."""
    return FORMATS[DrawError.known_name("format", name, FORMATS)]


def check(shown: Shown, form: Format) -> None:
    """Raise DrawError if the format cannot show what is asked for."""
    DrawError.known_name("theme", shown.theme, get_args(Theme))
    *most, last = shown.overlays or [""]
    if most:
        raise DrawError(f"a picture shows {', '.join(most)} or {last}, not both; leave one out")
    asked = {
        "view": shown.view != "turn",
        "theme": shown.theme != "auto",
        "overlay": bool(shown.overlays),
    }
    for name, wanted in asked.items():
        if wanted and name not in form.takes:
            text = f"{form.name} ({form.doc}) has no {name}: leave it out"
            raise DrawError(f"{text}, or draw a picture (.svg)")
    if form.name == "png":
        ready()


def check_view(model: Model, view: str) -> None:
    """Raise DrawError if the model does not have this view."""
    DrawError.known_name("view", view, views_of(model))


# drawing ------------------------------------------------------------------------------------------


def drawn(model: Model, shown: Shown, format: str) -> str | bytes:
    """Draw a model as is asked, which has been checked. What other formats need is not imported."""
    if format in ("svg", "png"):
        svg = _turn(model, shown) if is_turn(model) else _machine(model, shown)
        if format == "svg":
            return svg
        return png(svg)
    if format == "json":
        return json.dumps(model.to_json(), indent=2, ensure_ascii=False) + "\n"
    if format == "dot":
        from fsm.views.charts import dot

        return dot(model)
    if format == "mermaid":
        from fsm.views.charts import mermaid

        return mermaid(model)
    from fsm.views.tables import tabulate

    return tabulate(model, format=format, theme=shown.colours)


def _machine(model: Model, shown: Shown) -> str:
    """Draw a machine that is no turn."""
    from fsm.views.graph import draw_machine
    from fsm.views.machines import read_machine

    machine = read_machine(model)
    overlay = NONE
    if shown.now is not None:
        overlay = overlays.machine_standing(machine, model, shown.now)
    elif shown.counts is not None:
        overlay = overlays.machine_counted(machine, model, shown.counts.turn)
    elif shown.overlays:
        text = f"{model.name} has no phases and no steps, so no picture of it shows"
        raise DrawError(f"{text} {shown.overlays[0]}; `fsm diff` tells in words what differs")
    return draw_machine(machine, shown.colours, overlay)


def _turn(model: Model, shown: Shown) -> str:
    turn = read(model)
    overlay = NONE
    if shown.now is not None:
        overlay = overlays.position(turn, shown.now)
    elif shown.counts is not None:
        overlay = overlays.counted(turn, model, shown.counts)
    elif shown.trace is not None:
        overlay = overlays.way_of(turn, read_turns(shown.trace, model))
    elif shown.against is not None:
        from fsm.views.diff import diff

        old = read(diff(shown.against, model).old)
        turn, overlay = overlays.difference(old, turn)
    if shown.view == "bar":
        return bar(turn, shown.colours, overlay)
    return picture(turn, shown.view, shown.colours, overlay, windows=windows_of(model))


# PNG, by the extra `png`: resvg, with the fonts beside this module --------------------------------


SHARP = 2.0
PIXELS = 64_000_000
"""More than this takes more than a quarter of a gigabyte while it is drawn."""
OURS = sorted(Path(__file__).with_name("fonts").glob("*.ttf"))


def ready() -> ModuleType:
    """The package that writes PNG. Raises DrawError when the extra is not installed."""
    try:
        return import_module("resvg_py")
    except ImportError:
        raise DrawError("PNG needs the extra 'png': run pip install 'turn-fsm[png]'") from None


def png(svg: str) -> bytes:
    """A picture of ours as PNG, twice as large; less for enormous pictures.

    The same bytes each time on one machine. Raises DrawError when the extra is missing.
    """
    wide, high = map(float, re.findall(r'(?:width|height)="(\d+)"', svg)[:2])
    zoom = min(SHARP, (PIXELS / (wide * high)) ** 0.5)
    ours_first = svg.replace(FONT, f"Liberation Sans,{FONT}", 1)
    files = [str(path) for path in OURS]
    try:
        return bytes(ready().svg_to_bytes(ours_first, zoom=zoom, font_files=files))
    except (ValueError, OSError, RuntimeError) as error:
        raise DrawError(f"the picture cannot be converted: {error}") from error


# notebooks ----------------------------------------------------------------------------------------


def bundle(value: object) -> Bundle:
    """The text of a Model, game or Trace, and its picture, or why it is not drawn."""
    try:
        picture = _picture(value)
    except FsmError as error:
        return {"text/plain": f"{value} (not drawn: {error})"}
    return {"text/plain": str(value), **({"image/svg+xml": picture} if picture else {})}


def _picture(value: object) -> str:
    """The turn at a glance, with what the value says of it. "" if its model is not known."""
    if isinstance(value, Model):
        return draw(value)
    if isinstance(value, TurnController):
        return draw(value)
    if isinstance(value, Trace) and value.model is not None:
        return draw(value.model, trace=value.records)
    return ""
