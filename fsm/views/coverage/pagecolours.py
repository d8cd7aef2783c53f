"""Merges the pictures for light and dark paper into one. Colours that differ become variables of the page."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
_COLOURED = ("fill", "stroke")
_NUMBER = re.compile(r"-?\d+\.\d{2,}")


class PageColours:
    """The colours of a page, as pairs of a colour on light paper and a colour on dark paper."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, str], str] = {}

    def both(self, light: str, dark: str, alt: str, *, tips: bool = True) -> str:
        """Merge two pictures that differ only in their colours into one for a page, with or without tooltips."""
        root, other = ET.fromstring(light), ET.fromstring(dark)
        for a, b in zip(root.iter(), other.iter(), strict=True):
            self._merge(a, b)
        for holder in () if tips else list(root.iter()):
            for tip in holder.findall("title"):
                holder.remove(tip)
        root.attrib.update({"role": "img", "aria-label": alt})
        text = ET.tostring(root, encoding="unicode")
        return re.sub(r' xmlns(:\w+)?="[^"]*"', "", text)

    def _merge(self, part: ET.Element, other: ET.Element) -> None:
        part.tag = part.tag.removeprefix(SVG)
        part.attrib.pop("id", None)
        for name in _COLOURED:
            pair = part.get(name, ""), other.get(name, "")
            if pair[0] != pair[1]:
                part.set(name, f"var(--{self._names.setdefault(pair, f'c{len(self._names)}')})")
        for name in ("d", "points"):
            if part.get(name):
                part.set(name, _NUMBER.sub(lambda n: f"{float(n[0]):.1f}", part.get(name, "")))

    def style(self) -> str:
        """Return the style sheet that sets the variables for light and dark screens."""
        light, dark = (";".join(f"--{n}:{pair[i]}" for pair, n in self._names.items()) for i in (0, 1))
        return f":root{{color-scheme:light dark;{light}}}\n@media (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
