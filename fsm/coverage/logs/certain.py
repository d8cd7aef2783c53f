"""Which of several explanations of past records is certain, once later records have shown more."""

from __future__ import annotations

from collections.abc import Iterator

from fsm.coverage.logs.bare import Config
from fsm.coverage.logs.steps import Configs, Edge, Step

MOST_OPEN = 256
"""After this many records without a certain configuration, what is not certain by then stays so."""


class OpenRecords:
    """The records of one object since its configuration was last certain."""

    __slots__ = ("_layers",)

    def __init__(self) -> None:
        self._layers: list[tuple[Edge, ...]] = []

    def add(self, step: Step) -> Iterator[Edge | None]:
        """Add a record. Yield for each record that is settled now its explanation, or None if it
        stays open.
        """
        if step.only is not None and not self._layers:
            yield step.only
            return
        self._layers.append(step.edges)
        if len(step.to) == 1 or len(self._layers) >= MOST_OPEN:
            yield from self.settle(step.to)

    def settle(self, ends: Configs) -> Iterator[Edge | None]:
        """Settle all records, of an object that is in one of these configurations now."""
        found: list[Edge | None] = []
        left: set[Config] = set(ends)
        for edges in reversed(self._layers):
            kept = [edge for edge in edges if edge.to in left]
            left = {edge.origin for edge in kept}
            meanings = {(edge.at, edge.move) for edge in kept}
            found.append(kept[0] if len(meanings) == 1 else None)
        self._layers.clear()
        yield from reversed(found)
