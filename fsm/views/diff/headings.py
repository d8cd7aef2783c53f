"""Finds the heading for a change: the turn, a phase, a step, or an event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from fsm.model import Model, State, Transition
from fsm.model.reachability import reachable_from
from fsm.views.diff.comparing import merged
from fsm.views.diff.difference import Change, Difference


@dataclass(frozen=True, slots=True)
class DiffHeading:
    """A heading: the turn, a phase or step (by its id in b), or an event (by name) with its
    consequences.
    """

    kind: str
    id: str = ""


TURN = DiffHeading("turn")


class DiffHeadings:
    """The headings of a difference, in the order of the turn."""

    def __init__(self, difference: Difference) -> None:
        self.difference = difference
        self.renamed = {r.a.id: r.b.id for r in difference.renames}
        self.procedures = {id(m): _procedures(m) for m in (difference.a, difference.b)}

    @cached_property
    def whole(self) -> Mapping[str, Change]:
        """The phases and steps that only one model has."""
        return {
            c.id: c for c in self.difference.states if c.sign != "~" and c.what in ("phase", "step")
        }

    def of(self, change: Change) -> DiffHeading:
        """Return the heading of a changed state or transition."""
        model = self.difference.a if change.b is None else self.difference.b
        part = change.part
        if isinstance(part, Transition):
            return self.of_row(model, part, alone=change.sign != "~")
        return self.of_state(model, part) if isinstance(part, State) else TURN

    def of_state(self, model: Model, state: State) -> DiffHeading:
        """Return the heading of a state: the phase or step that it is in, or the event that leads
        to it.
        """
        event = self.procedures[id(model)].get(state.id)
        if event:
            return DiffHeading("event", event)
        inner = next((s for s in model.path(state.id) if s.kind in ("step", "phase")), None)
        return DiffHeading(inner.kind, self.renamed.get(inner.id, inner.id)) if inner else TURN

    def of_row(self, model: Model, row: Transition, *, alone: bool = False) -> DiffHeading:
        """Return the heading of a transition, which is that of its source.

        `alone` means that only one model has the transition. A phase or step that only one model
        has then also takes the transitions that lead into it.
        """
        ends = [model.state(s) for s in (row.source, row.target) if s]
        for state in ends if alone else ():
            heading = self.of_state(model, state)
            if heading.id in self.whole:
                return heading
        if ends[0].composite and row.event in model.signals:
            return DiffHeading("event", row.event)
        return self.of_state(model, ends[0])

    def all(self) -> list[DiffHeading]:
        """Return every possible heading: the turn, phases with their steps, and events."""
        a, b = self.difference.a, self.difference.b
        return [
            TURN,
            *self._inside("", ""),
            *(DiffHeading("event", e) for e in merged(a.signals, b.signals)),
        ]

    def _inside(self, a: str, b: str) -> list[DiffHeading]:
        old, new = self._composites(self.difference.a, a), self._composites(self.difference.b, b)
        found: list[DiffHeading] = []
        for name in merged(old, new):
            kind = (new.get(name) or old[name]).kind
            inner = self._inside(
                old[name].id if name in old else "?", new[name].id if name in new else "?"
            )
            found += [*([] if kind == "turn" else [DiffHeading(kind, name)]), *inner]
        return list(dict.fromkeys(found))

    def _composites(self, model: Model, parent: str) -> dict[str, State]:
        found = [s for s in model.states if s.composite and s.parent == parent]
        return {
            self.renamed.get(s.id, s.id) if model is self.difference.a else s.id: s for s in found
        }

    def sides(self, heading: DiffHeading) -> Sequence[State]:
        """Return the phase or step of a heading as in a and as in b, where it exists."""
        back = {new: old for old, new in self.renamed.items()}
        ids = (
            (self.difference.a, back.get(heading.id, heading.id)),
            (self.difference.b, heading.id),
        )
        return [s for model, wanted in ids for s in model.states if s.id == wanted and s.composite]


def _procedures(model: Model) -> dict[str, str]:
    """Map each state that a signal leads to outside the ordinary course to that signal."""
    found: dict[str, str] = {}
    rows = [t for t in model.transitions if t.target and model.state(t.target).role == "procedure"]
    for event in model.signals:
        first = (str(t.target) for t in rows if t.event == event)
        for state in reachable_from(
            first, lambda at: (str(t.target) for t in rows if t.source == at)
        ):
            found.setdefault(state, event)
    return found
