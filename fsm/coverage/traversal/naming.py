"""Resolves names of states, phases, steps and events as people write them. Case, dashes and blanks
do not matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from fsm.errors import CoverageError, suggest
from fsm.model import Model, State, Transition

ARROW = re.compile(r"\s*(?:-+>|=+>|→)\s*")
_TAIL = re.compile(r"^(?P<name>.*?)(?:\s+on\s+(?P<event>\S+))?(?:\s*\[(?P<guard>[^\]]*)\])?$")


def same(text: str) -> str:
    """Return the form of a text in which names are compared."""
    return re.sub(r"[\s_\-]+", " ", text).strip().casefold()


def states_named(models: Iterable[Model], name: str) -> set[str]:
    """Return the leaves of this id, name or label. A phase or step stands for all leaves inside it."""
    wanted, found = same(name), set[str]()
    for model in models:
        named = {s.id for s in model.states if wanted in _names(s)}
        exact = {id for id in named if same(id) == wanted and not model.state(id).composite}
        found |= {
            leaf.id
            for leaf in model.leaves
            if (exact or named) & {s.id for s in model.path(leaf.id)}
        }
    return found


def events_named(models: Iterable[Model], name: str) -> set[str]:
    """Return the events of this name."""
    return {
        event.name for model in models for event in model.events if same(event.name) == same(name)
    }


def unknown(models: Iterable[Model], name: str) -> CoverageError:
    """Return the error for an unknown name. It suggests a similar one."""
    models = tuple(models)
    states = {n for model in models for s in model.states for n in (s.id, s.name, s.label) if n}
    events = {event.name for model in models for event in model.events}
    near = {same(known): known for known in sorted(states | events)}
    hint = suggest(same(name), near)
    for key, known in near.items():
        hint = hint.replace(f"{key!r}?", f"{known!r}?")
    return CoverageError(f"{name!r} is no state, step, phase or event of {models[0].name}{hint}")


def ends_of(text: str, models: Iterable[Model]) -> tuple[list[str], str, str | None]:
    """Split a path into its names, the event after "on" ("" for any), and the guard in brackets
    (None for any).
    """
    *first, last = ARROW.split(text.strip())
    match = _TAIL.match(last)
    if match is None or states_named(models, last):
        return [*first, last], "", None
    return [*first, match["name"].strip()], match["event"] or "", match["guard"]


def fits(row: Transition, event: str, guard: str | None) -> bool:
    """Whether a transition has this event and this guard."""
    terms = (
        None
        if guard is None
        else {" ".join(part.split()) for part in guard.split(",") if part.strip()}
    )
    return (not event or same(row.event) == same(event)) and (
        terms is None or terms == {str(t) for t in row.guard}
    )


def _names(state: State) -> Iterator[str]:
    return (same(name) for name in (state.id, state.name, state.label) if name)
