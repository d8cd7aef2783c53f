"""What pages have in common: their colours, and templates."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files

from fsm.views.svg import CLASSES, COLOURS, VARIABLE, sheets


def page_colours() -> str:
    """Return the style sheet of embedded pictures.

    The colours are variables of the page: its own choice has precedence over the reader's screen.
    """
    light, dark = sheets(VARIABLE)
    night = f"{{color-scheme:dark;{dark}}}"
    classes = "".join(CLASSES.format(name, f"var(--{name})") for name in COLOURS)
    return (
        f":root{{color-scheme:light;{light}}}\n"
        f"@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){night}}}\n"
        f"@media screen{{:root[data-theme=dark]{night}}}\n"
        f"{classes}\n"
    )


# templates ----------------------------------------------------------------------------------------


def digest(part: str) -> str:
    """Return what a content security policy calls a script or style of the page."""
    return f"'sha256-{b64encode(sha256(part.encode()).digest()).decode()}'"


def rendered(name: str, **values: object) -> str:
    """Return the page that the template `pages/NAME.html` makes of values. Texts are escaped."""
    import jinja2

    environment = jinja2.Environment(
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
    )
    return environment.from_string(page_part(f"{name}.html")).render(values)


def page_part(name: str) -> str:
    """Return a file of `pages`."""
    return files("fsm.views").joinpath("pages", name).read_text(encoding="utf-8")
