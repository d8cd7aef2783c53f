"""The static parts of the explorer page: the scripts, the style and the template, from the files of
this package.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

MACHINE = (
    *("model", "agenda", "calendar", "primitives", "scheduling", "asking", "machine", "restore"),
)
"""The files of the interpreter, in their order on the page."""

PAGE = (
    *(
        "words",
        "elements",
        "dom",
        "icons",
        "session",
        "moves",
        "ways",
        "finding",
        "path",
        "loading",
    ),
    *("effects", "mapview", "map", "panels", "card", "tour", "taking", "live", "games", "app"),
)
"""The scripts of the page itself, in their order; the last one starts it."""


@cache
def part(path: str) -> str:
    """The text of one file of this package."""
    return files("fsm.views.explorer").joinpath(path).read_text(encoding="utf-8")


def page_script() -> str:
    """All scripts of the page as one, without comments and indentation."""
    lines = "\n".join(
        [machine_script(), *map(_script, (f"page/{name}.js" for name in PAGE))]
    ).splitlines()
    return "\n".join(
        line.lstrip()
        for line in lines
        if not line.lstrip().startswith(("//", "/**")) and line.strip()
    )


def _script(path: str) -> str:
    """One script; that all of them are strict is said once."""
    return part(path).replace('"use strict";\n', "", 1)


def machine_script() -> str:
    """The interpreter as one script: plain JavaScript that needs no page and runs under Node as
    well.
    """
    return '"use strict";\n' + "\n".join(_script(f"machine/{name}.js") for name in MACHINE)
