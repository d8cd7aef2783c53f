"""What can be shown on a picture: where a game stands, the way of a turn, how often a run went
where, what differs from another edition.

An overlay is plain data. It names steps, phases and states by their ids, and ways and reasons as
the reading has them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field

from msgspec.structs import replace

from fsm.engine.controller import TurnController
from fsm.engine.possible import ways_onward
from fsm.engine.semantics import TURN
from fsm.model import Model, State
from fsm.runs.turns import Turn as Played
from fsm.views.machines import ANY, Line, Machine
from fsm.views.reading import HOLE, Part, Phase, Reason, Step, Turn, Way
from fsm.wording import listed, lower_first, merged

Marked = str | Way | Reason


@dataclass(frozen=True, slots=True)
class Overlay:
    """What is painted on a picture.

    Attributes
    ----------
    fills, edges
        The colours of cards and of their edges, by id. The fill "gone" is for what is no longer
        there.
    chips
        Short texts at cards, at lines of a list, by the id of their state, and at ways.
    title, caption
        What is said instead of the title, and below it.
    told
        Sentences below the picture.
    keys
        What the legend explains: kinds and words.
    """

    fills: Mapping[str, str] = field(default_factory=dict)
    edges: Mapping[str, str] = field(default_factory=dict)
    chips: Mapping[Marked, str] = field(default_factory=dict)
    title: str = ""
    caption: str = ""
    told: tuple[str, ...] = ()
    keys: tuple[tuple[str, str], ...] = ()


NONE = Overlay()


@dataclass(frozen=True, slots=True)
class Now:
    """Where a game stands: in the turn (`state`) and in an open window (`frame`, "" for none).

    `open` are the ids of the transitions of the turn that can fire until the game has left the step
    it is in.
    """

    state: str
    frame: str = ""
    open: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Counts:
    """How often each transition of the turn and of the window was taken, by id; absent is never."""

    turn: Mapping[str, int]
    window: Mapping[str, int] = field(default_factory=dict)


# where a game stands ------------------------------------------------------------------------------


def position(turn: Turn, now: Now) -> Overlay:
    """Return where a game stands, and which steps can come next."""
    step = turn.step_of(now.state)
    if step is None:
        return Overlay(caption="Now: between two steps.")
    open_ways = [way for way in turn.ways if way.source == step.id and _is_open(way, now)]
    edges = dict.fromkeys((way.target for way in open_ways), "go")
    said = [part.title for part in turn.around(step)]
    said += [lower_first(line.text) for line in step.lines if line.state == now.state][:1]
    return Overlay(
        fills={step.id: "now", now.frame or now.state: "now"},
        edges=edges | {step.id: "ink"},
        caption=f"Now: {', '.join(said)}.",
        keys=(("now", "the game is here"), ("go", "may come next")),
    )


def _is_open(way: Way, now: Now) -> bool:
    """Whether a game can take a way. Without knowledge of the game, it can."""
    if way.kind == "cut short":
        return False
    return not now.open or any({*path} <= {*now.open} for path in way.paths)


# the way of one turn ------------------------------------------------------------------------------


def way_of(turn: Turn, turns: Iterable[Played]) -> Overlay:
    """Return the steps that the last turn of several steps went through, numbered in their order,
    or else the last turn.
    """
    begun = [played for played in turns if played.cells]
    if not begun:
        return NONE
    played = max(begun, key=lambda one: (len(one.cells) > 1, begun.index(one)))
    numbers = defaultdict[str, list[str]](list)
    visited = [cell.step for cell in played.cells if not cell.skipped]
    for number, step in enumerate(visited, 1):
        numbers[step].append(str(number))
    pale = [step.id for step in turn.steps if step.id not in numbers]
    whose = f" of {played.active}" if played.active else ""
    return Overlay(
        fills=dict.fromkeys(pale, "soft"),
        edges=dict.fromkeys(pale, "rule") | dict.fromkeys(visited, "go"),
        chips={step: ", ".join(found) for step, found in numbers.items()},
        caption=f"{turn.word.capitalize()} {played.number}{whose}: the numbers are the order.",
        keys=(("go", f"the steps of this {turn.word}"),),
    )


# how often ----------------------------------------------------------------------------------------

HEATS = (("heat1", "under 10% of the most"), ("heat2", "10 to 60%"), ("heat3", "over 60%"))


def counted(turn: Turn, model: Model, counts: Counts) -> Overlay:
    """Return how often each step began and each way was taken, and what never was."""
    times = Counter(counts.turn) + Counter(counts.window)
    visits = _visits(model, times)
    began = {step.id: visits[step.start] for step in turn.steps}
    choices = _choices(turn, times)
    chips: dict[Marked, str] = {}
    for id in visits:
        chips[id] = often(visits[id]) if visits[id] else ""
    for id, n in began.items():
        chips[id] = often(n)
    for what, n in choices.items():
        chips[what] = often(n)
    steps = sum(map(bool, began.values()))
    ways = sum(map(bool, choices.values()))
    said = f"{steps} of {len(began)} steps and {ways} of {len(choices)} ways were taken."
    never = [what.words for what, n in choices.items() if what.words and not n]
    if never:
        said += f" Never: {'; '.join(dict.fromkeys(never))}."
    edges = dict.fromkeys([id for id, n in began.items() if not n], "jump")
    return Overlay(
        fills=heated(began),
        edges=edges,
        chips=chips,
        caption=said,
        keys=HEATS,
    )


def _visits(model: Model, times: Mapping[str, int]) -> Counter[str]:
    """How often each state was entered, or a transition left it where it was."""
    found = Counter[str]()
    for machine in model.machines.values():
        for row in machine.transitions:
            found[row.target or row.source] += times.get(row.id, 0)
    return found


def _choices(turn: Turn, times: Mapping[str, int]) -> dict[Way | Reason, int]:
    """How often each way was taken, and each reason to leave something out held. A path can have
    been taken as often as each transition on it.
    """
    found: dict[Way | Reason, int] = {}
    for way in turn.ways:
        if way.target != HOLE:
            found[way] = 0
            for path in way.paths:
                found[way] += min(times.get(id, 0) for id in path)
    for part in turn.parts:
        for reason in part.left_out:
            found[reason] = sum(times.get(id, 0) for id in reason.tells)
    return found


def often(n: int) -> str:
    """Return how often something was taken."""
    if n:
        return f"{n}×"
    return "never"


def heated(times: Mapping[str, int]) -> dict[str, str]:
    """Return the fill of each of these, by how often it was taken beside what was taken most."""
    most = max(times.values(), default=0)
    return {id: heat_of(n, most) for id, n in times.items()}


def heat_of(n: int, most: int) -> str:
    """Return the fill of what was taken so often, beside what was taken most."""
    if not n:
        return "paper"
    if n * 10 <= most:
        return "heat1"
    if n * 10 <= 6 * most:
        return "heat2"
    return "heat3"


# what differs -------------------------------------------------------------------------------------


def difference(old: Turn, new: Turn) -> tuple[Turn, Overlay]:
    """Return both turns as one, with what came and went, and what changed in words.

    Parameters
    ----------
    old, new
        The readings of the two turns. The same step has the same id in both.

    Returns
    -------
    tuple
        The turn to draw, and what to show on it.
    """
    before = {part.id: part for part in old.parts}
    gone = before.keys() - {part.id for part in new.parts}
    came = {part.id for part in new.parts} - before.keys()
    chips: dict[Marked, str] = dict.fromkeys(gone, "gone")
    chips.update(dict.fromkeys(came, "new"))
    told: list[str] = []
    for step in new.steps:
        was = before.get(step.id)
        changes = list(_changes(was, step)) if isinstance(was, Step) else []
        if changes:
            told.append(f"{step.title}: {'; '.join(changes)}.")
            chips[step.id] = "changed"
    for way, chip, where in _other_ways(old, new, gone | came):
        chips[way] = chip
        told.append(f"{chip.title()}: {where}, {way.words}.")
    phases = [_with_gone(phase, old, gone) for phase in new.phases]
    phases += [phase for phase in old.phases if phase.id in gone]
    occurs = {("gone", "gone"): gone, ("ok", "new"): came}
    both = replace(new, phases=tuple(phases), names=old.names | new.names)
    a, b = old.edition or old.title, new.edition or new.title
    return both, Overlay(
        fills=dict.fromkeys(gone, "gone"),
        edges=dict.fromkeys(came, "ok"),
        chips=chips,
        title=f"{new.title}: what changed",
        caption=f"{b}, compared with {a}.",
        told=tuple(told) or ("Nothing that this picture shows has changed.",),
        keys=tuple(key for key, parts in occurs.items() if parts),
    )


def _changes(old: Step, new: Step) -> Iterator[str]:
    """What changed inside a step, in words."""
    if old.title != new.title:
        yield f"now called {new.title}, not {old.title}"
    was = [line.text for line in old.lines]
    now = [line.text for line in new.lines]
    more = _besides(now, was)
    less = _besides(was, now)
    if more:
        yield f"new: {more}"
    if less:
        yield f"gone: {less}"
    if was != now and not more and not less:
        yield "in another order"
    yield from _other_reasons(old, new)


def _other_reasons(old: Step, new: Step) -> Iterator[str]:
    """What changed of the reasons to leave a step out."""
    before = {reason.words for reason in old.left_out}
    after = {reason.words for reason in new.left_out}
    if after and after != before:
        yield f"now left out: {listed(sorted(after), 'or')}"
    if before and not after:
        yield "no longer left out"


def _besides(texts: Sequence[str], others: Sequence[str]) -> str:
    """The texts that are not among the others, as a list."""
    return listed([lower_first(text) for text in texts if text not in others])


def _other_ways(old: Turn, new: Turn, without: set[str]) -> Iterator[tuple[Way, str, str]]:
    """The ways that only one turn has, with what became of them, and from where to where they lead.
    Those of steps that came or went are left out, since the picture shows them.
    """
    for turn, other, chip in ((new, old, "new"), (old, new, "gone")):
        known = {(way.source, way.target, way.kind) for way in other.ways}
        for way in turn.ways:
            ends = way.source, way.target
            if way.words and not without.intersection(ends) and (*ends, way.kind) not in known:
                source = turn.names.get(way.source) or "any step"
                yield way, chip, f"from {source} to {turn.place(way.target)}"


def _with_gone(phase: Phase, old: Turn, gone: Collection[str]) -> Phase:
    """A phase with the steps that it no longer has, each after the one that it came after."""
    parts: dict[str, Part] = {}
    for part in phase.parts:
        parts[part.id] = _with_gone(part, old, gone) if isinstance(part, Phase) else part
    now = list(parts)
    was = list[str]()
    for twin in old.parts:
        if isinstance(twin, Phase) and twin.id == phase.id:
            for part in twin.parts:
                was.append(part.id)
                if part.id in gone:
                    parts[part.id] = replace(part, left_out=())
    order = merged([id for id in was if id in parts], now)
    return replace(phase, parts=tuple(parts[id] for id in order))


# plain machines -----------------------------------------------------------------------------------


def machine_standing(machine: Machine, model: Model, now: Now) -> Overlay:
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


def machine_counted(machine: Machine, model: Model, counts: Mapping[str, int]) -> Overlay:
    """Return how often each state was entered or left and each line was taken, and what never
    was.
    """
    visits = _machine_visits(machine, model, counts)
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


def _machine_visits(machine: Machine, model: Model, counts: Mapping[str, int]) -> dict[str, int]:
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


# where a game stands ------------------------------------------------------------------------------


_SHOWN = frozenset({"", "action", "window"})


def now_of(game: TurnController) -> Now:
    """Where a game stands, and which transitions of the turn can fire until it has left the step.

    What the game reports is tried both ways, and an open window from its beginning. The game is
    left as it is.
    """
    model = game.model
    start = copy(game.run)
    start.frame = ""
    here = model.state(start.state)
    queue = [start]
    known = set[Hashable]()
    open = dict[str, None]()
    for run in queue:
        for way in ways_onward(game.semantics, run, jumps=True):
            open |= dict.fromkeys(one.row.id for one in way.fired if one.machine == TURN)
            place = way.run.state, way.run.latched
            if place not in known and _is_inside(here, model.state(way.run.state)):
                known.add(place)
                queue.append(way.run)
    return Now(game.run.state, game.run.frame, tuple(open))


def _is_inside(here: State, state: State) -> bool:
    """Whether a state belongs to the same step, or is not shown in pictures."""
    same = bool(state.parent) and state.parent == here.parent
    return state.kind != "final" and (same or state.role not in _SHOWN)
