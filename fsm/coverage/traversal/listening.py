"""Records one machine, one of its objects, or one game. All others are ignored."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fsm.adapters.naming import machine_behind
from fsm.coverage.data import Data, Literal, OpenWalk, Passage, Refused
from fsm.coverage.datareader import DataReader
from fsm.coverage.instrumentation.buffer import Buffer
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
        self.listening: bool = self.machine is None
        self._firings: list[tuple[str, str, str]] = []
        self.refusals: list[Refused] = []
        self.objects: set[int] = set()

    @property
    def firings(self) -> list[tuple[str, str, str]]:
        """The firings so far."""
        self.settle()
        return self._firings

    @property
    def data(self) -> Data:
        """What was recorded, as coverage data."""
        self.flush()
        return self._reader.data

    def took(self, walk: OpenWalk, passages: Sequence[Passage], context: str | None = None) -> None:
        """Record what fired in what is watched."""
        if self._ours(walk):
            self.objects.add(walk.of[-1])
            super().took(walk, passages, context)
            if not self.listening:
                self._firings += [
                    (walk.machine, *step) for passage in passages for step in passage.steps
                ]

    def walked(
        self, walk: OpenWalk, whole: Mapping[tuple[Passage, ...], int], context: str | None = None
    ) -> None:
        """Record whole walks of what is watched."""
        if self._ours(walk):
            super().walked(walk, whole, context)

    def hear(self, of: tuple[int, ...], firings: Iterable[tuple[str, str, str]]) -> None:
        """Hear what fired in a game, in order."""
        if of == (id(self.watched),):
            self._firings += firings

    def decided(self, walk: OpenWalk, literals: Iterable[Literal]) -> None:
        """Record literals of what is watched."""
        if self._ours(walk):
            super().decided(walk, literals)

    def refused(self, walk: OpenWalk, refused: Refused) -> None:
        """Record a refusal of what is watched. The library does not always say which object it
        refused.
        """
        if self._ours(walk) or walk.of == (id(self.machine), id(None)):
            self.refusals.append(refused)
            super().refused(walk, refused)

    def _ours(self, walk: OpenWalk) -> bool:
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
