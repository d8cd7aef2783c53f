"""Any view as a Mermaid flowchart: Mermaid places it, so it has our words, shapes and lines, but
not our layout.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from fsm.model import Model
from fsm.views.drawing.combining import Sign
from fsm.views.drawing.diagram import Box, Line, Node, NodeKind
from fsm.views.drawing.marking import OUTLINES
from fsm.views.drawing.marking import WORDS as DIFFERS
from fsm.views.drawing.mermaidtext import labelled, titled
from fsm.views.drawing.options import DrawOptions
from fsm.views.drawing.palette import FONT, STROKES, Pen, Theme
from fsm.views.drawing.palette import theme as theme_of
from fsm.views.drawing.textview import TextView, naming, text_view

SHAPES: dict[NodeKind, tuple[str, str]] = {
    "card": ("(", ")"),
    "hub": ("[[", "]]"),
    "action": ("[", "]"),
    "stage": ("[", "]"),
    "window": ("([", "])"),
    "choice": ("{", "}"),
    "lookup": ("{{", "}}"),
    "start": ("((", "))"),
    "final": ("(((", ")))"),
    "word": ("[", "]"),
}
PLAIN: dict[NodeKind, NodeKind] = {"lookup": "choice"}
ARROWS = {"core": "-->", "skip": "-.->", "extra": "==>", "jump": "-.->"}
DASHES = {"skip": "6 3", "jump": "2 4"}
DASHED = ",stroke-dasharray:5 3"


def mermaid(model: Model, options: DrawOptions) -> str:
    """The view as Mermaid text. Raises DrawError when the model has no such view."""
    return "\n".join(_Writer(text_view(model, options), theme_of(options.theme)).lines()) + "\n"


class _Writer:
    def __init__(self, view: TextView, theme: Theme) -> None:
        self.view = view
        self.diagram = view.diagram
        self.theme = theme
        self.names = naming(view.diagram)
        self.classes: dict[str, list[str]] = {}

    def lines(self) -> Iterator[str]:
        yield from ("---", f"title: {json.dumps(titled(self.diagram.title), ensure_ascii=False)}")
        yield from (f"config: {json.dumps(self._config())}", "---", "flowchart TB")
        yield from self._boxes("", "  ")
        boxed = {box.id for box in self.diagram.boxes}
        for node in self.diagram.nodes:
            if node.box not in boxed:
                yield self._node(node, "  ")
        if self.diagram.caption:
            yield f"  caption[{labelled(['', *self.diagram.caption])}]"
            self.classes.setdefault("caption", []).append("caption")
        for line in self.diagram.lines:
            yield self._line(line)
        yield from self._styles()

    def _config(self) -> dict[str, object]:
        theme = self.theme
        colours = {
            "background": theme.paper,
            "primaryColor": theme.surface,
            "primaryTextColor": theme.ink,
            "titleColor": theme.ink,
            "textColor": theme.ink,
            "lineColor": theme.layers["core"],
            "edgeLabelBackground": theme.paper,
            "fontSize": "13px",
        }
        flowchart = {
            "nodeSpacing": 34,
            "rankSpacing": 34,
            "subGraphTitleMargin": {"top": 4, "bottom": 10},
        }
        themed = {"theme": "base", "themeVariables": {"darkMode": theme.name == "dark", **colours}}
        return {**themed, "fontFamily": FONT, "flowchart": flowchart}

    def _boxes(self, around: str, indent: str) -> Iterator[str]:
        for box in self.diagram.boxes:
            if box.inside == around:
                yield from self._box(box, indent)

    def _box(self, box: Box, indent: str) -> Iterator[str]:
        name = self.names[box.id]
        self._class(name, box, f"phase{box.hue % len(self.theme.hues)}")
        title = labelled([self.view.before(box) + box.title], box.rule, " ")
        yield f"{indent}subgraph {name}[{title}]"
        for node in self.diagram.nodes:
            if node.box == box.id:
                yield self._node(node, indent + "  ")
        yield from self._boxes(box.id, indent + "  ")
        if box.notes:
            note = f"{name}_notes"
            self.classes.setdefault("note", []).append(note)
            yield f"{indent}  {note}[{labelled(['', *(n.words for n in box.notes)])}]"
        yield f"{indent}end"

    def _node(self, node: Node, indent: str) -> str:
        name, (left, right) = (
            self.names[node.id],
            SHAPES[node.kind if node.title else PLAIN.get(node.kind, node.kind)],
        )
        self._class(name, node, *self._kinds(node))
        label = labelled(self.view.node_lines(node), self.view.rule_of(node))
        return f"{indent}{name}{left}{label}{right}"

    def _kinds(self, node: Node) -> Iterator[str]:
        plain = node.kind in ("choice", "lookup", "hub", "word")
        full = node.kind in ("start", "final") and not (node.title or node.lines)
        yield (
            "disc"
            if full
            else node.kind
            if plain or node.hue is None
            else f"hue{node.hue % len(self.theme.hues)}"
        )
        if node.kind == "window":
            yield node.mark or "natural"

    def _class(self, name: str, part: Node | Box, *kinds: str) -> None:
        """What a part is painted as; what an overlay says of it comes last and wins."""
        signs = [DIFFERS[self.view.signs[part.id]]] if part.id in self.view.signs else []
        tones = [self.view.tones[part.id]] if part.id in self.view.tones else []
        for kind in (*kinds, *signs, *tones):
            self.classes.setdefault(kind, []).append(name)

    def _line(self, line: Line) -> str:
        words = self.view.line_lines(line)
        label = labelled(words, line.rule)
        arrow = ARROWS[line.layer] + (f"|{label}|" if any(words) or line.rule else "")
        return f"  {self.names[line.source]} {arrow} {self.names[line.target]}"

    # paint ----------------------------------------------------------------------------------------

    def _styles(self) -> Iterator[str]:
        for kind, paint in self._paints().items():
            if kind in self.classes:
                yield f"  classDef {kind} {paint}"
                yield f"  class {','.join(self.classes[kind])} {kind}"
        for style, numbers in self._links().items():
            yield f"  linkStyle {','.join(map(str, numbers))} {style}"

    def _paints(self) -> dict[str, str]:
        """The classes there are; of two on one node the later wins, so those of overlays come last."""
        theme = self.theme
        found = {
            f"phase{i}": _css(hue.tint, hue.border, hue.title, 1.4)
            for i, hue in enumerate(theme.hues)
        }
        found |= {
            f"hue{i}": _css(theme.surface, hue.border, theme.ink, 1.3)
            for i, hue in enumerate(theme.hues)
        }
        plain = _css(theme.surface, theme.ink, theme.ink, 1.3)
        found |= dict.fromkeys(
            ("card", "action", "stage", "window", "choice", "start", "final"), plain
        )
        found |= {
            kind: _css(theme.surface, theme.layers["extra"], theme.ink, 1.5)
            for kind in ("lookup", "hub")
        }
        found |= {kind: _css("none", "none", theme.muted, 0) for kind in ("caption", "note")}
        found |= {
            "word": _css("none", "none", theme.layers["jump"], 0),
            "disc": _css(*(theme.ink,) * 3, 1.3),
        }
        found |= {
            "natural": "stroke-width:2.4px",
            "conditional": "stroke-width:1.8px,stroke-dasharray:5 3",
        }
        found |= {DIFFERS[sign]: self._differs(sign) for sign in OUTLINES}
        return {**found, **{tone: self._pen(pen) for tone, pen in theme.pens.items()}}

    def _differs(self, sign: Sign) -> str:
        dashes = {"+": "", "-": ",stroke-dasharray:9 5", "~": ",stroke-dasharray:2 3"}
        return f"stroke:{OUTLINES[sign].colour(self.theme)},stroke-width:3px{dashes[sign]}"

    def _pen(self, pen: Pen) -> str:
        said = {"fill": pen.fill, "stroke": pen.stroke, "color": pen.text, "stroke-width": "3.2px"}
        return ",".join(f"{name}:{value}" for name, value in said.items() if value) + (
            DASHED if pen.dashed else ""
        )

    def _links(self) -> dict[str, list[int]]:
        """The lines that look alike, by their numbers: Mermaid counts them as they come."""
        found: dict[str, list[int]] = {}
        for number, line in enumerate(self.diagram.lines):
            found.setdefault(self._link(line), []).append(number)
        return found

    def _link(self, line: Line) -> str:
        colour, width = (
            self.theme.layers[line.layer],
            STROKES[line.layer].width + (1.7 if line.layer == "extra" else 0),
        )
        dashes, text = (
            DASHES.get(line.layer, ""),
            colour if line.layer != "core" else self.theme.ink,
        )
        sign, tone = self.view.signs.get(line.id), self.view.tones.get(line.id)
        if sign is not None:
            colour, width = OUTLINES[sign].colour(self.theme), 3.0
        elif tone is not None:
            pen = self.theme.pens[tone]
            colour, width = pen.stroke or colour, width if tone == "faded" else 3.2
            text, dashes = (
                self.theme.muted if tone == "faded" else text,
                "5 3" if pen.dashed else dashes,
            )
        dashed = f",stroke-dasharray:{dashes}" if dashes else ""
        return f"stroke:{colour},stroke-width:{width:g}px,color:{text}{dashed}"


def _css(fill: str, stroke: str, text: str, width: float) -> str:
    return f"fill:{fill},stroke:{stroke},color:{text},stroke-width:{width:g}px"
