"""Finds transitions whose guards leave a gap, overlap, or never hold, by solving over their facts."""

from __future__ import annotations

from collections.abc import Iterator

from fsm.checks.feasibility.firings import RowsTried
from fsm.checks.feasibility.prover import prover_of
from fsm.checks.feasibility.reasons import why_row
from fsm.checks.finding import Finding, Kind
from fsm.checks.solving import solve, text
from fsm.model import Model, Term, Transition
from fsm.model.elements import values_text
from fsm.model.graph import Arc, Graph
from fsm.model.model import per_model


def gaps(graph: Graph) -> Iterator[Finding]:
    """Find states and events where no row holds under some facts."""
    for state, event, rows in graph.model.choices:
        witness = solve(graph.model, (), [row.guard for row in rows])
        if witness is not None:
            facts, guards = tuple(witness.items()), tuple(text(row.guard) for row in rows)
            words = f"in {state.id!r} no row for {event!r} holds when {values_text(facts)}"
            yield Finding("gap", state.id, event, guards, words, facts, f"{state.id} on {event}")


def overlaps(graph: Graph) -> Iterator[Finding]:
    """Find rows that can hold at once, in choices without an otherwise row. Such rows should
    exclude each other.
    """
    for state, event, rows in graph.model.choices:
        for one, other in (
            RowsTried(graph.model, rows).pairs() if all(row.guard for row in rows) else ()
        ):
            witness = _both(graph.model, one, other)
            if witness is not None:
                facts, guards = tuple(witness.items()), (text(one.guard), text(other.guard))
                case = values_text(facts)
                words = f"in {state.id!r} two rows for {event!r} hold when {case}, and only their order decides"
                yield Finding(
                    "overlap", state.id, event, guards, words, facts, f"{state.id} on {event}"
                )


def _both(model: Model, one: Transition, other: Transition) -> dict[str, bool] | None:
    """Return facts under which both rows hold. None if one only repeats the other, because that one
    is shadowed.
    """
    if set(one.guard) <= set(other.guard):
        return None
    return solve(model, (*one.guard, *other.guard), ())


def never_taken(graph: Graph) -> Iterator[Finding]:
    """Find rows that can never fire, and why. Rows of unreachable states are left out, which are
    findings already.
    """
    prover = prover_of(graph)
    for row in graph.model.transitions:
        arcs = graph.of_row[row.id]
        if any(arc in prover.live for arc in arcs) and not _never_true(graph, row):
            continue
        guards = (text(row.guard),)
        if arcs and not any(arc.at in prover.reached for arc in arcs) and _sound(graph, row, arcs):
            continue
        kind, why = _why(graph, row, arcs)
        if kind == "never fires" and _completes(graph, row, arcs):
            continue
        words = f"{row.id!r} can never fire: {why}"
        yield Finding(
            kind, row.source, row.event, guards, words, _blocking(graph, kind, row, arcs), row.id
        )


def _sound(graph: Graph, row: Transition, arcs: tuple[Arc, ...]) -> bool:
    """Say whether nothing but the rows above keeps this row from firing."""
    return any(
        solve(graph.model, row.guard, prover_of(graph).above(arc)) is not None for arc in arcs
    )


def _completes(graph: Graph, row: Transition, arcs: tuple[Arc, ...]) -> bool:
    """Say whether it is the otherwise row below guarded rows. Then it may be there only to leave no
    gap.
    """
    heard = any(graph.heard(row.event, arc.at, None) for arc in arcs)
    return heard and not row.guard and any(prover_of(graph).above(arc) for arc in arcs)


def _why(graph: Graph, row: Transition, arcs: tuple[Arc, ...]) -> tuple[Kind, str]:
    if solve(graph.model, row.guard, ()) is None:
        return "contradiction", "its guard contradicts itself"
    if arcs and not _sound(graph, row, arcs):
        return "shadowed", "rows above it always hold first"
    return "never fires", _never_true(graph, row) or why_row(prover_of(graph), arcs)


def _blocking(
    graph: Graph, kind: Kind, row: Transition, arcs: tuple[Arc, ...]
) -> tuple[tuple[str, bool], ...]:
    """Return facts under which it would fire if the rows above did not."""
    found = solve(graph.model, row.guard, ()) if kind == "shadowed" else None
    return tuple((found or {}).items())


def _never_true(graph: Graph, row: Transition) -> str:
    """Return the fact that keeps it from firing, because nothing ever makes it true."""
    return next((why for term in row.guard if (why := _unset(graph, term))), "")


def _unset(graph: Graph, term: Term) -> str:
    fact = graph.model.fact(term.fact)
    if not term.value or fact.timing != "latched" or fact.owner == "game":
        return ""
    return (
        ""
        if fact.name in _latched(graph.whole)
        else f"no transition latches {fact.name!r}, so that it never holds"
    )


@per_model
def _latched(model: Model) -> frozenset[str]:
    """Return the facts that some transition of the model or of its window latches."""
    actions = (
        action
        for machine in model.machines.values()
        for row in machine.transitions
        for action in row.actions
    )
    return frozenset(action.args[0] for action in actions if action.name == "latch" and action.args)
