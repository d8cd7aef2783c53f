"""Finds states that lack a transition which the frame makes for every state of their kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from fsm.checks.finding import Finding
from fsm.model import Model, Term, Transition
from fsm.model.elements import guard_text
from fsm.model.graph import Graph
from fsm.model.model import per_model

_Shape = tuple[str, str, str]
_ONLY_ANOTHER: _Shape = ("only_another", "skip", "after")


def irregular(graph: Graph) -> Iterator[Finding]:
    """Find states before or after a step or phase that lack a row which most states of their kind
    have.
    """
    model = graph.model
    alike: dict[tuple[str, str], dict[str, set[_Shape]]] = {}
    for state, event, rows in model.choices:
        if (
            event == "done"
            and state.role in ("before", "after")
            and state.parent
            and rows[-1].layer != "extra"
        ):
            kind = (state.role, model.state(state.parent).kind)
            alike.setdefault(kind, {})[state.id] = {
                _shape(model, row) for row in rows if row.generic
            }
    for shapes in alike.values():
        usual = [
            s
            for s in set().union(*shapes.values())
            if sum(s in own for own in shapes.values()) * 2 > len(shapes)
        ]
        for id, own in shapes.items():
            for shape in sorted(set(usual) - own - _needless(model, id)):
                words = f"{id!r} lacks the row [{shape[0]} ...] that its like have"
                yield Finding(
                    "irregular", id, "done", (shape[0],), words, subject=f"{id} without {shape[0]}"
                )


def _needless(model: Model, id: str) -> set[_Shape]:
    """Return the rows that this state does not need. `only_another` cannot hold where every phase
    has one step.
    """
    here = model.enclosing(id, "phase")
    return set() if here and here.family in _long_families(model) else {_ONLY_ANOTHER}


@per_model
def _long_families(model: Model) -> frozenset[str]:
    """Return the families of phases of which one has not exactly one step."""
    steps = Counter(state.parent for state in model.of_kind("step"))
    return frozenset(phase.family for phase in model.of_kind("phase") if steps[phase.id] != 1)


def _shape(model: Model, row: Transition) -> _Shape:
    """Describe a generic row without names: the tests it reads, its layer and the role of its
    target.
    """
    reads = guard_text(Term((model.fact(t.fact).test or (t.fact,))[0], t.value) for t in row.guard)
    return (reads, row.layer, model.state(row.target).role if row.target else "")
