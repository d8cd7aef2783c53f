"""One record of a log: from the configurations in which an object may be to those in which it may
be afterwards.

Conditions are unknown unless they were recorded, so both outcomes are followed: an object may be in
several configurations. This is the construction of subsets for automata that are not deterministic,
done for the records that come and kept for the next equal one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from fsm.coverage.logs.bare import FIRED, HELD, IGNORED, REFUSED, BareMachine, Config, Move
from fsm.coverage.logs.records import MOST_KEPT, Sight
from fsm.errors import LogError, suggest

Configs = tuple[Config, ...]
"""The configurations in which an object may be, sorted."""
MOST_SHORTEST = 4
"""At most this many shortest sequences of unseen events are named."""
MOST_CONFIGS = 20_000
"""A machine with more configurations than this cannot be followed through unseen events."""
_Thing = TypeVar("_Thing")
_SEEN_KINDS = {None: (FIRED, HELD, IGNORED), True: (FIRED,), False: (HELD, IGNORED, REFUSED)}


class Edge(NamedTuple):
    """One explanation of a record: where the object was after the record before, where it was then,
    what happened.

    `move` is None if the record has no event. `gap` means that events may have happened unseen
    before it.
    """

    origin: Config
    at: Config
    move: Move | None
    sight: Sight
    gap: bool = False

    @property
    def to(self) -> Config:
        """The configuration after it."""
        return self.move.to if self.move is not None else self.at


Sequences = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Step:
    """What a record can mean for an object in some configurations.

    Attributes
    ----------
    to
        The configurations afterwards. There are none if no run explains the record.
    edges
        All explanations.
    only
        The explanation, if there is only one.
    unseen
        The shortest sequences of unseen events without which no run explains the record.
    """

    to: Configs
    edges: tuple[Edge, ...]
    only: Edge | None
    unseen: Sequences = ()


class Steps:
    """The steps of one machine. `unseen` are the events that the log does not record."""

    def __init__(self, bare: BareMachine, unseen: Iterable[str] = ()) -> None:
        self.bare, self.unseen = bare, tuple(unseen)
        self._known: dict[tuple[Configs, Sight, bool], Step] = {}
        self._onward: dict[tuple[Config, tuple[str, ...]], dict[Config, None]] = {}

    def step(self, at: Configs, sight: Sight, lost: bool = False) -> Step:
        """Return what a record means. If lines were `lost` before it, any event of the machine may
        be in them.
        """
        key = (at, sight, lost)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= MOST_KEPT:
                self._known.clear()
            found = self._known[key] = self._made(
                at, sight, self.bare.events if lost else self.unseen
            )
        return found

    def _made(self, at: Configs, sight: Sight, unseen: tuple[str, ...]) -> Step:
        pairs = [(origin, there) for origin in at for there in self.onward(origin, unseen)]
        edges = tuple(self._edges(pairs, sight, bool(unseen)))
        shortest: Sequences = ()
        if edges and unseen and not any(edge.origin == edge.at for edge in edges):
            starts = {edge.at for edge in edges}
            shortest = self.shortest(at, unseen, starts.__contains__)
        only = edges[0] if len(edges) == 1 else None
        return Step(tuple(sorted({edge.to for edge in edges})), edges, only, shortest)

    def explained_by(self, at: Configs, sight: Sight) -> Sequences:
        """Return the shortest sequences of the machine's events that would explain a record."""
        return self.shortest(
            at, self.bare.events, lambda config: any(self._edges([(config, config)], sight))
        )

    def _edges(
        self, befores: list[tuple[Config, Config]], sight: Sight, gap: bool = False
    ) -> Iterator[Edge]:
        """Yield the explanations of a record from these origins and configurations before the
        event.
        """
        if sight.source:
            befores = list(self._matching(befores, sight.source, lambda pair: pair[1]))
        if sight.event:
            if not self.bare.has_event(sight.event):
                return
            kinds = _SEEN_KINDS[sight.fired]
            edges = [
                Edge(origin, at, move, sight, gap)
                for origin, at in befores
                for move in self.bare.moves(at, sight.event, sight.conditions)
                if move.kind in kinds
            ]
        else:
            edges = [Edge(origin, at, None, sight, gap) for origin, at in befores]
        yield from (
            self._matching(edges, sight.state, lambda edge: edge.to) if sight.state else edges
        )

    def _matching(
        self, things: list[_Thing], names: tuple[str, ...], config_of: Callable[[_Thing], Config]
    ) -> list[_Thing]:
        """Return the things whose configuration is named. A log may also name an outer state, or
        one of several.
        """
        ids = {self.bare.state_named(name) for name in names}
        exact = [one for one in things if ids == set(config_of(one))]
        return exact or [one for one in things if ids <= self.bare.active(config_of(one))]

    # unseen events --------------------------------------------------------------------------------

    def onward(self, origin: Config, unseen: tuple[str, ...]) -> dict[Config, None]:
        """Return the configurations that unseen events can lead to, and the origin itself, nearest
        first.
        """
        key = (origin, unseen)
        found = self._onward.get(key)
        if found is None:
            found = {origin: None}
            queue = [origin] if unseen else []
            for config in queue:
                for _, to in self._after(config, unseen):
                    if to not in found:
                        found[to] = None
                        queue.append(to)
                if len(found) > MOST_CONFIGS:
                    raise LogError(
                        f"{self.bare.name} has too many configurations to follow unseen events through"
                    )
            self._onward[key] = found
        return found

    def shortest(
        self, at: Configs, unseen: tuple[str, ...], reaches: Callable[[Config], bool]
    ) -> Sequences:
        """Return the shortest sequences of unseen events to a configuration that is wanted, or ()."""
        level: dict[Config, list[tuple[str, ...]]] = {config: [()] for config in at}
        known = set(at)
        while level:
            found = [events for config, ways in level.items() if reaches(config) for events in ways]
            if found:
                return tuple(dict.fromkeys(found))[:MOST_SHORTEST]
            further: dict[Config, list[tuple[str, ...]]] = {}
            for config, ways in level.items():
                for event, to in self._after(config, unseen):
                    if to not in known and len(further.setdefault(to, [])) < MOST_SHORTEST:
                        further[to] += [(*way, event) for way in ways]
            known |= further.keys()
            level = further
        return ()

    def _after(self, config: Config, unseen: tuple[str, ...]) -> Iterator[tuple[str, Config]]:
        for event in unseen:
            for move in self.bare.moves(config, event):
                if move.kind == FIRED:
                    yield event, move.to

    def anywhere(self) -> Configs:
        """Return every configuration in which an object may be: each state, and what can follow."""
        leaves = self.bare.parents.keys() - set(self.bare.parents.values())
        starts = [
            *([self.bare.initial] if self.bare.initial else []),
            *((leaf,) for leaf in sorted(leaves)),
        ]
        found = {config for start in starts for config in self.onward(start, self.bare.events)}
        return tuple(sorted(found))


def events_named(bare: BareMachine, words: Iterable[str]) -> tuple[str, ...]:
    """Return the events that a user names. "*" stands for all of the machine's own. Raises
    LogError.
    """
    found: dict[str, None] = {}
    for word in words:
        if word == "*":
            found |= dict.fromkeys(bare.events)
        elif bare.has_event(word):
            found[word] = None
        else:
            raise LogError(f"{word!r} is no event of {bare.name}{suggest(word, bare.events)}")
    return tuple(found)
