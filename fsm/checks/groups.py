"""Finds one-of groups of facts for which it is not true that exactly one holds."""

from __future__ import annotations

from collections.abc import Iterator

from fsm.checks.finding import Finding
from fsm.checks.solving import members
from fsm.model import Fact, Model
from fsm.model.graph import Graph


def broken_groups(graph: Graph) -> Iterator[Finding]:
    """Find groups whose facts can all be false, or two of whose facts can hold at once, judged by
    their tests.
    """
    model = graph.model
    for group in dict.fromkeys(fact.group for fact in model.facts if fact.group):
        facts = [model.fact(name) for name in members(model, group)]
        for why in _why(graph, facts):
            names = tuple(fact.name for fact in facts)
            words = f"of {group!r} not always exactly one fact holds: {why}"
            yield Finding("broken group", "", "", names, words, subject=group)


def _why(graph: Graph, facts: list[Fact]) -> Iterator[str]:
    first = facts[0]
    if len(facts) == 1 and (not first.test or _answers(graph.whole, first.test) != first.test[-1:]):
        yield f"{first.name!r} is its only fact, so that it would always hold"
    for fact in facts:
        if fact.timing == "latched":
            yield f"{fact.name!r} is latched, and does not hold before it is told or latched"
        if fact.owner != first.owner:
            yield f"{first.name!r} is told by the {first.owner}, {fact.name!r} by the {fact.owner}"
    if {fact.owner for fact in facts} <= {"agenda", "controller"} and all(
        fact.test for fact in facts
    ):
        yield from _tests(graph, facts)


def _tests(graph: Graph, facts: list[Fact]) -> Iterator[str]:
    first, asked = facts[0], dict[tuple[str, ...], Fact]()
    for fact in facts:
        if fact.test in asked:
            yield f"{asked[fact.test].name!r} and {fact.name!r} ask the same and hold at once"
        elif fact.test[:-1] != first.test[:-1]:
            yield f"{first.name!r} and {fact.name!r} ask different things, and nothing makes them exclude each other"
        asked.setdefault(fact.test, fact)
    if all(fact.test[:-1] == first.test[:-1] for fact in facts):
        lacking = [
            value
            for value in _answers(graph.whole, first.test)
            if (*first.test[:-1], value) not in asked
        ]
        for value in lacking:
            yield f"it has no fact for {value!r}, which can be the answer too"


def _answers(model: Model, test: tuple[str, ...]) -> tuple[str, ...]:
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
