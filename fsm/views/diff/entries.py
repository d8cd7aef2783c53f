"""Describes one change in a few lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from fsm.model import Event, Model, State, Transition
from fsm.views.diff import words
from fsm.views.diff.difference import Change, Difference, Field, Order, Sign
from fsm.views.diff.names import NameMapping, Rename
from fsm.wording import condition_of, label_of, window_words

IMPLIED_BY_ACTION = ("kind", "name", "asks", "family")
FIELD_WORDS = {
    "action": "the game is asked to",
    "opens": "who may act",
    "tells": "tells the facts",
    "manner": "how",
    "by": "performed by",
    "parent": "stands in",
    "asks": "asks for",
    "sides": "yes with so many sides",
    "players": "yes with so many players",
    "even": "only with sides of the same size",
}


@dataclass(frozen=True, slots=True)
class DiffEntry:
    """The text for one change, or for several alike: a sign, a line, and lines below it."""

    sign: Sign
    text: str
    more: tuple[str, ...] = ()
    of: tuple[Change, ...] = field(default=(), compare=False)


def entry_of(change: Change, difference: Difference) -> DiffEntry:
    """Describe a change."""
    return replace(_described(change, difference), of=(change,))


def _described(change: Change, difference: Difference) -> DiffEntry:
    if isinstance(change.a, Transition) and isinstance(change.b, Transition):
        return DiffEntry(
            "~", _changed_arrow(change, difference), tuple(_arrow_fields(change, difference))
        )
    if change.sign == "~":
        return DiffEntry("~", _head(change), tuple(_fields(change)))
    model = difference.a if change.b is None else difference.b
    return DiffEntry(change.sign, _whole(change, model), tuple(_about(change, model)))


def rename_entry(rename: Rename) -> DiffEntry:
    """Describe a rename."""
    return DiffEntry(
        "~", f"{rename.a.kind} {label_of(rename.a)} is now called {label_of(rename.b)}"
    )


def model_entries(difference: Difference) -> Iterator[DiffEntry]:
    """Describe options that both models have with different values, and another initial state."""
    old, new = dict(difference.a.options), dict(difference.b.options)
    for name in (n for n in new if n in old and old[n] != new[n]):
        yield DiffEntry("~", f"option {name}: {words.shown(old[name])} -> {words.shown(new[name])}")
    for found in difference.head:
        if found.name == "initial":
            yield DiffEntry("~", f"it starts at {found.b}, was at {found.a}")


def order_entry(order: Order) -> DiffEntry:
    """Describe transitions that are tried in another order."""
    rows = [
        f"{n}. (was {was + 1}.) {id}"
        for n, (id, was) in enumerate(zip(order.b, order.was, strict=True), 1)
    ]
    return DiffEntry("~", f"{order.source}: the same rows, tried in another order", tuple(rows))


def _whole(change: Change, model: Model) -> str:
    part = change.part
    if isinstance(part, Transition):
        return words.arrow(model, part)
    if isinstance(part, State):
        return words.stage(part)
    if isinstance(part, Model):
        return f"{change.what} {part.name}: {len(part.states)} states, {len(part.transitions)} transitions"
    if isinstance(part, Event):
        return f"event {part.name}"
    return (
        f"{change.what} {part.name}"
        + (f": {part.doc}" if part.doc else "")
        + words.cited(part.rule)
    )


def _about(change: Change, model: Model) -> Iterator[str]:
    """Yield more text about a part that was added or removed."""
    part = change.part
    if isinstance(part, Transition):
        if part.doc and not part.guard:
            yield part.doc
    elif isinstance(part, State) and part.composite:
        yield f"in it: {words.contents(model.children(part.id))}"


def _head(change: Change) -> str:
    part = change.part
    if isinstance(part, State):
        return label_of(part) + words.cited(part.rule)
    return f"{change.what} {change.id}"


def _fields(change: Change) -> Iterator[str]:
    changed = {f.name for f in change.fields}
    for found in change.fields:
        if not ("action" in changed and found.name in IMPLIED_BY_ACTION):
            yield f"{FIELD_WORDS.get(found.name, found.name)}: {_from_to(found)}"
    part = change.part
    if "action" in changed and isinstance(part, State) and part.doc:
        yield part.doc


def _from_to(found: Field) -> str:
    shown = _opens if found.name == "opens" else words.shown
    values = shown(found.a), shown(found.b)
    return " -> ".join(value.replace("_", " ") for value in values)


def _opens(value: object) -> str:
    return window_words(str(value)) if value else "nobody may act"


def _changed_arrow(change: Change, difference: Difference) -> str:
    """Describe a changed transition, with its old and new target if they differ."""
    old, new = change.a, change.b
    assert isinstance(old, Transition) and isinstance(new, Transition)
    if not change.field("target"):
        return words.ends(difference.b, new)
    when = "" if change.field("guard") else str(condition_of(difference.b, new.guard))
    targets = f"now to {new.target or 'nowhere'}, was to {old.target or 'nowhere'}"
    return f"{words.start(difference.b, new)}{', ' if when else ''}{when}: {targets}{words.cited(new.rule)}"


def _arrow_fields(change: Change, difference: Difference) -> Iterator[str]:
    old, new = change.a, change.b
    assert isinstance(old, Transition) and isinstance(new, Transition)
    if change.field("guard"):
        yield f"was: {words.condition(difference.a, old)}{words.cited(old.rule)}"
        yield f"now: {words.condition(difference.b, new)}{words.cited(new.rule)}"
    if change.field("actions"):
        yield from _actions(change, difference.names)
    for found in change.fields:
        if found.name in ("layer", "generic"):
            yield f"{found.name}: {words.shown(found.a)} -> {words.shown(found.b)}"


def _actions(change: Change, names: NameMapping) -> Iterator[str]:
    old, new = change.a, change.b
    assert isinstance(old, Transition) and isinstance(new, Transition)
    more = [str(y) for y in new.actions if not any(names.alike(x, y) for x in old.actions)]
    less = [str(x) for x in old.actions if not any(names.alike(x, y) for y in new.actions)]
    if more:
        yield f"now does: {', '.join(more)}"
    if less:
        yield f"no longer does: {', '.join(less)}"
    if not more and not less:
        yield f"does the same otherwise: {', '.join(map(str, new.actions))}"
