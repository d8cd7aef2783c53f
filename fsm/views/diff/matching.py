"""Matches the transitions of two models. Those of one source and event are matched in the order
they are tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from fsm.model import Transition
from fsm.views.diff.names import NameMapping

Pair: TypeAlias = tuple[Transition | None, Transition | None]


@dataclass(slots=True)
class TransitionMatching:
    """The transitions of one source and event in both models, and which of them are pairs."""

    names: NameMapping
    a: Sequence[Transition]
    b: Sequence[Transition]
    pairs: list[tuple[Transition, Transition]] = field(default_factory=list)

    def match(self) -> TransitionMatching:
        """Pair equal transitions first, then those with the same guard, the same target, and no
        guards.
        """
        for fits in (self._same, self._same_guard, self._same_target, self._both_otherwise):
            self._pair(fits)
        return self

    @property
    def removed(self) -> list[Transition]:
        """The transitions that only `a` has."""
        taken = [old for old, _ in self.pairs]
        return [row for row in self.a if row not in taken]

    @property
    def added(self) -> list[Transition]:
        """The transitions that only `b` has."""
        taken = [new for _, new in self.pairs]
        return [row for row in self.b if row not in taken]

    def all(self) -> Iterator[Pair]:
        """Yield all transitions in b's order, then those that only `a` has."""
        old = {new.id: row for row, new in self.pairs}
        yield from ((old.get(row.id), row) for row in self.b)
        yield from ((row, None) for row in self.removed)

    @property
    def reordered(self) -> bool:
        """Whether the transitions of both models are in another order."""
        position = {new.id: i for i, new in enumerate(self.b)}
        old = {row.id: new for row, new in self.pairs}
        order = [position[old[row.id].id] for row in self.a if row.id in old]
        return order != sorted(order)

    def _pair(self, fits: Callable[[Transition, Transition], bool]) -> None:
        """Pair transitions that fit, the most similar first. The result does not depend on which
        model is `a`.
        """
        found = [
            (self._distance(x, y), x, y) for x in self.removed for y in self.added if fits(x, y)
        ]
        for _, x, y in sorted(found, key=lambda one: one[0]):
            if all(x is not old and y is not new for old, new in self.pairs):
                self.pairs.append((x, y))

    def _distance(self, x: Transition, y: Transition) -> tuple[int, bool, list[str]]:
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
