"""Pages from templates."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files


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
