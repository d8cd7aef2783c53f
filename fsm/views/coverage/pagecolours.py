"""Merges the pictures for light and dark paper into one. Colours that differ become variables of
the page.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from xml.etree import ElementTree as ET

from fsm.views.drawing.palette import DARK, LIGHT, Theme

_COLOURED = ("fill", "stroke")
_NUMBER = re.compile(r"-?\d+\.\d{2,}")


class PageColours:
    """The colours of a page, as pairs of a colour on light paper and a colour on dark paper."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, str], str] = {}

    def both(self, light: ET.Element, dark: ET.Element, named: Mapping[str, str]) -> str:
        """Merge two pictures that differ only in their colours into one for a page, without
        tooltips.

        `named` are the attributes that say what the picture is.
        """
        for a, b in zip(light.iter(), dark.iter(), strict=True):
            self._merge(a, b)
        for holder in list(light.iter()):
            for tip in holder.findall("title"):
                holder.remove(tip)
        light.attrib.update(named)
        text = ET.tostring(light, encoding="unicode")
        return re.sub(r' xmlns(:\w+)?="[^"]*"', "", text)

    def _merge(self, part: ET.Element, other: ET.Element) -> None:
        part.attrib.pop("id", None)
        for name in _COLOURED:
            pair = part.get(name, ""), other.get(name, "")
            if pair[0] != pair[1]:
                part.set(name, f"var(--{self._names.setdefault(pair, f'c{len(self._names)}')})")
        for name in ("d", "points"):
            if part.get(name):
                part.set(name, _NUMBER.sub(lambda n: f"{float(n[0]):.1f}", part.get(name, "")))

    def style(self) -> str:
        """Return the style sheet that sets the variables for light and dark screens, and for print."""
        light, dark = (
            ";".join([*_own(t), *(f"--{n}:{p[i]}" for p, n in self._names.items())])
            for i, t in _THEMES
        )
        night = f"{{color-scheme:dark;{dark}}}"
        return (
            f":root{{color-scheme:light;{light}}}\n"
            f"@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){night}}}\n"
            f"@media screen{{:root[data-theme=dark]{night}}}\n"
        )


_THEMES = ((0, LIGHT), (1, DARK))
_MORE = {"light": ("#F6F8FA", "#818B98"), "dark": ("#12171E", "#6E7681")}
"""Quiet fills, and the borders of controls."""


def _own(theme: Theme) -> list[str]:
    soft, control = _MORE[theme.name]
    named = {
        "paper": theme.paper,
        "surface": theme.surface,
        "soft": soft,
        "ink": theme.ink,
        "muted": theme.muted,
        "rule": theme.rule_line,
        "control": control,
        "go": theme.open,
        "never": theme.layers["jump"],
        "extra": theme.layers["extra"],
    }
    for tone in ("few", "some", "most"):
        named |= {tone: theme.pens[tone].fill, f"on-{tone}": theme.pens[tone].text}
    return [f"--{name}:{colour}" for name, colour in named.items()]
