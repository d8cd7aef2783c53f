"""Is a recorded game a run of the Model? Follow what was seen; what lies between must be a silent path.

All places where the game can be are kept, each a run of the Model in which nothing unseen has happened:
no extra, no skip by an effect, no jump, unless that layer is allowed. A step passes unseen only where the
record has a hole, or, in a record that shows no more than who may act, when nobody may act in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby
from typing import TypeAlias

from fsm.arena import ArenaLog, Observation
from fsm.errors import FsmError, suggest
from fsm.explaining import EXPLAINING, additions, affected, cause, omissions, spent
from fsm.model import Model, State
from fsm.orders import Order
from fsm.run import Run
from fsm.silent import Paths, Way, likeness
from fsm.trace import Record

TURNS_IN_A_DAMAGED_LINE = 2
EFFECTS_BETWEEN = 3
"""How many effects of the allowed layers may have happened between two observations."""

Place: TypeAlias = tuple[State, int, str]
"""What begins (a turn or step), in which turn, of whom."""
_Trial: TypeAlias = tuple[tuple[Order, ...], list[Way], list[Order]]


@dataclass(slots=True)
class Visit:
    """One visit of a step, as scenarios count them; `priority`: did anybody get it."""

    turn: int
    active: str
    extra: bool
    phase: str
    step: str
    iteration: int
    priority: bool = False


@dataclass(frozen=True, slots=True)
class Refusal:
    """The first thing seen that no run of the Model can show there.

    `seen` and each of `expected` are phrases ("upkeep in turn 2 of seat 1"); `hint` says what would explain it, or "".
    """

    line: int
    seen: str
    expected: list[str]
    hint: str = ""

    def __str__(self) -> str:
        could = "; ".join(self.expected) or "nothing: the model has a hole here"
        hint = f" ({self.hint})" if self.hint else ""
        return f"line {self.line}: seen {self.seen}; could have come: {could}{hint}"


@dataclass(slots=True)
class Conformance:
    """What following a record came to. `ok`: all of it is a run of the Model (`refusal` is None).

    `read` counts lines (of a log) or observations (else), `skipped_lines` the damaged ones among them,
    `games` and `turns` what was followed; `joined` says that the record begins in the middle of a game.
    `visits` and `records` are the steps and the firings, unless they were handed out while following.
    """

    turns: int = 0
    games: int = 0
    read: int = 0
    skipped_lines: int = 0
    joined: bool = False
    refusal: Refusal | None = None
    visits: list[Visit] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Is everything that was seen a run of the Model?"""
        return self.refusal is None


def conform(model: Model, observations: Iterable[Observation], *, allow: Iterable[str] = ()) -> Conformance:
    """Follow a record through the Model, up to the first refusal, and keep all its visits.

    `allow` names layers ("extra", "skip", "jump") whose effects the game may have had. For a record of
    any length in flat memory, iterate `Follower.follow` instead. Raises LogError as the log does.
    """
    follower = Follower(model, allow=allow)
    records = list(follower.follow(observations))
    follower.result.records = records
    follower.result.visits = list(visits(records, model))
    return follower.result


