"""What part of a model a stage view shows: its states, which of them are drawn, and where a
transition leads.

What is not drawn is a passage: a state without duration that only leads on. A choice whose
transitions lead to different places is drawn; outside the view, the turn is followed to the place
that people have a name for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from fsm.model import Model, State, Transition
from fsm.views.drawing.following import Ends, by_ends, ends_of, followed
from fsm.views.drawing.holes import is_hole

_STAGES = frozenset({"action", "window", "stage"})
_OWN = frozenset({"", "action", "window"})
_PLACES = {"before": 0, "begin": 1, "end": 3, "after": 4}


class Extent:
    """One phase or step of a model, with all that is in it."""

    def __init__(self, model: Model, root: State) -> None:
        self.model = model
        self.root = root
        self.signals = frozenset(model.signals)
        self.leaves = [s for s in self.inside(root.id) if not s.composite]
        self.ids = frozenset(s.id for s in self.leaves)
        self.own, self.into = by_ends(model)
        self.drawn = self._drawn()

    def inside(self, holder: str) -> Iterator[State]:
        """The state and everything in it: what comes before, its stages in the model's order, what
        follows.
        """
        yield self.model.state(holder)
        for child in sorted(self.model.children(holder), key=lambda s: _PLACES.get(s.role, 2)):
            yield from self.inside(child.id)

    @cached_property
    def holders(self) -> list[State]:
        """The phase or step and those inside it, outermost first."""
        return [s for s in self.inside(self.root.id) if s.composite]

    @cached_property
    def boxed(self) -> frozenset[str]:
        """Those that are boxes: with something drawn in them; a phase with steps is told by the
        title of the view.
        """
        held = {holder.id for id in self.drawn for holder in self.model.path(id)}
        found = {
            s.id for s in self.holders if s.id in held and (s.kind == "step" or s is not self.root)
        }
        return frozenset(found or {self.root.id})

    # which transitions ----------------------------------------------------------------------------

    def shown(self, row: Transition) -> bool:
        """Is it drawn, rather than said once for all steps?"""
        return row.target is not None and not row.generic and row.id not in self.noted_ids

    def rows(self, state: str) -> list[Transition]:
        """The transitions of a state that are drawn."""
        return [t for t in self.own.get(state, ()) if self.shown(t)]

    def finishing(self, state: str) -> list[Transition]:
        """Those that fire when the state is finished."""
        return [t for t in self.rows(state) if t.event not in self.signals]

    @cached_property
    def noted(self) -> dict[tuple[object, ...], list[Transition]]:
        """Rules that leave out several steps of the phase alike: said in one sentence."""
        groups: dict[tuple[object, ...], list[Transition]] = {}
        for t in self.model.transitions:
            hidden = t.layer == "skip" and not t.generic
            if not hidden or t.target is None or t.source not in self.ids:
                continue
            source, target = self.model.state(t.source), self.model.state(t.target)
            if (source.role, target.role) == ("before", "after") and source.parent == target.parent:
                groups.setdefault((t.guard, t.rule), []).append(t)
        return {key: rows for key, rows in groups.items() if len(rows) > 1}

    @cached_property
    def noted_ids(self) -> frozenset[str]:
        """The ids of those."""
        return frozenset(t.id for rows in self.noted.values() for t in rows)

    # which states ---------------------------------------------------------------------------------

    def is_stage(self, state: State) -> bool:
        """Is something done here, so that it is drawn in any case?"""
        if state.kind == "final" or (state.kind in _STAGES and state.role in _OWN):
            return True
        if state.kind == "action" and state.role == "end":
            return not self.said_at_every_end(state) and self._entered(state)
        if (state.role == "begin" and self._empty(state.parent)) or state == self.stand_in:
            return True
        return not self.own.get(state.id) or (not state.composite and is_hole(self.model, state))

    @cached_property
    def stand_in(self) -> State | None:
        """What is drawn of a phase or step in which nothing is done at all."""
        if any(s.kind in _STAGES and s.role != "end" for s in self.leaves):
            return None
        return next(iter(self.leaves), None)

    def _empty(self, holder: str) -> bool:
        """Is nothing done in this step, so that its beginning must stand for it?"""
        if not holder or self.model.state(holder).kind != "step":
            return False
        return not any(c.kind in _STAGES and c.role in _OWN for c in self.model.children(holder))

    def _entered(self, state: State) -> bool:
        """Does a way lead there that is drawn?"""
        return any(t.target == state.id and self.shown(t) for t in self.model.transitions)

    def said_at_every_end(self, state: State) -> bool:
        """Is this done as every step ends? Then the view of a phase says it once."""
        if (
            self.root.kind == "step"
            or not state.parent
            or self.model.state(state.parent).kind != "step"
        ):
            return False
        ends = [s for s in self.model.leaves if s.role == "end" and s.kind == "action"]
        return (
            sum((s.action, s.doc, s.rule) == (state.action, state.doc, state.rule) for s in ends)
            > 1
        )

    def _drawn(self) -> frozenset[str]:
        """Stages, and the choices whose rows do not all lead to the same place."""
        stages = {s.id for s in self.leaves if self.is_stage(s)}
        choices = {s.id for s in self.leaves if s.id not in stages}
        self.drawn = frozenset(stages | choices)
        changed = True
        while changed:
            changed = False
            for choice in sorted(choices):
                if len({tuple(self.ways([row])) for row in self.finishing(choice)}) < 2:
                    choices.discard(choice)
                    self.drawn = frozenset(stages | choices)
                    changed = True
        return self.drawn

    def nodes(self) -> list[State]:
        """The states that are drawn, in the order of the model."""
        return [s for s in self.leaves if s.id in self.drawn]

    # where transitions lead -----------------------------------------------------------------------

    def stops(self, state: str) -> bool:
        """Does a way end here?"""
        if state in self.ids:
            return state in self.drawn
        there = self.model.state(state)
        if there.role == "procedure":
            return not self.finishing(state)
        onward = there.role in ("end", "after") and there.kind != "action" and there.kind != "final"
        return not onward or len(self.finishing(state)) != 1

    def ways(self, first: Sequence[Transition]) -> dict[str, list[Transition]]:
        """Every place that these transitions lead to, with the transitions on the way there."""
        rows = followed(first, lambda state: () if self.stops(state) else self.finishing(state))
        reach = ends_of(rows, self._ends)
        return {
            end: [r for r in rows if end in self._ends(r, reach)]
            for end in dict.fromkeys(e for r in first for e in sorted(self._ends(r, reach)))
        }

    def _ends(self, row: Transition, reach: Ends) -> frozenset[str]:
        target = row.target or ""
        return frozenset({target}) if self.stops(target) else reach.get(target, frozenset())
