"""What can be known of a Model before it runs: unreachable states, dead ends, rows that never fire.

Guards are conjunctions of facts, so the questions are decided by solving over the facts involved (facts
of one group exclude each other, and one of them holds), not by sampling.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from fsm.model import Model, State, Term, Transition

Kind = Literal["unreachable", "dead end", "gap", "shadowed", "contradiction", "unused", "irregular", "citation"]
Assignment = Mapping[str, bool]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong with a model.

    `witness`: values of facts under which it shows (a gap: no row holds), where there are such.
    """

    kind: Kind
    state: str
    event: str
    guards: tuple[str, ...]
    message: str
    witness: tuple[tuple[str, bool], ...] = ()

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}"


def check(model: Model) -> list[Finding]:
    """Everything found in the model and its window; an empty list means that nothing is wrong."""
    found = [finding for part in _CHECKS for finding in part(model)]
    return found + (check(model.window) if model.window is not None else [])


def reachable(model: Model) -> frozenset[str]:
    """The leaves that some sequence of events can reach, whatever the guards."""
    seen, todo = {model.initial}, [model.initial]
    while todo:
        here = todo.pop()
        for event in model.events_at(here):
            for row in model.rows(here, event):
                if row.target is not None and row.target not in seen:
                    seen.add(row.target)
                    todo.append(row.target)
    return frozenset(seen)


def _unreachable(model: Model) -> Iterator[Finding]:
    reached = reachable(model)
    for state in model.leaves:
        if state.id not in reached:
            yield Finding(
                "unreachable", state.id, "", (), f"no transition leads to {state.id!r}, from {model.initial!r} on"
            )


def _dead_ends(model: Model) -> Iterator[Finding]:
    for state in model.leaves:
        for word in state.words:
            if not model.rows(state.id, word):
                yield Finding(
                    "dead end", state.id, word, (), f"{state.id!r} has no transition for {word!r}: a run stops there"
                )


def _deaf(model: Model) -> Iterator[Finding]:
    """A signal is heard where an answer has led to, and must be heard in all such states or in none."""
    waiting = [s for s in model.leaves if s.kind in ("action", "window")]
    ordinary = {word for state in waiting for word in state.words}
    rows = (row for state in waiting for word in state.words for row in model.rows(state.id, word))
    led_to = dict.fromkeys(row.target for row in rows if row.target)
    heard_in = tuple(id for id in led_to if model.state(id).kind != "final")
    for event in model.events:
        deaf = [id for id in heard_in if not model.rows(id, event.name)]
        if event.name not in ordinary and not event.completion and len(deaf) < len(heard_in):
            for id in deaf:
                yield Finding("gap", id, event.name, (), f"{id!r} has no row for {event.name!r}, which others have")


def _gaps(model: Model) -> Iterator[Finding]:
    for state, event, rows in _choices(model):
        witness = solve(model, (), [row.guard for row in rows])
        if witness is not None:
            guards = tuple(_text(row.guard) for row in rows)
            case = ", ".join(str(Term(fact, value)) for fact, value in witness.items())
            message = f"in {state.id!r} no row for {event!r} holds when {case}"
            yield Finding("gap", state.id, event, guards, message, tuple(witness.items()))


def _shadowed(model: Model) -> Iterator[Finding]:
    live: set[str] = set()
    for _, _, rows in _choices(model):
        for number, row in enumerate(rows):
            if row.id not in live and solve(model, row.guard, [r.guard for r in rows[:number]]) is not None:
                live.add(row.id)
    for row in model.transitions:
        if row.id in live:
            continue
        kind: Kind = "contradiction" if solve(model, row.guard, ()) is None else "shadowed"
        why = "its guard contradicts itself" if kind == "contradiction" else "rows above it always hold first"
        yield Finding(kind, row.source, row.event, (_text(row.guard),), f"{row.id!r} can never fire: {why}")


def _unused(model: Model) -> Iterator[Finding]:
    used = {term.fact for row in model.transitions for term in row.guard}
    used |= {fact for state in model.states for fact in state.tells}
    used |= {argument for row in model.transitions for action in row.actions for argument in action.args}
    for fact in model.facts:
        if fact.name not in used:
            yield Finding("unused", "", "", (fact.name,), f"no transition reads the fact {fact.name!r}")
    events = {row.event for row in model.transitions}
    for event in model.events:
        if event.name not in events and not event.completion:
            yield Finding("unused", "", event.name, (), f"no transition waits for the event {event.name!r}")


