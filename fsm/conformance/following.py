"""Check whether a recorded game is a run of a Model.

The follower keeps every run of the Model that agrees with what was seen so far. Between two
observations it tries all internal steps. Effects that were not seen (an extra, a skip or a jump)
are tried only if their layer is allowed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby, islice

from fsm.conformance.explanations import (
    EXPLAINING_LAYERS,
    after_effect,
    check_layers,
    effects_done,
    effects_in_words,
    extra_orders,
    skip_orders,
)
from fsm.conformance.memo import Standing, Way, memo_of, what_is_seen
from fsm.conformance.observations import Mismatch, Observation, ObservationLog
from fsm.conformance.search import Beginning, Candidate, Search, describe, describe_beginning
from fsm.engine.internal_steps import InternalSteps
from fsm.engine.positions import Progress, progress, total
from fsm.engine.trace import Record
from fsm.errors import OrderError, suggest
from fsm.model import Model
from fsm.model.likeness import ModelLike, as_model
from fsm.runs.visits import Visit, visits_of
from fsm.state.orders import Order
from fsm.state.run import Run

MOST_EXPECTED = 8
"""A refusal names at most this many things that could have come."""
EFFECTS_BETWEEN = 3
"""At most this many effects of the allowed layers are tried between two observations."""


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


def conform_game(
    model: ModelLike,
    observations: Iterable[Observation],
    *,
    allow: Iterable[str] = (),
    explain: bool = True,
) -> Conformance:
    """Follow a record through a Model, up to the first observation that does not agree.

    All firings and visits are kept. For long records, iterate `Follower.follow` instead, which
    keeps none.

    Parameters
    ----------
    model
        The model.
    observations
        What was seen, in order.
    allow
        The layers whose effects the game may have had: "extra", "skip", "jump".
    explain
        Whether to search for effects that would explain a refusal.

    Returns
    -------
    Conformance
        The result, with its visits and records.

    Raises
    ------
    FsmError
        If a layer cannot be allowed.
    LogError
        If the observations come from a log that cannot be read.
    """
    model = as_model(model)
    follower = Follower(model, allow=allow, explain=explain)
    records = list(follower.follow(observations))
    follower.result.records = records
    follower.result.visits = list(visits_of(records, model))
    return follower.result


class Follower:
    """Follows one record.

    Parameters
    ----------
    model
        The model.
    allow
        The layers whose effects the game may have had: "extra", "skip", "jump".
    explain
        Whether to search for effects that would explain a refusal.

    Attributes
    ----------
    result
        The result so far.
    game
        The number of the game that is followed now.

    Raises
    ------
    FsmError
        If a layer cannot be allowed.
    """

    def __init__(self, model: Model, *, allow: Iterable[str] = (), explain: bool = True) -> None:
        self.model, self.allow, self.explain = model, tuple(allow), explain
        check_layers(self.allow)
        self.paths = InternalSteps(model)
        self.result = Conformance()
        self.game = 0
        self._memo = memo_of(model)
        self._standing: Standing
        self._progress: Progress
        self._records: list[tuple[Record, ...]] = []
        """For each candidate run, what has fired and is not certain yet."""
        self._counted = (0, 0)

    def follow(self, observations: Iterable[Observation]) -> Iterator[Record]:
        """Yield the firings of the run as soon as they are certain, up to the first refusal."""
        log = observations if isinstance(observations, ObservationLog) else None
        for count, seen in enumerate(observations, 1):
            self._note(log, count)
            if seen.game != self.game:
                yield from self._flush()
                self._start(seen)
            self._take(seen)
            if self.result.refusal is not None:
                break
            if len(self._records) == 1 or seen.level == "turn":
                yield from self._flush()
        else:
            self._note(log, self.result.read)
        yield from self._flush()

    def by_game(
        self, observations: Iterable[Observation]
    ) -> Iterator[tuple[int, Iterator[Record]]]:
        """Yield the number of each game, and its firings."""
        return groupby(self.follow(observations), key=lambda _: self.game)

    def _note(self, log: ObservationLog | None, count: int) -> None:
        self.result.read = log.read if log else count
        self.result.skipped_lines = log.skipped_lines if log else 0

    def _start(self, seen: Observation) -> None:
        self.game = seen.game
        self.result.games += 1
        self.result.joined |= seen.joined
        seats = sorted({*seen.seats, seen.seat} - {0})
        before = seen.turn - 1 if seen.joined else 0
        first = seats.index(seen.seat) if seen.seat else 0
        first = (first - before) % len(seats) if before else first
        run = self.paths.start(f"seat {seat}" for seat in seats[first:] + seats[:first])
        if before:
            run.agenda.turn, run.agenda.natural = (
                before,
                run.agenda.players[(before - 1) % len(seats)],
            )
            run.agenda.turns_taken = run.agenda.own_turns = _turns_taken(before, len(seats))
        self._stand([run], [()])

    def _stand(self, runs: Sequence[Run], records: list[tuple[Record, ...]]) -> None:
        """Let these be the candidate runs, with what has fired and is not certain yet."""
        self._standing, self._progress, self._records = (
            self._memo.standing(runs),
            progress(runs[0]),
            records,
        )

    def _flush(self) -> Iterator[Record]:
        """Yield the firings since the last call. If several candidate runs are left, their firings
        look alike.
        """
        for record in self._records[0] if self._records else ():
            if record.turn and (self.game, record.turn) != self._counted:
                self._counted = (self.game, record.turn)
                self.result.turns += 1
            yield record
        self._records = [()] * len(self._records)

    # one observation ------------------------------------------------------------------------------

    def _take(self, seen: Observation) -> None:
        key, now = what_is_seen(seen, self._progress.turn), self._progress
        way = self._standing.ways.get(key) or self._searched(seen, key)
        if way is None:
            return
        records = [tuple(way.records(number, now)) for number in range(len(way.origins))]
        if seen.joined:
            self._records = [fired[-1:] for fired in records]
        else:
            self._records = [
                self._records[old] + new for old, new in zip(way.origins, records, strict=True)
            ]
        self._standing, self._progress = (
            way.standing,
            now if way.later is None else total(now, way.later),
        )

    def _searched(self, seen: Observation, key: object) -> Way | None:
        """Return where the observation leads, after a search. It is None if the observation is
        refused.
        """
        now = self._progress
        search = Search(self.paths, self._standing.runs_at(now), seen)
        found, plain = search.run(), True
        if not found and self.allow:
            found, _ = self._explained(search, self.allow, EFFECTS_BETWEEN)
            plain = False
        if not found:
            self.result.refusal = self._refuse(seen, search)
            return None
        way = Way(self._memo.standing([candidate.run for candidate in found]), found, now)
        if plain:
            self._memo.learn(self._standing, key, way)
        return way

    def _refuse(self, seen: Observation, search: Search) -> Mismatch:
        expected = [
            describe_beginning(beginning) for beginning in islice(search.expected, MOST_EXPECTED)
        ]
        return Mismatch(seen.line, describe(seen), expected, self._hint(seen, search))

    def _hint(self, seen: Observation, search: Search) -> str:
        steps = [s.name for s in self.model.of_kind("step")]
        if seen.level == "step" and seen.step not in steps:
            word = seen.step or seen.word
            return f"{word!r} is no step of {self.model.name}{suggest(word, steps) if seen.step else ''}"
        lost = self.result.skipped_lines
        if search.lines_lost or not self.explain:
            return f"damaged lines skipped before: {lost}" if lost else ""
        trials = {
            layer: self._explained(search, (layer,), 1)
            for layer in EXPLAINING_LAYERS
            if layer not in self.allow
        }
        causes = [
            f"{effects_in_words(orders)} (layer {layer!r})"
            for layer, (found, orders) in trials.items()
            if found
        ]
        return f"{' or '.join(causes)} would explain it" if causes else ""

    # effects of the layers allowed ----------------------------------------------------------------

    def _explained(
        self, failed: Search, layers: Sequence[str], most: int
    ) -> tuple[list[Candidate], tuple[Order, ...]]:
        """Return the runs that reach the observation after the fewest effects or one jump, with the
        first effects.
        """
        if "jump" in layers and (
            found := Search(self.paths, failed.starts, failed.seen, jumps=True).run()
        ):
            return found, ()
        trials = [_EffectTrial(failed.starts, (), list(self._orders(failed, layers)))]
        known = set(failed.expected)
        for _ in range(most):
            trials = [
                self._try(trial, order, failed.seen)
                for trial in trials
                for order in trial.next_orders
            ]
            explained = [trial for trial in trials if trial.found]
            if explained:
                return [candidate for trial in explained for candidate in trial.found], explained[
                    0
                ].orders
            for trial in trials if "skip" in layers else ():
                trial.next_orders = _skips(
                    self.model,
                    (beginning for beginning in trial.expected if beginning not in known),
                )
                known |= trial.expected.keys()
        return [], ()

    def _try(self, trial: _EffectTrial, order: Order, seen: Observation) -> _EffectTrial:
        """Try one more effect."""
        try:
            runs = [after_effect(run, order) for run in trial.runs]
        except OrderError:  # the ruleset has no such effect
            return _EffectTrial([], (*trial.orders, order), [])
        search = Search(self.paths, runs, seen)
        found = [candidate for candidate in search.run() if effects_done(candidate.run)]
        return _EffectTrial(runs, (*trial.orders, order), [], found, search.expected)

    def _orders(self, search: Search, layers: Sequence[str]) -> Iterator[Order]:
        """Yield effects that lead to the observation, or that skip what else could have come."""
        players = search.starts[0].agenda.players
        if "extra" in layers:
            active = f"seat {search.seen.seat}"
            yield from extra_orders(
                self.model, search.seen.step, active if active in players else ""
            )
        if "skip" in layers:
            yield from _skips(self.model, search.expected)


@dataclass(slots=True)
class _EffectTrial:
    """Effects that are tried together.

    Attributes
    ----------
    runs
        The runs after the effects.
    orders
        The effects.
    next_orders
        The effects to try next.
    found
        The runs that reach the observation.
    expected
        What else could have come.
    """

    runs: Sequence[Run]
    orders: tuple[Order, ...]
    next_orders: list[Order]
    found: list[Candidate] = field(default_factory=list)
    expected: dict[Beginning, None] = field(default_factory=dict)


def _turns_taken(turns: int, seats: int) -> tuple[int, ...]:
    """Return how many of the first turns of a game each seat has taken, if the seats take turns in
    order.
    """
    each, more = divmod(turns, seats)
    return tuple(each + (seat < more) for seat in range(seats))


def _skips(model: Model, beginnings: Iterable[Beginning]) -> list[Order]:
    first = islice(beginnings, MOST_EXPECTED)
    return list(
        dict.fromkeys(
            chain.from_iterable(skip_orders(model, begins, active) for begins, _, active in first)
        )
    )
