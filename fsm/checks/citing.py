"""Lists the rules that a model cites and where, and finds parts that cite no rule.

A citation of several rules ("500.4, 500.6") counts for each of them, as in the coverage criterion
"rules".
"""

from __future__ import annotations

from collections.abc import Iterator

from fsm.checks.finding import Finding
from fsm.checks.solving import text
from fsm.model import Model
from fsm.model.graph import Graph


def split(citation: str) -> tuple[str, ...]:
    """Return the rules of a citation: "500.4, 500.6" names two."""
    return tuple(filter(None, map(str.strip, citation.split(","))))


def cited(model: Model) -> dict[str, tuple[str, ...]]:
    """Return every rule that the model and its window cite, each with the parts that cite it.

    A part is written like "state upkeep_step" or "fact first_turn".
    """
    found: dict[str, list[str]] = {}
    for machine in model.machines.values():
        for citation, what in _citations(machine):
            for rule in split(citation):
                found.setdefault(rule, []).append(what)
    return {rule: tuple(dict.fromkeys(by)) for rule, by in found.items()}


def _citations(model: Model) -> Iterator[tuple[str, str]]:
    yield from ((state.rule, f"state {state.id}") for state in model.states)
    yield from ((row.rule, f"transition {row.id}") for row in model.transitions)
    yield from ((fact.rule, f"fact {fact.name}") for fact in model.facts)
    yield from ((duration.rule, f"duration {duration.name}") for duration in model.durations)
    yield from ((setting.rule, f"setting {setting.name}") for setting in model.settings)


def citations(graph: Graph) -> Iterator[Finding]:
    """Find states, transitions, facts, durations and settings that cite no rule, in a machine that
    follows a rulebook.

    The first state of such a machine cites a rule: it is the turn, or where a window opens.
    """
    model = graph.model
    if not model.states[0].rule:
        return
    for row in model.transitions:
        if not row.rule:
            words, guards = f"transition {row.id!r} cites no rule", (text(row.guard),)
            yield Finding("citation", row.source, row.event, guards, words, subject=row.id)
    for citation, part in _citations(model):
        what, name = part.split(" ", 1)
        if not citation and what != "transition":
            state, facts = name * (what == "state"), (name,) * (what == "fact")
            words = f"{what} {name!r} cites no rule"
            yield Finding("citation", state, "", facts, words, subject=part)
