"""The views of a model: what each shows, and each with every place decided.

"turn" and "window" are whole pictures; "phase:ID", "step:ID" and "ending:ID" show one phase, step
or ending procedure.
"""

from __future__ import annotations

from dataclasses import replace

from fsm.errors import DrawError
from fsm.model import Model
from fsm.views.drawing import check_view
from fsm.views.drawing.collapsed import NEXT, START
from fsm.views.drawing.diagram import ANYWHERE, FRAME, Diagram, Line
from fsm.views.drawing.placed import Placed
from fsm.views.drawing.shape import is_turn
from fsm.wording import cited_rule, lower_first, plain, unnumbered

OURS = frozenset({START, NEXT, ANYWHERE.id, FRAME.id})

# Each layout is imported only where it is used: a picture needs one of them.


def place(model: Model, view: str) -> Placed:
    """The view's diagram with every place decided. Raises DrawError when the model has no such
    view, and when Graphviz is needed and does not work.
    """
    diagram, kind = diagram_of(model, view), view.partition(":")[0]
    if kind == "ending":
        from fsm.views.drawing.packing import place_pieces

        return place_pieces(diagram)
    if kind in ("phase", "step"):
        from fsm.views.drawing.stages.layout import place_rows

        return place_rows(diagram)
    if kind == "turn" and is_turn(model):
        from fsm.views.drawing.turn.layout import place_turn

        return place_turn(diagram)
    from fsm.views.drawing.flow.layout import place_flat

    return place_flat(diagram)


def diagram_of(model: Model, view: str) -> Diagram:
    """What the view shows. Raises DrawError when the model has no such view."""
    _refuse_our_names(model)
    check_view(model, view)
    return _as_read(_diagram(model, view))


def _diagram(model: Model, view: str) -> Diagram:
    kind, _, id = view.partition(":")
    if kind == "ending":
        from fsm.views.drawing.endingview import ending_diagram
        from fsm.views.drawing.packing import merged

        return merged(ending_diagram(model, id))
    if kind in ("phase", "step"):
        from fsm.views.drawing.stages.picture import stage_diagram

        return stage_diagram(model, model.state(id))
    if kind == "turn" and is_turn(model):
        from fsm.views.drawing.turnview import turn_diagram

        return turn_diagram(model)
    from fsm.views.drawing.flatview import flat_diagram

    if kind == "window" and model.window is not None:
        name = plain(model.title) or plain(model.name)
        title = f"{name}: {lower_first(plain(model.window.title) or plain(model.window.name))}"
        return flat_diagram(model.window, title)
    return flat_diagram(model, "")


def _as_read(diagram: Diagram) -> Diagram:
    """The diagram without numbers that are the ruleset's own."""
    return replace(
        diagram,
        title=unnumbered(diagram.title),
        caption=tuple(map(unnumbered, diagram.caption)),
        nodes=tuple(
            replace(
                node,
                title=unnumbered(node.title),
                lines=tuple(map(unnumbered, node.lines)),
                rule=cited_rule(node.rule),
                tooltip=unnumbered(node.tooltip),
            )
            for node in diagram.nodes
        ),
        boxes=tuple(
            replace(
                box,
                notes=tuple(replace(note, words=unnumbered(note.words)) for note in box.notes),
                rule=cited_rule(box.rule),
                tooltip=unnumbered(box.tooltip),
            )
            for box in diagram.boxes
        ),
        lines=tuple(map(_line_as_read, diagram.lines)),
    )


def _line_as_read(line: Line) -> Line:
    return replace(
        line,
        words=tuple(map(unnumbered, line.words)),
        rule=cited_rule(line.rule),
        origin=unnumbered(line.origin or ("from any step" if line.ring else "")),
        goal=unnumbered(line.goal),
        tooltip=unnumbered(line.tooltip),
    )


def _refuse_our_names(model: Model) -> None:
    for state in model.states:
        if state.id in OURS:
            raise DrawError(
                f"state {state.id!r} is called what pictures call something of their own; rename it"
            )
