"""Colours and line styles: one theme for paper, one for the night; colour only repeats what shape and style say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from fsm.model import Layer

ThemeName = Literal["light", "dark"]
Tone = Literal["here", "open", "closed", "taken", "faded", "few", "some", "most", "counted", "never"]
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
    """How an overlay paints: fill, stroke and text, each "" for what it is anyway; is the border dashed?"""

    fill: str = ""
    stroke: str = ""
    text: str = ""
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Theme:
    """All colours of one theme. `hues` are taken in turn, one per kind of phase; `pens` are those of overlays."""

    name: ThemeName
    paper: str
    surface: str
    ink: str
    muted: str
    rule_line: str
    layers: dict[Layer, str]
    hues: tuple[Hue, ...]
    pens: Mapping[Tone, Pen]


@dataclass(frozen=True, slots=True)
class Stroke:
    """How a layer's line is drawn: pen width, Graphviz style, heads, and whether it is double."""

    width: float
    style: str
    head: str
    tail: str = ""
    double: bool = False
    dashes: str = ""


STROKES: dict[Layer, Stroke] = {
    "core": Stroke(1.6, "solid", "normal"),
    "skip": Stroke(1.5, "dashed", "empty", dashes="5,2"),
    "extra": Stroke(1.3, "solid", "normal", double=True),
    "jump": Stroke(2.2, "dotted", "normal", tail="odot", dashes="1,5"),
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
    {
        "here": Pen("#FFD33D", "#1B1F24", "#1B1F24"),
        "open": Pen(stroke="#0969DA"),
        "closed": Pen(stroke="#0969DA", dashed=True),
        "taken": Pen(),
        "faded": Pen(stroke="#D0D7DE"),
        "few": Pen("#CFE3F7", "#2F6DB3", "#1B1F24"),
        "some": Pen("#8FBCE6", "#2F6DB3", "#1B1F24"),
        "most": Pen("#2F6DB3", "#2F6DB3", "#FFFFFF"),
        "counted": Pen(stroke="#2F6DB3"),
        "never": Pen("#FFFFFF", "#B3261E", "#B3261E", dashed=True),
    },
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
    {
        "here": Pen("#FFD33D", "#E6EDF3", "#1B1F24"),
        "open": Pen(stroke="#79B8FF"),
        "closed": Pen(stroke="#79B8FF", dashed=True),
        "taken": Pen(),
        "faded": Pen(stroke="#3D444D"),
        "few": Pen("#123456", "#5B9BE0", "#E6EDF3"),
        "some": Pen("#1F5A99", "#5B9BE0", "#E6EDF3"),
        "most": Pen("#5B9BE0", "#5B9BE0", "#0D1117"),
        "counted": Pen(stroke="#5B9BE0"),
        "never": Pen("#0D1117", "#FF8A80", "#FF8A80", dashed=True),
    },
)


def theme(name: ThemeName) -> Theme:
    """The theme of that name."""
    return DARK if name == "dark" else LIGHT
