"""Check whether a recorded game is a run of a Model.

The follower keeps every position that agrees with what was seen so far. Between two observations
it tries all that can happen unseen. Effects that were not seen (an extra, a skip or a jump) are
tried only if their layer is allowed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from fsm.conformance.explaining import (
    EXPLAINING_LAYERS,
    check_layers,
    effects_in_words,
    extra_orders,
    skip_orders,
)
from fsm.conformance.reaching import Beginning, Heard, Place, place_of, reach_of
from fsm.conformance.rows import Mismatch, Observation, Recording, beginning_words
from fsm.engine.records import Record, records_of
from fsm.engine.semantics import Fired
from fsm.errors import suggest
from fsm.model import Model
from fsm.runs.visits import Visit
from fsm.state.actions import most_counted
from fsm.state.orders import Order
from fsm.state.setup import first_run

MOST_EXPECTED = 8
"""A refusal names at most this many things that could have come."""
EFFECTS_BETWEEN = 3
"""At most this many effects of the allowed layers are tried between two observations."""
NOT_SEATED = -2


@dataclass(slots=True)
class Conformance:
    """The result of following a record.

    Attributes
    ----------
    turns, games
        How many turns and games were followed.
    read
        How many lines of a log were read, or how many observations of another record.
    skipped_lines
        How many of them were damaged and skipped.
    joined
        Whether the record begins in the middle of a game.
    refusal
        The first observation that is not a run of the Model, or None.
    visits
        The steps that were visited. `conform` sets them.
    records
        The firings. `conform` sets them.
    """

    turns: int = 0
    games: int = 0
    read: int = 0
    skipped_lines: int = 0
    joined: bool = False
    refusal: Mismatch | None = None
    visits: list[Visit] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether everything that was observed is a run of the Model."""
        return self.refusal is None


class _Candidate(NamedTuple):
    """A position in a turn that agrees with what was seen, and what has fired and is not certain
    yet: each time with the turn from which it is counted.
    """

    place: Place
    turn: int
    fired: tuple[tuple[int, tuple[Fired, ...]], ...] = ()


_Expected = dict[tuple[Beginning, int], None]
"""What could have come, with the turn from which it is counted."""


