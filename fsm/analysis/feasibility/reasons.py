"""Explains in words why a target is infeasible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fsm.analysis.feasibility.chains import Facts, Prover, Try
from fsm.analysis.feasibility.clauses import satisfiable
from fsm.model.graph import Arc


def why_state(prover: Prover, state: str) -> str:
    """Why no run comes to this state; "" when one may."""
    return "" if state in prover.reached else f"no row that can fire leads to {state}"


def why_row(prover: Prover, arcs: Sequence[Arc]) -> str:
    """Why this row never fires; "" when it may."""
    if any(arc in prover.live for arc in arcs):
        return ""
    return why_not(prover, [(prover.fires(arc),) for arc in arcs])


def why_not(prover: Prover, chains: Sequence[Sequence[Try]]) -> str:
    """Why none of these chains can be taken; "" when one may."""
    if any(prover.possible(chain) for chain in chains):
        return ""
    reasons = (_why(prover, tuple(chain)) for chain in chains)
    return next(iter(reasons), "no state is there in which it could be tried")


def _why(prover: Prover, chain: tuple[Try, ...]) -> str:
    for tried in chain:
        alone = _alone(prover, tried)
        if alone:
            return alone
    for number in range(2, len(chain) + 1):
        if not prover.fits(chain[:number]):
            return _between(prover, chain[:number])
    return _history(prover, chain)


def _alone(prover: Prover, tried: Try) -> str:
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


def _between(prover: Prover, chain: tuple[Try, ...]) -> str:
    """Why the last of a chain cannot follow the others."""
    last, before = chain[-1], chain[-2]
    if not prover.graph.heard(last.arc.row.event, last.arc.at, before.arc):
        return f"{last.arc.row.event!r} comes only after an answer, and this is passed without one"
    facts = _deciding(prover, chain)
    if facts:
        known = {"true": "holds by then", "false": "no longer holds by then"}
        links = {prover.links.link(prover.graph.model.fact(name), before.arc, last.arc.row.event) for name in facts}
        how = next((known[link] for link in links if link in known), "does not change in between")
        return f"{' and '.join(facts)} {how}, and the second needs it otherwise"
    return "the facts that they read exclude each other"


def _deciding(prover: Prover, chain: tuple[Try, ...]) -> tuple[str, ...]:
    """The fact because of which the chain is impossible: could it change, the chain would be possible."""
    names = {t.fact for tried in chain for guard in (tried.holds, *tried.fails) for t in guard}
    for name in sorted(names):
        if satisfiable(Facts(prover.graph, prover.links, chain, frozenset((name,))).clauses()):
            return (name,)
    return ()


def _history(prover: Prover, chain: tuple[Try, ...]) -> str:
    at = chain[0].arc.at
    return f"on every way into {at} the facts are such that it cannot happen"


def _words(tried: Try) -> str:
    return " and ".join(map(str, tried.holds)) or "it is tried"
