"""What can be shown on a picture: where a game stands, the way of a turn, how often a run went
where, what differs from another edition.

An overlay is plain data. It names steps, phases and states by their ids, and ways and reasons as
the reading has them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from operator import attrgetter
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from fsm.engine.controller import TurnController
from fsm.engine.possible import ways_onward
from fsm.engine.semantics import TURN
from fsm.engine.trace import Record
from fsm.model import Model
from fsm.model.model import ModelLike
from fsm.runs.turns import Cell, read_turns
from fsm.views.machines import ANY, Machine
from fsm.views.reader import read
from fsm.views.reading import Part, Phase, Step, Turn, steps_of
from fsm.wording import lower_first, merged

Marks = Mapping[Any, str]
"""Colours or short texts, by the ids of steps, phases, states and transitions, or by ways and
reasons."""


class Overlay(Struct, frozen=True):
    """What is painted on a picture.

    Attributes
    ----------
    fills, edges
        The colours of cards and of their edges, by id. The fill "gone" is for what is no longer
        there.
    chips
        Short texts at cards, at lines of a list, by the id of their state, and at ways.
    turn
        What is drawn instead of the turn.
    title, caption
        What is said instead of the title, and below it.
    told
        Sentences below the picture.
    legend
        What the legend explains if it is drawn: words, by the sign that they are about (see
        `fsm.views.svg.Svg`).
    """

    fills: Marks = {}
    edges: Marks = {}
    chips: Marks = {}
    turn: Turn | None = None
    title: str = ""
    caption: str = ""
    told: Sequence[str] = ()
    legend: dict[str, str] = {}


NONE = Overlay()
NEXT = {"go edge": "may come next"}
MORE = {"extra edge": "extra, or once more"}


class Now(Struct, frozen=True):
    """Where a game stands: in the turn (`state`) and in an open window (`frame`, "" for none).

    `open` are the ids of the transitions of the turn that can fire until the game has left the step
    it is in. `left_out` and `extra` are the steps that the turn has left out so far, and those that
    it had in addition, or again.
    """

    state: str
    frame: str = ""
    open: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    extra: tuple[str, ...] = ()


class Counts(Struct, frozen=True):
    """How often each transition of the turn and of the window was taken, by id; absent is never."""

    turn: Mapping[str, int]
    window: Mapping[str, int] = {}


# where a game stands ------------------------------------------------------------------------------


def position(turn: Turn, model: Model, now: Now) -> Overlay:
    """Return where a game stands, and which steps can come next."""
    step = turn.step_of(now.state)
    if step is None and now.state.startswith("before_game"):
        first = {turn.steps[0].id: "go"}
        return Overlay(edges=first, caption=f"Now: before the first {turn.word}.", legend=NEXT)
    if step is None:
        return Overlay(caption="Now: between two steps.")
    targets = [
        way.target
        for way in turn.ways
        if way.source == step.id and way.kind != "cut short" and _is_open(now, way.paths)
    ]
    said = [part.title for part in turn.around(step)]
    said += [lower_first(line.text) for line in step.lines if line.state == now.state][:1]
    return Overlay(
        fills={
            **dict.fromkeys(now.left_out, "soft"),
            step.id: "now",
            now.frame or now.state: "now",
        },
        edges={
            **dict.fromkeys(now.left_out, "rule"),
            **dict.fromkeys(targets, "go"),
            step.id: "ink",
            **dict.fromkeys(now.extra, "extra"),
        },
        caption=f"Now: {', '.join(said)}.",
        legend={"now": "the game is here", "soft": "left out so far", **NEXT, **MORE},
    )


def machine_standing(machine: Machine, model: Model, now: Now) -> Overlay:
    """Return where a machine stands, and which transitions can be taken from there."""
    around = {ANY, *(state.id for state in model.path(now.state))}
    edges = {
        line.key: "go"
        for line in machine.lines
        if line.source.id in around and _is_open(now, zip(line.tells))
    }
    edges[now.state] = "core"
    legend = {"now": "now here", "go edge": "can happen now"}
    return Overlay({now.state: "now"}, edges, legend=legend)


def _is_open(now: Now, paths: Iterable[Iterable[str]]) -> bool:
    """Whether a game can take one of these paths. Without knowledge of the game, it can."""
    return not now.open or any(map({*now.open}.issuperset, paths))


def now_of(game: TurnController) -> Now:
    """Where a game stands, and which transitions of the turn can fire until it has left the step.

    What the game reports is tried both ways, and an open window from its beginning. The game is
    left as it is.
    """
    step = game.model.state(game.run.state).parent or None
    queue = [replace(game.run, frame="")]
    known = set[Hashable]()
    open = set[str]()
    for run in queue:
        for after, fired in ways_onward(game.semantics, run, jumps=True):
            open.update(one.row.id for one in fired if one.machine == TURN)
            place = after.state, after.latched
            state = game.model.state(after.state)
            is_inside = state.parent == step or state.role not in ("", "action", "window")
            if is_inside and place not in known:
                known.add(place)
                queue.append(after)
    records = game.trace.records if game.trace else []
    of_turn = [record for record in records if record.turn == records[-1].turn]
    cells = [cell for played in read_turns(of_turn, game.model) for cell in played.cells]
    visited = {cell.step for cell in cells if not cell.left_out}
    left_out = tuple(step for cell in cells for step in cell.left_out if step not in visited)
    return Now(game.run.state, game.run.frame, tuple(sorted(open)), left_out, _extra(cells))


# the way of one turn ------------------------------------------------------------------------------


def way_of(turn: Turn, model: Model, records: Iterable[Record]) -> Overlay:
    """Return the steps that the last turn of several steps went through, numbered in their order,
    or else the last turn.
    """
    begun = [played for played in read_turns(records, model) if played.cells]
    if not begun:
        return NONE
    played = max(reversed(begun), key=lambda each: len(each.cells) > 1)
    visited = [cell.step for cell in played.cells if not cell.left_out]
    numbers = dict[str, str]()
    for number, step in enumerate(visited, 1):
        numbers[step] = f"{numbers[step]}, {number}" if step in numbers else str(number)
    pale = [step.id for step in turn.steps if step.id not in numbers]
    extra = _extra(played.cells)
    whose = f" of {played.active}" if played.active else ""
    return Overlay(
        fills=dict.fromkeys(pale, "soft"),
        edges={
            **dict.fromkeys(pale, "rule"),
            **dict.fromkeys(visited, "go"),
            **dict.fromkeys(extra, "extra"),
        },
        chips=numbers,
        caption=f"{turn.word.capitalize()} {played.number}{whose}: the numbers are the order.",
        legend={"go edge": f"the steps of this {turn.word}", **MORE},
    )


def _extra(cells: Iterable[Cell]) -> tuple[str, ...]:
    """Return the steps that a turn had in addition, or again."""
    return tuple(cell.step for cell in cells if cell.extra or cell.again)


# how often ----------------------------------------------------------------------------------------


HEATS = {"heat1": "under 10% of the most", "heat2": "10 to 60%", "heat3": "over 60%"}


def counted(turn: Turn, model: Model, counts: Counts) -> Overlay:
    """Return how often each step began, each way was taken and each reason to leave something out
    held, and what never was. A path can have been taken as often as each transition on it.
    """
    times, visits = _visits(model, counts)
    began = {step.id: visits[step.start] for step in turn.steps}
    choices = Counter[Any]()
    for way in turn.ways:
        for path in way.paths:
            choices[way] += min(times[id] for id in path)
    for part in turn.parts:
        for reason in part.left_out:
            choices[reason] = sum(times[id] for id in reason.tells)
    said = f"{_some(began)} steps and {_some(choices)} ways were taken."
    never = dict.fromkeys(what.words for what, n in choices.items() if what.words and not n)
    if never:
        said += f" Never: {'; '.join(never)}."
    if turn.extra is not None:
        choices[turn.extra] = sum(times[id] for id in turn.extra.tells)
    # lines of a list do not say that nothing was taken
    return _heated(began, {**visits, **choices}, said)


def machine_counted(machine: Machine, model: Model, counts: Counts) -> Overlay:
    """Return how often each state without others inside was visited, how often each line was taken,
    and what never was.
    """
    times, visits = _visits(model, counts)
    leaves = {state.id: visits[state.id] for state in machine.states if state.kind != "frame"}
    taken = {
        row.id: times[row.id] for row in model.transitions if not model.state(row.source).stand_in
    }
    lines = {line.key: sum(times[id] for id in line.tells) for line in machine.lines}
    said = f"{_some(leaves)} states were entered, {_some(taken)} transitions taken"
    return _heated(leaves, lines, said)


def _heated(places: Mapping[str, int], ways: Mapping[Any, int], caption: str) -> Overlay:
    """Return how often places were visited and ways were taken. What never was is marked."""
    times = {**ways, **places}
    most = max(places.values())
    return Overlay(
        fills={id: heat_of(n, most) for id, n in places.items()},
        edges={what: "jump" for what, n in times.items() if not n},
        chips={what: f"{n}×" if n else "never" for what, n in times.items()},
        caption=caption,
        legend=HEATS,
    )


def _visits(model: Model, counts: Counts) -> tuple[Counter[str], Counter[str]]:
    """Return how often each transition was taken, and each state entered, or left if that is more.
    A transition that stays does both.
    """
    times = Counter(counts.turn) + Counter(counts.window)
    entered = Counter[str]()
    left = Counter[str]()
    for machine in model.machines.values():
        for row in machine.transitions:
            entered[row.target or row.source] += times[row.id]
            left[row.source] += times[row.id]
    return times, entered | left


def _some(times: Mapping[Any, int]) -> str:
    """Return how many of these have been taken: "3 of 5"."""
    return f"{sum(map(bool, times.values()))} of {len(times)}"


def heat_of(n: int, most: int) -> str:
    """Return the fill of what was taken so often, beside what was taken most."""
    return ["paper", *HEATS][bisect_left((0, most / 10, most * 6 / 10), n)]


# what differs -------------------------------------------------------------------------------------


def difference(new: Turn, model: Model, against: ModelLike) -> Overlay:
    """Return both turns as one, with what came and went, and what changed in words."""
    from fsm.views.diff import diff

    old = read(diff(against, model).old)
    before, after = ({part.id: part for part in turn.parts} for turn in (old, new))
    gone = dict.fromkeys(before.keys() - after.keys(), "gone")
    came = dict.fromkeys(after.keys() - before.keys(), "new")
    told = [*_told(old, new, gone.keys() | came.keys())]
    return Overlay(
        fills=gone,
        edges=dict.fromkeys(came, "ok"),
        chips={**{what: chip for what, chip, _ in told}, **gone, **came},
        turn=replace(
            new,
            phases=_with_gone(new.phases, old.phases, before, gone),
            names=old.names | new.names,
        ),
        title=f"{new.title}: what changed",
        caption=f"{new.edition or new.title}, compared with {old.edition or old.title}.",
        told=[text for *_, text in told] or ["Nothing that this picture shows has changed."],
        legend={"jump dashes": "gone", "ok edge": "new"},
    )


def _told(old: Turn, new: Turn, without: Set[str]) -> Iterator[tuple[Any, str, str]]:
    """The steps that changed, and the ways that only one turn has, with what became of them, in a
    word and in a sentence. Ways of steps that came or went are left out, since the picture shows
    them.
    """
    before = {step.id: step for step in old.steps}
    for step in new.steps:
        changes = "; ".join(_changes(before.get(step.id, step), step))
        if changes:
            yield step.id, "changed", f"{step.title}: {changes}."
    ends = attrgetter("source", "target", "kind")
    for turn, other, chip in ((new, old, "new"), (old, new, "gone")):
        known = {*map(ends, other.ways)}
        for way in turn.ways:
            is_kept = without.isdisjoint((way.source, way.target))
            if way.words and is_kept and ends(way) not in known:
                source = turn.names.get(way.source, "any step")
                goal = turn.place(way.target)
                yield way, chip, f"{chip.title()}: from {source} to {goal}, {way.words}."


def _changes(old: Step, new: Step) -> Iterator[str]:
    """What changed inside a step, in words."""
    if old.title != new.title:
        yield f"now called {new.title}, not {old.title}"
    was = [line.text for line in old.lines]
    now = [line.text for line in new.lines]
    before = [reason.words for reason in old.left_out]
    after = [reason.words for reason in new.left_out]
    for sign, texts, others in (
        ("new", now, was),
        ("gone", was, now),
        ("now left out", after, before),
        ("no longer left out", before, after),
    ):
        only = [lower_first(text) for text in texts if text not in others]
        if only:
            yield f"{sign}: {', '.join(only)}"


def _with_gone(
    new: Iterable[Part], old: Iterable[Part], before: Mapping[str, Part], gone: Marks
) -> tuple[Part, ...]:
    """Return parts with those that are gone, each after the one that it came after. A phase that is
    gone has only the steps that are gone, too; without any, it is left out.
    """
    parts = {part.id: part for part in new}
    order = merged([part.id for part in old], parts)
    parts |= {part.id: replace(part, left_out=()) for part in old if part.id in gone}
    for id, part in parts.items():
        if isinstance(part, Phase):
            inside = () if id in gone else part.parts
            earlier = getattr(before.get(id), "parts", ())
            parts[id] = replace(part, parts=_with_gone(inside, earlier, before, gone))
    return tuple(parts[id] for id in order if id in parts and steps_of([parts[id]]))


OVERLAYS: Mapping[type, Mapping[str, Callable[..., Overlay]]] = {
    Turn: {
        "a trace": way_of,
        "where a game stands": position,
        "counts": counted,
        "what differs from another model": difference,
    },
    Machine: {"where a game stands": machine_standing, "counts": machine_counted},
}
"""What can be shown on a reading, with the function that makes the overlay of the reading, its
Model and that.
"""
