"""The maps of the page: how often everything was taken."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET

from fsm.coverage.target import Result
from fsm.model import Model
from fsm.model.graph import graphs_of
from fsm.views.draw import picture
from fsm.views.embedded import Embedded, embed
from fsm.views.graph import draw_machine
from fsm.views.machines import read_machine
from fsm.views.overlays import Counts, counted
from fsm.views.pictures import glance
from fsm.views.reader import is_turn, read
from fsm.wording import plain


@dataclass(slots=True)
class Map:
    """The map of a model: its picture, and what each part of it stands for.

    `rows` has the transitions of a part, and `states` its states.
    `never` has a transition of each line that was never taken. `phases` are the names of the boxes,
    each with its left, top and width.
    """

    svg: str
    rows: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    states: Mapping[str, frozenset[str]] = field(default_factory=dict)
    never: tuple[str, ...] = ()
    phases: tuple[tuple[str, float, float, float], ...] = ()


def map_of(result: Result, alt: str) -> Map:
    """Return the map of the whole machine, without title and legend, which the page has. Raises
    DrawError.
    """
    model, counts = result.model, _counts(result)
    named = {"role": "group", "aria-label": alt}
    if not is_turn(model):
        return _machine_map(model, counts, embed(draw_machine(read_machine(model)), named))
    turn = read(model)
    drawn = embed(glance(turn, overlay=counted(turn, model, counts), bare=True), named)
    steps = {step.id: frozenset({step.id, *step.states}) for step in turn.steps}
    phases = {part.id: part.title for part in turn.phases}
    found = Map(_with_buttons(drawn))
    found.states = {part: steps[id] for part, id in drawn.cards.items() if id in steps}
    ways = {part: turn.ways[number] for part, number in drawn.ways.items()}
    found.rows = {
        part: tuple(dict.fromkeys(id for path in way.paths for id in path))
        for part, way in ways.items()
    }
    never = [way for way in ways.values() if not any(_taken(path, counts) for path in way.paths)]
    found.never = tuple(way.tells[0] for way in never if way.tells)
    for part, id in drawn.boxes.items():
        left, top, wide, _ = drawn.areas[part]
        if id in phases:
            found.phases += ((plain(phases[id]), left, top, wide),)
    return found


def _taken(path: tuple[str, ...], counts: Counts) -> bool:
    return all(counts.turn.get(id) for id in path)


def _machine_map(model: Model, counts: Counts, drawn: Embedded) -> Map:
    """The map of a machine that is no turn. Its states have their counts as colours."""
    into: dict[str, int] = {}
    for row in model.transitions:
        target = row.target or row.source
        into[target] = into.get(target, 0) + counts.turn.get(row.id, 0)
    most = max([*into.values(), 1])
    fills = {part: _heat(into.get(id, 0), most) for part, id in drawn.cards.items()}
    rows = {part: tuple(ids) for part, ids in drawn.lines.items()}
    missed = {part for part, ids in rows.items() if not any(counts.turn.get(id) for id in ids)}
    root = ET.fromstring(_with_buttons(drawn))
    for group in root.iter("g"):
        part = group.get("data-part", "")
        for shape in group:
            look = shape.get("class", "")
            if part in fills and "f-surface" in look:
                shape.set("class", look.replace("f-surface", f"f-{fills[part]}"))
            elif part in missed:
                shape.set("class", look.replace("core", "jump"))
    found = Map(ET.tostring(root, encoding="unicode"), rows)
    found.states = {part: frozenset({id}) for part, id in drawn.cards.items()}
    found.never = tuple(rows[part][0] for part in missed if rows[part])
    return found


def _heat(n: int, most: int) -> str:
    if not n:
        return "surface"
    return "heat1" if n * 10 <= most else "heat2" if n * 10 <= 6 * most else "heat3"


def _with_buttons(drawn: Embedded) -> str:
    """The picture, whose cards can be pressed."""
    root = ET.fromstring(drawn.svg)
    for group in root.iter("g"):
        if group.get("data-part", "") in drawn.cards:
            group.attrib |= {
                "role": "button",
                "tabindex": "0",
                "aria-label": _spoken(group),
                "aria-pressed": "false",
            }
    return ET.tostring(root, encoding="unicode")


def _spoken(part: ET.Element) -> str:
    """The words on a part: "Upkeep, 29×"."""
    return plain(", ".join(_texts(part))) or "state"


def _texts(part: ET.Element) -> Iterator[str]:
    return (text.text for text in part.iter("text") if text.text)


def part_picture(result: Result, view: str, alt: str) -> str:
    """Return the picture of one part of a turn, with title and legend. Raises DrawError."""
    turn = read(result.model)
    overlay = counted(turn, result.model, _counts(result))
    svg = picture(turn, view, "auto", overlay, [*result.model.machines])
    return embed(svg, {"role": "img", "aria-label": alt}).svg


def _counts(result: Result) -> Counts:
    """Return how often each transition was taken."""
    coverage = result.by("transitions")
    taken = coverage.taken if coverage is not None else {}
    own = graphs_of(result.model)[0].name
    turn, window = (
        {id: n for (at, id), n in taken.items() if at == machine} for machine in (own, "window")
    )
    return Counts(turn, window)
