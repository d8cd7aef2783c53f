"""What a Model is refused for: wrong types, unknown names, and names that a file could not hold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, get_args, get_type_hints

import msgspec

from fsm.errors import shortened, shown, suggest
from fsm.model.elements import Duration, Event, Fact, Part, Role, Setting, State, Transition
from fsm.model.fieldtypes import misfit

if TYPE_CHECKING:
    from fsm.model.model import Model

KINDS: dict[str, type[Part]] = {
    "states": State,
    "facts": Fact,
    "events": Event,
    "transitions": Transition,
    "durations": Duration,
    "settings": Setting,
    "roles": Role,
}
RESERVED = ("state", "frame")
"""Names that no event can have. A machine keeps its state under them."""
_ACTION = re.compile(r"[^\s(),]+(\([^(),]+(, [^(),]+)*\))?")


def wrong_value(error: msgspec.ValidationError) -> str:
    """Return the place in a file, from the outermost value on, and what is wrong with its value:
    ".states[3].id: expected ...".
    """
    what, _, place = str(error).partition(" - at `$")
    place = place.rstrip("`")
    what = what[:1].lower() + what[1:]
    field = re.search(r"(\w+)\[\d+\]\.(\w+)$", place)
    if field is not None and what.startswith("invalid enum value"):
        words = get_args(get_type_hints(KINDS[field[1]])[field[2]])
        what += f"; known: {', '.join(filter(None, words))}"
    return f"{place}: {shortened(what)}"


def problems_of(model: Model) -> Iterator[str]:
    """Yield what is wrong with a model: with a part before what needs the part."""
    if wrong := misfit(model):
        yield wrong
    if not model.name:
        yield "the model has no name"
    for kind in KINDS:
        for part in getattr(model, kind):
            if wrong := misfit(part):
                yield f"{shown(part, limit=120)}: {wrong}"
    names = _Names(model)
    yield from names.wrong()
    yield from names.unknown(f"initial state {shown(model.initial)}", model.initial, names.states)
    for state in model.states:
        yield from names.of_state(state)
    for row in model.transitions:
        yield from names.of_transition(row)


class _Names:
    """The names of the parts of a model."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.states: Mapping[str, State] = {state.id: state for state in model.states}
        self.facts = [fact.name for fact in model.facts]
        self.events = [event.name for event in model.events]

    def wrong(self) -> Iterator[str]:
        """Yield names that are there twice, or could not be read back from a file."""
        for kind in KINDS:
            what = kind.removesuffix("s")
            names = Counter[str]()
            for part in getattr(self.model, kind):
                names[part.id if what in ("state", "transition") else part.name] += 1
            yield from _wrong_names(what, names)
        for name in self.facts:
            if name.startswith("not "):
                yield f"fact {name!r} reads like a negation; choose another name"
        for name in RESERVED:
            if name in self.events:
                yield f"no event can be called {name!r}: a machine keeps its state under this name"

    def unknown(self, what: str, name: str, known: Collection[str]) -> Iterator[str]:
        """Yield that a name is not one of those known."""
        if name not in known:
            yield f"{what} is unknown{suggest(name, known)}"

    def of_state(self, state: State) -> Iterator[str]:
        """Yield what is wrong with the names in a state."""
        where = f"state {state.id!r}"
        above = self.states.get(state.parent)
        seen = {state.id}
        if state.parent and (above is None or not above.composite):
            known = [id for id, one in self.states.items() if one.composite]
            place = f"{where} stands in {state.parent!r}, which is no turn, phase or step"
            yield f"{place}{suggest(state.parent, known)}"
        while above is not None and above.id not in seen:
            seen.add(above.id)
            above = self.states.get(above.parent)
        if above is not None:
            yield f"{where} contains itself; parents must form a tree"
        if state.enters:
            window = [state.id for state in self.model.window.states] if self.model.window else []
            yield from self.unknown(f"{where}: window {state.enters!r}", state.enters, window)
        for fact in state.tells:
            yield from self.unknown(f"{where} tells the fact {fact!r}, which", fact, self.facts)

    def of_transition(self, row: Transition) -> Iterator[str]:
        """Yield what is wrong with the names in a transition."""
        where = f"transition {row.id!r}"
        target = row.source if row.target is None else row.target
        for id in (row.source, target):
            yield from self.unknown(f"{where}: state {id!r}", id, self.states)
        yield from self.unknown(f"{where}: event {row.event!r}", row.event, self.events)
        for term in row.guard:
            yield from self.unknown(f"{where}: fact {term.fact!r}", term.fact, self.facts)
        if row.target is not None and self.states[target].composite:
            kind = self.states[target].kind
            yield f"{where} leads to {target!r}, a {kind}; name a state in it"
        for action in row.actions:
            if not _ACTION.fullmatch(action):
                right = "name(a, b), with no spaces in the name and no brackets in an argument"
                yield f"{where}: action {str(action)!r} cannot be read; write {right}"


def _wrong_names(what: str, names: Mapping[str, int]) -> Iterator[str]:
    """Yield names that are empty or padded, or there twice."""
    for name, count in names.items():
        if not name:
            yield f"a {what} has no name"
        elif name != name.strip():
            yield f"{what} {name!r} has spaces or line ends around its name; leave them out"
        elif count > 1:
            yield f"{what} {name!r} is there twice; names are unique"
