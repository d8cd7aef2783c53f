"""Matches the transitions of two models. Those of one source and event are matched in the order they are tried."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from fsm.model import Transition
from fsm.views.diff.names import Names

Pair: TypeAlias = tuple[Transition | None, Transition | None]


@dataclass(slots=True)
class Rows:
    """The rows of one source and event, on both sides, and how they pair."""

    names: Names
    a: Sequence[Transition]
    b: Sequence[Transition]
    pairs: list[tuple[Transition, Transition]] = field(default_factory=list)

    def match(self) -> Rows:
        """Pair what is the same, then what has the same guard, then what has the same target, then the else rows."""
        for fits in (self._same, self._same_guard, self._same_target, self._both_otherwise):
            self._pair(fits)
        return self

    @property
    def gone(self) -> list[Transition]:
        """Rows that only a has."""
        taken = [old for old, _ in self.pairs]
        return [row for row in self.a if row not in taken]

    @property
    def came(self) -> list[Transition]:
        """Rows that only b has."""
        taken = [new for _, new in self.pairs]
        return [row for row in self.b if row not in taken]

    def all(self) -> Iterator[Pair]:
        """Every row: b's order, and what is gone at the end."""
        old = {new.id: row for row, new in self.pairs}
        yield from ((old.get(row.id), row) for row in self.b)
        yield from ((row, None) for row in self.gone)

    @property
    def reordered(self) -> bool:
        """Do the rows that both have stand in another order?"""
        place = {new.id: i for i, new in enumerate(self.b)}
        old = {row.id: new for row, new in self.pairs}
        order = [place[old[row.id].id] for row in self.a if row.id in old]
        return order != sorted(order)

    def _pair(self, fits: Callable[[Transition, Transition], bool]) -> None:
        """Pair what fits, the most alike first; nothing depends on which side is called a."""
        found = [(self._apart(x, y), x, y) for x in self.gone for y in self.came if fits(x, y)]
        for _, x, y in sorted(found, key=lambda one: one[0]):
            if all(x is not old and y is not new for old, new in self.pairs):
                self.pairs.append((x, y))

    def _apart(self, x: Transition, y: Transition) -> tuple[int, bool, list[str]]:
        unlike = self.names.guard(x.guard, old=True) ^ self.names.guard(y.guard)
        return len(unlike), not self._target(x, y), sorted((x.id, y.id))

    def _target(self, x: Transition, y: Transition) -> bool:
        return self.names.alike(x.target, y.target)

    def _guards(self, x: Transition, y: Transition) -> bool:
        return self.names.guard(x.guard, old=True) == self.names.guard(y.guard)

    def _same(self, x: Transition, y: Transition) -> bool:
        return self._target(x, y) and self._guards(x, y)

    def _same_guard(self, x: Transition, y: Transition) -> bool:
        return bool(y.guard) and self._guards(x, y)

    def _same_target(self, x: Transition, y: Transition) -> bool:
        return self._target(x, y) and x.layer == y.layer and x.generic == y.generic

    def _both_otherwise(self, x: Transition, y: Transition) -> bool:
        return not x.guard and not y.guard
