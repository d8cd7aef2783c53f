"""Finds transitions whose guards leave a gap, overlap or never hold, and one-of groups of facts for
which it is not true that exactly one holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fsm.checks.feasible import RowsTried, feasible_of
from fsm.checks.finding import Finding, Kind
from fsm.checks.reasons import why_row
from fsm.checks.solving import members, solve, text
from fsm.model import Fact, Model, Term, Transition
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
                case = f"two rows for {event!r} hold when {values_text(facts)}"
                words = f"in {state.id!r} {case}, and only their order decides"
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
    feasible = feasible_of(graph)
    for row in graph.model.transitions:
        arcs = graph.of_row[row.id]
        if any(arc in feasible.live for arc in arcs) and not _never_true(graph, row):
            continue
        reached = not arcs or any(arc.at in feasible.reached for arc in arcs)
        if not reached and _sound(graph, row, arcs):
            continue
        kind, why = _why(graph, row, arcs)
        if kind == "never fires" and _completes(graph, row, arcs):
            continue
        shown = solve(graph.model, row.guard, ()) if kind == "shadowed" else None
        facts, words = tuple((shown or {}).items()), f"{row.id!r} can never fire: {why}"
        yield Finding(kind, row.source, row.event, (text(row.guard),), words, facts, row.id)


def _sound(graph: Graph, row: Transition, arcs: Sequence[Arc]) -> bool:
    """Say whether nothing but the rows above keeps this row from firing."""
    return any(
        solve(graph.model, row.guard, feasible_of(graph).above(arc)) is not None for arc in arcs
    )


def _completes(graph: Graph, row: Transition, arcs: Sequence[Arc]) -> bool:
    """Say whether it is the otherwise row below guarded rows. Then it may be there only to leave no
    gap.
    """
    heard = any(graph.heard(row.event, arc.at, None) for arc in arcs)
    return heard and not row.guard and any(feasible_of(graph).above(arc) for arc in arcs)


def _why(graph: Graph, row: Transition, arcs: Sequence[Arc]) -> tuple[Kind, str]:
    if solve(graph.model, row.guard, ()) is None:
        return "contradiction", "its guard contradicts itself"
    if arcs and not _sound(graph, row, arcs):
        return "shadowed", "rows above it always hold first"
    return "never fires", _never_true(graph, row) or why_row(feasible_of(graph), arcs)


def _never_true(graph: Graph, row: Transition) -> str:
    """Return the fact that keeps it from firing, because nothing ever makes it true."""
    return next((why for term in row.guard if (why := _unset(graph, term))), "")


def _unset(graph: Graph, term: Term) -> str:
    fact = graph.model.fact(term.fact)
    if not term.value or fact.timing != "latched" or fact.owner == "game":
        return ""
    if fact.name in _latched(graph.whole):
        return ""
    return f"no transition latches {fact.name!r}, so that it never holds"


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


# one-of groups ------------------------------------------------------------------------------------


def broken_groups(graph: Graph) -> Iterator[Finding]:
    """Find groups whose facts can all be false, or two of whose facts can hold at once, judged by
    their tests.
    """
    model = graph.model
    for group in dict.fromkeys(fact.group for fact in model.facts if fact.group):
        facts = [model.fact(name) for name in members(model, group)]
        for why in _why_broken(graph, facts):
            names = tuple(fact.name for fact in facts)
            words = f"of {group!r} not always exactly one fact holds: {why}"
            yield Finding("broken group", "", "", names, words, subject=group)


def _why_broken(graph: Graph, facts: list[Fact]) -> Iterator[str]:
    first = facts[0]
    if len(facts) == 1 and (
        not first.test or _values_asked(graph.whole, first.test) != first.test[-1:]
    ):
        yield f"{first.name!r} is its only fact, so that it would always hold"
    for fact in facts:
        if fact.timing == "latched":
            yield f"{fact.name!r} is latched, and does not hold before it is told or latched"
        if fact.owner != first.owner:
            yield f"{first.name!r} is told by the {first.owner}, {fact.name!r} by the {fact.owner}"
    if {fact.owner for fact in facts} <= {"agenda", "controller"} and all(
        fact.test for fact in facts
    ):
        yield from _by_tests(graph, facts)


def _by_tests(graph: Graph, facts: list[Fact]) -> Iterator[str]:
    first, asked = facts[0], dict[tuple[str, ...], Fact]()
    for fact in facts:
        if fact.test in asked:
            yield f"{asked[fact.test].name!r} and {fact.name!r} ask the same and hold at once"
        elif fact.test[:-1] != first.test[:-1]:
            both = f"{first.name!r} and {fact.name!r}"
            yield f"{both} ask different things, and nothing makes them exclude each other"
        asked.setdefault(fact.test, fact)
    if all(fact.test[:-1] == first.test[:-1] for fact in facts):
        lacking = [
            value
            for value in _values_asked(graph.whole, first.test)
            if (*first.test[:-1], value) not in asked
        ]
        for value in lacking:
            yield f"it has no fact for {value!r}, which can be the answer too"


def _values_asked(model: Model, test: tuple[str, ...]) -> tuple[str, ...]:
    """Return the values that the last argument of a test can have, where the model defines them."""
    if not test:
        return ()
    name, *arguments = test
    if name == "candidate_is":
        return tuple(
            dict.fromkeys(s.family or s.name for s in model.states if s.kind == arguments[0])
        )
    if name == "returns_to":
        pushed = (
            a.args for row in model.transitions for a in row.actions if a.name == "push_return"
        )
        return tuple(dict.fromkeys(state for level, state in pushed if level == arguments[0]))
    return ()
