"""The questions about feasibility that the criteria ask, and the answers if nothing is proved."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from fsm.coverage.subjects import is_ordered
from fsm.model.graph import Arc, Graph


class Feasibility:
    """Says which parts of one machine a run can take. This class proves nothing, so everything is
    possible.

    `fsm.checks.reasons` has a subclass that proves more. A reason is a sentence that
    says why no run can take something, or "" when a run may.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph

    @cached_property
    def live(self) -> frozenset[Arc]:
        """Return the transitions that a run may take."""
        return frozenset(self.graph.arcs)

    @cached_property
    def reached(self) -> frozenset[str]:
        """Return the states that a run may visit."""
        return frozenset(state.id for state in self.graph.model.leaves)

    def why_state(self, state: str) -> str:
        """Return the reason why no run visits this state."""
        return ""

    def why_row(self, arcs: Sequence[Arc]) -> str:
        """Return the reason why the transition never fires."""
        return ""

    def why_literal(self, arcs: Sequence[Arc], number: int, *, held: bool) -> str:
        """Return the reason why this literal of a guard (the first is 0) never decides by holding,
        or by failing.
        """
        return ""

    def why_pairs(self, pairs: Sequence[tuple[Arc, Arc]]) -> str:
        """Return the reason why no run takes any of these pairs of transitions."""
        return ""


def feasibility_of(graph: Graph) -> Feasibility:
    """Return the proofs over the guards and what is known of the facts.

    Nothing is proved of a machine whose transitions changed, because the proofs rely on their
    order.
    """
    if not is_ordered(graph.whole):
        return Feasibility(graph)
    from fsm.checks.reasons import Proofs

    return Proofs(graph)
