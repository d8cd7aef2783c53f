"""The map of the coverage page: how often everything was taken."""

from __future__ import annotations

from dataclasses import dataclass
from xml.etree import ElementTree as ET

from fsm.coverage.target import Result
from fsm.model.graph import graphs_of
from fsm.views.embedded import Embedded, embed
from fsm.views.graph import draw_machine
from fsm.views.machineoverlays import counted as counted_machine
from fsm.views.machines import read_machine
from fsm.views.overlays import Counts, counted
from fsm.views.pictures import picture
from fsm.views.reader import is_turn, read
from fsm.wording import plain


@dataclass(frozen=True, slots=True)
class Map:
    """The map of a model: its picture, what it says, and the ids of the states and transitions that
    each part of it stands for.
    """

    svg: str
    caption: str
    parts: dict[str, frozenset[str]]


def map_of(result: Result, alt: str) -> Map:
    """Return the map of the whole machine. Raises DrawError."""
    model, own = result.model, graphs_of(result.model)[0].name
    total = result.by("transitions")
    taken = total.taken if total is not None else {}
    counts = {id: n for (machine, id), n in taken.items() if machine == own}
    inside = {id: n for (machine, id), n in taken.items() if machine != own}
    named = {"role": "group", "aria-label": alt}
    if not is_turn(model):
        machine = read_machine(model)
        overlay = counted_machine(machine, model, counts)
        drawn = embed(draw_machine(machine, overlay=overlay, bare=True), named)
        parts = {part: frozenset({id}) for part, id in drawn.cards.items()}
        parts |= {part: frozenset(ids) for part, ids in drawn.lines.items()}
        return Map(_pressable(drawn), overlay.caption, parts)
    turn = read(model)
    overlay = counted(turn, model, Counts(counts, inside))
    drawn = embed(picture(turn, "turn", overlay=overlay, bare=True), named)
    states = {step.id: frozenset({step.id, *step.states}) for step in turn.steps}
    parts = {part: states[id] for part, id in drawn.cards.items() if id in states}
    for part, number in drawn.ways.items():
        parts[part] = frozenset(id for path in turn.ways[number].paths for id in path)
    return Map(_pressable(drawn), overlay.caption, parts)


def _pressable(drawn: Embedded) -> str:
    """Return the picture, whose states can be pressed with keys, too."""
    root = ET.fromstring(drawn.svg)
    for group in root.iter("g"):
        if group.get("data-part", "") in drawn.cards:
            words = [text.text for text in group.iter("text") if text.text]
            group.attrib |= {"role": "button", "tabindex": "0", "aria-pressed": "false"}
            group.set("aria-label", plain(", ".join(words)))
    return ET.tostring(root, encoding="unicode")