class Follower:
    """Follows one record; `result` is what it has come to so far, `game` the game under way."""

    def __init__(self, model: Model, *, allow: Iterable[str] = ()) -> None:
        self.model, self.allow = model, tuple(allow)
        for layer in self.allow:
            if layer not in EXPLAINING:
                raise FsmError(f"layer {layer!r} cannot be allowed{suggest(layer, EXPLAINING)}")
        self.paths = Paths(model)
        self.result = Conformance()
        self.game = 0
        self._ways: list[Way] = []
        self._counted = (0, 0)

    def follow(self, observations: Iterable[Observation]) -> Iterator[Record]:
        """The firings of the run, as soon as they are certain; stops at the first refusal."""
        for count, seen in enumerate(observations, 1):
            self._note(observations, count)
            if seen.game != self.game:
                yield from self._flush()
                self._start(seen)
            self._take(seen)
            if self.result.refusal is not None:
                break
            if len(self._ways) == 1 or seen.level == "turn":
                yield from self._flush()
        else:
            self._note(observations, self.result.read)
        yield from self._flush()

    def by_game(self, observations: Iterable[Observation]) -> Iterator[tuple[int, Iterator[Record]]]:
        """The same, game by game: each game's number and its firings."""
        return groupby(self.follow(observations), key=lambda _: self.game)

    def _note(self, observations: Iterable[Observation], count: int) -> None:
        log = observations if isinstance(observations, ArenaLog) else None
        self.result.read = log.read if log else count
        self.result.skipped_lines = log.skipped_lines if log else 0

    def _start(self, seen: Observation) -> None:
        self.game = seen.game
        self.result.games += 1
        self.result.joined |= seen.joined
        seats = sorted({*seen.seats, seen.seat} - {0})
        first = seats.index(seen.seat) if seen.seat else 0
        run = self.paths.start(f"seat {seat}" for seat in seats[first:] + seats[:first])
        run.agenda.turn = seen.turn - 1 if seen.joined else 0
        self._ways = [Way(run)]

    def _flush(self) -> Iterator[Record]:
        """Hand out the way taken since the last time; where several are left they look alike."""
        for record in self._ways[0].records if self._ways else ():
            if record.turn and (self.game, record.turn) != self._counted:
                self._counted = (self.game, record.turn)
                self.result.turns += 1
            yield record
        self._ways = [Way(way.run) for way in self._ways]

    # one observation ---------------------------------------------------------------------------------

    def _take(self, seen: Observation) -> None:
        search = _Search(self.paths, seen)
        found = search.run(self._ways)
        if not found and self.allow:
            found, _ = self._explained(search, self.allow, EFFECTS_BETWEEN)
        if not found:
            self.result.refusal = self._refuse(seen, search)
        elif seen.joined:
            found = [Way(way.run, way.records[-1:]) for way in found]
        self._ways = found or self._ways

    def _refuse(self, seen: Observation, search: _Search) -> Refusal:
        expected = [_phrase(*place) for place in search.expected]
        return Refusal(seen.line, describe(seen), expected, self._hint(seen, search))

    def _hint(self, seen: Observation, search: _Search) -> str:
        steps = [s.name for s in self.model.of_kind("step")]
        if seen.level == "step" and seen.step not in steps:
            word = seen.step or seen.word
            return f"{word!r} is no step of {self.model.name}{suggest(word, steps) if seen.step else ''}"
        for layer in (layer for layer in EXPLAINING if layer not in self.allow):
            found, orders = self._explained(search, (layer,), 1)
            if found:
                return f"{cause(orders)} would explain it: allow the layer {layer!r}"
        return f"{self.result.skipped_lines} damaged lines were skipped before" if self.result.skipped_lines else ""

    # effects of the layers allowed -------------------------------------------------------------------

    def _explained(self, failed: _Search, layers: Sequence[str], most: int) -> tuple[list[Way], tuple[Order, ...]]:
        """Where the game can be after the fewest effects (or one jump), and these effects."""
        seen = failed.seen
        if "jump" in layers and (found := _Search(self.paths, seen, jumps=True).run(self._ways)):
            return found, ()
        tried: list[_Trial] = [((), self._ways, list(self._orders(failed, layers)))]
        known = set(failed.expected)
        for _ in range(most):
            tries = [((*orders, order), ways, order) for orders, ways, onward in tried for order in onward]
            tried = []
            for orders, ways, order in tries:
                search, ways = _Search(self.paths, seen), [replace(w, run=affected(w.run, order)) for w in ways]
                if found := [way for way in search.run(ways) if spent(way.run)]:
                    return found, orders
                further = _skips(self.model, (place for place in search.expected if place not in known))
                tried.append((orders, ways, further if "skip" in layers else []))
                known |= search.expected.keys()
        return [], ()

    def _orders(self, search: _Search, layers: Sequence[str]) -> Iterator[Order]:
        """Effects that lead to what was seen, or past what else could have come."""
        players = [side[0] for side in self._ways[0].run.agenda.sides]
        if "extra" in layers:
            active = f"seat {search.seen.seat}"
            yield from additions(self.model, search.seen.step, active if active in players else "")
        if "skip" in layers:
            yield from _skips(self.model, search.expected)


