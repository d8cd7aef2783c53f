"""Pictures inside pages: without title and colours of their own, their parts named for scripts."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from importlib.resources import files
from xml.etree import ElementTree as ET

from fsm.views.svg import COLOURS
from fsm.wording import plain

_SVG = "{http://www.w3.org/2000/svg}"
_OF_PAGES = {"rule": "rule-line"} | {f"edge{n}": f"border{n}" for n in range(4)}
"""What pages call some colours."""


@dataclass(slots=True)
class Embedded:
    """A picture as an element of a page.

    Attributes
    ----------
    svg
        The element. The attribute `data-part` has the names of its parts.
    cards, boxes
        The ids of the steps and phases that parts stand for.
    ways
        The numbers of the ways of the reading that parts stand for.
    lines
        The transitions that parts of other machines stand for.
    areas
        Where boxes are: left, top, width and height.
    """

    svg: str
    cards: dict[str, str] = field(default_factory=dict)
    boxes: dict[str, str] = field(default_factory=dict)
    ways: dict[str, int] = field(default_factory=dict)
    lines: dict[str, list[str]] = field(default_factory=dict)
    areas: dict[str, list[float]] = field(default_factory=dict)


def embed(svg: str, attributes: Mapping[str, str], *, pressable: bool = False) -> Embedded:
    """Return a picture for a page. `attributes` are added to the element.

    If it is pressable, its states can be pressed with keys, too.
    """
    root = ET.fromstring(svg)
    for name in ("title", "desc", "style"):
        for child in root.findall(f"{_SVG}{name}"):
            root.remove(child)
    if root[0].get("class") == "f-paper":
        root.remove(root[0])
    found = Embedded("")
    for group in root.iter(f"{_SVG}g"):
        for tip in group.findall(f"{_SVG}title"):
            group.remove(tip)
        _name(found, group)
        if pressable and group.get("data-part", "") in found.cards:
            words = [text.text for text in group.iter(f"{_SVG}text") if text.text]
            group.attrib |= {"role": "button", "tabindex": "0", "aria-pressed": "false"}
            group.set("aria-label", plain(", ".join(words)))
    root.attrib.pop("role", None)
    root.attrib |= attributes
    ET.register_namespace("", _SVG[1:-1])
    text = ET.tostring(root, encoding="unicode")
    found.svg = text.replace(f' xmlns="{_SVG[1:-1]}"', "", 1)
    return found


def _name(found: Embedded, group: ET.Element) -> None:
    """Name a part, and note what it stands for."""
    kind = group.get("class")
    id, way, via = (group.attrib.pop(f"data-{name}", "") for name in ("id", "way", "via"))
    if kind == "step" and id:
        part = f"n{len(found.cards)}"
        found.cards[part] = id
    elif kind == "phase" and id:
        part = f"b{len(found.boxes)}"
        found.boxes[part] = id
        found.areas[part] = [*_area(group)]
    elif kind == "way" and way:
        part = f"e{len(found.ways)}"
        found.ways[part] = int(way)
    elif kind == "way" and via:
        part = f"e{len(found.lines)}"
        found.lines[part] = via.split("; ")
    else:
        return
    group.set("data-part", part)


def _area(group: ET.Element) -> Iterator[float]:
    rect = group.find(f"{_SVG}rect")
    for name in ("x", "y", "width", "height"):
        yield float(rect.get(name, "0")) if rect is not None else 0.0


def page_colours() -> str:
    """Return the style sheet of embedded pictures.

    The colours are variables of the page: its own choice has precedence over the reader's screen.
    """
    light = dark = classes = ""
    for name, pair in COLOURS.items():
        variable = _variable(name)
        light += f"--{variable}:{pair[0]};"
        dark += f"--{variable}:{pair[1]};"
        classes += f".f-{name}{{fill:var(--{variable})}}.s-{name}{{stroke:var(--{variable})}}"
    night = f"{{color-scheme:dark;{dark}}}"
    return (
        f":root{{color-scheme:light;{light}}}\n"
        f"@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){night}}}\n"
        f"@media screen{{:root[data-theme=dark]{night}}}\n"
        f"{classes}\n"
    )


def _variable(name: str) -> str:
    return _OF_PAGES.get(name, name)


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
