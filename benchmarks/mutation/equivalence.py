"""Proves, where possible, that no game can distinguish a mutant from its model.

At a firing, the model takes its first transition that holds, and the mutant takes the first of its
own. They differ only if these are two transitions with different effects. Each such pair is one
question to `fsm.analysis.feasibility`: can these guards hold there, can those above them fail, and
is there a path to it? If every answer is no, the mutant is equivalent.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from benchmarks.mutation.mutants import Mutant
from benchmarks.mutation.noticing import effect
from fsm.analysis.feasibility.firings import TriedTransition
from fsm.analysis.feasibility.prover import prover_of
from fsm.analysis.feasibility.reasons import why_not
from fsm.model import Model, Term, Transition
from fsm.model.graph import Graph, graphs_of

SAME = "whatever fires there does the same"
NEVER = "the guards for which it would matter never hold at once"
NO_WAY = "whenever a game comes there, something is so that it does not matter"


@dataclass(frozen=True, slots=True)
class Proof:
    """Why no run can distinguish a mutant from its model: one of three reasons, and the details, if
    there are any.
    """

    reason: str
    details: str = ""

    def __str__(self) -> str:
        return f"{self.reason}: {self.details}" if self.details else self.reason


def why_equivalent(model: Model, mutant: Mutant) -> Proof | None:
    """Return the proof that no run can distinguish this mutant from the model, or None."""
    graph = graphs_of(model)[mutant.machine == "window"]
    prover, differences = prover_of(graph), list(_differences(graph, mutant))
    if not differences:
        return Proof(SAME)
    details = why_not(prover, [(difference,) for difference in differences])
    if not details:
        return None
    return Proof(
        NO_WAY if any(prover.fits((difference,)) for difference in differences) else NEVER, details
    )


def _differences(graph: Graph, mutant: Mutant) -> Iterator[TriedTransition]:
    """Yield what would have to hold for different effects, unless the guards themselves exclude it."""
    for at, event, after in mutant.firing_points():
        before = graph.model.rows(at, event)
        arcs = {arc.row.id: arc for arc in graph.leaving[at]}
        for (one, above), (other, above_other) in product(_choices(before), _choices(after)):
            holds = tuple(dict.fromkeys((*_guard(one), *_guard(other))))
            fails = tuple(dict.fromkeys((*above, *above_other)))
            if effect(one) != effect(other) and not _excluded(holds, fails):
                yield TriedTransition(arcs[(one or before[0]).id], holds, fails)


_Guard = tuple[Term, ...]


def _choices(rows: Sequence[Transition]) -> Iterator[tuple[Transition | None, tuple[_Guard, ...]]]:
    """Yield each row that may fire with the guards above it, which fail, and None for no row at
    all.
    """
    guards = tuple(row.guard for row in rows)
    yield from ((row, guards[:number]) for number, row in enumerate(rows))
    yield None, guards


def _guard(row: Transition | None) -> _Guard:
    return row.guard if row is not None else ()


def _excluded(holds: _Guard, fails: Sequence[_Guard]) -> bool:
    """Whether a guard that must fail holds whenever these terms hold, as in all pairs that a change
    does not affect.
    """
    return any(set(holds).issuperset(guard) for guard in fails)
