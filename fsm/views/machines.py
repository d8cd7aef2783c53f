"""The reading of a plain machine, such as those of the `transitions` library: its places and its
lines, as plain frozen values. Pictures and texts of such machines are made from it, and the DOT and
Mermaid of turns.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cached_property
from typing import Any, Literal

from msgspec import Struct

from fsm.model import Model, Term, Transition
from fsm.views.reading import Kind
from fsm.wording import citation, label_of, many, plain, plain_words

ANY = ""
"""The id of the frame around all states."""
ANY_STATE = "any state"
PlaceKind = Literal["state", "final", "frame", "any", "start"]


class Label(Struct, frozen=True):
    """What is said of a transition: its event, its conditions, and what is done then."""

    event: str
    more: str = ""

    def __str__(self) -> str:
        return f"{self.event} {self.more}".strip()


class Place(Struct, frozen=True):
    """What stands in a machine.

    Attributes
    ----------
    id
        The id of the state. "any" and "start" have that of their frame.
    name
        What it is called.
    around
        The ids of the states in which it stands, innermost first, and `ANY`.
    kind
        A state, a final one, a state with others inside, any state of a frame, or where a frame is
        entered.
    """

    id: str
    name: str
    around: tuple[str, ...] = (ANY,)
    kind: PlaceKind = "state"


WHOLE = Place(ANY, ANY_STATE, (), "frame")


def start_of(frame: str) -> Place:
    """Return where a frame is entered."""
    return Place(frame, "", (frame,), "start")


def ends(source: Place, target: Place, any: str = ANY_STATE) -> tuple[Place, Place]:
    """Return from where to where a line leads. What starts anywhere in a frame and stays in there
    leads from its box for any state, and back to that if it leads to the same state again.
    """
    if source.kind != "frame" or source.id not in (target.id, *target.around):
        return source, target
    start = Place(source.id, any, (source.id,), "any")
    return start, start if target == source else target


class Line(Struct, frozen=True):
    """All transitions from one place to another.

    Attributes
    ----------
    source
        Where it starts. It leaves a state that contains others from its frame.
    target
        Where it leads. A state that contains others is entered at its initial state.
    labels
        What is said of the transitions, each once.
    tells
        The ids of the transitions.
    kind
        What it is, if it is a way of a turn.
    """

    source: Place
    target: Place
    labels: tuple[Label, ...] = ()
    tells: tuple[str, ...] = ()
    kind: Kind = "next"

    @property
    def key(self) -> str:
        """The id by which an overlay names it."""
        return "".join(self.tells[:1])

    @property
    def words(self) -> str:
        """All its labels as one text."""
        return " | ".join(map(str, self.labels))


class Machine(Struct, frozen=True, dict=True):
    """A plain machine.

    Attributes
    ----------
    title
        What it is called.
    states
        Its states, outer ones before inner ones.
    starts
        Where it starts, and where each frame is entered. Parallel states are entered together.
    lines
        Its lines.
    stays
        What changes no state, by where it can happen.
    caption
        How many states and transitions it has.
    """

    title: str
    states: Sequence[Place]
    starts: Sequence[Line]
    lines: Sequence[Line]
    stays: dict[Place, tuple[Label, ...]] = {}
    caption: str = ""

    @cached_property
    def places(self) -> list[Place]:
        """Its states, and from where else something leads or happens."""
        sources = [line.source for line in (*self.starts, *self.lines)]
        return [*dict.fromkeys([*self.states, *sources, *self.stays])]

    def inside(self, frame: str) -> list[Place]:
        """Return what stands directly inside of a frame."""
        return [place for place in self.places if place.around[0] == frame]

    def entered(self, frame: str) -> list[Place]:
        """Return the states that are entered when a frame is."""
        return [line.target for line in self.starts if line.source.id == frame]


def read_machine(model: Model) -> Machine:
    """Return the reading of a plain machine. Transitions that all its states have alike are read
    once, as those of any state.
    """
    states = [state for state in model.states if not state.stand_in]
    places = places_of(model, {state.id: label_of(state) for state in states})
    rows = [row for row in model.transitions if not model.state(row.source).stand_in]
    common = _common(rows, {state.id for state in states if not state.parent})
    groups = defaultdict[tuple[Place, Place | None], list[Transition]](list)
    for row in rows:
        start = places[ANY if row.id in common else row.source]
        goal = common.get(row.id, row.target)
        source, target = ends(start, _entered(model, places, start, goal) if goal else start)
        groups[source, None if row.target is None else target].append(row)
    starts = [
        Line(start_of(frame), _entered(model, places, places[frame], id))
        for frame, id in _starts(model)
    ]
    lines = []
    stays: dict[Place, tuple[Label, ...]] = {}
    for (source, to), same in groups.items():
        labels = tuple(dict.fromkeys(_label(model, row) for row in same))
        if to is None:
            stays[source] = labels
        else:
            lines.append(Line(source, to, labels, tuple(row.id for row in same)))
    return Machine(
        title=plain(model.title) or plain(model.name),
        states=[*places.values()][1:],
        starts=starts,
        lines=lines,
        stays=stays,
        caption=f"{many(len(states), 'state')}, {many(len(rows), 'transition')}",
    )


def places_of(model: Model, names: Mapping[str, str]) -> dict[str, Place]:
    """Return the place of each of these states, which have names, and the frame around them, by
    id.
    """
    places = {ANY: WHOLE}
    frames = {model.state(id).parent for id in names}
    for id, name in names.items():
        state, *around = model.path(id)
        kind: PlaceKind = "frame" if id in frames else "final" if state.kind == "final" else "state"
        inside = (outer.id for outer in around if outer.id in names)
        places[id] = Place(id, name, (*inside, ANY), kind)
    return places


def _entered(model: Model, places: Mapping[str, Place], source: Place, target: str) -> Place:
    """Return the outermost place that is entered when a target is: a frame is entered at its
    initial state.
    """
    around = (source.id, *source.around)
    state = model.state(target)
    while state.stand_in or (state.role == "begin" and state.parent not in around):
        state = model.state(state.parent)
    return places[state.id]


def _starts(model: Model) -> Iterator[tuple[str, str]]:
    """Yield where the machine starts, and where each frame is entered."""
    first = model.state(model.initial)
    if not first.stand_in or first.parent:
        yield ANY, first.id
    for state in model.states:
        if state.role == "begin":
            yield state.parent, state.id
    for row in model.transitions:
        source = model.state(row.source)
        if source.stand_in and row.target:
            yield source.parent, row.target


# labels -------------------------------------------------------------------------------------------


def _label(model: Model, row: Transition) -> Label:
    event = row.event if row.event in model.signals else ""
    guard = ", ".join(_condition(model, term) for term in row.guard)
    said = {"if": guard, "then": plain(row.doc)}
    more = ", ".join(f"{word} {text}" for word, text in said.items() if text)
    return Label(plain(event), plain(more))


def _condition(model: Model, term: Term) -> str:
    """Return a condition by its name, with the place of a lambda and the values of a partial."""
    if model.played:
        return plain_words(model, term)
    doc = model.fact(term.fact).doc
    if term.fact.startswith("lambda") or doc.startswith("with "):
        return plain(re.sub(r" \d+$", "", term) + citation(doc))
    return plain(term)


# what all states have alike -----------------------------------------------------------------------


def _common(rows: Sequence[Transition], sources: Set[str]) -> dict[str, str | None]:
    """Return the targets of transitions that start at all these states alike, by id; `ANY` if each
    leads to the same state again.
    """
    alike = defaultdict[Any, dict[str, str]](dict)
    for row in rows:
        for target in (row.target, ANY if row.target == row.source else row.target):
            alike[target, row.event, row.guard, row.doc][row.source] = row.id
    common: dict[str, str | None] = {}
    for (target, *_), ids in alike.items():
        if len(sources) > 1 and ids.keys() >= sources:
            common |= {ids[source]: target for source in sources}
    return common
