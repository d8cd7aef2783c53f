"""What can be shown on a picture of a plain machine: where it stands, and how often everything was
taken.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from fsm.model import Model
from fsm.views.machines import ANY, Line, Machine
from fsm.views.overlays import HEATS, Marked, Now, Overlay, heated, often


def standing(machine: Machine, model: Model, now: Now) -> Overlay:
    """Return where a machine stands, and which transitions can be taken from there."""
    ready = {*now.open}
    if not ready:
        around = {state.id for state in model.path(now.state)}
        ready = {row.id for row in model.transitions if row.source in around}
    edges = {}
    for line in machine.lines:
        if ready.intersection(line.tells):
            edges[line.tells[0]] = "go"
    keys = [("now", "now here")]
    if edges:
        keys.append(("go", "can happen now"))
    return Overlay({now.state: "now"}, edges, keys=tuple(keys))


def counted(machine: Machine, model: Model, counts: Mapping[str, int]) -> Overlay:
    """Return how often each state was entered or left and each line was taken, and what never
    was.
    """
    visits = _visits(machine, model, counts)
    chips: dict[Marked, str] = {id: often(n) for id, n in visits.items()}
    for line in machine.lines:
        chips[line.tells[0]] = _taken(line, counts)
    edges = {}
    for id, chip in chips.items():
        if chip == often(0):
            edges[str(id)] = "jump"
    rows = [row.id for row in model.transitions if not model.state(row.source).stand_in]
    went = sum(counts.get(id, 0) > 0 for id in rows)
    entered = sum(map(bool, visits.values()))
    states = f"{entered} of {len(visits)} states were entered"
    said = f"{states}, {went} of {len(rows)} transitions taken"
    return Overlay(
        fills=heated(visits),
        edges=edges,
        chips=chips,
        caption=said,
        keys=HEATS,
    )


def _visits(machine: Machine, model: Model, counts: Mapping[str, int]) -> dict[str, int]:
    """Return how often each state without others inside was entered, or left if that is more."""
    into = Counter[str]()
    out = Counter[str]()
    for row in model.transitions:
        into[row.target or row.source] += counts.get(row.id, 0)
        out[row.source] += counts.get(row.id, 0)
    leaves = [state.id for state in machine.states if not machine.inside(state.id)]
    return {id: max(into[id], out[id]) for id in leaves}


def _taken(line: Line, counts: Mapping[str, int]) -> str:
    """Return how often a line was taken, and from how many states if it starts in any."""
    times = [counts.get(id, 0) for id in line.tells]
    some = sum(map(bool, times))
    said = often(sum(times))
    if line.source == ANY and 0 < some < len(times):
        return f"{said} from {some} of {len(times)}"
    return said
