"""Reasons to refuse a Model: wrong types, unknown names, and names that could not be read back from
a file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from fsm.errors import ModelError, shown, suggest
from fsm.model.elements import Parts, State
from fsm.model.fieldtypes import misfit

RESERVED = ("state", "frame")
"""Names that no event can have. A machine keeps its state under them."""


def check_parts(model: Parts) -> None:
    """Raise a ModelError for the first thing that is wrong.

    Raises
    ------
    ModelError
        If a value or a name is wrong. The message names the part.
    """
    _check_values(model)
    _check_names("state", (s.id for s in model.states), model)
    _check_names("fact", (f.name for f in model.facts), model)
    _check_names("event", (e.name for e in model.events), model)
    _check_leaving(model)
    _check_names("transition", (t.id for t in model.transitions), model)
    _check_names("duration", (d.name for d in model.durations), model)
    _check_names("setting", (s.name for s in model.settings), model)
    _check_names("option", (name for name, _ in model.options), model)
    _check_written(model)
    states, facts = {s.id: s for s in model.states}, {f.name for f in model.facts}
    _check_states(model, states, facts)
    _check_transitions(model, states, facts)


def _wrong(model: Parts, what: str) -> ModelError:
    return ModelError(f"model {shown(model.name)}: {what}")


def _check_values(model: Parts) -> None:
    """Check that each part has values of the right types. Other values could not be read back from
    a file.
    """
    for part in _parts_of(model):
        wrong = misfit(part)
        if wrong:
            raise _wrong(model, wrong if part is model else f"{shown(part, limit=120)}: {wrong}")


def _parts_of(model: Parts) -> Iterator[object]:
    """Yield the model and its parts. A part is checked before the parts inside it are read."""
    yield model
    yield from (*model.states, *model.facts, *model.events, *model.durations, *model.settings)
    for t in model.transitions:
        yield t
        yield from (*t.guard, *t.actions)


def _check_leaving(model: Parts) -> None:
    """Check that one event says that a player leaves, the same in the turn and in its window."""
    events = (*model.events, *(model.window.events if model.window is not None else ()))
    names = dict.fromkeys(event.name for event in events if event.is_leaving)
    if len(names) > 1:
        raise _wrong(
            model, f"a player leaves by {' and by '.join(map(repr, names))}; one event is right"
        )


def _check_names(what: str, names: Iterable[str], model: Parts) -> None:
    known: set[str] = set()
    for name in names:
        if not name:
            raise _wrong(model, f"a {what} has no name")
        if name != name.strip():
            raise _wrong(
                model, f"{what} {name!r} has spaces or line ends around its name; leave them out"
            )
        if name in known:
            raise _wrong(model, f"{what} {name!r} is there twice; names are unique")
        known.add(name)


def _check_written(model: Parts) -> None:
    """Check that everything is read back from a file as it was written."""
    if not model.name:
        raise _wrong(model, "the model has no name")
    for fact in model.facts:
        if fact.name.startswith("not "):
            raise _wrong(
                model,
                f"fact {fact.name!r} reads like the negation of {fact.name[4:]!r}; choose another name",
            )
        if "" in fact.test:
            raise _wrong(model, f"fact {fact.name!r} has an empty word in its test")
    for event in model.events:
        if event.name in RESERVED:
            raise _wrong(
                model,
                f"no event can be called {event.name!r}: a machine keeps its state under this name",
            )
    for t in model.transitions:
        for action in t.actions:
            if not action.readable:
                right = "name(a, b), with no spaces in the name and no brackets or commas in an argument"
                raise _wrong(
                    model,
                    f"transition {t.id!r}: action {str(action)!r} cannot be read back; write {right}",
                )
    for duration in model.durations:
        if not duration.what:
            raise _wrong(
                model, f"duration {duration.name!r} does not say in `what` which moment ends it"
            )
    for setting in model.settings:
        if any(count is not None and count < 1 for count in (setting.sides, setting.players)):
            raise _wrong(model, f"setting {setting.name!r}: sides and players are counted from 1")


def _check_states(model: Parts, states: Mapping[str, State], facts: Collection[str]) -> None:
    if model.initial not in states:
        raise _wrong(
            model, f"initial state {model.initial!r} is unknown{suggest(model.initial, states)}"
        )
    for state in model.states:
        if state.parent and (state.parent not in states or not states[state.parent].composite):
            known = [s.id for s in model.states if s.composite]
            where = (
                f"state {state.id!r} stands in {state.parent!r}, which is no turn, phase or step"
            )
            raise _wrong(model, f"{where}{suggest(state.parent, known)}")
        if state.by != "active" and state.asks != "perform":
            asked = f"state {state.id!r} says who performs it, but asks nobody to perform anything"
            raise _wrong(model, f"{asked}; leave `by` out")
        for fact in state.tells:
            if fact not in facts:
                raise _unknown(
                    model, f"state {state.id!r} tells the fact {fact!r}, which", fact, facts
                )


def _check_transitions(model: Parts, states: Mapping[str, State], facts: Collection[str]) -> None:
    events = {e.name for e in model.events}
    for t in model.transitions:
        where = f"transition {t.id!r}"
        for end in (t.source, t.target):
            if end is not None and end not in states:
                raise _unknown(model, f"{where}: state {end!r}", end, states)
        if t.target is not None and states[t.target].composite:
            raise _wrong(
                model,
                f"{where} leads to {t.target!r}, a {states[t.target].kind}; name a state in it",
            )
        if t.event not in events:
            raise _unknown(model, f"{where}: event {t.event!r}", t.event, events)
        for term in t.guard:
            if term.fact not in facts:
                raise _unknown(model, f"{where}: fact {term.fact!r}", term.fact, facts)


def _unknown(model: Parts, what: str, name: str, known: Collection[str]) -> ModelError:
    return _wrong(model, f"{what} is unknown{suggest(name, known)}")
