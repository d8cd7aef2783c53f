"""Finds what has no use or no like: facts, events, settings, durations and actions that change
nothing; states that lack a row which the frame makes for every state of their kind; and parts that
cite no rule.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from fsm.checks.citing import parts_of
from fsm.checks.finding import Finding
from fsm.errors import suggest
from fsm.model import Action, Duration, Fact, Model, Term, Transition
from fsm.model.elements import guard_text
from fsm.model.graph import Graph
from fsm.model.model import per_model


@per_model
def actions_of(model: Model) -> frozenset[Action]:
    """Return the actions of turn and window."""
    rows = (row for machine in model.machines.values() for row in machine.transitions)
    return frozenset(action for row in rows for action in row.actions)


@per_model
def _read(model: Model) -> tuple[Fact, ...]:
    """Return the facts that guards of turn or window read."""
    names = set[str]()
    facts = list[Fact]()
    for machine in model.machines.values():
        facts += machine.facts
        names.update(term.fact for row in machine.transitions for term in row.guard)
    return tuple(fact for fact in facts if fact.name in names)


# what changes nothing -----------------------------------------------------------------------------


def unused(graph: Graph) -> Iterator[Finding]:
    """Find facts that no guard reads, unused events, and settings, durations and actions without
    effect.
    """
    model = graph.model
    whole = graph.whole
    yield from _facts(graph)
    events = {row.event for row in model.transitions}
    for event in model.events:
        if event.name not in events and not event.completion:
            words = f"no transition waits for the event {event.name!r}"
            yield Finding("unused", f"event {event.name}", words, event=event.name)
    asked = {fact.test for fact in _read(whole)}
    for setting in model.settings:
        if ("setting", setting.name) not in asked:
            words = f"no fact that is read asks for the setting {setting.name!r}"
            yield Finding("unused", f"setting {setting.name}", words)
    for duration in model.durations:
        if not _comes(whole, duration):
            moment = f"{duration.moment} of {duration.what!r}"
            words = f"the duration {duration.name!r} never runs out: no {moment} comes"
            yield Finding("unused", f"duration {duration.name}", words)
    done = {action: row.id for row in reversed(model.transitions) for action in row.actions[::-1]}
    for action in dict.fromkeys(a for row in model.transitions for a in row.actions):
        if why := _idle(whole, action):
            words = f"the action {action} in {done[action]!r} changes nothing: {why}"
            yield Finding("unused", f"action {action}", words)


def _facts(graph: Graph) -> Iterator[Finding]:
    """Find facts that no guard of turn or window reads. A window may latch facts for any turn that
    uses it.
    """
    read = {fact.name for fact in _read(graph.whole)}
    for fact in graph.model.facts:
        if fact.name in read or (graph.name == "window" and fact.timing == "latched"):
            continue
        told = [f"{s.id!r} must tell it" for s in graph.model.states if fact.name in s.tells]
        latch = f"latch({fact.name})"
        told += [f"{r.id!r} latches it" for r in graph.model.transitions if latch in r.actions]
        though = f", though {told[0]}" if told else ""
        words = f"no transition reads the fact {fact.name!r}{though}"
        yield Finding("unused", f"fact {fact.name}", words, guards=(fact.name,))


def _idle(model: Model, action: Action) -> str:
    """Return why this action has no effect, or "" if it may have one."""
    read = _read(model)
    done = actions_of(model)
    name = action.args[0] if action.args else ""
    match action.name:
        case "clear" if name not in {fact.scope for fact in read if fact.timing == "latched"}:
            return f"no fact that is read is latched for {name!r}"
        case "mark":
            marks = [one.what for one in model.durations if one.moment == "mark"]
            if name not in marks:
                return f"no duration ends by {name!r}{suggest(name, marks)}"
        case "tally" if ("tallied", name) not in {fact.test[:2] for fact in read}:
            return f"no transition asks how often {name!r} was counted"
        case "push_return" if f"pop_return({name})" not in done:
            return f"nothing returns: no transition does pop_return({name})"
        case "suspend" if "resume" not in done:
            return "what waits never goes on: no transition does resume"
    return ""


def _comes(model: Model, duration: Duration) -> bool:
    """Say whether there is a moment at which this duration ends."""
    if duration.moment == "mark":
        return f"mark({duration.what})" in actions_of(model)
    words = {word for s in model.states if s.composite for word in (s.name, s.family, s.kind)}
    return duration.what in words


# what its like have -------------------------------------------------------------------------------

_Shape = tuple[str, str, str]
_ONLY_ANOTHER: _Shape = ("only_another", "skip", "after")


def irregular(graph: Graph) -> Iterator[Finding]:
    """Find states before or after a step or phase that lack a row which most states of their kind
    have.
    """
    model = graph.model
    alike: dict[tuple[str, str], dict[str, set[_Shape]]] = {}
    for state, event, rows in model.choices:
        between = event == "done" and state.role in ("before", "after") and state.parent
        if between and rows[-1].layer != "extra":
            shapes = {_shape(model, row) for row in rows if row.generic}
            kind = (state.role, model.state(state.parent).kind)
            alike.setdefault(kind, {})[state.id] = shapes
    for of_kind in alike.values():
        counts = Counter(shape for shapes in of_kind.values() for shape in shapes)
        usual = {shape for shape, count in counts.items() if count * 2 > len(of_kind)}
        for id, own in of_kind.items():
            for shape in sorted(usual - own):
                if shape == _ONLY_ANOTHER and _is_alone(model, id):
                    continue
                words = f"{id!r} lacks the row [{shape[0]} ...] that its like have"
                subject = f"{id} without {shape[0]}"
                yield Finding("irregular", subject, words, id, "done", (shape[0],))


def _is_alone(model: Model, id: str) -> bool:
    """Whether every phase of the family has one step, so that `only_another` cannot hold."""
    here = model.enclosing(id, "phase")
    steps = Counter(s.parent for s in model.of_kind("step"))
    for phase in model.of_kind("phase"):
        if here is not None and phase.family == here.family and steps[phase.id] != 1:
            return False
    return True


def _shape(model: Model, row: Transition) -> _Shape:
    """Describe a generic row without names: the tests it reads, its layer and the role of its
    target.
    """
    reads = guard_text(Term((model.fact(t.fact).test or (t.fact,))[0], t.value) for t in row.guard)
    return (reads, row.layer, model.state(row.target).role if row.target else "")


# what has no source -------------------------------------------------------------------------------


def citations(graph: Graph) -> Iterator[Finding]:
    """Find states, transitions, facts, durations and settings that cite no rule, in a machine that
    follows a rulebook.

    The first state of such a machine cites a rule: it is the turn, or where a window opens.
    """
    model = graph.model
    if not model.states[0].rule:
        return
    for citation, part in parts_of(model):
        if not citation:
            what, name = part.split(" ", 1)
            subject = part
            state = name if what == "state" else ""
            if what == "transition":
                subject = name
                state = model.transition(name).source
            yield Finding("citation", subject, f"{what} {name!r} cites no rule", state)
