"""What can be shown on a picture of a plain machine: where it stands, the way of a run, how often
everything was taken, what differs from another machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace

from fsm.model import Model, State
from fsm.views.machines import ANY, Line, Machine
from fsm.views.overlays import HEATS, Marked, Now, Overlay, heated, often


def standing(machine: Machine, model: Model, now: Now) -> Overlay:
    """Return where a machine stands, and which transitions can be taken from there."""
    around = {state.id for state in model.path(now.state)}
    rows = [row.id for row in model.transitions if row.source in around]
    ready = {*(now.open or rows)}
    edges = {line.tells[0]: "go" for line in machine.lines if ready.intersection(line.tells)}
    keys = [("now", "now here")] + ([("go", "can happen now")] if edges else [])
    return Overlay({now.state: "now"}, edges, keys=tuple(keys))


def taken(machine: Machine, fired: Iterable[str]) -> Overlay:
    """Return the transitions that a run took."""
    went = {*fired}
    edges = {line.tells[0]: "go" for line in machine.lines if went.intersection(line.tells)}
    return Overlay({}, edges, keys=(("go", "taken"),))


def counted(machine: Machine, model: Model, counts: Mapping[str, int]) -> Overlay:
    """Return how often each state was entered or left and each line was taken, and what never
    was.
    """
    visits = _visits(machine, model, counts)
    chips: dict[Marked, str] = {id: often(n) for id, n in visits.items()}
    chips |= {line.tells[0]: _taken(line, counts) for line in machine.lines}
    edges = {str(id): "jump" for id, chip in chips.items() if chip == often(0)}
    rows = [row.id for row in model.transitions if not model.state(row.source).stand_in]
    went = sum(counts.get(id, 0) > 0 for id in rows)
    entered = sum(n > 0 for n in visits.values())
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


def _taken(line: Line, counts: Mapping[str, int]) -> str:
    """Return how often a line was taken, and from how many states if it starts in any."""
    times = [counts.get(id, 0) for id in line.tells]
    some = sum(n > 0 for n in times)
    partly = line.source == ANY and 0 < some < len(times)
    return often(sum(times)) + (f" from {some} of {len(times)}" if partly else "")


def difference(old: Machine, new: Machine) -> tuple[Machine, Overlay]:
    """Return both machines as one, with what came and what went."""
    gone = _only(old.states, new.states)
    chips: dict[Marked, str] = {state.id: "new" for state in _only(new.states, old.states)}
    before, after = ({_meaning(line) for line in machine.lines} for machine in (old, new))
    chips |= {line.tells[0]: "new" for line in new.lines if _meaning(line) not in before}
    edges = {str(id): "ok" for id in chips}
    lines = list(new.lines)
    for line in old.lines:
        if _meaning(line) not in after:
            key = f"gone {line.tells[0]}"
            lines.append(replace(line, tells=(key, *line.tells)))
            chips[key], edges[key] = "gone", "jump"
    both = replace(new, states=(*new.states, *gone), lines=tuple(lines))
    fills = {state.id: "gone" for state in gone}
    chips |= {state.id: "gone" for state in gone}
    title = f"{old.title} \N{RIGHTWARDS ARROW} {new.title}" if old.title != new.title else ""
    return both, Overlay(fills, edges, chips, title, keys=(("ok", "new"), ("gone", "gone")))


def _only(states: Sequence[State], others: Sequence[State]) -> list[State]:
    """Return the states that are not among the others."""
    ids = {state.id for state in others}
    return [state for state in states if state.id not in ids]


def _meaning(line: Line) -> tuple[object, ...]:
    return line.source, line.target, line.labels
