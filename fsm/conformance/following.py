"""Check whether a recorded game is a run of a Model.

The follower keeps every position that agrees with what was seen so far. Between two observations
it tries all that can happen unseen, with every value of a fact of the game. A turn or phase can
begin unseen, since the step that follows shows it; a step only where lines of the record are lost.
Effects that were not seen (an extra, a skip or a jump) are tried only if their layer is allowed.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator
from copy import copy
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from fsm.conformance.rows import Level, Mismatch, Observation, Recording, beginning_words
from fsm.engine.onward import Way, ways_onward
from fsm.engine.records import Record, records_of
from fsm.engine.semantics import Fired, semantics_of
from fsm.errors import FsmError, OrderError, suggest
from fsm.model import Model, State
from fsm.model.model import per_model
from fsm.runs.visits import Visit
from fsm.state.actions import most_counted
from fsm.state.calendar import NO_ENTRIES
from fsm.state.orders import AddPhase, AddStep, AddTurn, Order, SkipPhase, SkipStep, SkipTurn
from fsm.state.run import Run
from fsm.state.scheduling import Scheduler
from fsm.state.setup import first_run

EXPLAINING_LAYERS = ("skip", "extra", "jump")
MOST_EXPECTED = 8
"""A refusal names at most this many things that could have come."""
EFFECTS_BETWEEN = 3
"""At most this many effects of the allowed layers are tried between two observations."""
NOT_SEATED = -2
LOST_TURNS, LOST_VISITS = 4, 9
"""Where lines are lost, so many turns can pass at most, and so many visits of a step in each."""
MOST_TRIED = 20_000
"""At most this many positions are tried between two observations."""
REMEMBERED = 4096
"""At most this many searches are remembered; then all are forgotten."""


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

    def shows(self, begins: State | None) -> bool:
        """Say whether a record like this would show what begins."""
        kinds = ("step", "turn") if self.level == "turn" else ("step",)
        return begins is not None and begins.kind in kinds

    def passes(self, begins: State | None, run: Run) -> bool:
        """Say whether the game can go on without an observation where this begins."""
        if run.turns_begun > LOST_TURNS or not self.shows(begins):
            return run.turns_begun <= LOST_TURNS
        step = run.step.current
        return self.lost and (step is None or step.iteration <= LOST_VISITS)


class Beginning(NamedTuple):
    """A turn or step that could begin: so many turns later, of this side."""

    state: State
    later: int
    side: int


class Candidate(NamedTuple):
    """A position that agrees with what was seen, and its key. Its turns are counted from `turn`.

    `fired` is what has fired and is not certain yet, each time with the turn from which it is
    counted.
    """

    run: Run
    key: Hashable
    turn: int
    fired: tuple[tuple[int, tuple[Fired, ...]], ...] = ()


_Found = dict[Hashable, Candidate]
_Expected = dict[tuple[Beginning, int], None]
"""What could have come, with the turn from which it is counted."""


def check_layers(layers: Iterable[str]) -> None:
    """Raise FsmError for the first layer of which no effect could explain a game."""
    for layer in layers:
        if layer not in EXPLAINING_LAYERS:
            known = suggest(layer, EXPLAINING_LAYERS)
            raise FsmError(f"layer {layer!r} cannot be allowed{known}")


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
        self._semantics = semantics_of(model)
        self._game = 0
        self._candidates: Collection[Candidate] = ()
        self._seats = dict[int, int | None]()
        self._players: tuple[str, ...] = ()
        self._counted = (0, 0)
        self._known = _searches(model)

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
        self._candidates = [Candidate(run, run.key, before)]

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
        self._candidates = [one._replace(fired=()) for one in self._candidates]

    # one observation ------------------------------------------------------------------------------

    def _take(self, seen: Observation) -> None:
        found, expected = self._reached(seen)
        if not found and self.allow:
            found, _ = self._explained(seen, self.allow, EFFECTS_BETWEEN)
        if found:
            self._candidates = found.values()
        else:
            words = [self._words(*one) for one in islice(expected, MOST_EXPECTED)]
            self.result.refusal = Mismatch(seen.line, str(seen), words, self._hint(seen))

    def _reached(
        self, seen: Observation, orders: tuple[Order, ...] = (), *, jumps: bool = False
    ) -> tuple[_Found, _Expected]:
        """Return the candidates that come to the observation, perhaps after effects, and what else
        could have come.
        """
        found, expected = _Found(), _Expected()
        side, lost = self._seats.get(seen.seat, NOT_SEATED), bool(seen.damaged) or seen.joined
        for run, key, turn, before in self._candidates:
            later = seen.turn - turn if seen.turn else None
            heard = Heard(seen.level, seen.phase, seen.step, side, later, lost, orders, jumps)
            ways, beginnings = self._led(run, key, heard)
            expected |= dict.fromkeys((one, turn) for one in beginnings)
            for way in ways:
                now = (*before, (turn, way.fired))
                if seen.joined:  # what came before was not seen
                    now = ((turn, way.fired[-1:]),)
                there = copy(way.run)
                there.turns_begun = 0
                after = Candidate(there, there.key, turn + way.run.turns_begun, now)
                found.setdefault((after.key, after.turn), after)
        return found, expected

    def _led(self, run: Run, key: Hashable, heard: Heard) -> tuple[list[Way], list[Beginning]]:
        """Return where an observation leads from a position, and what else could have begun."""
        known = self._known.get((key, heard, self._players))
        if known is None:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            known = self._search(run, heard)
            self._known[key, heard, self._players] = known
        return known

    def _search(self, start: Run, heard: Heard) -> tuple[list[Way], list[Beginning]]:
        """Search breadth first."""
        found, expected = dict[Hashable, Way](), dict[Beginning, None]()
        known, queue = set[Hashable](), [*map(Way, self._ordered(start, heard.orders))]
        for way in queue:
            for onward in ways_onward(self._semantics, way.run, jumps=heard.jumps):
                run, begins = onward.run, self._begins(onward.run)
                further, likeness = Way(run, way.fired + onward.fired), _likeness(run)
                if heard.fits(begins, run):
                    if not (heard.orders and _waits(run)):
                        found.setdefault(likeness, further)
                    continue
                if begins is not None and heard.shows(begins):
                    expected.setdefault(Beginning(begins, run.turns_begun, run.active))
                fresh = likeness not in known and len(known) < MOST_TRIED
                if fresh and heard.passes(begins, run):
                    known.add(likeness)
                    queue.append(further)
        return [*found.values()], [*expected]

    def _begins(self, run: Run) -> State | None:
        """Return the turn, phase or step that begins where a run stands, or None."""
        state = self.model.state(run.state)
        return self.model.state(state.parent) if state.role == "begin" and state.parent else None

    def _ordered(self, run: Run, orders: tuple[Order, ...]) -> Iterator[Run]:
        """Yield the run after these orders, or nothing if the ruleset has no such effect."""
        twin = copy(run)
        try:
            Scheduler(self._semantics.names, twin, NO_ENTRIES, self._players).give(orders)
        except OrderError:
            return
        twin.moments, twin.results = (), ()
        yield twin

    # what would explain it ------------------------------------------------------------------------

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
        causes = list[str]()
        for layer in EXPLAINING_LAYERS:
            found, orders = self._explained(seen, (layer,), 1)
            if found and layer not in self.allow:
                words = " and ".join(map(_effect, orders))
                words = words or "an effect that ends the turn or a phase"
                causes.append(f"{words} (layer {layer!r})")
        return f"{' or '.join(causes)} would explain it" if causes else ""

    def _explained(
        self, seen: Observation, layers: Collection[str], most: int
    ) -> tuple[_Found, tuple[Order, ...]]:
        """Return the candidates that come to the observation by one jump or the fewest effects, and
        the first such effects.
        """
        if "jump" in layers:
            found, _ = self._reached(seen, jumps=True)
            if found:
                return found, ()
        extras = [*self._extras(seen)] if "extra" in layers else []
        tried, known = [(tuple[Order, ...](), self._reached(seen)[1])], set[object]()
        for _ in range(most):
            longer, explained, first = list[tuple[tuple[Order, ...], _Expected]](), _Found(), None
            for effects, expected in tried:
                fresh = [one for one in expected if one not in known]
                known.update(fresh)
                skips = self._skips(fresh) if "skip" in layers else ()
                for order in (*extras, *skips):
                    orders = (*effects, order)
                    found, further = self._reached(seen, orders)
                    explained |= found
                    first = first or (orders if found else None)
                    longer.append((orders, further))
            if first is not None:
                return explained, first
            tried, extras = longer, []
        return {}, ()

    def _extras(self, seen: Observation) -> Iterator[Order]:
        """Yield the orders by which an effect can make what is seen come next."""
        for state in self.model.of_kind("step"):
            if state.name == seen.step:
                phase = self.model.enclosing(state.id, "phase")
                if phase is not None:
                    yield AddPhase(phase.family)
                yield from (AddStep(state.name), AddStep(state.name, after="current_phase"))
        if seen.seat in self._seats and seen.seat:
            yield AddTurn(f"seat {seen.seat}")

    def _skips(self, expected: Iterable[tuple[Beginning, int]]) -> Iterable[Order]:
        """Return the skips by which an effect can keep this from coming next."""
        skips = dict[Order, None]()
        for begins, _ in islice(expected, MOST_EXPECTED):
            state, player = begins.state, self._players[begins.side]
            phase = self.model.enclosing(state.id, "phase")
            if state.kind == "step":
                skips[SkipStep(state.name, player)] = None
            if phase is not None:
                skips[SkipPhase(phase.family, player)] = None
            skips[SkipTurn(player)] = None
        return skips


def _effect(order: Order) -> str:
    """Return an effect in words."""
    match order:
        case AddStep(step=step):
            where = " after the phase" if order.after == "current_phase" else ""
            return f"an extra {step} step{where}"
        case AddPhase(phases=phases):
            return f"an extra {' and '.join(phases)} phase"
        case AddTurn(player=player):
            return f"an extra turn of {player}"
        case SkipPhase(phase=phase):
            return f"a skipped {phase} phase"
        case SkipStep(step=step):
            return f"a skipped {step} step"
        case SkipTurn(player=player):
            return f"a skipped turn of {player}"
    return "an effect"


@per_model
def _searches(model: Model) -> dict[Hashable, tuple[list[Way], list[Beginning]]]:
    """Return what was found by the searches in games of a model."""
    return {}


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


def _turns_taken(turns: int, seats: int, most: int) -> tuple[int, ...]:
    """Return how many of the first turns of a game each seat has taken, up to a number that makes
    no difference any more.
    """
    each, more = divmod(turns, seats)
    return tuple(min(each + (seat < more), most) for seat in range(seats))
