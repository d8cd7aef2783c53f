"""The proofs of feasibility, as coverage asks for them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from fsm.analysis.feasibility.chains import Prover, Try, prover_of
from fsm.analysis.feasibility.reasons import why_not, why_row, why_state
from fsm.coverage.feasibility import Feasibility
from fsm.model import Term
from fsm.model.graph import Arc, Graph


class Proofs(Feasibility):
    """Impossible is what the machine's prover proves impossible."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self.prover: Prover = prover_of(graph)

    @cached_property
    def live(self) -> frozenset[Arc]:
        """The arcs that are not proved impossible."""
        return self.prover.live

    @cached_property
    def reached(self) -> frozenset[str]:
        """The states to which such arcs lead."""
        return self.prover.reached

    def fits(self, arcs: Sequence[Arc]) -> bool:
        """Are there facts under which all guards hold?"""
        return self.prover.fits(tuple(map(self.prover.fires, arcs)))

    def follow(self, arcs: Sequence[Arc]) -> bool:
        """May a run take these arcs in a row, as far as can be proved?"""
        return self.prover.follow(arcs)

    def why_state(self, state: str) -> str:
        """Why no arc that can fire leads there."""
        return why_state(self.prover, state)

    def why_row(self, arcs: Sequence[Arc]) -> str:
        """Why the row cannot fire in any of its states."""
        return why_row(self.prover, arcs)

    def why_literal(self, arcs: Sequence[Arc], number: int, *, held: bool) -> str:
        """Why the literal cannot decide in any of the row's states."""
        return why_not(self.prover, [(self._decides(arc, number, held),) for arc in arcs])

    def _decides(self, arc: Arc, number: int, held: bool) -> Try:
        if held:
            return self.prover.fires(arc)
        term = arc.row.guard[number]
        return Try(arc, (*arc.row.guard[:number], Term(term.fact, not term.value)), self.prover.above(arc))

    def why_chains(self, chains: Sequence[Sequence[Arc]]) -> str:
        """Why two neighbours of a chain, or the whole of it, cannot be taken in a row."""
        prover = self.prover
        if any(map(prover.follow, chains)):
            return ""
        live = next((chain for chain in chains if all(arc in prover.live for arc in chain)), chains[0])
        apart = tuple(next((pair for pair in pairwise(live) if not prover.joins(*pair)), live))
        key = ("why apart", self.graph.name, apart)
        return self.graph.whole.kept(key, lambda: why_not(prover, [tuple(map(prover.fires, apart))]))
