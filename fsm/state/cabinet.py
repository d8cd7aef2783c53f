"""A cabinet: entries filed by what they wait for, as a value. Adding one costs the same however
many there are.

Entries with the same `Key` stand on one shelf, in the order of their numbers: they are due
together. Shelves have names, such as that of a duration. A cabinet never changes, so games that are
forks of one another share what is in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import is_, itemgetter
from typing import Generic, NamedTuple, Protocol, TypeVar

FULL = 256
"""How many entries a full box holds."""


class Key(NamedTuple):
    """What decides, besides the name of its shelf, at which moment an entry is due: fields of the
    entry.

    `side` is the `whose` of a standing trigger.
    """

    side: str
    within: str = ""
    turn: int = 0
    on: str = ""
    first_each_turn: bool = False


Place = tuple[str, Key]
"""The name of a shelf, and its key."""


class Filed(Protocol):
    """What can be filed."""

    @property
    def id(self) -> str: ...

    @property
    def place(self) -> Place: ...


_E = TypeVar("_E", bound=Filed)
_Pairs = tuple[tuple[int, _E], ...]
"""Numbers, each with its entry."""
_NUMBER = itemgetter(0)


class _Box(Generic[_E]):
    """Some entries that stand together. `ids` are known once somebody has asked for an id."""

    __slots__ = ("ids", "pairs")

    def __init__(self, pairs: _Pairs[_E]) -> None:
        self.pairs = pairs
        self.ids: frozenset[str] | None = None

    def has(self, id: str) -> bool:
        if self.ids is None:
            self.ids = frozenset(entry.id for _, entry in self.pairs)
        return id in self.ids


class _Shelf(Generic[_E]):
    """Entries in the order of their numbers. All but the last ones stand in boxes, which other
    shelves share.
    """

    __slots__ = ("boxes", "last", "many")

    def __init__(self, boxes: tuple[_Box[_E], ...], last: _Pairs[_E], many: int) -> None:
        self.boxes, self.last, self.many = boxes, last, many

    @classmethod
    def of(cls, pairs: Sequence[tuple[int, _E]]) -> _Shelf[_E]:
        """Return the shelf with these entries, which are in the order of their numbers."""
        full = len(pairs) // FULL
        boxes = tuple(
            _Box(tuple(pairs[start * FULL : (start + 1) * FULL])) for start in range(full)
        )
        return cls(boxes, tuple(pairs[full * FULL :]), len(pairs))

    def __iter__(self) -> Iterator[tuple[int, _E]]:
        for box in self.boxes:
            yield from box.pairs
        yield from self.last

    def plus(self, number: int, entry: _E) -> _Shelf[_E]:
        """Return this shelf with one entry more, whose number is larger than all others."""
        last = (*self.last, (number, entry))
        if len(last) < FULL:
            return _Shelf(self.boxes, last, self.many + 1)
        return _Shelf((*self.boxes, _Box(last)), (), self.many + 1)

    def without(self, id: str) -> _Shelf[_E]:
        """Return this shelf without the entries that have this id."""
        boxes = [_Box(_without(box.pairs, id)) if box.has(id) else box for box in self.boxes]
        last = _without(self.last, id)
        if len(last) == len(self.last) and all(map(is_, boxes, self.boxes)):
            return self
        return _Shelf(
            tuple(box for box in boxes if box.pairs),
            last,
            sum(len(b.pairs) for b in boxes) + len(last),
        )


class Cabinet(Generic[_E]):
    """Entries by the names and keys of their shelves. No shelf is empty."""

    __slots__ = ("shelves",)

    def __init__(self, shelves: Mapping[str, Mapping[Key, _Shelf[_E]]]) -> None:
        self.shelves = shelves

    @classmethod
    def of(cls, pairs: Iterable[tuple[int, _E]]) -> Cabinet[_E]:
        """Return a cabinet with these entries, which are in the order of their numbers."""
        found: dict[str, dict[Key, list[tuple[int, _E]]]] = {}
        for number, entry in pairs:
            name, key = entry.place
            found.setdefault(name, {}).setdefault(key, []).append((number, entry))
        return cls(
            {
                name: {key: _Shelf.of(some) for key, some in keys.items()}
                for name, keys in found.items()
            }
        )

    def keys(self, name: str) -> Iterable[Key]:
        """Return the keys of the shelves with this name."""
        return self.shelves.get(name, ())

    def places(self, meant: Callable[[str, Key], bool]) -> list[Place]:
        """Return the shelves whose name and key are meant."""
        return [
            (name, key) for name, keys in self.shelves.items() for key in keys if meant(name, key)
        ]

    def pairs(self, places: Iterable[Place]) -> list[tuple[int, _E]]:
        """Return what stands on these shelves, in the order of the numbers."""
        found = [pair for name, key in places for pair in self.shelves[name][key]]
        found.sort(key=_NUMBER)
        return found

    def entries(self) -> tuple[_E, ...]:
        """Return all entries, in the order of their numbers."""
        return tuple([entry for _, entry in self.pairs(self.places(lambda *_: True))])

    def plus(self, number: int, entry: _E) -> Cabinet[_E]:
        """Return the cabinet with one entry more, whose number is larger than all others."""
        name, key = entry.place
        keys = self.shelves.get(name, {})
        shelf = keys[key].plus(number, entry) if key in keys else _Shelf((), ((number, entry),), 1)
        return Cabinet({**self.shelves, name: {**keys, key: shelf}})

    def moved(self, places: Sequence[Place], change: Callable[[_E], _E]) -> Cabinet[_E]:
        """Return the cabinet with the entries on these shelves changed, and filed anew."""
        if not places:
            return self
        changed = Cabinet.of((number, change(entry)) for number, entry in self.pairs(places))
        found = {name: dict(keys) for name, keys in self.less(places).shelves.items()}
        for name, keys in changed.shelves.items():
            there = found.setdefault(name, {})
            for key, shelf in keys.items():
                there[key] = (
                    _Shelf.of(sorted((*there[key], *shelf), key=_NUMBER)) if key in there else shelf
                )
        return Cabinet(found)

    def less(self, places: Iterable[Place]) -> Cabinet[_E]:
        """Return the cabinet without these shelves."""
        found, away = dict(self.shelves), set(places)
        for name in {name for name, _ in away}:
            left = {key: shelf for key, shelf in found[name].items() if (name, key) not in away}
            if left:
                found[name] = left
            else:
                del found[name]
        return Cabinet(found)

    def without(self, id: str) -> tuple[Cabinet[_E], int]:
        """Return the cabinet without the entries that have this id, and how many these were."""
        found, gone = dict[str, Mapping[Key, _Shelf[_E]]](), 0
        for name, keys in self.shelves.items():
            left = {key: shelf.without(id) for key, shelf in keys.items()}
            gone += sum(shelf.many for shelf in keys.values()) - sum(
                shelf.many for shelf in left.values()
            )
            kept = {key: shelf for key, shelf in left.items() if shelf.many}
            if kept:
                found[name] = kept
        return Cabinet(found), gone


def _without(pairs: _Pairs[_E], id: str) -> _Pairs[_E]:
    return tuple([pair for pair in pairs if pair[1].id != id])