def _citations(model: Model) -> Iterator[Finding]:
    for state in model.states:
        if not state.rule:
            yield Finding("citation", state.id, "", (), f"state {state.id!r} cites no rule")
    for row in model.transitions:
        if not row.rule:
            yield Finding(
                "citation", row.source, row.event, (_text(row.guard),), f"transition {row.id!r} cites no rule"
            )
    for fact in model.facts:
        if not fact.rule:
            yield Finding("citation", "", "", (fact.name,), f"fact {fact.name!r} cites no rule")


def _irregular(model: Model) -> Iterator[Finding]:
    """A row that the frame makes for every state of a kind is missing in one of them."""
    alike: dict[tuple[str, str], dict[str, set[_Shape]]] = {}
    for state, event, rows in _choices(model):
        if event == "done" and state.role in ("before", "after") and state.parent and rows[-1].layer != "extra":
            kind = (state.role, model.state(state.parent).kind)
            alike.setdefault(kind, {})[state.id] = {_shape(model, row) for row in rows if row.generic}
    for shapes in alike.values():
        usual = [s for s in set().union(*shapes.values()) if sum(s in own for own in shapes.values()) * 2 > len(shapes)]
        for id, own in shapes.items():
            for shape in sorted(set(usual) - own - _needless(model, id)):
                yield Finding(
                    "irregular", id, "done", (shape[0],), f"{id!r} lacks the row [{shape[0]} ...] that its like have"
                )


_Shape = tuple[str, str, str]
_LACKS: _Shape = ("only_another", "skip", "after")


def _needless(model: Model, id: str) -> set[_Shape]:
    """Rows this state can do without: where phases have one step, none can hold only another."""
    here = model.enclosing(id, "phase")
    like = [p.id for p in model.of_kind("phase") if here and p.family == here.family]
    alone = all(sum(s.kind == "step" for s in model.children(phase)) == 1 for phase in like)
    return {_LACKS} if alone else set()


def _shape(model: Model, row: Transition) -> _Shape:
    """A generic row without the names of its step: the tests it reads, its layer, where it leads."""
    reads = ", ".join(f"{'' if t.value else 'not '}{(model.fact(t.fact).test or (t.fact,))[0]}" for t in row.guard)
    return (reads, row.layer, model.state(row.target).role if row.target else "")


_CHECKS: tuple[Callable[[Model], Iterable[Finding]], ...] = (
    _unreachable,
    _dead_ends,
    _deaf,
    _gaps,
    _shadowed,
    _unused,
    _irregular,
    _citations,
)


def _choices(model: Model) -> Iterator[tuple[State, str, tuple[Transition, ...]]]:
    for state in model.leaves:
        for event in model.events_at(state.id):
            yield state, event, model.rows(state.id, event)


def _text(guard: Iterable[Term]) -> str:
    return ", ".join(map(str, guard)) or "otherwise"


# solving ------------------------------------------------------------------------------------------------


def solve(model: Model, holds: Iterable[Term], fails: Iterable[Sequence[Term]]) -> dict[str, bool] | None:
    """Values of facts under which `holds` all hold and each guard of `fails` does not; None if none.

    Of the facts of one group exactly one holds. Facts that do not matter are left out.
    """
    values: dict[str, bool] = {}
    if not all(_set(model, values, term) for term in holds):
        return None
    return _search(model, values, [tuple(guard) for guard in fails])


def _search(model: Model, values: dict[str, bool], fails: list[tuple[Term, ...]]) -> dict[str, bool] | None:
    """Falsify the guards one by one: for each, try to make one of its terms false."""
    pending = next((g for g in fails if not any(values.get(t.fact, t.value) != t.value for t in g)), None)
    if pending is None:
        return values if _groups_fit(model, values) else None
    for term in pending:
        tried = dict(values)
        if term.fact not in values and _set(model, tried, Term(term.fact, not term.value)):
            found = _search(model, tried, fails)
            if found is not None:
                return found
    return None


def _set(model: Model, values: dict[str, bool], term: Term) -> bool:
    """Note the term's value; its group follows: one holds, the others do not. False on a conflict."""
    if term.fact in values:
        return values[term.fact] == term.value
    values[term.fact] = term.value
    group = _group(model, term.fact)
    if term.value:
        return all(_set(model, values, Term(other, False)) for other in group if other != term.fact)
    return not group or any(values.get(other, True) for other in group)


def _groups_fit(model: Model, values: Assignment) -> bool:
    """Can every group touched still have its one fact that holds?"""
    groups = (_group(model, fact) for fact in values)
    return all(any(values.get(other, True) for other in group) for group in groups if group)


def _group(model: Model, fact: str) -> tuple[str, ...]:
    name = model.fact(fact).group
    return tuple(f.name for f in model.facts if f.group == name) if name else ()
