"""Finds unused elements: facts, events, settings, durations and actions that change nothing."""

from __future__ import annotations

from collections.abc import Iterator

from fsm.checks.finding import Finding
from fsm.errors import suggest
from fsm.model import Action, Duration, Fact, Model
from fsm.model.graph import Graph
from fsm.model.model import per_model


def unused(graph: Graph) -> Iterator[Finding]:
    """Find facts that no guard reads, unused events, and settings, durations and actions without
    effect.
    """
    model, whole = graph.model, graph.whole
    yield from _facts(graph)
    events = {row.event for row in model.transitions}
    for event in model.events:
        if event.name not in events and not event.completion:
            yield _of(
                "event",
                event.name,
                f"no transition waits for the event {event.name!r}",
                event=event.name,
            )
    for setting in model.settings:
        if not any(fact.test == ("setting", setting.name) for fact in _read(whole)):
            yield _of(
                "setting",
                setting.name,
                f"no fact that is read asks for the setting {setting.name!r}",
            )
    for duration in model.durations:
        if not _comes(whole, duration):
            moment = f"{duration.moment} of {duration.what!r}"
            words = f"the duration {duration.name!r} never runs out: no {moment} comes"
            yield _of("duration", duration.name, words)
    yield from _actions(graph)


def _of(what: str, name: str, words: str, event: str = "") -> Finding:
    guards = (name,) if what == "fact" else ()
    return Finding("unused", "", event, guards, words, subject=f"{what} {name}")


def _facts(graph: Graph) -> Iterator[Finding]:
    """Find facts that no guard of turn or window reads. A window may latch facts for any turn that
    uses it.
    """
    read = {fact.name for fact in _read(graph.whole)}
    offered = {
        fact.name
        for fact in graph.model.facts
        if graph.name == "window" and fact.timing == "latched"
    }
    for fact in graph.model.facts:
        if fact.name not in read | offered:
            yield _of(
                "fact",
                fact.name,
                f"no transition reads the fact {fact.name!r}{_though(graph.model, fact)}",
            )


def _though(model: Model, fact: Fact) -> str:
    """Say which state reports an unread fact, or which transition latches it."""
    telling = (f"{s.id!r} must tell it" for s in model.states if fact.name in s.tells)
    latch = Action(f"latch({fact.name})")
    latching = (f"{row.id!r} latches it" for row in model.transitions if latch in row.actions)
    return "".join(f", though {who}" for who in [*telling, *latching][:1])


def _actions(graph: Graph) -> Iterator[Finding]:
    done: dict[Action, str] = {}
    for row in graph.model.transitions:
        for action in row.actions:
            done.setdefault(action, row.id)
    for action, where in done.items():
        why = _idle(graph.whole, action)
        if why:
            yield _of(
                "action", str(action), f"the action {action} in {where!r} changes nothing: {why}"
            )


def _idle(model: Model, action: Action) -> str:
    """Return why this action has no effect, or "" if it may have one."""
    read, name = _read(model), action.args[0] if action.args else ""
    if action.name == "clear" and name not in {
        fact.scope for fact in read if fact.timing == "latched"
    }:
        return f"no fact that is read is latched for {name!r}"
    if action.name == "mark" and not any(
        d.moment == "mark" and d.what == name for d in model.durations
    ):
        marks = [duration.what for duration in model.durations if duration.moment == "mark"]
        return f"no duration ends by {name!r}{suggest(name, marks)}"
    if action.name == "tally" and not any(fact.test[:2] == ("tallied", name) for fact in read):
        return f"no transition asks how often {name!r} was counted"
    if action.name == "push_return" and not _does(model, Action(f"pop_return({name})")):
        return f"nothing returns: no transition does pop_return({name})"
    if action.name == "suspend" and not _does(model, Action("resume")):
        return "what waits never goes on: no transition does resume"
    return ""


def _does(model: Model, action: Action) -> bool:
    return action in _done(model)


@per_model
def _done(model: Model) -> frozenset[Action]:
    """Return the actions of turn and window."""
    rows = (row for machine in model.machines.values() for row in machine.transitions)
    return frozenset(action for row in rows for action in row.actions)


def _comes(model: Model, duration: Duration) -> bool:
    """Say whether there is a moment at which this duration ends."""
    if duration.moment == "mark":
        return _does(model, Action(f"mark({duration.what})"))
    words = {word for s in model.states if s.composite for word in (s.name, s.family, s.kind)}
    return duration.what in words


@per_model
def _read(model: Model) -> tuple[Fact, ...]:
    """Return the facts that guards of turn or window read."""
    names = {
        term.fact
        for machine in model.machines.values()
        for row in machine.transitions
        for term in row.guard
    }
    return tuple(
        fact for machine in model.machines.values() for fact in machine.facts if fact.name in names
    )
