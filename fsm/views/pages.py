"""Pictures inside pages: without title and colours of their own, their parts named for scripts."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.resources import files
from xml.etree import ElementTree as ET

from fsm.views.svg import CLASSES, COLOURS, VARIABLE, sheets
from fsm.wording import plain

_NAMESPACE = ' xmlns="http://www.w3.org/2000/svg"'
_BEFORE = 4
"""What a picture has before its parts: a title, a description, its colours and its paper."""


@dataclass(slots=True)
class Embedded:
    """A picture as an element of a page.

    Attributes
    ----------
    svg
        The element. The attribute `data-part` has the names of its parts.
    cards
        The ids of the steps that parts stand for.
    boxes
        The ids of the phases that parts stand for, and where they are: left, top, width, height.
    ways
        The numbers of the ways of the reading that parts stand for.
    lines
        The transitions that parts of other machines stand for.
    """

    svg: str = ""
    cards: dict[str, str] = field(default_factory=dict)
    boxes: dict[str, tuple[str, list[float]]] = field(default_factory=dict)
    ways: dict[str, int] = field(default_factory=dict)
    lines: dict[str, list[str]] = field(default_factory=dict)


def embed(svg: str, attributes: Mapping[str, str], *, pressable: bool = False) -> Embedded:
    """Return a picture for a page. `attributes` are added to the element.

    If it is pressable, its states can be pressed with keys, too.
    """
    root = ET.fromstring(svg.replace(_NAMESPACE, "", 1))
    del root.attrib["role"], root[:_BEFORE]
    root.attrib |= attributes
    embedded = Embedded()
    for group in root.iter("g"):
        for tip in group.findall("title"):
            group.remove(tip)
        _name(embedded, group)
        if pressable and group.get("data-part", "") in embedded.cards:
            words = [text.text for text in group.iter("text") if text.text]
            group.attrib |= {"role": "button", "tabindex": "0", "aria-pressed": "false"}
            group.set("aria-label", plain(", ".join(words)))
    embedded.svg = ET.tostring(root, encoding="unicode")
    return embedded


def _name(embedded: Embedded, group: ET.Element) -> None:
    """Name a part, and note what it stands for."""
    kind = group.get("class")
    id, way, via = (group.attrib.pop(f"data-{name}", "") for name in ("id", "way", "via"))
    if kind == "step" and id:
        part = f"n{len(embedded.cards)}"
        embedded.cards[part] = id
    elif kind == "phase":
        part = f"b{len(embedded.boxes)}"
        sides = [float(group[0].get(side, "")) for side in ("x", "y", "width", "height")]
        embedded.boxes[part] = (id, sides)
    elif way:
        part = f"e{len(embedded.ways)}"
        embedded.ways[part] = int(way)
    elif via:
        part = f"e{len(embedded.lines)}"
        embedded.lines[part] = via.split("; ")
    else:
        return
    group.set("data-part", part)


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