def _skips(model: Model, places: Iterable[Place]) -> list[Order]:
    return list(dict.fromkeys(chain.from_iterable(omissions(model, begins, active) for begins, _, active in places)))


class _Search:
    """The silent paths from some places to what was seen next."""

    def __init__(self, paths: Paths, seen: Observation, *, jumps: bool = False) -> None:
        self.paths, self.seen, self.jumps = paths, seen, jumps
        self.hole = bool(seen.damaged) or seen.joined
        self.expected: dict[Place, None] = {}

    def run(self, starts: list[Way]) -> list[Way]:
        """Breadth first; a place is visited once. `quiet`: in the step passed unseen nobody may act."""
        found: dict[object, Way] = {}
        queue = [(way, False) for way in starts]
        known: set[object] = set()
        last = max(way.run.agenda.turn for way in starts) + 1 + TURNS_IN_A_DAMAGED_LINE * self.seen.damaged
        for way, quiet in queue:
            for onward in self.paths.onward(way.run, jumps=self.jumps):
                here = Way(onward.run, (*way.records, *onward.records))
                begins = self.paths.begins(here.run)
                if begins is not None and self._matches(begins, here.run):
                    found.setdefault(likeness(here.run), here)
                    continue
                passes = begins is None or self._passes(begins, here.run)
                silent = quiet if begins is None or begins.kind != "step" else not self.hole
                key = (likeness(here.run), silent)
                if passes and not (quiet and onward.acted) and key not in known and here.run.agenda.turn <= last:
                    known.add(key)
                    queue.append((here, silent))
        return list(found.values())

    def _matches(self, begins: State, run: Run) -> bool:
        seen, agenda = self.seen, run.agenda
        if begins.kind != seen.level or seen.turn not in (0, agenda.turn):
            return False
        if seen.seat and agenda.active != f"seat {seen.seat}":
            return False
        return begins.name in {"turn": (begins.name,), "phase": (seen.phase,), "step": (seen.step,)}[seen.level]

    def _passes(self, begins: State, run: Run) -> bool:
        """May this begin unseen? If not, it is what could have come."""
        if begins.kind == "phase" or (begins.kind == "turn" and self.seen.level != "turn"):
            return True
        self.expected.setdefault((begins, run.agenda.turn, run.agenda.active))
        return self.hole or (begins.kind == "step" and not self.seen.complete)


def _phrase(begins: State, turn: int, active: str) -> str:
    return phrase(begins.name if begins.kind == "step" else "", turn, active)


def describe(seen: Observation) -> str:
    """What was seen, in words."""
    word = seen.step or (f"the {seen.phase} phase" if seen.phase else repr(seen.word))
    return phrase("" if seen.level == "turn" else word, seen.turn, f"seat {seen.seat}" if seen.seat else "")


def phrase(step: str, turn: int, active: str) -> str:
    """A step, or the beginning of a turn (step ""), in words; turn 0 and active "" are not known."""
    where = (f" in turn {turn}" if turn else "") + (f" of {active}" if active else "")
    return f"{step}{where}" if step else f"the beginning of{where.removeprefix(' in').removeprefix(' of') or ' a turn'}"


def visits(records: Iterable[Record], model: Model) -> Iterator[Visit]:
    """The steps visited on the way, in order; each is complete when the next one comes."""
    window = {s.id: s.asks for s in model.window.states} if model.window else {}
    here: Visit | None = None
    for record in records:
        if record.machine == "window":
            if here is not None:
                here.priority |= window.get(record.target) == "priority"
        elif record.step and model.state(record.target).role == "begin":
            if here is not None:
                yield here
            here = Visit(record.turn, record.active, record.extra, record.phase, record.step, record.iteration)
    if here is not None:
        yield here
