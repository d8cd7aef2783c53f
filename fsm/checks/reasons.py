"""Says in words why no run can take a target of coverage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from fsm.checks.feasible import Feasible, Tried, feasible_of
from fsm.model import Term
from fsm.model.elements import guard_text
from fsm.model.graph import Arc, Graph


class Proofs:
    """A target of one machine is infeasible if it is proved impossible.

    A reason is a sentence that says why no run can take something, or "" when a run may.
    """

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self._feasible = feasible_of(graph)

    @cached_property
    def live(self) -> frozenset[Arc]:
        """The transitions that are not proved impossible."""
        return self._feasible.live

    @cached_property
    def reached(self) -> frozenset[str]:
        """The states to which such transitions lead."""
        return self._feasible.reached

    def why_state(self, state: str) -> str:
        """Return why no transition that can fire leads there."""
        return "" if state in self.reached else f"no row that can fire leads to {state}"

    def why_row(self, arcs: Sequence[Arc]) -> str:
        """Return why the transition cannot fire in any of its states."""
        return why_row(self._feasible, arcs)

    def why_literal(self, arcs: Sequence[Arc], number: int, *, held: bool) -> str:
        """Return why the literal cannot decide in any of the transition's states."""
        return _why_not(self._feasible, [(self._decides(arc, number, held),) for arc in arcs])

    def _decides(self, arc: Arc, number: int, held: bool) -> Tried:
        if held:
            return self._feasible.fires(arc)
        term = arc.row.guard[number]
        fails = Term(term.fact, not term.value)
        return Tried(arc, (*arc.row.guard[:number], fails), self._feasible.above(arc))

    def why_pairs(self, pairs: Sequence[tuple[Arc, Arc]]) -> str:
        """Return why two transitions cannot be taken in a row."""
        feasible = self._feasible
        if any(feasible.joins(*pair) for pair in pairs):
            return ""
        first, second = next((p for p in pairs if feasible.live.issuperset(p)), pairs[0])
        return _why(feasible, (feasible.fires(first), feasible.fires(second)))


def why_row(feasible: Feasible, arcs: Sequence[Arc]) -> str:
    """Return why this transition never fires, or "" if it may."""
    if any(arc in feasible.live for arc in arcs):
        return ""
    return _why_not(feasible, [(feasible.fires(arc),) for arc in arcs])


def _why_not(feasible: Feasible, sequences: Sequence[tuple[Tried, ...]]) -> str:
    for sequence in sequences:
        if sequence[0].arc.at in feasible.reached and feasible.possible(sequence):
            return ""
    reasons = (_why(feasible, sequence) for sequence in sequences)
    return next(reasons, "no state is there in which it could be tried")


def _why(feasible: Feasible, sequence: tuple[Tried, ...]) -> str:
    alone = next(filter(None, (_alone(feasible, tried) for tried in sequence)), "")
    if alone:
        return alone
    if not feasible.fits(sequence):
        last, before = sequence[-1].arc, sequence[-2].arc
        if not feasible.graph.heard(last.row.event, last.at, before):
            return f"{last.row.event!r} comes only after an answer, and this is passed without one"
        return "the facts that they read exclude each other"
    first = sequence[0].arc
    if not feasible.comes(first):
        return _after_no_answer(first)
    return f"on every way into {first.at} the facts are such that it cannot happen"


def _alone(feasible: Feasible, tried: Tried) -> str:
    graph, row, at = feasible.graph, tried.arc.row, tried.arc.at
    words = guard_text(tried.holds, " and ") or "it is tried"
    if not graph.heard(row.event, at, None):
        return f"{row.event!r} never comes in {at}"
    if not feasible.fits((replace(tried, fails=()),)):
        return f"{words}: these contradict each other"
    if not feasible.fits((tried,)):
        return f"in {at} a row above is taken whenever {words}"
    if at not in feasible.reached:
        return f"no row that can fire leads to {at}"
    if not any(graph.heard(row.event, at, before) for before in graph.arriving[at]):
        return _after_no_answer(tried.arc)
    return ""


def _after_no_answer(arc: Arc) -> str:
    return f"{arc.row.event!r} comes only after an answer, and no answer leads to {arc.at}"
