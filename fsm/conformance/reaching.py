"""What a game can do between two observations: the search for the runs that reach the next one.

Every value of a fact of the game is tried. A turn or phase can begin unseen, since the step that
follows shows it. A step can pass unseen only where lines of the record are lost.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from copy import copy
from typing import NamedTuple

from fsm.conformance.rows import Level
from fsm.engine.onward import Way, ways_onward
from fsm.engine.semantics import Fired, semantics_of
from fsm.errors import OrderError
from fsm.model import Model, State
from fsm.model.model import per_model
from fsm.state.calendar import NO_ENTRIES
from fsm.state.orders import Order
from fsm.state.run import Run
from fsm.state.scheduling import Scheduler

LOST_TURNS, LOST_VISITS = 4, 9
"""Where lines are lost, so many turns can pass at most, and so many visits of a step in each."""
MOST_TRIED = 20_000
"""At most this many positions are tried between two observations."""
REMEMBERED = 4096
"""At most this many searches are remembered; then all are forgotten."""


class Heard(NamedTuple):
    """What an observation says to a game that stands somewhere, and what may have come before it.

    `side` and `later` (the number of turns from here) are None where nothing is said. `lost`: lines
    are lost before it. `orders`: an effect has just given them. `jumps`: effects may end what is
    under way.
    """

    level: Level
    phase: str
    step: str
    side: int | None
    later: int | None
    lost: bool
    orders: tuple[Order, ...] = ()
    jumps: bool = False

    def fits(self, begins: State | None, run: Run) -> bool:
        """Say whether this is what has begun."""
        if begins is None or begins.kind != self.level or self.later not in (None, run.turns_begun):
            return False
        named = {"turn": begins.name, "phase": self.phase, "step": self.step}[self.level]
        return self.side in (None, run.active) and begins.name == named

    def shows(self, begins: State) -> bool:
        """Say whether a record like this would show what begins."""
        return begins.kind == "step" or (begins.kind == "turn" and self.level == "turn")

    def passes(self, begins: State | None, run: Run) -> bool:
        """Say whether the game can go on without an observation where this begins."""
        if run.turns_begun > LOST_TURNS:
            return False
        if begins is None or not self.shows(begins):
            return True
        step = run.step.current
        return self.lost and (step is None or step.iteration <= LOST_VISITS)


class Beginning(NamedTuple):
    """A turn or step that could begin: so many turns later, of this side."""

    state: State
    later: int
    side: int


class Place(NamedTuple):
    """A position that games come to: its run, whose turns are counted from there, and its key."""

    run: Run
    key: Hashable


class Led(NamedTuple):
    """A position that an observation leads to: how many turns later, and what fires on the way."""

    place: Place
    turns: int
    fired: tuple[Fired, ...]


class Reached(NamedTuple):
    """Where an observation leads, and what else could have begun."""

    ways: tuple[Led, ...]
    expected: tuple[Beginning, ...]


def place_of(run: Run) -> Place:
    """Return the position of a run."""
    run.turns_begun = 0
    return Place(run, run.key)


def _led(way: Way) -> Led:
    turns = way.run.turns_begun
    return Led(place_of(way.run), turns, way.fired)


class Reach:
    """Where the games of one Model can come to."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._reached = dict[Hashable, Reached]()

    def reached(self, place: Place, heard: Heard, players: tuple[str, ...]) -> Reached:
        """Return where an observation leads from a position."""
        key = place.key, heard, players
        found = self._reached.get(key)
        if found is None:
            if len(self._reached) >= REMEMBERED:
                self._reached.clear()
            found = self._reached[key] = self._search(place.run, heard, players)
        return found

    def _search(self, start: Run, heard: Heard, players: tuple[str, ...]) -> Reached:
        """Search breadth first."""
        found, expected = dict[Hashable, Way](), dict[Beginning, None]()
        known = set[Hashable]()
        queue = [Way(run) for run in self._ordered(start, heard.orders, players)]
        for way in queue:
            for onward in ways_onward(semantics_of(self.model), way.run, jumps=heard.jumps):
                run, begins = onward.run, self._begins(onward.run)
                further, likeness = Way(run, way.fired + onward.fired), _likeness(run)
                if heard.fits(begins, run):
                    found.setdefault(likeness, further)
                    continue
                if begins is not None and heard.shows(begins):
                    expected.setdefault(Beginning(begins, run.turns_begun, run.active))
                fresh = likeness not in known and len(known) < MOST_TRIED
                if fresh and heard.passes(begins, run):
                    known.add(likeness)
                    queue.append(further)
        ways = [way for way in found.values() if not heard.orders or not _waits(way.run)]
        return Reached(tuple(map(_led, ways)), tuple(expected))

    def _begins(self, run: Run) -> State | None:
        """Return the turn, phase or step that begins where a run stands, or None."""
        state = self.model.state(run.state)
        return self.model.state(state.parent) if state.role == "begin" and state.parent else None

    def _ordered(
        self, run: Run, orders: tuple[Order, ...], players: tuple[str, ...]
    ) -> Iterator[Run]:
        """Yield the run after these orders, or nothing if the ruleset has no such effect."""
        twin = copy(run)
        try:
            Scheduler(semantics_of(self.model).names, twin, NO_ENTRIES, players).give(orders)
        except OrderError:
            return
        twin.moments, twin.results = (), ()
        yield twin


def _likeness(run: Run) -> Hashable:
    """Return what makes a difference between runs in a search: not how often a step has repeated
    its stages.
    """
    if not run.tallies:
        return run.key
    twin = copy(run)
    twin.tallies = ()
    return twin.key


def _waits(run: Run) -> bool:
    """Say whether an effect has not come yet."""
    return bool(run.skips or run.turns or run.extras)


@per_model
def reach_of(model: Model) -> Reach:
    """Return where games of a model can come to. All records that are followed share it."""
    return Reach(model)
