"""Recognises parts that were renamed between two models.

A phase or step that was removed and one that was added are the same part, renamed, if two
conditions hold. Each is the only such part in its place, that is, in the same parent and between
the same neighbours. And both have the same roles, the same turn-based actions and the same (or
renamed) steps, in the same order. What is inside is renamed with it, and so is each fact whose test
is the same except for these names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from msgspec import Struct

from fsm.model import Action, Fact, Model, State, Term

Neighbours = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Rename:
    """A phase or step with another name. Its states and facts are renamed with it."""

    a: State
    b: State


@dataclass(frozen=True)
class NameMapping:
    """Maps the names in `a` to those in `b`: of states, of facts, and of all words in arguments."""

    renames: tuple[Rename, ...]
    states: Mapping[str, str]
    facts: Mapping[str, str]
    words: Mapping[str, str]

    def alike(self, a: object, b: object) -> bool:
        """Say whether two values are the same except for renamed names."""
        if isinstance(a, Action) and isinstance(b, Action):
            return a.name == b.name and self.alike(a.args, b.args)
        if isinstance(a, str) and isinstance(b, str):
            return a == b or self.words.get(a) == b
        if isinstance(a, tuple) and isinstance(b, tuple):
            return len(a) == len(b) and all(map(self.alike, a, b))
        if isinstance(a, Struct) and type(a) is type(b):
            return all(self.alike(getattr(a, n), getattr(b, n)) for n in a.__struct_fields__)
        return a == b

    def guard(self, terms: Iterable[Term], *, old: bool = False) -> frozenset[tuple[str, bool]]:
        """Return a guard as a set in b's names. `old` means that the terms are in a's names."""
        return frozenset(
            (self.facts.get(t.fact, t.fact) if old else t.fact, t.value) for t in terms
        )


def name_mapping(a: Model, b: Model) -> NameMapping:
    """Find all names that differ between `a` and `b`."""
    renames = tuple(_renames(a, b))
    inside = [
        pair
        for rename in renames
        for pair in zip(_leaves(a, rename.a), _leaves(b, rename.b), strict=True)
    ]
    states = {old.id: new.id for old, new in [*((r.a, r.b) for r in renames), *inside]}
    words = {
        **states,
        **{r.a.family: r.b.family for r in renames},
        **{r.a.name: r.b.name for r in renames},
    }
    known = NameMapping(renames, states, {}, words)
    facts = dict(_facts(a, b, known))
    return NameMapping(renames, states, facts, {**words, **facts})


def _renames(a: Model, b: Model) -> Iterator[Rename]:
    """Search from the outside in, so that the inside of a renamed phase is compared under its new
    name.
    """
    queue = [("", "")]
    while queue:
        parent_a, parent_b = queue.pop(0)
        parts_a, parts_b = _composites(a, parent_a), _composites(b, parent_b)
        found = list(_renames_inside(a, b, parts_a, parts_b))
        yield from found
        queue += [(s.id, s.id) for s in parts_a if s.id in {t.id for t in parts_b}]
        queue += [(r.a.id, r.b.id) for r in found]


def _renames_inside(
    a: Model, b: Model, parts_a: Sequence[State], parts_b: Sequence[State]
) -> Iterator[Rename]:
    both = {s.id for s in parts_a} & {s.id for s in parts_b}
    removed, added = _by_neighbours(parts_a, both), _by_neighbours(parts_b, both)
    for slot, old in removed.items():
        new = added.get(slot, [])
        alone = len(old) == len(new) == 1 and not (_has(b, old[0]) or _has(a, new[0]))
        if alone and _alike(a, b, old[0], new[0]):
            yield Rename(old[0], new[0])


def _by_neighbours(siblings: Sequence[State], both: set[str]) -> dict[Neighbours, list[State]]:
    """Group what only one model has by the nearest neighbours that both models have."""
    ids = [s.id for s in siblings]
    found: dict[Neighbours, list[State]] = {}
    for i, state in enumerate(siblings):
        if state.id not in both:
            before = next((id for id in reversed(ids[:i]) if id in both), "")
            after = next((id for id in ids[i:] if id in both), "")
            found.setdefault((before, after), []).append(state)
    return found


def _composites(model: Model, parent: str) -> list[State]:
    return [s for s in model.states if s.parent == parent and s.composite]


def _leaves(model: Model, holder: State) -> list[State]:
    return [s for s in model.children(holder.id) if not s.composite]


def _alike(a: Model, b: Model, old: State, new: State) -> bool:
    """Say whether both consist of the same parts in the same order."""
    parts_a, parts_b = a.children(old.id), b.children(new.id)
    if _purpose(old) != _purpose(new) or len(parts_a) != len(parts_b):
        return False
    return all(
        (x.composite and x.id == y.id) or _alike(a, b, x, y)
        for x, y in zip(parts_a, parts_b, strict=True)
    )


def _purpose(state: State) -> tuple[str, ...]:
    """Return the purpose of a part: its role, and its turn-based action."""
    if state.composite:
        return (state.kind,)
    return (state.role, state.action) if state.role == "action" else (state.role,)


def _has(model: Model, state: State) -> bool:
    return any(s.id == state.id for s in model.states)


def _facts(a: Model, b: Model, known: NameMapping) -> Iterator[tuple[str, str]]:
    """Yield pairs of facts of one model only whose tests are the same except for names. Each fact
    is used once.
    """
    removed = [f for f in a.facts if f.test and not _has_fact(b, f)]
    added = [f for f in b.facts if f.test and not _has_fact(a, f)]
    for old in removed:
        new = next(
            (f for f in added if f.owner == old.owner and known.alike(old.test, f.test)), None
        )
        if new is not None:
            added.remove(new)
            yield old.name, new.name


def _has_fact(model: Model, fact: Fact) -> bool:
    return any(f.name == fact.name for f in model.facts)
