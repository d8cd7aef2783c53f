"""Transitions that every state of a flat model has alike, as one: "from any state" instead of one
from each.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from fsm.model import Model, State, Transition

ROOT = "any state"
Kind = tuple[object, ...]
"""What transitions have in common that differ only in where they start: they lead to one state, or
all back again.
"""


@dataclass(frozen=True, slots=True)
class Folded:
    """A model in which what all its outermost states have alike is one transition of a state around
    them.

    `ids`: the transitions that this one stands for, by its id.
    """

    model: Model
    ids: Mapping[str, tuple[str, ...]]

    def of(self, row: Transition) -> tuple[str, ...]:
        """The ids of the transitions that this one stands for: its own, unless it stands for many."""
        return self.ids.get(row.id, (row.id,))


def folded(model: Model) -> Folded:
    """The model with what all its states have alike said once; the order in which transitions are
    tried stays.
    """
    outermost = [state.id for state in model.states if not state.parent and not state.stand_in]
    common = _common(model, outermost)
    if not common:
        return Folded(model, {})
    root = _free(ROOT, model)
    gone = {row.id for rows in common.values() for row in rows}
    ones = {_one(kind, rows, root): tuple(row.id for row in rows) for kind, rows in common.items()}
    whole = replace(
        model,
        states=(
            State(root, "turn"),
            *(s if s.parent else replace(s, parent=root) for s in model.states),
        ),
        transitions=(*(row for row in model.transitions if row.id not in gone), *ones),
    )
    return Folded(whole, {row.id: ids for row, ids in ones.items()})


def _common(model: Model, sources: Sequence[str]) -> dict[Kind, list[Transition]]:
    """The transitions that start at all of these states alike, tried after whatever else a state
    has for the event.
    """
    rows: dict[tuple[str, str], list[Transition]] = {}
    kinds: dict[Kind, list[Transition]] = {}
    for row in (row for row in model.transitions if row.source in sources):
        rows.setdefault((row.event, row.source), []).append(row)
        for kind in _kinds(row):
            kinds.setdefault(kind, []).append(row)
    whole = {
        kind
        for kind, found in kinds.items()
        if len(sources) > 1 and {r.source for r in found} >= {*sources}
    }
    last = {
        kind
        for kind in whole
        if all(_last(kind, rows[str(kind[0]), source], whole) for source in sources)
    }
    return {kind: found for kind, found in kinds.items() if kind in last}


def _kinds(row: Transition) -> tuple[Kind, ...]:
    targets = (("to", row.target), *([("again", "")] if row.target == row.source else []))
    return tuple(
        (row.event, target, row.guard, row.actions, row.rule, row.doc) for target in targets
    )


def _last(kind: Kind, rows: Sequence[Transition], whole: Collection[Kind]) -> bool:
    """Is nothing of the state's own tried after it? Then the order stays what it is."""
    first = next(i for i, row in enumerate(rows) if kind in _kinds(row))
    return all(any(k in whole for k in _kinds(row)) for row in rows[first:])


def _one(kind: Kind, rows: Sequence[Transition], root: str) -> Transition:
    """The transition that stands for these."""
    again = kind[1] == ("again", "")
    doc = ", ".join(filter(None, ("the same state again" if again else "", rows[0].doc)))
    return replace(
        rows[0], source=root, target=None if again else rows[0].target, layer="jump", doc=doc
    )


def _free(name: str, model: Model) -> str:
    """The name, with a number if a state has it."""
    taken, number, found = {state.id for state in model.states}, 2, name
    while found in taken:
        found, number = f"{name} {number}", number + 1
    return found
