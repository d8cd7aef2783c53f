"""What can be shown on a picture of a plain machine: where it stands, the way of a run, how often
everything was taken, what differs from another machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from fsm.model import Model
from fsm.views.machines import ANY, Line, Machine
from fsm.views.overlays import Marked, Overlay, heat, often


def standing(machine: Machine, state: str, open: Iterable[str]) -> Overlay:
    """Return where a machine stands, and which transitions can be taken from there."""
    ready = {*open}
    edges = {line.tells[0]: "go" for line in machine.lines if ready.intersection(line.tells)}
    keys = [("now", "now here")] + ([("go", "can happen now")] if edges else [])
    return Overlay({state: "now"}, edges, keys=tuple(keys))


def taken(machine: Machine, fired: Iterable[str]) -> Overlay:
    """Return the transitions that a run took."""
    went = {*fired}
    edges = {line.tells[0]: "go" for line in machine.lines if went.intersection(line.tells)}
    return Overlay({}, edges, keys=(("go", "taken"),))


def counted(machine: Machine, model: Model, counts: Mapping[str, int]) -> Overlay:
    """Return how often each state was entered or left and each line was taken, and what never
    was.
    """
    leaves = [state.id for state in machine.states if not machine.inside(state.id)]
    into, out = Counter[str](), Counter[str]()
    for row in model.transitions:
        into[row.target or row.source] += counts.get(row.id, 0)
        out[row.source] += counts.get(row.id, 0)
    visits = {id: max(into[id], out[id]) for id in leaves}
    most = max([*visits.values(), 1])
    fills = {id: heat(n, most) for id, n in visits.items()}
    chips: dict[Marked, str] = {id: often(n) for id, n in visits.items()}
    for line in machine.lines:
        times = [counts.get(id, 0) for id in line.tells]
        some = sum(n > 0 for n in times)
        partly = line.source == ANY and 0 < some < len(times)
        more = f" from {some} of {len(times)}" if partly else ""
        chips[line.tells[0]] = often(sum(times)) + more
    edges = {str(id): "jump" for id, chip in chips.items() if chip == often(0)}
    rows = [row.id for row in model.transitions if not model.state(row.source).stand_in]
    went = sum(counts.get(id, 0) > 0 for id in rows)
    entered = sum(n > 0 for n in visits.values())
    said = (
        f"{entered} of {len(leaves)} states were entered, {went} of {len(rows)} transitions taken"
    )
    keys = (("heat1", "under 10% of the most"), ("heat2", "10 to 60%"), ("heat3", "over 60%"))
    return Overlay(fills, edges, chips, caption=said, keys=keys)


def difference(old: Machine, new: Machine) -> tuple[Machine, Overlay]:
    """Return both machines as one, with what came and what went."""
    names = {state.id for state in new.states}
    gone = [state for state in old.states if state.id not in names]
    known = {_meaning(line) for line in new.lines}
    went = [line for line in old.lines if _meaning(line) not in known]
    before = {_meaning(line) for line in old.lines}
    ids = {state.id for state in old.states}
    chips: dict[Marked, str] = {state.id: "new" for state in new.states if state.id not in ids}
    chips |= {line.tells[0]: "new" for line in new.lines if _meaning(line) not in before}
    edges = {str(id): "ok" for id in chips}
    lines = []
    for line in went:
        key = f"gone {line.tells[0]}"
        lines.append(replace(line, tells=(key, *line.tells)))
        chips[key], edges[key] = "gone", "jump"
    both = replace(new, states=(*new.states, *gone), lines=(*new.lines, *lines))
    fills = {state.id: "gone" for state in gone}
    chips |= {state.id: "gone" for state in gone}
    title = f"{old.title} \N{RIGHTWARDS ARROW} {new.title}" if old.title != new.title else ""
    return both, Overlay(fills, edges, chips, title, keys=(("ok", "new"), ("gone", "gone")))


def _meaning(line: Line) -> tuple[object, ...]:
    return line.source, line.target, line.labels
