"""Explains in words why a target is infeasible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fsm.checks.feasibility.firings import TriedTransition
from fsm.checks.feasibility.prover import FactVariables, Prover
from fsm.model.elements import guard_text
from fsm.model.graph import Arc
from fsm.model.solving import satisfiable


def why_state(prover: Prover, state: str) -> str:
    """Return why no run reaches this state, or "" if one may."""
    return "" if state in prover.reached else f"no row that can fire leads to {state}"


def why_row(prover: Prover, arcs: Sequence[Arc]) -> str:
    """Return why this row never fires, or "" if it may."""
    if any(arc in prover.live for arc in arcs):
        return ""
    return why_not(prover, [(prover.fires(arc),) for arc in arcs])


def why_not(prover: Prover, sequences: Sequence[Sequence[TriedTransition]]) -> str:
    """Return why no run can take any of these sequences, or "" if one may."""
    if any(prover.possible(sequence) for sequence in sequences):
        return ""
    reasons = (_why(prover, tuple(sequence)) for sequence in sequences)
    return next(iter(reasons), "no state is there in which it could be tried")


def _why(prover: Prover, sequence: tuple[TriedTransition, ...]) -> str:
    for tried in sequence:
        alone = _alone(prover, tried)
        if alone:
            return alone
    for number in range(2, len(sequence) + 1):
        if not prover.fits(sequence[:number]):
            return _between(prover, sequence[:number])
    return _history(prover, sequence)


def _alone(prover: Prover, tried: TriedTransition) -> str:
    row, at = tried.arc.row, tried.arc.at
    if not prover.graph.heard(row.event, at, None):
        return f"{row.event!r} never comes in {at}"
    if not prover.fits((replace(tried, fails=()),)):
        return f"{_words(tried)}: these contradict each other"
    if not prover.fits((tried,)):
        return f"in {at} a row above is taken whenever {_words(tried)}"
    if at not in prover.reached:
        return why_state(prover, at)
    if not any(prover.graph.heard(row.event, at, before) for before in prover.graph.arriving[at]):
        return f"{row.event!r} comes only after an answer, and no answer leads to {at}"
    return ""


def _between(prover: Prover, sequence: tuple[TriedTransition, ...]) -> str:
    """Return why the last transition of a sequence cannot follow the others."""
    last, before = sequence[-1], sequence[-2]
    if not prover.graph.heard(last.arc.row.event, last.arc.at, before.arc):
        return f"{last.arc.row.event!r} comes only after an answer, and this is passed without one"
    facts = _deciding(prover, sequence)
    if facts:
        known = {"true": "holds by then", "false": "no longer holds by then"}
        changes = {
            prover.changes.change(prover.graph.model.fact(name), before.arc, last.arc.row.event)
            for name in facts
        }
        how = next(
            (known[change] for change in changes if change in known), "does not change in between"
        )
        return f"{' and '.join(facts)} {how}, and the second needs it otherwise"
    return "the facts that they read exclude each other"


def _deciding(prover: Prover, sequence: tuple[TriedTransition, ...]) -> tuple[str, ...]:
    """Return the fact that makes the sequence impossible. If it could change, the sequence would be
    possible.
    """
    names = {t.fact for tried in sequence for guard in (tried.holds, *tried.fails) for t in guard}
    for name in sorted(names):
        if satisfiable(
            FactVariables(prover.graph, prover.changes, sequence, frozenset((name,))).clauses()
        ):
            return (name,)
    return ()


def _history(prover: Prover, sequence: tuple[TriedTransition, ...]) -> str:
    at = sequence[0].arc.at
    return f"on every way into {at} the facts are such that it cannot happen"


def _words(tried: TriedTransition) -> str:
    return guard_text(tried.holds, " and ") or "it is tried"
