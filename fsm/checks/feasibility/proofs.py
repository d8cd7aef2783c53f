"""Gives coverage its feasibility proofs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from fsm.checks.feasibility.firings import TriedTransition
from fsm.checks.feasibility.prover import Prover, prover_of
from fsm.checks.feasibility.reasons import why_not, why_row, why_state
from fsm.coverage.feasibility import Feasibility
from fsm.model import Term
from fsm.model.graph import Arc, Graph
from fsm.model.model import per_model


class Proofs(Feasibility):
    """A target is infeasible if the prover proves it impossible."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self.prover: Prover = prover_of(graph)

    @cached_property
    def live(self) -> frozenset[Arc]:
        """The transitions that are not proved impossible."""
        return self.prover.live

    @cached_property
    def reached(self) -> frozenset[str]:
        """The states to which such transitions lead."""
        return self.prover.reached

    def why_state(self, state: str) -> str:
        """Return why no transition that can fire leads there."""
        return why_state(self.prover, state)

    def why_row(self, arcs: Sequence[Arc]) -> str:
        """Return why the row cannot fire in any of its states."""
        return why_row(self.prover, arcs)

    def why_literal(self, arcs: Sequence[Arc], number: int, *, held: bool) -> str:
        """Return why the literal cannot decide in any of the row's states."""
        return why_not(self.prover, [(self._decides(arc, number, held),) for arc in arcs])

    def _decides(self, arc: Arc, number: int, held: bool) -> TriedTransition:
        if held:
            return self.prover.fires(arc)
        term = arc.row.guard[number]
        return TriedTransition(
            arc, (*arc.row.guard[:number], Term(term.fact, not term.value)), self.prover.above(arc)
        )

    def why_pairs(self, pairs: Sequence[tuple[Arc, Arc]]) -> str:
        """Return why two transitions cannot be taken in a row."""
        prover = self.prover
        if any(prover.joins(*pair) for pair in pairs):
            return ""
        live = (pair for pair in pairs if prover.live.issuperset(pair))
        return _why_apart(self.graph, next(live, pairs[0]))


@per_model
def _why_apart(graph: Graph, arcs: tuple[Arc, ...]) -> str:
    prover = prover_of(graph)
    return why_not(prover, [tuple(map(prover.fires, arcs))])
