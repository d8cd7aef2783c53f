"""Finds what has no use or no like: facts, events, settings and durations that change nothing;
states that lack a row which the frame makes for every state of their kind; and parts that cite no
rule.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import chain

from fsm.checks.finding import Finding
from fsm.checks.rulebook import parts_of
from fsm.model import Fact, Model, Term, Transition
from fsm.model.elements import guard_text
from fsm.model.graph import Graph
from fsm.model.model import per_model
from fsm.wording import many

ONLY_ANOTHER = "only_another"
"""The test of a row that only phases of several steps have."""


@per_model
def _read(model: Model) -> tuple[Fact, ...]:
    """Return the facts that guards of turn or window read."""
    names = set[str]()
    facts = list[Fact]()
    for machine in model.machines.values():
        facts += machine.facts
        for row in machine.transitions:
            names.update(term.fact for term in row.guard)
    return tuple(fact for fact in facts if fact.name in names)


def unused(graph: Graph) -> Iterator[Finding]:
    """Find facts that no guard of turn or window reads, unused events, settings that no fact asks
    for, and durations that never run out.

    A window may latch facts for any turn that uses it.
    """
    model = graph.model
    read = _read(graph.whole)
    for fact in model.facts:
        if fact not in read and not (graph.name == "window" and fact.timing == "latched"):
            yield _unused("fact", fact.name, f"no transition reads the fact {fact.name!r}")
    fired = {row.event for row in model.transitions}
    for event in model.signals:
        if event not in fired:
            yield _unused("event", event, f"no transition waits for the event {event!r}")
    asked = {fact.test for fact in read}
    for setting in model.settings:
        if ("setting", setting.name) not in asked:
            words = f"no fact that is read asks for the setting {setting.name!r}"
            yield _unused("setting", setting.name, words)
    moments = set(_moments(graph.whole))
    for duration in model.durations:
        if (duration.moment == "mark", duration.what) not in moments:
            moment = f"{duration.moment} of {duration.what!r}"
            words = f"the duration {duration.name!r} never runs out: no {moment} comes"
            yield _unused("duration", duration.name, words)


def _unused(what: str, name: str, words: str) -> Finding:
    return Finding("unused", f"{what} {name}", words)


def _moments(model: Model) -> Iterator[tuple[bool, str]]:
    """Yield what begins and ends, and what is marked, each with whether it is marked."""
    for state in model.states:
        if state.composite:
            yield from ((False, name) for name in (state.name, state.family, state.kind))
    for row in model.transitions:
        yield from ((True, action.args[0]) for action in row.actions if action.name == "mark")


def irregular(graph: Graph) -> Iterator[Finding]:
    """Find states before or after a step or phase that lack a row which most states of their kind
    have.
    """
    model = graph.model
    alike = defaultdict[tuple[str, str], dict[str, set[str]]](dict)
    for state, event, rows in model.choices:
        between = event == "done" and state.role in ("before", "after") and state.parent
        if between and rows[-1].layer != "extra":
            kind = state.role, model.state(state.parent).kind
            alike[kind][state.id] = {_tests(model, row) for row in rows if row.generic}
    for of_kind in alike.values():
        counts = Counter(chain.from_iterable(of_kind.values()))
        for id, own in of_kind.items():
            for tests in sorted(counts.keys() - own - {ONLY_ANOTHER}):
                if counts[tests] * 2 > len(of_kind):
                    words = f"{id!r} lacks the row [{tests} ...] that its like have"
                    yield Finding("irregular", f"{id} without {tests}", words, id, "done")


def _tests(model: Model, row: Transition) -> str:
    """Return what a row asks, without the names of phases and steps."""
    return guard_text(Term((model.fact(t.fact).test or (t.fact,))[0], t.value) for t in row.guard)


def citations(graph: Graph) -> Iterator[Finding]:
    """Find out how much cites no rule, in a machine that follows a rulebook.

    The first state of such a machine cites a rule: it is the turn, or where a window opens.
    """
    parts = [*parts_of(graph.model)]
    uncited = [part for citation, part in parts if not citation]
    if graph.model.states[0].rule and uncited:
        words = f"{len(uncited)} of {many(len(parts), 'part')} cite no rule, such as {uncited[0]!r}"
        yield Finding("citation", graph.name, words)
