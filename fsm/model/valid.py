"""What a Model is refused for: wrong types, unknown names, and names that a file could not hold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

import msgspec

from fsm.errors import shortened, shown, suggest
from fsm.model.elements import Duration, Event, Fact, Part, Setting, State, Transition
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
}
RESERVED = ("state", "frame")
"""Names that no event can have. A machine keeps its state under them."""
_ACTION = re.compile(r"[^\s(),]+(\([^(),]+(, [^(),]+)*\))?")


def wrong_value(error: msgspec.ValidationError) -> str:
    """Return the place in a file, from the outermost value on, and what is wrong with its value:
    ".states[3].id: expected ...".
    """
    what, _, place = str(error).partition(" - at `$")
    place, what = place.rstrip("`"), what[:1].lower() + what[1:]
    field = re.search(r"(\w+)\[\d+\]\.(\w+)$", place)
    if field is not None and what.startswith("invalid enum value"):
        words = get_args(get_type_hints(KINDS[field[1]])[field[2]])
        what += f"; known: {', '.join(filter(None, words))}"
    return f"{place}: {shortened(what)}"


def problems_of(model: Model) -> Iterator[str]:
    """Yield what is wrong with a model. What is wrong with a part comes before what needs the part."""
    if wrong := misfit(model):
        yield wrong
    if not model.name:
        yield "the model has no name"
    for kind in KINDS:
        yield from _wrong_parts(kind.removesuffix("s"), getattr(model, kind))
    yield from _wrong_events(model)
    yield from _wrong_words(model)
    states = {state.id: state for state in model.states}
    facts = {fact.name for fact in model.facts}
    if model.initial not in states:
        yield f"initial state {shown(model.initial)} is unknown{suggest(model.initial, states)}"
    for state in model.states:
        yield from _wrong_state(state, states, facts)
    events = {event.name for event in model.events}
    for row in model.transitions:
        yield from _wrong_transition(row, states, facts, events)


def _wrong_parts(what: str, parts: Iterable[Any]) -> Iterator[str]:
    """Yield parts with values of wrong types, and names that are empty, padded or there twice."""
    names = Counter[str]()
    for part in parts:
        if wrong := misfit(part):
            yield f"{shown(part, limit=120)}: {wrong}"
        names[part.id if what in ("state", "transition") else part.name] += 1
    for name, count in names.items():
        if not name:
            yield f"a {what} has no name"
        elif name != name.strip():
            yield f"{what} {name!r} has spaces or line ends around its name; leave them out"
        elif count > 1:
            yield f"{what} {name!r} is there twice; names are unique"


def _wrong_events(model: Model) -> Iterator[str]:
    """Yield names that no event can have, and a second event by which players leave."""
    for name in RESERVED:
        if any(event.name == name for event in model.events):
            yield f"no event can be called {name!r}: a machine keeps its state under this name"
    events = chain.from_iterable(machine.events for machine in model.machines.values())
    leaving = dict.fromkeys(event.name for event in events if event.is_leaving)
    if len(leaving) > 1:
        yield f"a player leaves by {' and by '.join(map(repr, leaving))}; one event is right"


def _wrong_words(model: Model) -> Iterator[str]:
    """Yield what would be read back from a file as something else."""
    for fact in model.facts:
        if fact.name.startswith("not "):
            negated = fact.name.removeprefix("not ")
            yield f"fact {fact.name!r} reads like the negation of {negated!r}; choose another name"
    for row in model.transitions:
        for action in row.actions:
            if not _ACTION.fullmatch(action):
                right = "name(a, b), with no spaces in the name and no brackets in an argument"
                yield f"transition {row.id!r}: action {str(action)!r} cannot be read; write {right}"
    for duration in model.durations:
        if not duration.what:
            yield f"duration {duration.name!r} does not say in `what` which moment ends it"
    for setting in model.settings:
        if any(count is not None and count < 1 for count in (setting.sides, setting.players)):
            yield f"setting {setting.name!r}: sides and players are counted from 1"


def _wrong_state(
    state: State, states: Mapping[str, State], facts: Collection[str]
) -> Iterator[str]:
    where = f"state {state.id!r}"
    above, seen = states.get(state.parent), {state.id}
    if state.parent and (above is None or not above.composite):
        known = [id for id, one in states.items() if one.composite]
        place = f"{where} stands in {state.parent!r}, which is no turn, phase or step"
        yield f"{place}{suggest(state.parent, known)}"
    while above is not None and above.id not in seen:
        seen.add(above.id)
        above = states.get(above.parent)
    if above is not None:
        yield f"{where} contains itself; parents must form a tree"
    if state.by != "active" and state.asks != "perform":
        said = f"{where} says who performs it, but asks nobody to perform anything"
        yield f"{said}; leave `by` out"
    for fact in state.tells:
        if fact not in facts:
            yield f"{where} tells the fact {fact!r}, which is unknown{suggest(fact, facts)}"


def _wrong_transition(
    row: Transition, states: Mapping[str, State], facts: Collection[str], events: Collection[str]
) -> Iterator[str]:
    where = f"transition {row.id!r}"
    target = row.source if row.target is None else row.target
    named: list[tuple[str, str, Collection[str]]] = [
        ("state", row.source, states),
        ("state", target, states),
        ("event", row.event, events),
    ]
    named += [("fact", term.fact, facts) for term in row.guard]
    for kind, name, known in named:
        if name not in known:
            yield f"{where}: {kind} {name!r} is unknown{suggest(name, known)}"
    if row.target is not None and states[target].composite:
        kind = states[target].kind
        yield f"{where} leads to {target!r}, a {kind}; name a state in it"
