"""What can be shown on a picture: where a game stands, the way of a turn, how often a run went
where, what differs from another edition.

An overlay is plain data. It names steps, phases and states by their ids, and ways and reasons as
the reading has them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from fsm.model import Model
from fsm.runs.turns import Turn as Played
from fsm.views.diff import merged
from fsm.views.reading import HOLE, Part, Phase, Reason, Step, Turn, Way
from fsm.wording import listed, lower_first

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
    edges = {way.target: "go" for way in turn.ways if way.source == step.id and _is_open(way, now)}
    edges[step.id] = "ink"
    keys = (("now", "the game is here"), ("go", "may come next"))
    fills = {step.id: "now", now.frame or now.state: "now"}
    said = [place.title for place in _around(turn, step)]
    said += [lower_first(line.text) for line in step.lines if line.state == now.state][:1]
    return Overlay(fills, edges, caption=f"Now: {', '.join(said)}.", keys=keys)


def _is_open(way: Way, now: Now) -> bool:
    """Whether a game can take a way. Without knowledge of the game, it can."""
    known = set(now.open)
    ordinary = way.kind != "cut short"
    return ordinary and (not known or any(known.issuperset(path) for path in way.paths))


def _around(turn: Turn, step: Step) -> list[Part]:
    """The phases around a step, outermost first, and the step."""
    phase = turn.phase_of(step.id)
    found: list[Part] = [step]
    while phase is not None:
        if phase.single is None:
            found.insert(0, phase)
        phase = turn.phase_of(phase.id)
    return found


# the way of one turn ------------------------------------------------------------------------------


def way_of(turn: Turn, turns: Iterable[Played]) -> Overlay:
    """Return the steps that the last turn of several steps went through, numbered in their order,
    or else the last turn.
    """
    begun = [played for played in turns if played.cells]
    if not begun:
        return NONE
    played = max(begun, key=lambda one: (len(one.cells) > 1, begun.index(one)))
    order: dict[Marked, list[str]] = {}
    visited = [cell for cell in played.cells if not cell.skipped]
    for number, cell in enumerate(visited, 1):
        order.setdefault(cell.step, []).append(str(number))
    pale = [step.id for step in turn.steps if step.id not in order]
    numbers = {step: ", ".join(found) for step, found in order.items()}
    edges = dict.fromkeys(pale, "rule") | {cell.step: "go" for cell in visited}
    whose = f" of {played.active}" if played.active else ""
    return Overlay(
        fills=dict.fromkeys(pale, "soft"),
        edges=edges,
        chips=numbers,
        caption=f"{turn.word.capitalize()} {played.number}{whose}: the numbers are the order.",
        keys=(("go", f"the steps of this {turn.word}"),),
    )


# how often ----------------------------------------------------------------------------------------


def counted(turn: Turn, model: Model, counts: Counts) -> Overlay:
    """Return how often each step began and each way was taken, and what never was."""
    times = {**counts.window, **counts.turn}
    visits = _visits(model, times)
    began = {step.id: visits[step.start] for step in turn.steps}
    choices = dict(_choices(turn, times))
    chips: dict[Marked, str] = {id: often(n) for id, n in visits.items() if n}
    chips.update({id: often(n) for id, n in began.items()})
    chips.update({what: often(n) for what, n in choices.items()})
    steps, ways = sum(map(bool, began.values())), sum(map(bool, choices.values()))
    said = f"{steps} of {len(began)} steps and {ways} of {len(choices)} ways were taken."
    never = dict.fromkeys(what.words for what, n in choices.items() if not n and what.words)
    if never:
        said += f" Never: {'; '.join(never)}."
    return Overlay(
        fills=heated(began),
        edges={id: "jump" for id, n in began.items() if not n},
        chips=chips,
        caption=said,
        keys=HEATS,
    )


def _visits(model: Model, times: Mapping[str, int]) -> Counter[str]:
    """How often each state was come to."""
    found = Counter[str]()
    for machine in model.machines.values():
        for row in machine.transitions:
            found[row.target or row.source] += times.get(row.id, 0)
    return found


def _choices(turn: Turn, times: Mapping[str, int]) -> Iterator[tuple[Way | Reason, int]]:
    """Every way and every reason to leave something out, with how often it held. A path can have
    been taken as often as each transition on it.
    """
    for way in turn.ways:
        if way.target != HOLE:
            yield way, sum(min(times.get(id, 0) for id in path) for path in way.paths)
    for part in turn.parts:
        for reason in part.left_out:
            yield reason, sum(times.get(id, 0) for id in reason.tells)


def often(n: int) -> str:
    """Return how often something was taken."""
    return f"{n}×" if n else "never"


HEATS = (("heat1", "under 10% of the most"), ("heat2", "10 to 60%"), ("heat3", "over 60%"))


def heated(times: Mapping[str, int]) -> dict[str, str]:
    """Return the fill of each of these, by how often it was taken beside what was taken most."""
    most = max(times.values(), default=0)
    return {id: _heat(n, most) for id, n in times.items()}


def _heat(n: int, most: int) -> str:
    if not n:
        return "paper"
    return "heat1" if n * 10 <= most else "heat2" if n * 10 <= 6 * most else "heat3"


# what differs -------------------------------------------------------------------------------------


def difference(old: Turn, new: Turn, names: tuple[str, str] = ("", "")) -> tuple[Turn, Overlay]:
    """Return both turns as one, with what came and went, and what changed in words.

    Parameters
    ----------
    old, new
        The readings of the two turns. The same step has the same id in both.
    names
        What to call them. By default, they are called by their editions.

    Returns
    -------
    tuple
        The turn to draw, and what to show on it.
    """
    before = {part.id: part for part in old.parts}
    after = {part.id for part in new.parts}
    gone = [id for id in before if id not in after]
    came = [part.id for part in new.parts if part.id not in before]
    told: list[str] = []
    chips: dict[Marked, str] = dict.fromkeys(gone, "gone")
    chips.update(dict.fromkeys(came, "new"))
    for step in new.steps:
        was = before.get(step.id)
        changes = _changes(was, step) if isinstance(was, Step) else []
        if changes:
            told.append(f"{step.title}: {'; '.join(changes)}.")
            chips[step.id] = "changed"
    for turn, other, chip in ((new, old, "new"), (old, new, "gone")):
        for way in _other_ways(turn, other, {*gone, *came}):
            chips[way] = chip
            source, target = turn.names.get(way.source) or "any step", turn.place(way.target)
            told.append(f"{chip.title()}: from {source} to {target}, {way.words}.")
    phases = [_with_gone(phase, old, gone) for phase in new.phases]
    phases += [phase for phase in old.phases if phase.id in gone]
    turn = replace(new, phases=tuple(phases), names={**old.names, **new.names})
    a, b = names[0] or old.edition or old.title, names[1] or new.edition or new.title
    keys = [("gone", "gone")] if gone else []
    keys += [("ok", "new")] if came else []
    return turn, Overlay(
        fills=dict.fromkeys(gone, "gone"),
        edges=dict.fromkeys(came, "ok"),
        chips=chips,
        title=f"{new.title}: what changed",
        caption=f"{b}, compared with {a}.",
        told=tuple(told) or ("Nothing that this picture shows has changed.",),
        keys=tuple(keys),
    )


def _changes(old: Step, new: Step) -> list[str]:
    """What changed inside a step, in words."""
    found = [f"now called {new.title}, not {old.title}"] if old.title != new.title else []
    olds, news = _texts(old), _texts(new)
    more = [lower_first(text) for text in news if text not in olds]
    less = [lower_first(text) for text in olds if text not in news]
    if more:
        found.append(f"new: {listed(more)}")
    if less:
        found.append(f"gone: {listed(less)}")
    if not more and not less and olds != news:
        found.append("in another order")
    now = {reason.words for reason in new.left_out}
    if now != {reason.words for reason in old.left_out}:
        found.append(f"now left out: {listed(sorted(now), 'or')}" if now else "no longer left out")
    return found


def _texts(step: Step) -> list[str]:
    return [line.text for line in step.lines]


def _other_ways(turn: Turn, other: Turn, without: set[str]) -> Iterator[Way]:
    """The ways that only the first turn has. Those of steps that came or went are left out, since
    the picture shows them.
    """
    known = {_ends(way) for way in other.ways}
    for way in turn.ways:
        shown = {way.source, way.target} & without
        if way.words and not shown and _ends(way) not in known:
            yield way


def _ends(way: Way) -> tuple[str, str, str]:
    return way.source, way.target, way.kind


def _with_gone(phase: Phase, old: Turn, gone: Sequence[str]) -> Phase:
    """A phase with the steps that it no longer has, each after the one that it came after."""
    parts: dict[str, Part] = {}
    for part in phase.parts:
        parts[part.id] = _with_gone(part, old, gone) if isinstance(part, Phase) else part
    twins = [part for part in old.parts if isinstance(part, Phase) and part.id == phase.id]
    was = twins[0].parts if twins else ()
    parts |= {part.id: replace(part, left_out=()) for part in was if part.id in gone}
    known = [part.id for part in was if part.id in parts]
    order = merged(known, [part.id for part in phase.parts])
    return replace(phase, parts=tuple(parts[id] for id in order))
