"""Finds transitions whose guards leave a gap, overlap or never hold, and one-of groups of facts for
which it is not true that exactly one holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fsm.checks.feasible import feasible_of
from fsm.checks.finding import Finding, Kind
from fsm.checks.solving import Solver, Values, solver_of, text
from fsm.model import Fact, Model, Term
from fsm.model.elements import values_text
from fsm.model.graph import Graph


def undecided(graph: Graph) -> Iterator[Finding]:
    """Find states and events where no row holds under some facts, or where two rows can hold at
    once and none is the otherwise row.
    """
    solver = solver_of(graph.model)
    for state, event, rows in graph.model.choices:
        where = f"{state.id} on {event}"
        guards = [row.guard for row in rows]
        gap = solver.solve((), guards)
        if gap is not None:
            words = f"in {state.id!r} no row for {event!r} holds when {values_text(gap.items())}"
            yield Finding("gap", where, words, state.id, event, tuple(map(text, guards)), gap)
        for one, other, both in _overlapping(solver, guards) if all(guards) else ():
            case = f"two rows for {event!r} hold when {values_text(both.items())}"
            words = f"in {state.id!r} {case}, and only their order decides"
            shown = (text(one), text(other))
            yield Finding("overlap", where, words, state.id, event, shown, both)


def _overlapping(
    solver: Solver, guards: Sequence[Sequence[Term]]
) -> Iterator[tuple[Sequence[Term], Sequence[Term], Values]]:
    """Yield the guards that can hold at once, and when. One that only repeats another is shadowed
    by it.
    """
    for number, one in enumerate(guards):
        excluded = solver.beside(one)
        for other in guards[number + 1 :]:
            if excluded.isdisjoint(other) and not set(one) <= set(other):
                witness = solver.solve((*one, *other))
                if witness is not None:
                    yield one, other, witness


def never_taken(graph: Graph) -> Iterator[Finding]:
    """Find rows that can never fire, and why. Rows of unreachable states are left out, which are
    findings already. So is an otherwise row that may be there only to leave no gap.
    """
    feasible = feasible_of(graph)
    solver = solver_of(graph.model)
    for row in graph.model.transitions:
        arcs = [arc for arc in graph.of_row[row.id] if arc.at in feasible.reached]
        why = feasible.why_row(arcs) if arcs else ""
        if not why:
            continue
        tried = [feasible.fires(arc) for arc in arcs]
        shadowed = all(solver.solve(one.holds, one.fails) is None for one in tried)
        completes = not row.guard and any(one.fails for one in tried)
        if shadowed or not (completes and graph.heard(row.event, arcs[0].at, None)):
            kind: Kind = "shadowed" if shadowed else "never fires"
            if solver.solve(row.guard) is None:
                kind = "contradiction"
            words = f"{row.id!r} can never fire: {why}"
            guards = (text(row.guard),)
            yield Finding(kind, row.id, words, row.source, row.event, guards)


# one-of groups ------------------------------------------------------------------------------------


def broken_groups(graph: Graph) -> Iterator[Finding]:
    """Find groups whose facts can all be false, or two of whose facts can hold at once, judged by
    their tests.
    """
    model = graph.model
    for group, names in solver_of(model).members.items():
        facts = [model.fact(name) for name in names]
        for why in _why_broken(graph.whole, facts) if group else ():
            words = f"of {group!r} not always exactly one fact holds: {why}"
            yield Finding("broken group", group, words, guards=tuple(names))


def _why_broken(model: Model, facts: list[Fact]) -> Iterator[str]:
    first = facts[0]
    values = _values_asked(model, first.test)
    asked = dict[tuple[str, ...], Fact]()
    if len(facts) == 1 and not (first.test and values == first.test[-1:]):
        yield f"{first.name!r} is its only fact, so that it would always hold"
    for fact in facts:
        if fact.timing == "latched":
            yield f"{fact.name!r} is latched, and does not hold before it is told or latched"
        elif fact.owner != first.owner:
            yield f"{first.name!r} is told by the {first.owner}, {fact.name!r} by the {fact.owner}"
        elif fact.test and fact.test in asked:
            yield f"{asked[fact.test].name!r} and {fact.name!r} ask the same and hold at once"
        elif fact.test[:-1] != first.test[:-1]:
            both = f"{first.name!r} and {fact.name!r}"
            yield f"{both} ask different things, and nothing makes them exclude each other"
        asked.setdefault(fact.test, fact)
    for value in values:
        if (*first.test[:-1], value) not in asked:
            yield f"it has no fact for {value!r}, which can be the answer too"


def _values_asked(model: Model, test: tuple[str, ...]) -> tuple[str, ...]:
    """Return the values that the last argument of a test can have, where the model defines them."""
    name, level = (*test, "", "")[:2]
    values = list[str]()
    if name == "candidate_is":
        values = [s.family or s.name for s in model.states if s.kind == level]
    elif name == "returns_to":
        actions = [action for row in model.transitions for action in row.actions]
        values = [a.args[1] for a in actions if a.name == "push_return" and a.args[0] == level]
    return tuple(dict.fromkeys(values))
