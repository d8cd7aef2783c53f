"""Any view as a PlantUML state diagram: PlantUML places it, so it has our words and lines, but not
our layout.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from fsm.model import Layer, Model
from fsm.views.drawing.diagram import Box, Line, Node
from fsm.views.drawing.marking import OUTLINES
from fsm.views.drawing.marking import WORDS as DIFFERS
from fsm.views.drawing.options import DrawOptions
from fsm.views.drawing.palette import Theme
from fsm.views.drawing.palette import theme as theme_of
from fsm.views.drawing.texts import MARKS, said_in
from fsm.views.drawing.textview import TextView, naming, text_view

ARROWS: Mapping[Layer, str] = {"core": "", "skip": "dashed", "extra": "bold", "jump": "dotted"}
WIDTHS: Mapping[Layer, int] = {"core": 1, "skip": 1, "extra": 3, "jump": 2}
_PAIRS = re.compile(
    r"(?<=_)(?=_)|(?<=\[)(?=\[)|(?<=\])(?=\])|(?<=~)(?=~)|(?<=\*)(?=\*)|(?<=/)(?=/)|(?<=-)(?=-)"
)
_SAFE = frozenset(" ,.?!()[]'")
_QUOTES = frozenset(
    "\N{LEFT DOUBLE QUOTATION MARK}\N{RIGHT DOUBLE QUOTATION MARK}"
)  # end a text as plain ones do


def plantuml(model: Model, options: DrawOptions) -> str:
    """The view as PlantUML text. Raises DrawError when the model has no such view."""
    return "\n".join(_Writer(text_view(model, options), theme_of(options.theme)).lines()) + "\n"


def escaped(text: str) -> str:
    """A text in which no markup, link, macro or comment is ever obeyed: what is neither letter nor
    digit is a code.

    Codes become signs before pairs of some are obeyed, so such pairs are kept apart.
    """
    text = _PAIRS.sub("\N{WORD JOINER}", text)
    return "".join(c if _safe(c) else f"<U+{ord(c):04X}>" for c in text)


def _safe(sign: str) -> bool:
    return sign.isalnum() or sign in _SAFE or (ord(sign) > 126 and sign not in _QUOTES)


@dataclass(frozen=True, slots=True)
class _Look:
    """How a state is painted; `style` is that of its border, "" for a plain one."""

    name: str
    fill: str
    border: str
    text: str
    style: str = ""


class _Writer:
    def __init__(self, view: TextView, theme: Theme) -> None:
        self.view = view
        self.diagram = view.diagram
        self.theme = theme
        self.looks: dict[str, _Look] = {}
        self.names = naming(view.diagram)
        targets = {line.target for line in self.diagram.lines}
        for node in self.diagram.nodes:
            if node.kind == "start" and not node.title and node.id not in targets:
                self.names[node.id] = "[*]"

    def lines(self) -> Iterator[str]:
        states = [*self._boxes("", ""), *self._loose()]
        yield from ("@startuml", f"title {escaped(self.diagram.title)}")
        yield from ("hide empty description", "hide stereotype", *self._skin(), *states)
        for line in self.diagram.lines:
            yield self._line(line)
        if self.diagram.caption:
            yield from ("legend left", *map(escaped, self.diagram.caption), "endlegend")
        yield "@enduml"

    def _loose(self) -> Iterator[str]:
        boxed = {box.id for box in self.diagram.boxes}
        for node in self.diagram.nodes:
            if node.box not in boxed and self.names[node.id] != "[*]":
                yield self._node(node, "")

    def _skin(self) -> Iterator[str]:
        theme = self.theme
        yield from ("skinparam shadowing false", f"skinparam backgroundColor {theme.paper}")
        yield from (
            f"skinparam defaultFontColor {theme.ink}",
            f"skinparam titleFontColor {theme.ink}",
        )
        yield from (
            f"skinparam legendBackgroundColor {theme.paper}",
            f"skinparam legendBorderColor {theme.rule_line}",
        )
        yield from (f"skinparam legendFontColor {theme.muted}", "skinparam state {")
        yield from (
            f"  StartColor {theme.ink}",
            f"  EndColor {theme.ink}",
            "  FontSize 12",
            "  ArrowFontSize 11",
        )
        yield from (f"  ArrowColor {theme.layers['core']}", f"  ArrowFontColor {theme.ink}")
        for look in (_Look("choice", theme.surface, theme.ink, theme.ink), *self.looks.values()):
            for what, colour in (
                ("Background", look.fill),
                ("Border", look.border),
                ("Font", look.text),
            ):
                yield f"  {what}Color<<{look.name}>> {colour}"
        yield "}"

    def _boxes(self, around: str, indent: str) -> Iterator[str]:
        for box in self.diagram.boxes:
            if box.inside == around:
                yield from self._box(box, indent)

    def _box(self, box: Box, indent: str) -> Iterator[str]:
        number = box.hue % len(self.theme.hues)
        hue = self.theme.hues[number]
        title = _label(
            [self.view.before(box) + box.title, *(note.words for note in box.notes)], box.rule
        )
        look = self._look(box, _Look(f"phase{number}", hue.tint, hue.border, hue.title))
        yield f'{indent}state "{title}" as {self.names[box.id]} {look} {{'
        for node in self.diagram.nodes:
            if node.box == box.id:
                yield self._node(node, indent + "  ")
        yield from self._boxes(box.id, indent + "  ")
        yield f"{indent}}}"

    def _node(self, node: Node, indent: str) -> str:
        name, told = self.names[node.id], self.view.said.get(node.id, "")
        small = node.kind == "choice" or (node.kind == "lookup" and not node.title)
        if small and node.id not in {**self.view.tones, **self.view.signs}:
            return f"{indent}state {name} <<choice>>"
        mark = (
            f"{MARKS[node.mark]} "
            if node.mark
            else "◇"
            if small
            else "◉ "
            if node.kind == "final"
            else ""
        )
        title, lines = (
            "" if small else node.title,
            [said_in(node)] if node.lines and not small else [],
        )
        lines = [self.view.before(node) + mark + title, *lines]
        label = _label(
            [*lines, *([f"({told})"] if told else [])],
            node.rule if node.kind in ("final", "start") else "",
        )
        return f'{indent}state "{label}" as {name} {self._look(node, self._plain(node))}'

    def _plain(self, node: Node) -> _Look:
        theme = self.theme
        if node.kind == "word":
            return _Look("word", theme.paper, theme.paper, theme.layers["jump"])
        if node.kind in ("lookup", "hub"):
            return _Look("extra", theme.surface, theme.layers["extra"], theme.ink)
        border = theme.ink if node.hue is None else theme.hue(node.hue).border
        name = "plain" if node.hue is None else f"hue{node.hue % len(theme.hues)}"
        style = {"conditional": "dashed"}.get(node.mark, "bold") if node.kind == "window" else ""
        return _Look(name, theme.surface, border, theme.ink, style)

    def _look(self, part: Node | Box, look: _Look) -> str:
        """The words that paint a state; what an overlay says of it wins."""
        if part.id in self.view.signs:
            sign = self.view.signs[part.id]
            look = replace(
                look, name=f"{look.name}_{DIFFERS[sign]}", border=OUTLINES[sign].colour(self.theme)
            )
            look = replace(look, style="dashed" if sign == "-" else "bold")
        if part.id in self.view.tones:
            tone = self.view.tones[part.id]
            pen, name = self.theme.pens[tone], f"{look.name}_{tone}"
            colours = pen.fill or look.fill, pen.stroke or look.border, pen.text or look.text
            look = _Look(name, *colours, "dashed" if pen.dashed else "bold")
        self.looks.setdefault(look.name, look)
        styled = f" {look.fill} ##[{look.style}]{look.border[1:]}" if look.style else ""
        return f"<<{look.name}>>{styled}"

    def _line(self, line: Line) -> str:
        told, words = self.view.said.get(line.id, ""), self.view.words_of(line)
        label = _label(
            [told, *words], line.rule, self.theme.layers[line.layer] if line.layer != "core" else ""
        )
        said = f" : {label}" if label else ""
        return f"{self.names[line.source]} -[{self._arrow(line)}]-> {self.names[line.target]}{said}"

    def _arrow(self, line: Line) -> str:
        colour, style, width = self.theme.layers[line.layer], ARROWS[line.layer], WIDTHS[line.layer]
        tone, sign = self.view.tones.get(line.id), self.view.signs.get(line.id)
        if sign is not None:
            colour, width = OUTLINES[sign].colour(self.theme), 3
        elif tone is not None:
            pen = self.theme.pens[tone]
            colour, style = pen.stroke or colour, "dashed" if pen.dashed else style
            width = width if tone == "faded" else 3
        return ",".join(part for part in (colour, style, f"thickness={width}") if part)


def _label(lines: Sequence[str], rule: str, colour: str = "") -> str:
    """The first line bold, the others as they are, the citation small; what is empty is left out."""
    first, *others = map(escaped, lines)
    said = [*([f"<b>{first}</b>"] if first else []), *filter(None, others)]
    said += [f"<size:9>{escaped(rule)}</size>"] if rule else []
    return "\\n".join(f"<color:{colour}>{part}</color>" if colour else part for part in said)
