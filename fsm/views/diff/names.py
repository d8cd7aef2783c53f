"""Recognises parts that were renamed between two models.

A phase or step that was removed and one that was added are the same part, renamed, if two conditions hold. Each is the
only such part in its place, that is, in the same parent and between the same neighbours. And both have the same roles,
the same turn-based actions and the same (or renamed) steps, in the same order. What is inside is renamed with it, and
so is each fact whose test is the same except for these names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass

from fsm.model import Fact, Model, State, Term

Slot = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Rename:
    """A phase or step that goes by another name; its states and facts do too."""

    a: State
    b: State


@dataclass(frozen=True)
class Names:
    """From a's names to b's: of states, of facts, and of all words that arguments may use."""

    renames: tuple[Rename, ...]
    states: Mapping[str, str]
    facts: Mapping[str, str]
    words: Mapping[str, str]

    def alike(self, a: object, b: object) -> bool:
        """Is this the same value, but for names?"""
        if isinstance(a, str) and isinstance(b, str):
            return a == b or self.words.get(a) == b
        if isinstance(a, tuple) and isinstance(b, tuple):
            return len(a) == len(b) and all(map(self.alike, a, b))
        if is_dataclass(a) and type(a) is type(b):
            return all(self.alike(getattr(a, f.name), getattr(b, f.name)) for f in fields(a))
        return a == b

    def guard(self, terms: Iterable[Term], *, old: bool = False) -> frozenset[tuple[str, bool]]:
        """A guard as a set, in b's words: the order of its terms means nothing. `old`: it is one of a's."""
        return frozenset((self.facts.get(t.fact, t.fact) if old else t.fact, t.value) for t in terms)


def names(a: Model, b: Model) -> Names:
    """Everything that a and b call differently."""
    renames = tuple(_renames(a, b))
    inside = [pair for rename in renames for pair in zip(_leaves(a, rename.a), _leaves(b, rename.b), strict=True)]
    states = {old.id: new.id for old, new in [*((r.a, r.b) for r in renames), *inside]}
    words = {**states, **{r.a.family: r.b.family for r in renames}, **{r.a.name: r.b.name for r in renames}}
    known = Names(renames, states, {}, words)
    facts = dict(_facts(a, b, known))
    return Names(renames, states, facts, {**words, **facts})


def _renames(a: Model, b: Model) -> Iterator[Rename]:
    """From the outside in: what is inside a renamed phase is looked at under its new name."""
    queue = [("", "")]
    while queue:
        parent_a, parent_b = queue.pop(0)
        mine, yours = _composites(a, parent_a), _composites(b, parent_b)
        found = list(_swapped(a, b, mine, yours))
        yield from found
        queue += [(s.id, s.id) for s in mine if s.id in {t.id for t in yours}]
        queue += [(r.a.id, r.b.id) for r in found]


def _swapped(a: Model, b: Model, mine: Sequence[State], yours: Sequence[State]) -> Iterator[Rename]:
    both = {s.id for s in mine} & {s.id for s in yours}
    gone, came = _places(mine, both), _places(yours, both)
    for slot, old in gone.items():
        new = came.get(slot, [])
        alone = len(old) == len(new) == 1 and not (_has(b, old[0]) or _has(a, new[0]))
        if alone and _alike(a, b, old[0], new[0]):
            yield Rename(old[0], new[0])


def _places(siblings: Sequence[State], both: set[str]) -> dict[Slot, list[State]]:
    """What only one model has, by the nearest neighbours that both have."""
    ids = [s.id for s in siblings]
    found: dict[Slot, list[State]] = {}
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
    """Do both consist of the same, in the same order?"""
    mine, yours = a.children(old.id), b.children(new.id)
    if _plays(old) != _plays(new) or len(mine) != len(yours):
        return False
    return all((x.composite and x.id == y.id) or _alike(a, b, x, y) for x, y in zip(mine, yours, strict=True))


def _plays(state: State) -> tuple[str, ...]:
    """What a part of a phase or step is there for: its role, and which turn-based action it is."""
    if state.composite:
        return (state.kind,)
    return (state.role, state.action) if state.role == "action" else (state.role,)


def _has(model: Model, state: State) -> bool:
    return any(s.id == state.id for s in model.states)


def _facts(a: Model, b: Model, known: Names) -> Iterator[tuple[str, str]]:
    """Facts of one model only whose tests are the same but for names; each is used once."""
    gone = [f for f in a.facts if f.test and not _knows(b, f)]
    came = [f for f in b.facts if f.test and not _knows(a, f)]
    for old in gone:
        new = next((f for f in came if f.owner == old.owner and known.alike(old.test, f.test)), None)
        if new is not None:
            came.remove(new)
            yield old.name, new.name


def _knows(model: Model, fact: Fact) -> bool:
    return any(f.name == fact.name for f in model.facts)
