"""The reading of a plain machine, such as those of the `transitions` library: its states and its
lines, as plain frozen values. Pictures and texts of such machines are made from it, and the DOT and
Mermaid of turns.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from msgspec import Struct

from fsm.model import Model, State, Term, Transition
from fsm.views.reading import Kind
from fsm.wording import plain, plain_words

ANY = ""
"""The source of what all states have alike, and the frame around all states."""


class Label(Struct, frozen=True):
    """What is said of a transition: its event, its conditions, and what is done then."""

    event: str
    more: str = ""

    def __str__(self) -> str:
        return f"{self.event} {self.more}".strip()


class Line(Struct, frozen=True):
    """All transitions from one place to another.

    Attributes
    ----------
    source
        The id of a state. The line leaves a state that contains others from its frame.
    target
        The id of a state. A state that contains others is entered at its initial state.
    labels
        What is said of the transitions, each once.
    tells
        The ids of the transitions.
    inside
        Whether it starts in any state inside of `source`, and stays in there.
    kind
        What it is, if it is a way of a turn.
    """

    source: str
    target: str
    labels: tuple[Label, ...]
    tells: tuple[str, ...]
    inside: bool = False
    kind: Kind = "next"


class Machine(Struct, frozen=True):
    """A plain machine.

    Attributes
    ----------
    title
        What it is called.
    states
        Its states, outer ones before inner ones.
    starts
        Where it starts, and where each frame is entered: the id of the frame, and that of a state
        in it. The outermost frame is "". Parallel states are entered together.
    lines
        Its lines.
    stays
        What changes no state, by the id of the state in which it can happen.
    transitions
        How many transitions it has.
    any
        What it calls any of its states.
    """

    title: str
    states: tuple[State, ...]
    starts: tuple[tuple[str, str], ...]
    lines: tuple[Line, ...]
    stays: dict[str, tuple[Label, ...]]
    transitions: int
    any: str = "any state"

    def inside(self, frame: str) -> list[State]:
        """Return the states directly inside of a frame."""
        return [state for state in self.states if state.parent == frame]

    @property
    def crowds(self) -> set[str]:
        """The frames with something that any state inside of them does without leaving them."""
        frames = {ANY, *(state.parent for state in self.states)}
        return {id for id in self.stays if id in frames} | {
            line.source for line in self.lines if line.inside
        }


def read_machine(model: Model) -> Machine:
    """Return the reading of a plain machine. Transitions that all its states have alike are read
    once, as those of any state.
    """
    states = tuple(state for state in model.states if not state.stand_in)
    rows = [row for row in model.transitions if not model.state(row.source).stand_in]
    common = _common(rows, [state.id for state in states if not state.parent])
    lines = defaultdict[tuple[str, str, bool], list[Transition]](list)
    stays = defaultdict[str, list[Transition]](list)
    for row in rows:
        source = ANY if row.id in common else row.source
        if row.target is None:
            stays[source].append(row)
            continue
        target = ANY if common.get(row.id) else _entered(model, source, row.target)
        lines[source, target, _is_inside(model, source, target)].append(row)
    told = []
    for (source, target, inside), same in lines.items():
        ids = tuple(row.id for row in same)
        told.append(
            Line(
                source=source,
                target=target,
                labels=_labels(model, same),
                tells=ids,
                inside=inside,
            )
        )
    return Machine(
        title=plain(model.title) or plain(model.name),
        states=states,
        starts=tuple(_starts(model)),
        lines=tuple(told),
        stays={source: _labels(model, same) for source, same in stays.items()},
        transitions=len(rows),
    )


def _is_inside(model: Model, source: str, target: str) -> bool:
    """Say whether a line starts in any state inside of its source, and stays in there."""
    if ANY in (source, target):
        return True
    frame = model.state(source)
    return frame.composite and frame in model.path(target)


def _entered(model: Model, source: str, target: str) -> str:
    """Return the outermost state that is entered when a target is: a frame is entered at its
    initial state.
    """
    around = {state.id for state in model.path(source)} if source else set()
    state = model.state(target)
    if state.stand_in:
        state = model.state(state.parent)
    while state.role == "begin" and state.parent not in around:
        state = model.state(state.parent)
    return state.id


def _starts(model: Model) -> Iterable[tuple[str, str]]:
    """Yield where the machine starts, and where each frame is entered."""
    first = model.state(model.initial)
    if not first.stand_in or first.parent:
        yield ANY, _entered(model, ANY, first.id)
    for state in model.states:
        if state.role == "begin":
            yield state.parent, state.id
    for row in model.transitions:
        source = model.state(row.source)
        if source.stand_in and row.target:
            yield source.parent, _entered(model, source.parent, row.target)


# labels -------------------------------------------------------------------------------------------


def _labels(model: Model, rows: Iterable[Transition]) -> tuple[Label, ...]:
    return tuple(dict.fromkeys(_label(model, row) for row in rows))


def _label(model: Model, row: Transition) -> Label:
    event = plain(row.event) if row.event in model.signals else ""
    more = []
    if row.guard:
        conditions = [_condition(model, term) for term in row.guard]
        more.append(f"if {', '.join(conditions)}")
    if row.doc:
        more.append(f"then {plain(row.doc)}")
    return Label(event, ", ".join(more))


def _condition(model: Model, term: Term) -> str:
    """Return a condition by its name, with the place of a lambda and the values of a partial."""
    if model.played:
        return plain_words(model, term)
    doc = model.fact(term.fact).doc
    name = plain(term)
    if term.fact.startswith("lambda"):
        name = "lambda" if term.value else "not lambda"
    elif not doc.startswith("with "):
        return name
    return f"{name} ({plain(doc)})"


# what all states have alike -----------------------------------------------------------------------


def _common(rows: Sequence[Transition], sources: Sequence[str]) -> dict[str, bool]:
    """Return the transitions that start at all these states alike, by id; of each, whether it leads
    to the same state again.

    They are tried before or after all else that a state has for the event.
    """
    found: dict[str, bool] = {}
    if len(sources) < 2:
        return found
    own = defaultdict[tuple[str, str], list[Transition]](list)
    for row in rows:
        own[row.source, row.event].append(row)
    for event in dict.fromkeys(row.event for row in rows):
        lists = [own[source, event] for source in sources]
        found |= _alike(zip(*lists, strict=False))
        found |= _alike(zip(*map(reversed, lists), strict=False))
    return found


def _alike(ranks: Iterable[tuple[Transition, ...]]) -> dict[str, bool]:
    """Return what several states have alike, up to the first of which they differ."""
    found: dict[str, bool] = {}
    for same in ranks:
        again = all(row.source == row.target for row in same)
        if len({(again or row.target, row.guard, row.doc) for row in same}) > 1:
            break
        found |= dict.fromkeys([row.id for row in same], again)
    return found
