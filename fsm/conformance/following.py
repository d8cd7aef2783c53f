"""Check whether a recorded game is a run of a Model.

The follower keeps every position that agrees with what was seen so far. From each it tries all that
can happen until the next step begins, with every value of a fact of the game. A step can begin
unseen only where lines of the record are lost. Effects that were not seen (an extra, a skip or a
jump) are tried only if their layer is allowed.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator
from copy import copy
from itertools import chain, islice
from typing import NamedTuple

from fsm.conformance.rows import MOST_EXPECTED, Conformance, Game, Log, Mismatch, Row, step_words
from fsm.engine.possible import Way, ways_onward
from fsm.engine.semantics import semantics_of
from fsm.engine.trace import Record, records_of
from fsm.errors import FsmError, OrderError, TraceError, suggest
from fsm.model import Model, State
from fsm.model.model import per_model
from fsm.state.calendar import NO_ENTRIES
from fsm.state.orders import (
    AddPhase,
    AddStep,
    AddTurn,
    Order,
    SkipPhase,
    SkipStep,
    SkipTurn,
    order_words,
)
from fsm.state.run import NOTHING, Run, first_run
from fsm.state.scheduling import Scheduler

LAYERS = {"skip": "a", "extra": "an", "jump": "an effect that ends the turn or a phase"}
"""The layers that can explain a row, and how their effects are told, before the order."""
EFFECTS_BETWEEN = 3
"""At most this many effects of the allowed layers are tried between two rows."""
LOST_TURNS, LOST_VISITS = 4, 9
"""Where lines are lost, so many turns can pass at most, and so many visits of a step in each."""
REMEMBERED = 4096
"""At most this many searches are remembered; then all are forgotten."""


Expected = tuple[State, int, str]
"""A step that can begin next, with its turn and player."""
Onward = list[tuple[State, Way]]
"""The steps that can begin next, each with the way to it."""


class Candidate(NamedTuple):
    """A position that agrees with what was seen, and its turn.

    `fired` are the firings that are not certain yet. Their records are made when they are read.
    """

    run: Run
    turn: int
    fired: tuple[Iterator[Record], ...] = ()


class Reached(NamedTuple):
    """Where a row leads after these orders: the candidates that agree with it, and the other steps
    that could have begun, each with its turn and player.
    """

    found: dict[Hashable, Candidate]
    expected: dict[Expected, None]
    orders: tuple[Order, ...] = ()


class Follower:
    """Follows the log of games. Iterating yields the firings of the run, each with the number of
    its game, as soon as they are certain, up to the first refusal.

    Parameters
    ----------
    log
        The log.
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

    def __init__(self, log: Log, model: Model, allow: Iterable[str] = ()) -> None:
        self.log, self.model, self.allow = log, model, tuple(allow)
        for layer in self.allow:
            FsmError.known_name("layer", layer, LAYERS, "skip, extra or jump")
        self.result = Conformance()
        self._game: Game | None = None
        self._candidates: Collection[Candidate] = ()
        self._players: tuple[str, ...] = ()
        self._turn = 0
        self._joining = False

    def __iter__(self) -> Iterator[tuple[int, Record]]:
        """Follow the log. Raises LogError."""
        self.result.games = 0 if self.log.replayed is None else 1
        try:
            for record in self._followed() if self.log.replayed is None else self.log.replayed:
                if record.turn not in (0, self._turn):
                    self._turn = record.turn
                    self.result.turns += 1
                yield self.result.games, record
        except TraceError as error:
            self.result.refusal = Mismatch(error.line or 1, "", hint=str(error))
        self.result.read, self.result.skipped_lines = self.log.read, self.log.skipped

    def _followed(self) -> Iterator[Record]:
        for row in self.log.rows:
            self.result.rows += 1
            if row.game is not self._game:
                yield from self._flush()
                self._start(row)
            self._take(row)
            if self.result.refusal is not None:
                break
            now = next(iter(self._candidates)).turn
            if len(self._candidates) == 1 or now != self._turn:
                yield from self._flush()
        yield from self._flush()

    def _start(self, row: Row) -> None:
        """Begin the game of a row, perhaps in the middle of it."""
        self._game = row.game
        self.result.games += 1
        self._turn = 0
        self._joining = not row.game.whole and row.turn > 1
        self.result.joined |= self._joining
        before = row.turn - 1 if self._joining else 0
        seats = max(row.game.seats, row.seat)
        first = max(row.seat, 1) - 1 - before
        self._players = tuple(f"seat {(first + side) % seats + 1}" for side in range(seats))
        run = first_run(self.model, self._players, (), {})
        if self._joining:
            taken = [(before + seats - 1 - side) // seats for side in range(seats)]
            run.natural = (before - 1) % seats
            run.taken = run.own = tuple(taken)
        self._candidates = [Candidate(run, before)]

    def _flush(self) -> Iterator[Record]:
        """Yield the firings since the last call. If several candidates are left, their firings look
        alike.
        """
        for first in islice(self._candidates, 1):
            yield from chain.from_iterable(first.fired)
        self._candidates = [one._replace(fired=()) for one in self._candidates]

    # one row --------------------------------------------------------------------------------------

    def _take(self, row: Row) -> None:
        found, expected, _ = self._reached(row)
        if not found and self.allow:
            found = self._explained(row, self.allow, EFFECTS_BETWEEN).found
        if found:
            self._candidates = found.values()
        else:
            some = islice(expected, MOST_EXPECTED)
            words = [step_words(step.name, turn, player) for step, turn, player in some]
            self.result.refusal = Mismatch(row.line, str(row), words, self._hint(row))
        self._joining = False

    def _reached(self, row: Row, orders: tuple[Order, ...] = (), *, jumps: bool = False) -> Reached:
        """Return where a row leads, after these orders or perhaps after one jump."""
        reached = Reached({}, {}, orders)
        todo = [*self._candidates]
        begun, last = len(todo), todo[0].turn + LOST_TURNS
        unseen = set[Hashable]()
        for number, here in enumerate(todo):
            for step, way in self._onward(here.run, orders if number < begun else (), jumps=jumps):
                after = self._after(here, way)
                key = after.run.key, after.turn
                player = self._players[after.run.active]
                if row.fits(step.name, after.turn, player):
                    if not (orders and after.run.pending):
                        reached.found.setdefault(key, after)
                    continue
                reached.expected[step, after.turn, player] = None
                if key not in unseen and self._is_lost(row, after, last):
                    unseen.add(key)
                    todo.append(after)
        return reached

    def _is_lost(self, row: Row, after: Candidate, last: int) -> bool:
        """Say whether a step can have begun unseen before a row."""
        visits = (after.run.step.current or NOTHING).iteration
        return (
            (row.lost or self._joining)
            and after.turn <= min(last, row.turn or last)
            and visits <= LOST_VISITS
        )

    def _after(self, here: Candidate, way: Way) -> Candidate:
        """Return a candidate where a step has begun. What came before a log was not seen."""
        run = copy(way.run)
        run.turns_begun = 0
        before, fired = ((), way.fired[-1:]) if self._joining else (here.fired, way.fired)
        records = records_of(fired, self._players, here.turn)
        return Candidate(run, here.turn + way.run.turns_begun, (*before, records))

    def _onward(self, run: Run, orders: tuple[Order, ...], *, jumps: bool) -> Onward:
        """Return the steps that can begin next; none if the ruleset has no such effects."""
        if orders:
            run = copy(run)
            names = semantics_of(self.model).names
            try:
                Scheduler(names, run, NO_ENTRIES, self._players).give(orders)
            except OrderError:
                return []
            run.moments = run.results = ()
        if orders or jumps:
            return _search(self.model, run, jumps=jumps)
        known = _searches(self.model)
        if len(known) >= REMEMBERED:
            known.clear()
        if run.key not in known:
            known[run.key] = _search(self.model, run)
        return known[run.key]

    # what would explain it ------------------------------------------------------------------------

    def _hint(self, row: Row) -> str:
        """Return what would explain a refusal."""
        steps = [step.name for step in self.model.of_kind("step")]
        if row.step not in steps:
            known = suggest(row.step, steps) if row.step else ""
            return f"{row.step or row.word!r} is no step of {self.model.name}{known}"
        if row.lost or self._joining:
            lost = self.log.skipped
            return f"damaged lines skipped before: {lost}" if lost else ""
        causes = [*self._causes(row)]
        return f"{' or '.join(causes)} would explain it" if causes else ""

    def _causes(self, row: Row) -> Iterator[str]:
        for layer, words in LAYERS.items():
            explained = self._explained(row, (layer,), 1)
            if explained.found and layer not in self.allow:
                effect = " ".join([words, *map(order_words, explained.orders)])
                yield f"{effect} (layer {layer!r})"

    def _explained(self, row: Row, layers: Collection[str], most: int) -> Reached:
        """Return where a row leads after one jump or the fewest effects of these layers."""
        if "jump" in layers:
            jumped = self._reached(row, jumps=True)
            if jumped.found:
                return jumped
        effects = [*self._extras(row)] if "extra" in layers else []
        tried, known = [self._reached(row)], set[Expected]()
        for _ in range(most):
            further = list[Reached]()
            for before in tried:
                fresh = [one for one in before.expected if one not in known]
                known.update(fresh)
                skips = _skips(self.model, fresh) if "skip" in layers else ()
                for order in dict.fromkeys((*effects, *skips)):
                    further.append(self._reached(row, (*before.orders, order)))
            tried, effects = further, []
            explained = [one for one in tried if one.found]
            for other in explained:
                explained[0].found.update(other.found)
            if explained:
                return explained[0]
        return Reached({}, {})

    def _extras(self, row: Row) -> Iterator[Order]:
        """Yield the orders by which an effect can make a step come next."""
        for state in self.model.of_kind("step"):
            if state.name == row.step:
                yield AddPhase(_family(self.model, state))
                yield AddStep(state.name)
                yield AddStep(state.name, after="current_phase")
        if row.player in self._players:
            yield AddTurn(row.player)


def _skips(model: Model, expected: Iterable[Expected]) -> Iterator[Order]:
    """Yield the skips by which an effect can keep these steps from coming next."""
    for step, _, player in islice(expected, MOST_EXPECTED):
        yield SkipStep(step.name, player)
        yield SkipPhase(_family(model, step), player)
        yield SkipTurn(player)


def _family(model: Model, step: State) -> str:
    """Return the family of the phase around a step. Without one, it is none that an order knows."""
    phase = model.enclosing(step.id, "phase")
    return phase.family if phase is not None else ""


# searches -----------------------------------------------------------------------------------------


@per_model
def _searches(model: Model) -> dict[Hashable, Onward]:
    """Return what was found by the searches in games of a model."""
    return {}


def _search(model: Model, run: Run, *, jumps: bool = False) -> Onward:
    """Search for the steps that can begin next, breadth first."""
    semantics = semantics_of(model)
    found = dict[Hashable, tuple[State, Way]]()
    known, queue = set[Hashable](), [Way(run)]
    for way in queue:
        for onward in ways_onward(semantics, way.run, jumps=jumps):
            run = onward.run
            further = Way(run, way.fired + onward.fired)
            likeness = _likeness(run)
            step = model.enclosing(run.state, "step")
            if step is not None and model.state(run.state).role == "begin":
                found.setdefault(likeness, (step, further))
            elif likeness not in known and run.turns_begun <= LOST_TURNS:
                known.add(likeness)
                queue.append(further)
    return [*found.values()]


def _likeness(run: Run) -> Hashable:
    """Return what makes a difference between runs in a search: not how often a step has repeated
    its stages.
    """
    twin = copy(run)
    twin.tallies = ()
    return twin.key
