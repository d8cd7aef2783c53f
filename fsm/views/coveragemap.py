"""The map of the coverage page: how often everything was taken."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

from fsm.coverage.target import Result
from fsm.model.graph import graphs_of
from fsm.views.embedded import embed
from fsm.views.graph import draw_machine
from fsm.views.machineoverlays import counted as counted_machine
from fsm.views.machines import read_machine
from fsm.views.overlays import Counts, counted
from fsm.views.pictures import picture
from fsm.views.reader import is_turn, read


@dataclass(frozen=True, slots=True)
class Map:
    """The map of a model: its picture, what it says, and the ids of the states and transitions that
    each part of it stands for.
    """

    svg: str
    caption: str
    parts: dict[str, set[str]]


def map_of(result: Result, alt: str) -> Map:
    """Return the map of the whole machine. Raises DrawError."""
    model = result.model
    own = graphs_of(result.model)[0].name
    total = result.by("transitions")
    counts = dict[str, int]()
    inside = dict[str, int]()
    for (place, id), n in total.taken.items() if total else ():
        where = counts if place == own else inside
        where[id] = n
    turn = read(model) if is_turn(model) else None
    if turn is None:
        machine = read_machine(model)
        overlay = counted_machine(machine, model, counts)
        svg = draw_machine(machine, overlay=overlay, bare=True)
    else:
        overlay = counted(turn, model, Counts(counts, inside))
        svg = picture(turn, "turn", overlay=overlay, bare=True)
    drawn = embed(svg, {"role": "group", "aria-label": alt}, pressable=True)
    parts = {part: {id} for part, id in drawn.cards.items()}
    parts |= {part: {*ids} for part, ids in drawn.lines.items()}
    if turn is not None:
        states = {step.id: {*step.states} for step in turn.steps}
        for part, id in drawn.cards.items():
            parts[part] |= states.get(id, set())
        for part, number in drawn.ways.items():
            parts[part] = {*chain.from_iterable(turn.ways[number].paths)}
    return Map(drawn.svg, overlay.caption, parts)
