"""Compares two models."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from fsm.model import COMPOSITE, Model, State, Transition
from fsm.model.likeness import ModelLike, as_model
from fsm.model.model import TEXTS
from fsm.views.diff.difference import Change, Difference, Field, Order, Part, What, name_of
from fsm.views.diff.matching import TransitionMatching
from fsm.views.diff.names import NameMapping, name_mapping

_P = TypeVar("_P", bound=Part)
MODEL_FIELDS = ("name", "title", "edition", "options", "initial")


def diff(a: ModelLike, b: ModelLike) -> Difference:
    """Compare two models.

    States and facts are matched by name, and renamed ones are recognised.

    Parameters
    ----------
    a
        The first Model, or what names it or is made into it.
    b
        The second Model, likewise.

    Returns
    -------
    Difference
        All that differs from `a` to `b`, including their windows.
    """
    a, b = as_model(a), as_model(b)
    names = name_mapping(a, b)
    rows = [TransitionMatching(names, *both).match() for both in _groups(a, b, names)]
    states = [*_changes(a.states, b.states, names, names.states)]
    transitions = [
        change for group in rows for pair in group.all() if (change := _change(*pair, names))
    ]
    facts = [*_changes(a.facts, b.facts, names, names.facts)]
    parts = [*_parts(a, b, names)]
    return Difference(
        a,
        b,
        names,
        head=tuple(_fields(a, b, names, MODEL_FIELDS)),
        states=_without_texts(states),
        transitions=_without_texts(transitions),
        orders=tuple(_order(group) for group in rows if group.reordered),
        facts=_without_texts(facts),
        parts=_without_texts(parts),
        texts=_only_texts([*states, *transitions, *facts, *parts]),
        window=diff(a.window, b.window) if a.window and b.window else None,
    )


def merged(a: Iterable[str], b: Iterable[str]) -> list[str]:
    """Merge names in b's order. A name that only `a` has comes after the one that it follows in
    `a`.
    """
    found = list(b)
    index = 0
    for name in a:
        if name in found:
            index = found.index(name) + 1
        else:
            found.insert(index, name)
            index += 1
    return found


def _parts(a: Model, b: Model, names: NameMapping) -> Iterator[Change]:
    yield from _changes(a.events, b.events, names)
    yield from _changes(a.durations, b.durations, names)
    yield from _changes(a.settings, b.settings, names)
    if (a.window is None) != (b.window is None):
        yield Change("window", a.window, b.window)


def _groups(
    a: Model, b: Model, names: NameMapping
) -> Iterator[tuple[Sequence[Transition], Sequence[Transition]]]:
    """Yield the transitions of each source and event in both models."""
    old, new = _by_source(a, names.states), _by_source(b, {})
    for key in merged(old, new):
        yield old.get(key, ()), new.get(key, ())


def _by_source(model: Model, renamed: Mapping[str, str]) -> dict[str, list[Transition]]:
    found: dict[str, list[Transition]] = {}
    for t in model.transitions:
        found.setdefault(f"{renamed.get(t.source, t.source)} on {t.event}", []).append(t)
    return found


def _changes(
    a: Sequence[_P], b: Sequence[_P], names: NameMapping, renamed: Mapping[str, str] | None = None
) -> Iterator[Change]:
    old = {(renamed or {}).get(name_of(part), name_of(part)): part for part in a}
    new = {name_of(part): part for part in b}
    for name in merged(old, new):
        change = _change(old.get(name), new.get(name), names)
        if change:
            yield change


def _change(old: Part | None, new: Part | None, names: NameMapping) -> Change | None:
    """Return how they differ, or None."""
    part = new or old
    assert part is not None, "one of the two is there"
    if old is None or new is None:
        return Change(_what(part), old, new)
    differing = tuple(_fields(old, new, names, part.__struct_fields__))
    return Change(_what(part), old, new, differing) if differing else None


def _fields(old: Part, new: Part, names: NameMapping, wanted: Sequence[str]) -> Iterator[Field]:
    for name in wanted:
        x, y = getattr(old, name), getattr(new, name)
        same = names.guard(x, old=True) == names.guard(y) if name == "guard" else names.alike(x, y)
        if not same:
            yield Field(name, x, y)


def _what(part: Part) -> What:
    if isinstance(part, State):
        return _level(part)
    if isinstance(part, Model):
        return "window"
    kinds: dict[str, What] = {
        "Transition": "transition",
        "Fact": "fact",
        "Event": "event",
        "Duration": "duration",
    }
    return kinds.get(type(part).__name__, "setting")


def _level(state: State) -> What:
    if state.kind in COMPOSITE:
        levels: dict[str, What] = {"turn": "turn", "phase": "phase"}
        return levels.get(state.kind, "step")
    return "procedure" if state.role == "procedure" else "stage"


def _without_texts(changes: Iterable[Change]) -> tuple[Change, ...]:
    """Return the changes without fields that are only text."""
    found = [
        Change(c.what, c.a, c.b, tuple(f for f in c.fields if f.name not in TEXTS)) for c in changes
    ]
    return tuple(c for c in found if c.sign != "~" or c.fields)


def _only_texts(changes: Iterable[Change]) -> tuple[Change, ...]:
    """Return the changes of fields that are only text."""
    found = [
        Change(c.what, c.a, c.b, tuple(f for f in c.fields if f.name in TEXTS)) for c in changes
    ]
    return tuple(c for c in found if c.fields)


def _order(rows: TransitionMatching) -> Order:
    old = [row.id for row in rows.a if any(row is x for x, _ in rows.pairs)]
    pairs = sorted(rows.pairs, key=lambda pair: rows.b.index(pair[1]))
    was = tuple(old.index(x.id) for x, _ in pairs)
    return Order(rows.b[0].source, rows.b[0].event, tuple(old), tuple(y.id for _, y in pairs), was)
