"""Records one machine, one of its objects, or one game. All others are ignored."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fsm.adapters.naming import machine_behind
from fsm.coverage.data import Data, Literal, Refused
from fsm.coverage.entries import DataReader
from fsm.coverage.instrumentation.buffer import Buffer
from fsm.coverage.instrumentation.passages import Passage, Walk
from fsm.errors import CoverageError


class Listener(Buffer):
    """A buffer that records only one machine, object or game.

    `firings` have machine, transition and state, in order. `objects` are the ids of the objects
    that took them.
    """

    def __init__(self, watched: Any) -> None:
        self._reader = DataReader()
        super().__init__(self._reader.take_all)
        self.watched: Any = watched
        self.machine: Any = machine_of(watched)
        self.firings: list[tuple[str, str, str]] = []
        self.refusals: list[Refused] = []
        self.objects: set[int] = set()

    @property
    def data(self) -> Data:
        """What was recorded, as coverage data."""
        self.flush()
        return self._reader.data

    def took(self, walk: Walk, passage: Passage, context: str | None = None) -> None:
        """Record what fired in what is watched."""
        if self._ours(walk):
            self.objects.add(walk.of[-1])
            self.firings += [(machine, *step) for machine, step in passage.steps]
            super().took(walk, passage, context)

    def decided(self, walk: Walk, machine: str, literals: Iterable[Literal]) -> None:
        """Record literals of what is watched."""
        if self._ours(walk):
            super().decided(walk, machine, literals)

    def refused(self, walk: Walk, machine: str, refused: Refused) -> None:
        """Record a refusal of what is watched. The library does not always say which object it
        refused.
        """
        if self._ours(walk) or walk.of == (id(self.machine), id(None)):
            self.refusals.append(refused)
            super().refused(walk, machine, refused)

    def _ours(self, walk: Walk) -> bool:
        if self.machine is None:
            return walk.of == (id(self.watched),)
        whole = self.watched is self.machine
        return (
            len(walk.of) == 2
            and walk.of[0] == id(self.machine)
            and (whole or walk.of[1] == id(self.watched))
        )


def machine_of(watched: object) -> Any:
    """Return the machine itself, or the one that drives this object, or None for a game.

    Raises CoverageError for anything else.
    """
    from fsm.engine.controller import TurnController

    if isinstance(watched, TurnController):
        return None
    machine = machine_behind(watched)
    if machine is None:
        raise CoverageError(
            "traversed() takes a machine of the transitions library, one of its models, or a "
            f"TurnController, not a {type(watched).__name__}"
        )
    return machine
