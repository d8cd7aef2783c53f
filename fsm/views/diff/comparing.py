"""Compares two models."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from typing import TypeVar

from fsm.model import COMPOSITE, Model, State, Transition
from fsm.views.diff.difference import Change, Difference, Field, Order, Part, What, name_of
from fsm.views.diff.matching import Rows
from fsm.views.diff.names import Names, names

_P = TypeVar("_P", bound=Part)
WORDS = frozenset({"rule", "doc", "label", "about"})
HEAD = ("name", "title", "edition", "options", "initial")


def compare(a: Model, b: Model) -> Difference:
    """Compare two models.

    States and facts are matched by name, and renamed ones are recognised.

    Parameters
    ----------
    a
        The first Model.
    b
        The second Model.

    Returns
    -------
    Difference
        All that differs from `a` to `b`, including their windows.
    """
    known = names(a, b)
    rows = [Rows(known, *both).match() for both in _groups(a, b, known)]
    states = [*_changes(a.states, b.states, known, known.states)]
    transitions = [change for group in rows for pair in group.all() if (change := _change(*pair, known))]
    facts = [*_changes(a.facts, b.facts, known, known.facts)]
    parts = [*_parts(a, b, known)]
    return Difference(
        a,
        b,
        known,
        head=tuple(_fields(a, b, known, HEAD)),
        states=_meant(states),
        transitions=_meant(transitions),
        orders=tuple(_order(group) for group in rows if group.reordered),
        facts=_meant(facts),
        parts=_meant(parts),
        texts=_reworded([*states, *transitions, *facts, *parts]),
        window=compare(a.window, b.window) if a.window and b.window else None,
    )


def merged(a: Iterable[str], b: Iterable[str]) -> list[str]:
    """All names: in b's order, and what only a has behind what it follows in a."""
    found = list(b)
    place = 0
    for name in a:
        if name in found:
            place = found.index(name) + 1
        else:
            found.insert(place, name)
            place += 1
    return found


def _parts(a: Model, b: Model, known: Names) -> Iterator[Change]:
    yield from _changes(a.events, b.events, known)
    yield from _changes(a.durations, b.durations, known)
    yield from _changes(a.settings, b.settings, known)
    if (a.window is None) != (b.window is None):
        yield Change("window", a.window, b.window)


def _groups(a: Model, b: Model, known: Names) -> Iterator[tuple[Sequence[Transition], Sequence[Transition]]]:
    """The rows of each source and event, on both sides."""
    old, new = _by_source(a, known.states), _by_source(b, {})
    for key in merged(old, new):
        yield old.get(key, ()), new.get(key, ())


def _by_source(model: Model, renamed: Mapping[str, str]) -> dict[str, list[Transition]]:
    found: dict[str, list[Transition]] = {}
    for t in model.transitions:
        found.setdefault(f"{renamed.get(t.source, t.source)} on {t.event}", []).append(t)
    return found


def _changes(
    a: Sequence[_P], b: Sequence[_P], known: Names, renamed: Mapping[str, str] | None = None
) -> Iterator[Change]:
    old = {(renamed or {}).get(name_of(part), name_of(part)): part for part in a}
    new = {name_of(part): part for part in b}
    for name in merged(old, new):
        change = _change(old.get(name), new.get(name), known)
        if change:
            yield change


def _change(old: Part | None, new: Part | None, known: Names) -> Change | None:
    """How they differ, or None."""
    part = new or old
    assert part is not None, "one of the two is there"
    if old is None or new is None:
        return Change(_what(part), old, new)
    differing = tuple(_fields(old, new, known, [f.name for f in fields(part)]))
    return Change(_what(part), old, new, differing) if differing else None


def _fields(old: Part, new: Part, known: Names, wanted: Sequence[str]) -> Iterator[Field]:
    for name in wanted:
        x, y = getattr(old, name), getattr(new, name)
        same = known.guard(x, old=True) == known.guard(y) if name == "guard" else known.alike(x, y)
        if not same:
            yield Field(name, x, y)


def _what(part: Part) -> What:
    if isinstance(part, State):
        return _level(part)
    if isinstance(part, Model):
        return "window"
    kinds: dict[str, What] = {"Transition": "transition", "Fact": "fact", "Event": "event", "Duration": "duration"}
    return kinds.get(type(part).__name__, "setting")


def _level(state: State) -> What:
    if state.kind in COMPOSITE:
        levels: dict[str, What] = {"turn": "turn", "phase": "phase"}
        return levels.get(state.kind, "step")
    return "procedure" if state.role == "procedure" else "stage"


def _meant(changes: Iterable[Change]) -> tuple[Change, ...]:
    """The changes without mere words."""
    found = [Change(c.what, c.a, c.b, tuple(f for f in c.fields if f.name not in WORDS)) for c in changes]
    return tuple(c for c in found if c.sign != "~" or c.fields)


def _reworded(changes: Iterable[Change]) -> tuple[Change, ...]:
    """The mere words of these changes."""
    found = [Change(c.what, c.a, c.b, tuple(f for f in c.fields if f.name in WORDS)) for c in changes]
    return tuple(c for c in found if c.fields)


def _order(rows: Rows) -> Order:
    old = [row.id for row in rows.a if any(row is x for x, _ in rows.pairs)]
    pairs = sorted(rows.pairs, key=lambda pair: rows.b.index(pair[1]))
    was = tuple(old.index(x.id) for x, _ in pairs)
    return Order(rows.b[0].source, rows.b[0].event, tuple(old), tuple(y.id for _, y in pairs), was)
