"""What can be shown on a picture of a plain machine: where it stands, the way of a run, how often
everything was taken, what differs from another machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from fsm.model import Model
from fsm.views.machines import ANY, Machine
from fsm.views.overlays import HEATS, Marked, Now, Overlay, heated, often


def standing(machine: Machine, model: Model, now: Now) -> Overlay:
    """Return where a machine stands, and which transitions can be taken from there."""
    around = {state.id for state in model.path(now.state)}
    rows = [row.id for row in model.transitions if row.source in around]
    edges = _lit(machine, now.open or rows)
    keys = [("now", "now here")] + [("go", "can happen now")] * bool(edges)
    return Overlay({now.state: "now"}, edges, keys=tuple(keys))


def taken(machine: Machine, fired: Iterable[str]) -> Overlay:
    """Return the transitions that a run took."""
    return Overlay({}, _lit(machine, fired), keys=(("go", "taken"),))


def _lit(machine: Machine, rows: Iterable[str]) -> dict[str, str]:
    """The lines with any of these transitions."""
    known = {*rows}
    return {line.tells[0]: "go" for line in machine.lines if known.intersection(line.tells)}


def counted(machine: Machine, model: Model, counts: Mapping[str, int]) -> Overlay:
    """Return how often each state was entered or left and each line was taken, and what never
    was.
    """
    visits = _visits(machine, model, counts)
    chips: dict[Marked, str] = {id: often(n) for id, n in visits.items()}
    for line in machine.lines:
        times = [counts.get(id, 0) for id in line.tells]
        some = sum(map(bool, times))
        partly = line.source == ANY and 0 < some < len(times)
        where = f" from {some} of {len(times)}" if partly else ""
        chips[line.tells[0]] = often(sum(times)) + where
    edges = {str(id): "jump" for id, chip in chips.items() if chip == often(0)}
    rows = [row.id for row in model.transitions if not model.state(row.source).stand_in]
    went = sum(counts.get(id, 0) > 0 for id in rows)
    entered = sum(map(bool, visits.values()))
    states = f"{entered} of {len(visits)} states were entered"
    said = f"{states}, {went} of {len(rows)} transitions taken"
    return Overlay(heated(visits), edges, chips, caption=said, keys=HEATS)


def _visits(machine: Machine, model: Model, counts: Mapping[str, int]) -> dict[str, int]:
    """Return how often each state without others inside was entered, or left if that is more."""
    into, out = Counter[str](), Counter[str]()
    for row in model.transitions:
        into[row.target or row.source] += counts.get(row.id, 0)
        out[row.source] += counts.get(row.id, 0)
    leaves = [state.id for state in machine.states if not machine.inside(state.id)]
    return {id: max(into[id], out[id]) for id in leaves}


def difference(old: Machine, new: Machine) -> tuple[Machine, Overlay]:
    """Return both machines as one, with what came and what went."""
    was, now = ({state.id for state in machine.states} for machine in (old, new))
    gone = [state for state in old.states if state.id not in now]
    before = {(line.source, line.target, line.labels) for line in old.lines}
    after = {(line.source, line.target, line.labels) for line in new.lines}
    chips: dict[Marked, str] = dict.fromkeys(now - was, "new")
    for line in new.lines:
        if (line.source, line.target, line.labels) not in before:
            chips[line.tells[0]] = "new"
    edges = {str(id): "ok" for id in chips}
    lines = list(new.lines)
    for line in old.lines:
        if (line.source, line.target, line.labels) not in after:
            key = f"gone {line.tells[0]}"
            lines.append(replace(line, tells=(key, *line.tells)))
            chips[key], edges[key] = "gone", "jump"
    both = replace(new, states=(*new.states, *gone), lines=tuple(lines))
    fills = {state.id: "gone" for state in gone}
    chips |= fills
    title = f"{old.title} \N{RIGHTWARDS ARROW} {new.title}" if old.title != new.title else ""
    return both, Overlay(fills, edges, chips, title, keys=(("ok", "new"), ("gone", "gone")))
