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


_PICTURE = frozenset({"view", "theme", "layers", "overlay", "link"})
_DIAGRAM = frozenset({"view", "theme", "layers", "overlay"})
_ATLAS = frozenset({"theme", "layers", "overlay", "link"})
_TABLE = frozenset({"view"})
_WHOLE = frozenset[str]()
_ALL = (
    Format("svg", (".svg",), "a picture", "fsm.views.drawing.pipeline:svg", _PICTURE | {"engine"}),
    Format("png", (".png",), "a picture", "fsm.views.drawing.pipeline:png", _PICTURE - {"link"}),
    Format("dot", (".dot", ".gv"), "Graphviz", "fsm.views.drawing.pipeline:dot", _DIAGRAM),
    Format(
        "mermaid",
        (".mmd", ".mermaid"),
        "Mermaid flowchart",
        "fsm.views.drawing.mermaid:mermaid",
        _DIAGRAM,
    ),
    Format("json", (".json",), "the model itself", "fsm.views.drawing.pipeline:model_json", _WHOLE),
    Format(
        "atlas", (".atlas.html",), "every view on one page", "fsm.views.drawing.atlas:atlas", _ATLAS
    ),
    Format("md", (".md",), "the turn as a table, Markdown", "fsm.views.tables.formats:md", _TABLE),
    Format(
        "html",
        (".html", ".htm"),
        "the turn as a table, HTML",
        "fsm.views.tables.formats:html",
        _TABLE | {"theme"},
    ),
    Format("txt", (".txt",), "the turn as a table, text", "fsm.views.tables.formats:txt", _TABLE),
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
    fitting = [
        (ending, one) for one in _ALL for ending in one.endings if path.lower().endswith(ending)
    ]
    return max(fitting, key=lambda pair: len(pair[0]), default=(None, None))[1]
