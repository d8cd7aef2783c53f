"""Combines two models into one for the picture of their difference: all of `b`, and the parts that
only `a` has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from msgspec.structs import replace

from fsm.model import Fact, Model, State, Transition
from fsm.views.diff import Change, Difference, merged

Sign = Literal["+", "-", "~"]


@dataclass(frozen=True)
class CombinedModels:
    """A model with the parts of both, and the changes of its states and transitions by id.

    A transition with another target is there twice: as it was (-) and as it is (+).
    """

    difference: Difference
    model: Model
    states: Mapping[str, Change]
    rows: Mapping[str, tuple[Sign, Change]]


def combined(difference: Difference) -> CombinedModels:
    """Combine both models, with b's names. The result is only for drawing: it is not a playable
    model.
    """
    return _Combiner(difference).combined()


class _Combiner:
    def __init__(self, difference: Difference) -> None:
        self.difference = difference
        changes = difference.changes
        self.changed = {c.id: c for c in changes if isinstance(c.part, State)}
        self.rowed = [
            c for c in changes if isinstance(c.part, Transition) and (c.fields or c.sign != "~")
        ]
        self.steps = {s.id for m in (difference.old, difference.b) for s in m.of_kind("step")}
        self.rows: dict[str, tuple[Sign, Change]] = {}

    def combined(self) -> CombinedModels:
        b = self.difference.b
        removed = [self._row(c) for c in self.rowed if c.sign == "-" or c.field("target")]
        model = replace(
            b,
            edition="",
            states=tuple(self._states()),
            transitions=tuple(self._transitions([row for row in removed if row is not None])),
            facts=(
                *b.facts,
                *(c.a for c in self.difference.changes if c.sign == "-" and isinstance(c.a, Fact)),
            ),
            events=(
                *b.events,
                *(e for e in self.difference.a.events if e.name not in {f.name for f in b.events}),
            ),
        )
        return CombinedModels(self.difference, model, self.changed, self._signs(model))

    def _states(self) -> list[State]:
        old = {s.id: s for s in self.difference.old.states}
        new = {s.id: s for s in self.difference.b.states}
        return [self._signed(new[id] if id in new else old[id]) for id in merged(old, new)]

    def _signed(self, state: State) -> State:
        """Mark the label of a stage that was added or removed in a step that both models have."""
        change, holder = self.changed.get(state.id), self.changed.get(state.parent)
        if change is None or change.sign == "~" or state.parent not in self.steps:
            return state
        if holder is not None and holder.sign != "~":
            return state
        label, sign = state.label or state.id, SIGNS[change.sign]
        return replace(
            state,
            label=f"{sign}{label[:1].lower()}{label[1:]}",
            says=state.says and f"{sign}{state.says}",
        )

    def _row(self, change: Change) -> Transition | None:
        """Return a transition of `a` with b's names, or None if `b` has one with the same id."""
        row = change.a
        assert isinstance(row, Transition)
        if any(t.id == row.id for t in self.difference.b.transitions):
            return None
        self.rows[row.id] = ("-", change)
        return _with_doc(row, "no longer")

    def _transitions(self, rerow: Sequence[Transition]) -> list[Transition]:
        """Put each rerow transition above the first transition of its source without a guard."""
        added = {c.id for c in self.rowed if c.sign == "+"}
        found = [
            _with_doc(row, "new") if row.id in added else row
            for row in self.difference.b.transitions
        ]
        for row in rerow:
            same = [
                i for i, t in enumerate(found) if t.source == row.source and t.event == row.event
            ]
            bare = [i for i in same if not found[i].guard]
            found.insert((bare or [i + 1 for i in same[-1:]] or [len(found)])[0], row)
        return found

    def _signs(self, model: Model) -> Mapping[str, tuple[Sign, Change]]:
        known = {t.id for t in model.transitions}
        for change in self.rowed:
            if change.b is not None and change.id in known:
                self.rows[change.id] = ("+" if change.field("target") else change.sign, change)
        return self.rows


def _with_doc(row: Transition, what: str) -> Transition:
    """Document what became of a transition without a target, which is drawn only as text."""
    return row if row.target else replace(row, doc=f"{what}: {row.doc or 'nothing happens'}")


SIGNS: Mapping[str, str] = {"+": "+", "-": "\N{MINUS SIGN}", "~": "~"}
