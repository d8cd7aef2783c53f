"""Where a game stands, and where it can go from there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from fsm.errors import DrawError
from fsm.model import Model, Transition
from fsm.views.drawing.diagram import Line
from fsm.views.drawing.options import Now
from fsm.views.drawing.overlays.pictureindex import PictureIndex
from fsm.views.drawing.placed import Overlay, Paint, Placed
from fsm.wording import guard_in_brackets, label_of, plain

HERE, OPEN, ALONG = Paint("here", 3.2), Paint("open", 3.0), Paint("open", 2.6)
CLOSED = Paint("closed", 3.0)
_ON_THE_WAY = frozenset({"choice", "lookup"})


def with_now(placed: Placed, index: PictureIndex, now: Now, model: Model, machine: str) -> Placed:
    """The picture with the state lit, and what can be reached from it thick; dashed where a guard
    is closed.

    Raises ModelError or DrawError when `now` names a state that the model does not have.
    """
    _check(now, model)
    state = now.frame if machine == "window" else now.state
    here = index.holder_of(state) if state else ""
    box = index.box_of(state) if state and not here else ""
    reached, shut = _reached(placed, index, now, here)
    nodes = (
        _ends(placed, shut, CLOSED) | _ends(placed, reached, OPEN) | ({here: HERE} if here else {})
    )
    overlay = Overlay(
        nodes=nodes,
        boxes={box: HERE} if box else {},
        lines=dict.fromkeys(reached, ALONG),
        caption=_caption(index, now, model, shown=bool(here or box)),
    )
    said = {id: _opening(way) for id, way in reached.items()}
    said |= {id: f"closed now: {plain(now.closed[way[-1].id])}" for id, way in shut.items()}
    return _told(replace(placed, overlay=overlay), said)


def _check(now: Now, model: Model) -> None:
    """Raise ModelError or DrawError when a state is not the model's."""
    model.state(now.state)
    if now.frame and model.window is None:
        raise DrawError(
            f"{model.name} has no window model, so a game cannot stand in its state {now.frame!r}"
        )
    if now.frame and model.window is not None:
        model.window.state(now.frame)


Found = dict[str, Sequence[Transition]]


def _reached(placed: Placed, index: PictureIndex, now: Now, here: str) -> tuple[Found, Found]:
    """The lines that can be gone along from here, past what is no stop, and those that are closed,
    by id.
    """
    small = {n.node.id for n in placed.nodes if n.node.kind in _ON_THE_WAY}
    soon, ever = frozenset(now.open), frozenset((*now.open, *now.later))
    reached, shut, todo = Found(), Found(), [here]
    for at in todo:
        for id, ways in index.ways.items():
            usable = ever if _leaves(index, ways.line, at) else soon
            if id not in reached and (way := ways.path(usable)):
                reached[id] = way
                todo += [ways.line.target] if ways.line.target in small else []
            elif id not in reached and (way := ways.as_far_as(usable, now.closed)):
                shut[id] = way
    return reached, {id: way for id, way in shut.items() if id not in reached}


def _leaves(index: PictureIndex, line: Line, node: str) -> bool:
    """Does a line start at this node, or at no place of its own: anywhere around, or outside the
    picture?
    """
    return line.source == node or not index.states_of(line.source)


def _ends(placed: Placed, lines: Mapping[str, object], paint: Paint) -> dict[str, Paint]:
    """The nodes that these lines lead to, but for those that are only passed."""
    small = {n.node.id for n in placed.nodes if n.node.kind in _ON_THE_WAY}
    heads = {p.line.target for p in placed.lines if p.line.id in lines}
    return dict.fromkeys(heads - small, paint)


def _opening(way: Sequence[Transition]) -> str:
    guards = [guard_in_brackets(row.guard) for row in way if row.guard]
    return f"can be taken now, if {' and '.join(guards)}" if guards else "can be taken now"


def _told(placed: Placed, said: Mapping[str, str]) -> Placed:
    """The lines with what their tooltips say besides."""

    def told(line: Line) -> Line:
        return (
            replace(line, tooltip=f"{line.tooltip}\n{said[line.id]}") if line.id in said else line
        )

    return replace(placed, lines=tuple(replace(p, line=told(p.line)) for p in placed.lines))


def _caption(index: PictureIndex, now: Now, model: Model, *, shown: bool) -> str:
    """Where the game stands, in words; and that it is not on this picture, if it is not."""
    places = [s for s in reversed(model.path(now.state)) if s.kind != "turn"]
    names = list(dict.fromkeys(label_of(s) for s in places))
    window = model.window
    frame = f" ({label_of(window.state(now.frame))})" if now.frame and window is not None else ""
    where = f"Now: {' › '.join(names)}{frame}."
    if shown:
        return where
    return f"{where} {'No window is open.' if index.model is not model and not now.frame else 'Not on this picture.'}"
