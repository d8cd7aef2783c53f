"""Which row of a machine's Model stands for each of the machine's transitions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fsm.foreign.building import Building
from fsm.foreign.everywhere import Common
from fsm.model import Model, Transition


def rows(machine: Any) -> Mapping[int, Transition]:
    """The row for each transition, by its id(): see `fsm.foreign.rows_of`."""
    if isinstance(getattr(machine, "definition", None), Model):
        return {id(t): t.row for t in _transitions(machine) if isinstance(getattr(t, "row", None), Transition)}
    building = Building(machine)
    building.model()
    everywhere, found = building.everywhere, dict[int, Transition]()
    for arrow in building.arrows:
        if not everywhere.holds(arrow):
            found[id(arrow.transition)] = building.row(arrow, arrow.source)
    for common in everywhere.common:
        row, kind = building.row(common.arrow, building.root, again=common.again), _kind(common)
        found.update((id(a.transition), row) for a in building.arrows if everywhere.holds(a) and kind in a.kinds)
    return found


def _transitions(machine: Any) -> list[Any]:
    return [t for event in machine.events.values() for found in event.transitions.values() for t in found]


def _kind(common: Common) -> tuple[object, ...]:
    """What all that this one stands for have in common."""
    wanted = ("again", "") if common.again else ("to", common.arrow.target)
    return next(kind for kind in common.arrow.kinds if kind[1] == wanted)
