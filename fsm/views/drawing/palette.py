"""Colours and line styles: one theme for paper, one for the night; colour only repeats what shape
and style say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from fsm.model import Layer

ThemeName = Literal["light", "dark"]
Tone = Literal[
    "here", "open", "closed", "taken", "faded", "few", "some", "most", "counted", "never"
]
THEMES: tuple[ThemeName, ...] = ("light", "dark")
FONT = "Helvetica,Arial,sans-serif"


@dataclass(frozen=True, slots=True)
class Hue:
    """The colours of one kind of phase: its fill, its border and its title."""

    tint: str
    border: str
    title: str


@dataclass(frozen=True, slots=True)
class Pen:
    """How an overlay paints: fill, stroke and text, each "" for what it is anyway; is the border
    dashed?
    """

    fill: str = ""
    stroke: str = ""
    text: str = ""
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Theme:
    """All colours of one theme. `hues` are taken in turn, one per kind of phase.

    Only overlays have the last three: the border of where a game can go, and the fills of what was
    taken seldom.
    """

    name: ThemeName
    paper: str
    surface: str
    ink: str
    muted: str
    rule_line: str
    layers: dict[Layer, str]
    hues: tuple[Hue, ...]
    open: str
    some: str
    few: str

    @property
    def pens(self) -> dict[Tone, Pen]:
        """How overlays paint."""
        most, jump = self.hues[0].border, self.layers["jump"]
        return {
            "here": Pen("#FFD33D", self.ink, "#1B1F24"),
            "open": Pen(stroke=self.open),
            "closed": Pen(stroke=self.open, dashed=True),
            "taken": Pen(),
            "faded": Pen(stroke=self.rule_line),
            "few": Pen(self.few, most, self.ink),
            "some": Pen(self.some, most, self.ink),
            "most": Pen(most, most, self.paper),
            "counted": Pen(stroke=most),
            "never": Pen(self.paper, jump, jump, dashed=True),
        }

    def hue(self, number: int) -> Hue:
        """The colours of a kind of phase."""
        return self.hues[number % len(self.hues)]


@dataclass(frozen=True, slots=True)
class Stroke:
    """How a layer's line is drawn: pen width, Graphviz style, head, whether it is double, and the
    ends of dashes.
    """

    width: float
    style: str
    head: str
    double: bool = False
    dashes: str = ""
    cap: str = ""


STROKES: dict[Layer, Stroke] = {
    "core": Stroke(1.6, "solid", "normal"),
    "skip": Stroke(1.5, "dashed", "empty", dashes="5,2"),
    "extra": Stroke(1.3, "solid", "normal", double=True),
    "jump": Stroke(2.2, "dotted", "normal", dashes="0.1,5.4", cap="round"),
}

LIGHT = Theme(
    "light",
    "#FFFFFF",
    "#FFFFFF",
    "#1B1F24",
    "#57606A",
    "#D0D7DE",
    {"core": "#1B1F24", "skip": "#0B6A94", "extra": "#8A5A00", "jump": "#B3261E"},
    (
        Hue("#EAF2FB", "#2F6DB3", "#1F4E86"),
        Hue("#E8F5EC", "#2E8253", "#1C603B"),
        Hue("#FDEFE8", "#C4501B", "#93370D"),
        Hue("#F3EEFB", "#7A52B3", "#573490"),
    ),
    open="#0969DA",
    some="#8FBCE6",
    few="#CFE3F7",
)
DARK = Theme(
    "dark",
    "#0D1117",
    "#161B22",
    "#E6EDF3",
    "#9DA7B3",
    "#3D444D",
    {"core": "#C9D1D9", "skip": "#58C4E8", "extra": "#E3B341", "jump": "#FF8A80"},
    (
        Hue("#0F2238", "#5B9BE0", "#A5CDFA"),
        Hue("#0F271B", "#4DB37E", "#8FDDB1"),
        Hue("#301A10", "#E8814D", "#FFB899"),
        Hue("#221A37", "#A583E0", "#D0BAFA"),
    ),
    open="#79B8FF",
    some="#1F5A99",
    few="#123456",
)


def theme(name: ThemeName) -> Theme:
    """The theme of that name."""
    return DARK if name == "dark" else LIGHT
