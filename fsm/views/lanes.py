"""Decides which way of a column goes where, before anything has a place: along the rail, in a lane
at the right, or to a name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import count

from fsm.views.overlays import Overlay
from fsm.views.reading import Part, Phase, Step, Way, steps_of


def along(parts: Iterable[Part]) -> list[list[Part]]:
    """Return what stands on the rail, each part with those beside it. A phase after a step stands
    beside the rail, since the step waits.
    """
    groups: list[list[Part]] = []
    for part in parts:
        if isinstance(part, Phase) and groups and isinstance(groups[-1][0], Step):
            groups[-1].append(part)
        else:
            groups.append([part])
    return groups


def straight(
    parts: Iterable[Part], ways: Iterable[Way], overlay: Overlay, after: str
) -> dict[str, Way]:
    """Return the way that the rail takes to each step: from the step before, also into a phase
    beside it, and to what comes after all. Steps that are gone are no part of the rail.
    """
    before: dict[str, str] = {}

    def follow(parts: Iterable[Part], last: str) -> str:
        for part, *beside in along(parts):
            if isinstance(part, Phase):
                last = follow(part.parts, last)
            elif overlay.fills.get(part.id) != "gone":
                before[part.id] = last
                last = part.id
            for phase in beside:
                follow([phase], last)
        return last

    before[after] = follow(parts, "")
    return {
        way.target: way
        for way in ways
        if way.kind == "next" and before.get(way.target) == way.source
    }


def alike(way: Way) -> object:
    """Return what ways have in common that are drawn as one: where they lead, and their words."""
    if way.words:
        return way.target, way.kind, way.words
    return way


def lanes_of(
    parts: Sequence[Part], ways: Iterable[Way], places: dict[str, int]
) -> dict[object, int]:
    """Return the number of the lane of each thing that runs beside one level, from the cards on.

    That are its ways, and what goes around parts that may be left out. Ways that are alike have one
    lane. Short ones are inside, so they nest. A step has two places beside it: ways come in at the
    first, and leave at the second.
    """
    spans = defaultdict[object, set[int]](set)
    for way in ways:
        ends = places[way.source] + 1, places[way.target]
        spans[alike(way)].update(range(*sorted(ends)))
    for part in parts:
        if part.left_out:
            inside = [places[step.id] for step in steps_of([part])]
            spans[part].update(range(inside[0] - 1, inside[-1] + 1))
    taken = defaultdict[int, set[int]](set)
    lanes: dict[object, int] = {}
    for thing in sorted(spans, key=lambda thing: (len(spans[thing]), min(spans[thing]))):
        number = next(number for number in count() if taken[number].isdisjoint(spans[thing]))
        taken[number] |= spans[thing]
        lanes[thing] = number
    return lanes
