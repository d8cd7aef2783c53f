"""Finds what has no use or no like: facts, events, settings, durations and actions that change
nothing; states that lack a row which the frame makes for every state of their kind; and parts that
cite no rule.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from itertools import chain

from fsm.checks.finding import Finding
from fsm.checks.rulebook import parts_of
from fsm.errors import suggest
from fsm.model import Action, Fact, Model, Term, Transition
from fsm.model.elements import guard_text
from fsm.model.graph import Graph
from fsm.model.model import per_model
from fsm.wording import many

ONLY_ANOTHER = "only_another"
"""The test of a row that only phases of several steps have."""


@per_model
def _done(model: Model) -> Mapping[Action, str]:
    """Return the actions of turn and window, each with the first transition that does it."""
    done = dict[Action, str]()
    for machine in model.machines.values():
        for row in machine.transitions:
            for action in row.actions:
                done.setdefault(action, row.id)
    return done


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


# what changes nothing -----------------------------------------------------------------------------


def unused(graph: Graph) -> Iterator[Finding]:
    """Find facts that no guard reads, unused events, and settings, durations and actions without
    effect.
    """
    for what, words in (*_facts(graph), *_events(graph.model), *_parts(graph), *_actions(graph)):
        yield Finding("unused", what, words)


def _facts(graph: Graph) -> Iterator[tuple[str, str]]:
    """Yield the facts that no guard of turn or window reads. A window may latch facts for any turn
    that uses it.
    """
    read = _read(graph.whole)
    for fact in graph.model.facts:
        if fact not in read and not (graph.name == "window" and fact.timing == "latched"):
            told = [f"{s.id!r} must tell it" for s in graph.model.states if fact.name in s.tells]
            latching = _done(graph.whole).get(Action(f"latch({fact.name})"))
            told += [f"{latching!r} latches it"] if latching else []
            though = f", though {told[0]}" if told else ""
            yield f"fact {fact.name}", f"no transition reads the fact {fact.name!r}{though}"


def _events(model: Model) -> Iterator[tuple[str, str]]:
    fired = {row.event for row in model.transitions}
    for event in model.events:
        if event.name not in fired and not event.completion:
            yield f"event {event.name}", f"no transition waits for the event {event.name!r}"


def _parts(graph: Graph) -> Iterator[tuple[str, str]]:
    """Yield the settings that no fact asks for, and the durations that never run out."""
    asked = {fact.test for fact in _read(graph.whole)}
    for setting in graph.model.settings:
        if ("setting", setting.name) not in asked:
            words = f"no fact that is read asks for the setting {setting.name!r}"
            yield f"setting {setting.name}", words
    moments = {action.args[0] for action in _done(graph.whole) if action.name == "mark"}
    names = set[str]()
    for state in graph.whole.states:
        if state.composite:
            names |= {state.name, state.family, state.kind}
    for duration in graph.model.durations:
        if duration.what not in (moments if duration.moment == "mark" else names):
            moment = f"{duration.moment} of {duration.what!r}"
            words = f"the duration {duration.name!r} never runs out: no {moment} comes"
            yield f"duration {duration.name}", words


def _actions(graph: Graph) -> Iterator[tuple[str, str]]:
    own = {row.id for row in graph.model.transitions}
    for action, row in _done(graph.whole).items():
        why = _idle(graph.whole, action)
        if why and row in own:
            yield f"action {action}", f"the action {action} in {row!r} changes nothing: {why}"


def _idle(model: Model, action: Action) -> str:
    """Return why this action has no effect, or "" if it may have one."""
    read = _read(model)
    name = action.args[0] if action.args else ""
    match action.name:
        case "clear" if name not in {fact.scope for fact in read if fact.timing == "latched"}:
            return f"no fact that is read is latched for {name!r}"
        case "tally" if ("tallied", name) not in {fact.test[:2] for fact in read}:
            return f"no transition asks how often {name!r} was counted"
        case "mark":
            marks = [one.what for one in model.durations if one.moment == "mark"]
            if name not in marks:
                return f"no duration ends by {name!r}{suggest(name, marks)}"
    return ""


# what its like have -------------------------------------------------------------------------------


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
            alike[kind][state.id] = {_shape(model, row) for row in rows if row.generic}
    for of_kind in alike.values():
        counts = Counter(chain.from_iterable(of_kind.values()))
        for id, own in of_kind.items():
            for shape in sorted(counts.keys() - own - {ONLY_ANOTHER}):
                if counts[shape] * 2 > len(of_kind):
                    words = f"{id!r} lacks the row [{shape} ...] that its like have"
                    yield Finding("irregular", f"{id} without {shape}", words, id, "done")


def _shape(model: Model, row: Transition) -> str:
    """Describe a generic row without names: the tests it reads."""
    return guard_text(Term((model.fact(t.fact).test or (t.fact,))[0], t.value) for t in row.guard)


# what has no source -------------------------------------------------------------------------------


def citations(graph: Graph) -> Iterator[Finding]:
    """Find out how much cites no rule, in a machine that follows a rulebook.

    The first state of such a machine cites a rule: it is the turn, or where a window opens.
    """
    parts = [*parts_of(graph.model)]
    uncited = [part for citation, part in parts if not citation]
    if graph.model.states[0].rule and uncited:
        words = f"{len(uncited)} of {many(len(parts), 'part')} cite no rule, such as {uncited[0]!r}"
        yield Finding("citation", graph.name, words)
