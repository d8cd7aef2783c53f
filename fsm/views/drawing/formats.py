"""The formats of a picture: each is one function of a model and what is asked, found here by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from fsm.errors import DrawError
from fsm.model import Model
from fsm.views.drawing.options import DrawOptions

Write = Callable[[Model, DrawOptions], "str | bytes"]


@dataclass(frozen=True, slots=True)
class Format:
    """One format: its name, the file endings that stand for it, what it is, and where its function
    is.

    `takes` are what it can show of what is asked; anything else asked for is refused, not left out
    in silence.
    """

    name: str
    endings: tuple[str, ...]
    doc: str
    home: str
    takes: frozenset[str]

    def check(self) -> None:
        """Raise DrawError when the extra that writes this format is not installed."""
        if self.name == "png":
            from fsm.views.drawing import raster

            raster.ready()

    def write(self, model: Model, options: DrawOptions) -> str | bytes:
        """The model in this format. Raises DrawError."""
        module, _, function = self.home.partition(":")
        writer: Write = getattr(import_module(module), function)
        return writer(model, options)


_DIAGRAM = frozenset({"view", "theme", "overlay"})
_PICTURE = _DIAGRAM | {"link"}
_TABLE = frozenset({"view"})
_DRAWING = "fsm.views.drawing."
_TABLES = "fsm.views.tables.formats:"
_ALL = (
    Format("svg", (".svg",), "a picture", _DRAWING + "pipeline:svg", _PICTURE),
    Format("png", (".png",), "a picture", _DRAWING + "pipeline:png", _DIAGRAM),
    Format("dot", (".dot", ".gv"), "Graphviz", _DRAWING + "pipeline:dot", frozenset()),
    Format(
        "mermaid",
        (".mmd", ".mermaid"),
        "Mermaid state diagram",
        _DRAWING + "pipeline:mermaid",
        frozenset(),
    ),
    Format("json", (".json",), "the model itself", _DRAWING + "pipeline:model_json", frozenset()),
    Format("md", (".md",), "the turn as a table, Markdown", _TABLES + "md", _TABLE),
    Format(
        "html",
        (".html", ".htm"),
        "the turn as a table, HTML",
        _TABLES + "html",
        _TABLE | {"theme"},
    ),
    Format("txt", (".txt",), "the turn as a table, text", _TABLES + "txt", _TABLE),
)
FORMATS = {one.name: one for one in _ALL}


def format_named(name: str) -> Format:
    """The format of this name. Raises DrawError when there is none."""
    if name not in FORMATS:
        raise DrawError(
            f"format {name!r} is unknown",
            kind="unknown-format",
            found=name,
            known=FORMATS,
            limit=20,
        )
    return FORMATS[name]


def format_of(path: str) -> Format | None:
    """The format that a file's ending stands for; None when it stands for none."""
    return next((form for form in _ALL if path.lower().endswith(form.endings)), None)