class Follower:
    """Follows one record.

    Parameters
    ----------
    model
        The model.
    allow
        The layers whose effects the game may have had: "extra", "skip", "jump".

    Attributes
    ----------
    result
        The result so far.

    Raises
    ------
    FsmError
        If a layer cannot be allowed.
    """

    def __init__(self, model: Model, *, allow: Iterable[str] = ()) -> None:
        self.model, self.allow = model, tuple(allow)
        check_layers(self.allow)
        self.result = Conformance()
        self._game, self._reach = 0, reach_of(model)
        self._candidates: Collection[_Candidate] = ()
        self._seats = dict[int, int | None]()
        self._players: tuple[str, ...] = ()
        self._counted = (0, 0)

    def follow(self, observations: Iterable[Observation]) -> Iterator[tuple[int, Record]]:
        """Yield the firings of the run, each with the number of its game, as soon as they are
        certain, up to the first refusal.
        """
        for count, seen in enumerate(observations, 1):
            self.result.read = count
            self._note(observations)
            if seen.game != self._game:
                yield from self._flush()
                self._start(seen)
            self._take(seen)
            if self.result.refusal is not None:
                break
            if len(self._candidates) == 1 or seen.level == "turn":
                yield from self._flush()
        else:
            self._note(observations)
        yield from self._flush()

    def _note(self, observations: Iterable[Observation]) -> None:
        if isinstance(observations, Recording):
            self.result.read = observations.read
            self.result.skipped_lines = observations.skipped_lines

    def _start(self, seen: Observation) -> None:
        self._game = seen.game
        self.result.games += 1
        self.result.joined |= seen.joined
        seats = sorted({*seen.seats, seen.seat} - {0})
        before = seen.turn - 1 if seen.joined else 0
        index = seats.index(seen.seat) if seen.seat else 0
        first = (index - before) % len(seats)
        seats = seats[first:] + seats[:first]
        self._players = tuple(f"seat {seat}" for seat in seats)
        self._seats = {0: None, **{seat: side for side, seat in enumerate(seats)}}
        run = first_run(self.model, self._players, (), {})
        if before:
            run.natural = (before - 1) % len(seats)
            run.taken = run.own = _turns_taken(before, len(seats), most_counted(self.model))
        self._candidates = [_Candidate(place_of(run), before)]

    def _flush(self) -> Iterator[tuple[int, Record]]:
        """Yield the firings since the last call. If several candidates are left, their firings look
        alike.
        """
        first = next(iter(self._candidates), None)
        for turn, fired in first.fired if first is not None else ():
            for record in records_of(fired, self._players, turn):
                if record.turn and (self._game, record.turn) != self._counted:
                    self._counted = (self._game, record.turn)
                    self.result.turns += 1
                yield self._game, record
        self._candidates = [_Candidate(one.place, one.turn) for one in self._candidates]

    # one observation ------------------------------------------------------------------------------

    def _take(self, seen: Observation) -> None:
        found, expected = self._reached(seen)
        if not found and self.allow:
            found, _ = self._explained(seen, self.allow, EFFECTS_BETWEEN)
        if found:
            self._candidates = found
        else:
            words = [self._words(*one) for one in islice(expected, MOST_EXPECTED)]
            self.result.refusal = Mismatch(seen.line, str(seen), words, self._hint(seen))

    def _reached(
        self, seen: Observation, orders: tuple[Order, ...] = (), *, jumps: bool = False
    ) -> tuple[Collection[_Candidate], _Expected]:
        """Return the candidates that come to the observation, perhaps after effects, and what else
        could have come.
        """
        found, expected = dict[object, _Candidate](), _Expected()
        side, lost = self._seats.get(seen.seat, NOT_SEATED), bool(seen.damaged) or seen.joined
        for place, turn, before in self._candidates:
            later = seen.turn - turn if seen.turn else None
            heard = Heard(seen.level, seen.phase, seen.step, side, later, lost, orders, jumps)
            reached = self._reach.reached(place, heard, self._players)
            expected |= dict.fromkeys((one, turn) for one in reached.expected)
            for there, turns, fired in reached.ways:
                now = (*before, (turn, fired))
                if seen.joined:  # what came before was not seen
                    now = ((turn, fired[-1:]),)
                key = there.key, turn + turns
                found.setdefault(key, _Candidate(there, turn + turns, now))
        return found.values(), expected

    def _words(self, begins: Beginning, turn: int) -> str:
        step = begins.state.name if begins.state.kind == "step" else ""
        return beginning_words(step, turn + begins.later, self._players[begins.side])

    def _hint(self, seen: Observation) -> str:
        """Return what would explain a refusal."""
        steps = [s.name for s in self.model.of_kind("step")]
        if seen.level == "step" and seen.step not in steps:
            known = suggest(seen.step, steps) if seen.step else ""
            return f"{seen.step or seen.word!r} is no step of {self.model.name}{known}"
        if seen.damaged or seen.joined:
            lost = self.result.skipped_lines
            return f"damaged lines skipped before: {lost}" if lost else ""
        causes = " or ".join(self._causes(seen))
        return f"{causes} would explain it" if causes else ""

    def _causes(self, seen: Observation) -> Iterator[str]:
        for layer in EXPLAINING_LAYERS:
            if layer not in self.allow:
                found, orders = self._explained(seen, (layer,), 1)
                if found:
                    yield f"{effects_in_words(orders)} (layer {layer!r})"

    # effects of the layers allowed ----------------------------------------------------------------

    def _explained(
        self, seen: Observation, layers: Collection[str], most: int
    ) -> tuple[Collection[_Candidate], tuple[Order, ...]]:
        """Return the candidates that come to the observation by one jump or the fewest effects, and
        the first such effects.
        """
        if "jump" in layers:
            found, _ = self._reached(seen, jumps=True)
            if found:
                return found, ()
        return self._explained_by_orders(seen, layers, most)

    def _explained_by_orders(
        self, seen: Observation, layers: Collection[str], most: int
    ) -> tuple[Collection[_Candidate], tuple[Order, ...]]:
        _, expected = self._reached(seen)
        known, trials = set(expected), self._first_effects(seen, expected, layers)
        for _ in range(most):
            longer, explained = list[tuple[Order, ...]](), dict[object, _Candidate]()
            first: tuple[Order, ...] = ()
            for trial in trials:
                found, expected = self._reached(seen, trial)
                first = first or (trial if found else ())
                explained |= {(one.place.key, one.turn): one for one in found}
                fresh = [one for one in expected if one not in known]
                known.update(fresh)
                longer += [(*trial, skip) for skip in self._skips(fresh)]
            if explained:
                return explained.values(), first
            trials = longer if "skip" in layers else []
        return (), ()

    def _first_effects(
        self, seen: Observation, expected: _Expected, layers: Collection[str]
    ) -> list[tuple[Order, ...]]:
        """Return single effects that lead to the observation, or that skip what else could have
        come.
        """
        player = f"seat {seen.seat}" if seen.seat in self._seats and seen.seat else ""
        orders = list[Order]()
        if "extra" in layers:
            orders += extra_orders(self.model, seen.step, player)
        if "skip" in layers:
            orders += self._skips(expected)
        return [(order,) for order in orders]

    def _skips(self, expected: Iterable[tuple[Beginning, int]]) -> Iterable[Order]:
        skips = dict[Order, None]()
        for begins, _ in islice(expected, MOST_EXPECTED):
            player = self._players[begins.side]
            skips |= dict.fromkeys(skip_orders(self.model, begins.state, player))
        return skips


def _turns_taken(turns: int, seats: int, most: int) -> tuple[int, ...]:
    """Return how many of the first turns of a game each seat has taken, up to a number that makes
    no difference any more.
    """
    each, more = divmod(turns, seats)
    return tuple(min(each + (seat < more), most) for seat in range(seats))
