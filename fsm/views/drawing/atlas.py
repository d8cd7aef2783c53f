"""The atlas: every view of a model on one page, each linked to those it leads to. One file, no
scripts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from xml.etree import ElementTree as ET

from fsm.model import Model, State
from fsm.views.drawing import views_of
from fsm.views.drawing.options import DrawOptions
from fsm.views.drawing.palette import theme
from fsm.views.drawing.pipeline import tree
from fsm.views.drawing.placed import Placed
from fsm.views.drawing.svg import markup
from fsm.views.drawing.views import place
from fsm.views.html import element, text
from fsm.wording import plain

STYLE = """
body{{margin:0 auto;max-width:60rem;padding:1rem;background:{paper};color:{ink}}}
body{{font:1rem/1.5 Helvetica,Arial,sans-serif}}
nav ul{{columns:3 14rem;padding-left:1.2rem}}
section{{border-top:1px solid {rule};padding:1rem 0}}
section svg{{max-width:100%;height:auto}}
a{{color:inherit}}
svg a:hover :is(path,rect),svg a:focus :is(path,rect){{stroke-width:3}}
.up{{font-size:.85em}}
@media print{{nav,.up{{display:none}}section{{break-inside:avoid}}}}
"""


def atlas(model: Model, options: DrawOptions) -> str:
    """The page as HTML. Raises DrawError."""
    colours = theme(options.theme)
    style = STYLE.format(paper=colours.paper, ink=colours.ink, rule=colours.rule_line)
    title = text(plain(model.title) or plain(model.name))
    views = {view: place(model, view, options.layers) for view in views_of(model)}
    parts = [
        part
        for view, placed in views.items()
        for part in _section(model, view, placed, views, options)
    ]
    return "\n".join(
        [
            "<!doctype html>",
            f'<html lang="en"><head><meta charset="utf-8"><title>{title}</title>',
            f'<meta name="viewport" content="width=device-width"><style>{style}</style></head><body><main>',
            element("h1", title),
            *_contents(views),
            *parts,
            "</main></body></html>\n",
        ]
    )


def anchor(view: str) -> str:
    """The id of a view's section."""
    return "".join(c if c.isalnum() or c in "_-" else f".{ord(c):x}." for c in view)


def _contents(views: dict[str, Placed]) -> Iterator[str]:
    yield '<nav id="contents"><ul>'
    for view, placed in views.items():
        yield element("li", element("a", _title(placed), href=f"#{anchor(view)}"))
    yield "</ul></nav>"


def _title(placed: Placed) -> str:
    return placed.diagram.title.rpartition(": ")[2]


def _section(
    model: Model, view: str, placed: Placed, views: dict[str, Placed], options: DrawOptions
) -> Iterator[str]:
    root = tree(model, replace(options, view=view))
    _link(model, view, root, placed, views)
    for part in root.iter():
        part.attrib.pop("id", None)
    root.set("role", "group")  # an image has no links inside
    yield f'<section id="{anchor(view)}">'
    yield markup(root)
    yield '<p class="up"><a href="#contents">All views</a></p></section>'


def _link(
    model: Model, view: str, root: ET.Element, placed: Placed, views: dict[str, Placed]
) -> None:
    """What stands for something with a view of its own leads there."""
    goals = {
        f"n{i}": _goal(model, item.node.id, view, views) for i, item in enumerate(placed.nodes)
    }
    goals |= {
        f"b{i}": _goal(model, item.box.id, view, views) for i, item in enumerate(placed.boxes)
    }
    for parent in list(root.iter("g")):
        for index, child in enumerate(list(parent)):
            goal = goals.get(child.get("id", ""), "")
            if goal:
                link = ET.Element("a", {"href": f"#{anchor(goal)}"})
                parent.remove(child)
                parent.insert(index, link)
                link.append(child)


def _goal(model: Model, id: str, here: str, views: dict[str, Placed]) -> str:
    """The view of the step or phase that this node stands for or leads to; "" for none, or for this
    view itself.
    """
    id = id.removeprefix("to:")
    if id not in {state.id for state in model.states}:
        return ""
    for state in _around(model, id):
        goal = f"{state.kind}:{state.id}"
        if goal in views:
            return goal if goal != here else ""
    return ""


def _around(model: Model, id: str) -> list[State]:
    """The state itself when it is a phase or step; else the step or phase it stands in."""
    state = model.state(id)
    if state.composite:
        return [state]
    return [s for s in (model.enclosing(id, "step"), model.enclosing(id, "phase")) if s is not None]
