"""Pictures inside pages: without title and colours of their own, their parts named for scripts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

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
