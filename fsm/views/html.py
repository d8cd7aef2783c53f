"""HTML for all pages. Texts and values of attributes are escaped here, and nowhere else."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from html import escape
from importlib.resources import files


class Html(str):
    """Text that is HTML already. Any other text is escaped when it becomes part of an element."""

    __slots__ = ()


def text(said: str) -> Html:
    """Return a text as HTML. What is HTML already stays as it is."""
    return said if isinstance(said, Html) else Html(escape(said))


def joined(parts: Iterable[str], between: str = "") -> Html:
    """Join texts and elements."""
    return Html(between.join(map(text, parts)))


def element(tag: str, /, *content: str, **attributes: str | int | bool) -> Html:
    """Return an element with its content.

    An attribute that is True has no value, and one that is False is left out. Underscores in names
    become hyphens; `class_` is the attribute "class".
    """
    named = {name.rstrip("_").replace("_", "-"): value for name, value in attributes.items()}
    said = "".join(
        f" {name}" if value is True else f' {name}="{escape(str(value))}"'
        for name, value in named.items()
        if value is not False
    )
    return Html(f"<{tag}{said}>{joined(content)}</{tag}>")


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
        undefined=jinja2.StrictUndefined,
    )
    return environment.from_string(page_part(f"{name}.html")).render(values)


def page_part(name: str) -> str:
    """Return a file of `pages`."""
    return files("fsm.views").joinpath("pages", name).read_text(encoding="utf-8")
