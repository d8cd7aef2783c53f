"""The pictures of the explorer page, and what each part of them stands for."""

from __future__ import annotations

from dataclasses import dataclass, field

from fsm.model import Model
from fsm.views.columns import LINES
from fsm.views.embedded import Embedded, embed
from fsm.views.pictures import caption, picture
from fsm.views.reader import read
from fsm.views.reading import Step, Turn


@dataclass(slots=True)
class Picture:
    """One view: its drawing, what each part of it stands for, and where each state of the model is.

    `nodes` and `boxes` have the states that cards and boxes stand for, `lines` the kind and the
    transitions of each line, and `paths` those of each of its paths.
    """

    view: str
    svg: str
    caption: str
    nodes: dict[str, str] = field(default_factory=dict)
    lines: dict[str, tuple[str, list[int]]] = field(default_factory=dict)
    paths: dict[str, list[list[int]]] = field(default_factory=dict)
    boxes: dict[str, tuple[str, list[float]]] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)


def pictures_of(model: Model) -> list[Picture]:
    """Return the turn, the windows, and the endings. Raises DrawError if the model is no turn."""
    turn = read(model)
    found = [_picture(model, turn, "turn", picture(turn, "turn", bare=True))]
    names = [name for name in model.machines if name != "turn"]
    for name, window in zip(names, turn.windows, strict=True):
        drawn = picture(turn, name, windows=names, bare=True)
        found.append(_listing((window,), name, drawn))
    if turn.endings:
        drawn = picture(turn, "endings", bare=True)
        found.append(_listing(turn.endings, "endings", drawn))
    return found


def _picture(model: Model, turn: Turn, view: str, svg: str) -> Picture:
    drawn = embed(svg, {"data-view": view})
    found = Picture(view, drawn.svg, caption(turn), nodes=drawn.cards)
    numbers = {row.id: i for i, row in enumerate(model.transitions)}
    for part, number in drawn.ways.items():
        way = turn.ways[number]
        found.paths[part] = []
        rows = dict[int, None]()
        for path in way.paths:
            on_it = [numbers[id] for id in path]
            found.paths[part].append(on_it)
            rows.update(dict.fromkeys(on_it))
        found.lines[part] = (LINES[way.kind], list(rows))
    for part, id in drawn.boxes.items():
        found.boxes[part] = (id, drawn.areas[part])
    found.places = _places(turn.steps, drawn)
    return found


def _places(steps: tuple[Step, ...], drawn: Embedded) -> dict[str, str]:
    """Where each state is: the card that stands for it, alone or with others."""
    parts = {id: part for part, id in drawn.cards.items()}
    found: dict[str, str] = {}
    for step in steps:
        if step.id in parts:
            found.update(dict.fromkeys(step.states, parts[step.id]))
    return found


def _listing(steps: tuple[Step, ...], view: str, svg: str) -> Picture:
    """A picture of lists. Each of its lines is where a state is."""
    drawn = embed(svg, {"data-view": view})
    found = Picture(view, drawn.svg, "; ".join(step.title for step in steps) + ".")
    for part, step in zip(drawn.cards, steps, strict=True):
        states = [line.state for line in step.lines if line.state]
        found.places |= dict.fromkeys(states, part)
        found.nodes[part] = states[0] if states else ""
    return found
