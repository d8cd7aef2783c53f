"""Check whether a recorded game is a run of a Model.

The follower keeps every position that agrees with what was seen so far. From each it tries all that
can happen until the next step begins, with every value of a fact of the game. A step can begin
unseen only before the log begins. Effects that were not seen (an extra, a skip or a
jump) are tried only if their layer is allowed, and one at a time.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from copy import copy
from itertools import chain, islice
from typing import NamedTuple

from fsm.conformance.rows import MOST_EXPECTED, Conformance, Game, Log, Mismatch, Row, step_words
from fsm.engine.possible import Way, ways_onward
from fsm.engine.semantics import Fired, semantics_of
from fsm.engine.trace import Record, records_of
from fsm.errors import FsmError, OrderError, TraceError, suggest
from fsm.model import Model, State
from fsm.model.model import per_model
from fsm.runs.turns import Turn, TurnReader, telling
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
UNSEEN_VISITS, SKIPPED_TURNS = 9, 4
"""Before a log begins, a step was visited so often at most; so many turns can be skipped at once.
"""
REMEMBERED = 4096
"""At most this many searches are remembered; then all are forgotten."""


Expected = dict[tuple[State, int, str], None]
"""The steps that could have begun, each with its turn and player."""


class Begun(NamedTuple):
    """A step that can begin next: where, after how many turns that begin before it, with its key,
    and what fires and tells something of a turn.
    """

    step: State
    run: Run
    turns: int
    key: Hashable
    fired: tuple[Fired, ...]


class Candidate(NamedTuple):
    """A position that agrees with what was seen, and its turn.

    `fired` are the firings that are not certain yet. Their records are made when they are read.
    """

    run: Run
    turn: int
    fired: tuple[Iterator[Record], ...] = ()


Found = dict[Hashable, Candidate]
"""The candidates that agree with a row, each by what makes it different from the others."""


class Follower:
    """Follows the log of games. Iterating yields the turns of the run, each with the number of its
    game, as soon as they are certain, up to the first refusal.

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
        self._candidates = list[Candidate]()
        self._players: tuple[str, ...] = ()
        self._reader = TurnReader(model)
        self._joining = False

    def __iter__(self) -> Iterator[tuple[int, Turn]]:
        """Follow the log. Raises LogError."""
        for turn in self._turns():
            self.result.turns += turn.number > 0
            yield self.result.games, turn
        self.result.read = self.log.read
        self.result.skipped_lines = self.log.skipped

    def _turns(self) -> Iterator[Turn]:
        if self.log.replayed is not None:
            self.result.games = 1
            try:
                yield from self._reader.read(self.log.replayed)
            except TraceError as error:
                self.result.refusal = Mismatch(error.line or 1, "", hint=str(error))
        for row in self.log.rows:
            self.result.rows += 1
            if row.game is not self._game:
                yield from self._flush()
                yield from self._reader.end()
                self._start(row)
            self._take(row)
            if self.result.refusal is not None:
                break
            now = self._candidates[0].turn
            if len(self._candidates) == 1 or now != self._reader.turn.number:
                yield from self._flush()
        yield from self._flush()
        yield from self._reader.end()

    def _start(self, row: Row) -> None:
        """Begin the game of a row, perhaps in the middle of it."""
        self._game = row.game
        self.result.games += 1
        self._joining = not row.game.whole and row.turn > 1
        before = row.turn - 1 if self._joining else 0
        seats = max(row.game.seats, row.seat)
        first = max(row.seat, 1) - 1 - before
        self._players = tuple(f"seat {(first + side) % seats + 1}" for side in range(seats))
        run = first_run(self.model, self._players, (), {})
        if self._joining:
            run.natural = (before - 1) % seats
            run.taken = tuple((before + seats - 1 - side) // seats for side in range(seats))
            run.own = run.taken
        self._candidates = [Candidate(run, before)]

    def _flush(self) -> Iterator[Turn]:
        """Read the firings since the last call. If several candidates are left, their firings look
        alike.
        """
        for first in self._candidates[:1]:
            yield from self._reader.read(chain.from_iterable(first.fired))
        self._candidates = [one._replace(fired=()) for one in self._candidates]

    # one row --------------------------------------------------------------------------------------

    def _take(self, row: Row) -> None:
        found, expected = self._reached(row, self._candidates)
        for layer in self.allow:
            if not found:
                found, _ = self._explained(row, layer, expected)
        if found:
            self._candidates = [*found.values()]
        else:
            some = islice(expected, MOST_EXPECTED)
            words = [step_words(step.name, turn, player) for step, turn, player in some]
            self.result.refusal = Mismatch(row.line, str(row), words, self._hint(row, expected))
        self._joining = False

    def _reached(
        self, row: Row, candidates: Iterable[Candidate], *, jumps: bool = False
    ) -> tuple[Found, Expected]:
        """Return the candidates after a row, perhaps by a jump, and what else could have come."""
        found = Found()
        expected = Expected()
        unseen = set[Hashable]()
        todo = [*candidates]
        for here in todo:
            for step, run, turns, key, fired in _onward(self.model, here.run, jumps=jumps):
                turn = here.turn + turns
                player = self._players[run.active]
                after = Candidate(run, turn, self._uncertain(here, fired))
                if row.fits(step.name, turn, player):
                    found.setdefault((key, turn), after)
                    continue
                expected[step, turn, player] = None
                visits = (run.step.current or NOTHING).iteration
                is_unseen = self._joining and turn <= row.turn and visits <= UNSEEN_VISITS
                if is_unseen and (key, turn) not in unseen:
                    unseen.add((key, turn))
                    todo.append(after)
        return found, expected

    def _uncertain(self, here: Candidate, fired: Sequence[Fired]) -> tuple[Iterator[Record], ...]:
        """Return what is not certain yet where a step has begun. What came before a log was not
        seen.
        """
        if self._joining:
            return (records_of(fired[-1:], self._players, here.turn),)
        return (*here.fired, records_of(fired, self._players, here.turn))

    # what would explain it ------------------------------------------------------------------------

    def _hint(self, row: Row, expected: Expected) -> str:
        """Return what would explain a refusal."""
        steps = [step.name for step in self.model.of_kind("step")]
        if row.step not in steps:
            word = row.step or row.word
            return f"{word!r} is no step of {self.model.name}{suggest(word, steps)}"
        causes = list[str]()
        for layer in LAYERS:
            found, effect = self._explained(row, layer, expected)
            if found:
                causes.append(f"{effect} (layer {layer!r})")
        return f"{' or '.join(causes)} would explain it" if causes else ""

    def _explained(self, row: Row, layer: str, expected: Expected) -> tuple[Found, str]:
        """Return where a row leads after one effect of this layer, and the effect in words."""
        if layer == "jump":
            found, _ = self._reached(row, self._candidates, jumps=True)
            return found, LAYERS[layer]
        found = Found()
        words = ""
        effects = self._extras(row) if layer == "extra" else _skips(self.model, expected)
        for order in effects:
            reached, _ = self._reached(row, self._given(order))
            if reached:
                found = reached | found
                words = words or f"{LAYERS[layer]} {order_words(order)}"
        return found, words

    def _extras(self, row: Row) -> Iterator[Order]:
        """Yield the orders by which an effect can make a step come next."""
        for state in self.model.of_kind("step"):
            if state.name == row.step:
                yield AddPhase(_family(self.model, state))
                yield AddStep(state.name)
                yield AddStep(state.name, after="current_phase")
        yield AddTurn(row.player)

    def _given(self, order: Order) -> Iterator[Candidate]:
        """Yield the candidates after an effect; none if the ruleset has no such effects."""
        for candidate in self._candidates:
            run = copy(candidate.run)
            with suppress(OrderError):
                Scheduler(semantics_of(self.model).names, run, NO_ENTRIES, self._players).give(
                    [order]
                )
                yield candidate._replace(run=run)


def _skips(model: Model, expected: Expected) -> Iterator[Order]:
    """Yield the skips by which an effect can keep these steps from coming next."""
    for step, _, player in islice(expected, MOST_EXPECTED):
        yield SkipStep(step.name, player)
        yield SkipPhase(_family(model, step), player)
        yield SkipTurn(player)


def _family(model: Model, step: State) -> str:
    return (model.enclosing(step.id, "phase") or step).family


# searches -----------------------------------------------------------------------------------------


@per_model
def _searches(model: Model) -> dict[Hashable, list[Begun]]:
    """Return what was found by the searches in games of a model."""
    return {}


def _onward(model: Model, run: Run, *, jumps: bool) -> list[Begun]:
    """Return the steps that can begin next."""
    known = _searches(model)
    key = run.key, jumps
    if key not in known:
        if len(known) >= REMEMBERED:
            known.clear()
        known[key] = [*_search(model, run, jumps=jumps)]
    return known[key]


def _search(model: Model, run: Run, *, jumps: bool) -> Iterator[Begun]:
    """Search for the steps that can begin next, breadth first."""
    semantics, tells = semantics_of(model), telling(model)
    known = set[Hashable]()
    queue = [Way(run)]
    for way in queue:
        for onward in ways_onward(semantics, way.run, jumps=jumps):
            run = onward.run
            likeness = _likeness(run)
            if likeness in known or run.turns_begun > SKIPPED_TURNS:
                continue
            known.add(likeness)
            fired = way.fired + tuple(
                one for one in onward.fired if (one.machine, one.row.id) in tells
            )
            step = model.enclosing(run.state, "step")
            if step is None or model.state(run.state).role != "begin":
                queue.append(Way(run, fired))
                continue
            after = copy(run)
            after.turns_begun = 0
            yield Begun(step, after, run.turns_begun, after.key, fired)


def _likeness(run: Run) -> Hashable:
    """Return what makes a difference between runs in a search: not how often a step has repeated
    its stages.
    """
    twin = copy(run)
    twin.tallies = ()
    return twin.key
