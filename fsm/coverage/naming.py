"""Resolves names of states, phases, steps and events as people write them. Case, dashes and blanks
do not matter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from fsm.errors import CoverageError, suggest
from fsm.model import Model, Transition

_ARROW = re.compile(r"\s*(?:-+>|=+>|→)\s*")
_TAIL = re.compile(r"^(?P<name>.*?)(?:\s+on\s+(?P<event>\S+))?(?:\s*\[(?P<guard>[^\]]*)\])?$")


def same(text: str) -> str:
    """Return the form of a text in which names are compared."""
    return re.sub(r"[\s_\-]+", " ", text).strip().casefold()


def states_named(models: Sequence[Model], name: str) -> set[str]:
    """Return the leaves of this id, name or label. A phase or step stands for all leaves inside it."""
    wanted, found = same(name), set[str]()
    for model in models:
        named = {s.id for s in model.states if wanted in map(same, (s.id, s.name, s.label))}
        exact = {leaf.id for leaf in model.leaves if same(leaf.id) == wanted}
        for leaf in model.leaves:
            if (exact or named) & {state.id for state in model.path(leaf.id)}:
                found.add(leaf.id)
    return found


def events_named(models: Sequence[Model], name: str) -> set[str]:
    """Return the events of this name."""
    events = {event.name for model in models for event in model.events}
    return {event for event in events if same(event) == same(name)}


def check_named(found: object, models: Sequence[Model], name: str) -> None:
    """Raise CoverageError with a similar name if nothing was found for a name."""
    if found:
        return
    known = {event.name for model in models for event in model.events}
    for model in models:
        for state in model.states:
            known |= {state.id, state.name, state.label} - {""}
    near = {same(one): one for one in sorted(known)}
    hint = suggest(same(name), near)
    for key, one in near.items():
        hint = hint.replace(f"{key!r}?", f"{one!r}?")
    text = f"{name!r} is no state, step, phase or event of {models[0].name}{hint}"
    raise CoverageError(text)


class Way(NamedTuple):
    """A way as it was asked for: its names, the event of its last transition ("" for any), and the
    guard (None for any).
    """

    names: list[str]
    event: str
    guard: str | None

    def fits(self, row: Transition) -> bool:
        """Whether this is the last transition."""
        parts = (self.guard or "").split(",")
        terms = {" ".join(part.split()) for part in parts if part.strip()}
        return (not self.event or same(row.event) == same(self.event)) and (
            self.guard is None or terms == {str(term) for term in row.guard}
        )


def way_asked(text: str, models: Sequence[Model]) -> Way:
    """Read "a -> b -> c on event [guard]"."""
    *first, last = _ARROW.split(text.strip())
    match = _TAIL.match(last)
    if match is None or states_named(models, last):
        return Way([*first, last], "", None)
    return Way([*first, match["name"].strip()], match["event"] or "", match["guard"])
