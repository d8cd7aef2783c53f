"""A table of where answers lead in the games of one Model. Each step is computed once for all
positions alike to it.

A position is a `Place` of the turn together with what is `Inside`: priority, the state of the
window, and the facts that stay true. An answer inside a window needs no more of the turn than the
tests of the window read. Of the facts that stay true, a step needs only those that it may read or
set. So few steps are computed for many positions.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from fsm.analysis.modelchecking.candidateorders import pending
from fsm.analysis.modelchecking.equivalencekey import EquivalenceKey
from fsm.engine.answers import game_facts, latched_facts
from fsm.engine.requesting import SILENT_LIMIT, endless, position_of, request_of
from fsm.engine.requests import Over, Request, Signal
from fsm.engine.semantics import CLOSED, DONE, TURN, WINDOW, Row, Semantics, semantics_of
from fsm.engine.wait_points import wait_points_of
from fsm.errors import FsmError
from fsm.model import Model
from fsm.model.permodel import per_model
from fsm.state.agenda import Agenda
from fsm.state.entries import Occurrence
from fsm.state.orders import Order
from fsm.state.primitives import ACTIONS, TESTS, holds
from fsm.state.run import Run
from fsm.state.scheduling import apply

Told = tuple[tuple[str, bool], ...]
"""The facts of an answer."""
_Source = tuple[str, str, str]
"""A machine, "turn" or "window", a state of it, and an event."""
Numbers = dict[Hashable, int]
"""Numbers of values, from 0, in the order in which they came."""


class Inside(NamedTuple):
    """What is inside a place: the state of its window or "", priority, and the facts that stay true
    as a bit mask.
    """

    frame: str
    holder: str
    passed: tuple[str, ...]
    latched: int


class Asked(NamedTuple):
    """What can be observed of a request, apart from where the game stands."""

    kind: type[Request | Over]
    action: str
    players: tuple[str, ...]


class InWindow(NamedTuple):
    """Where an answer leads inside a window, and what is asked there, or None if the window closes."""

    inside: Inside
    number: int
    asked: Asked | None


class _Landing(NamedTuple):
    """Where a step leads: the facts in `kept` stay as they were, and those in `added` are true."""

    place: int
    asked: Asked
    frame: str
    holder: str
    passed: tuple[str, ...]
    kept: int
    added: int


@dataclass(slots=True, eq=False)
class Place:
    """A place of the turn.

    Attributes
    ----------
    number
        Its number.
    run
        A run that stands here. What is inside it has no meaning.
    alike
        A number that is equal for places whose games go on in the same ways.
    window
        A number that is equal for places whose windows are the same inside. It is negative if
        nothing is known of that.
    where
        Where the game stands, as players see it.
    scheduled
        How many turns, phases and steps are added or skipped.
    busy
        Whether phases or steps are added or interrupted, and whether any are skipped.
    """

    number: int
    run: Run
    alike: int
    window: int
    where: tuple[object, ...]
    scheduled: int
    busy: tuple[bool, bool]

    @property
    def turn(self) -> int:
        """The number of the turn."""
        return self.run.agenda.turn


class Position(NamedTuple):
    """A place, the number of what is inside, and what is asked there."""

    place: Place
    inside: int
    asked: Asked


class _Needs(NamedTuple):
    """What a step depends on: the latched facts that it may read or set, as a mask, and all facts
    that it may read.

    `side` is 0 if the same transitions can fire as in the other table.
    """

    latched: int
    facts: frozenset[str]
    side: int


@dataclass(slots=True)
class _Found:
    """What tables have found out: positions, what is asked there, and steps."""

    places: list[Place] = field(default_factory=list)
    place_numbers: Numbers = field(default_factory=dict)
    alike: Numbers = field(default_factory=dict)
    windows: Numbers = field(default_factory=dict)
    insides: list[Inside] = field(default_factory=list)
    inside_numbers: Numbers = field(default_factory=dict)
    asked: dict[tuple[int, str, str], Asked] = field(default_factory=dict)
    ordered: dict[tuple[int, int], int | None] = field(default_factory=dict)
    steps: dict[Hashable, _Landing | None] = field(default_factory=dict)
    in_window: dict[Hashable, InWindow | None] = field(default_factory=dict)
    at_once: dict[Hashable, Inside | None] = field(default_factory=dict)


class StepTable:
    """The steps of the games of one Model.

    Parameters
    ----------
    model
        The Model.
    orders
        The orders that answers can give. They are named by their numbers, and they change nothing
        but the agenda.
    found
        What is found out of positions and steps. Tables may share it, as `tables_of` says.
    other
        The Model of the other table that shares it.
    """

    def __init__(
        self, model: Model, orders: tuple[Order, ...], found: _Found, other: Model | None = None
    ) -> None:
        self.model, self.orders = model, orders
        self.facts = frozenset(game_facts(model))
        self._semantics: Semantics = semantics_of(model)
        self._points = wait_points_of(model)
        self._key = EquivalenceKey(model)
        latched = sorted(
            {f.name for m in model.machines.values() for f in m.facts if f.timing == "latched"}
        )
        self._bits = {name: 1 << number for number, name in enumerate(latched)}
        self._reported = latched_facts(model)
        self._asks = window_tests(model)
        self._finals = (
            {s.id for s in model.window.leaves if s.kind == "final"} if model.window else set[str]()
        )
        self._needs: dict[Hashable, _Needs] = {}
        self._found = found
        self._other = semantics_of(other).rows if other is not None else {}
        self._side = 0 if other is None else 1
        every = dict.fromkeys((*self._semantics.rows, *self._other))
        self._window_sources = [source for source in every if source[0] == WINDOW]
        self._window_side = self._side and self._side_of(self._window_sources)

    # positions ------------------------------------------------------------------------------------

    def position(self, run: Run) -> Position:
        """Return the position of a run."""
        place, inside = (
            self._place(run),
            Inside(run.frame, run.holder, run.passed, self._mask(run.latched)),
        )
        return Position(place, self._number(inside), self._asked(place, run.frame, run.holder))

    def asked(self, place: Place, inside: int) -> Asked:
        """Return what is asked there."""
        return self._asked(
            place, self._found.insides[inside].frame, self._found.insides[inside].holder
        )

    def facts_asked(self, place: Place, inside: int) -> tuple[str, ...]:
        """Return the names of the facts that an answer there may have to tell."""
        point = self._points.at(place.run.state, self._found.insides[inside].frame)
        added, skips = place.busy
        return point.facts[added or (skips and point.state.role == "end")]

    def shares_windows(self, inside: int) -> bool:
        """Say whether this is inside a window, and plain answers there depend on `Place.window`
        alone.
        """
        return self._asks is not None and self._found.insides[inside].frame != ""

    def _asked(self, place: Place, frame: str, holder: str) -> Asked:
        """Return what is asked there. It raises StuckError if nothing is."""
        key = (place.window, frame, holder)
        found = self._found.asked.get(key)
        if found is None:
            run = place.run.copy()
            run.frame, run.holder = frame, holder
            request = request_of(run, self._points.at(run.state, frame).state, (), position_of(run))
            action, players = getattr(request, "action", ""), getattr(request, "players", ())
            found = self._found.asked[key] = Asked(type(request), action, players)
        return found

    def _number(self, inside: Inside) -> int:
        number = self._found.inside_numbers.setdefault(inside, len(self._found.insides))
        if number == len(self._found.insides):
            self._found.insides.append(inside)
        return number

    def _place(self, run: Run) -> Place:
        agenda = run.agenda
        alike = self._found.alike.setdefault(
            (run.state, self._key.key(agenda)), len(self._found.alike)
        )
        key = alike, _further(agenda)
        number = self._found.place_numbers.get(key)
        if number is not None:
            return self._found.places[number]
        number = self._found.place_numbers[key] = len(self._found.places)
        at, seen = position_of(run), self._window(run)
        place = Place(
            number,
            run.copy(),
            alike,
            -number - 1
            if seen is None
            else self._found.windows.setdefault(seen, len(self._found.windows)),
            (at.turn, at.active, at.controller, at.extra, at.phase, at.step, at.iteration),
            sum(pending(agenda)),
            (
                bool(agenda.extras or agenda.returns_phase or agenda.returns_step),
                bool(agenda.skips),
            ),
        )
        self._found.places.append(place)
        return place

    def _window(self, run: Run) -> Hashable:
        """Return all that matters inside a window of what is outside of it, or None if there is no
        such window here.
        """
        if self._asks is None or self._semantics.kinds[TURN, run.state] != "window":
            return None
        a = run.agenda
        values = tuple([TESTS[name].run(run, *args) for name, *args in self._asks])
        return values, a.active, a.left, a.reversed, a.appointed

    def _mask(self, latched: frozenset[str]) -> int:
        return sum(map(self._bits.__getitem__, latched)) if latched else 0

    # steps ----------------------------------------------------------------------------------------

    def plain(self, place: Place, inside: int, word: str, told: Told) -> Position | None:
        """Return where an answer without effects leads, or None if the game refuses it or cannot go
        on.
        """
        if not self.shares_windows(inside):
            return self._landed(place, self._with(inside, told), word, told)
        after = self.in_window(place, inside, word, told)
        return None if after is None else self.leaving_window(place, after, told)

    def in_window(self, place: Place, inside: int, word: str, told: Told) -> InWindow | None:
        """Return where an answer leads inside a window that shares its steps, and whether the
        window closes there.
        """
        key = (self._window_side, place.window, inside, word, told)
        try:
            return self._found.in_window[key]
        except KeyError:
            found = self._found.in_window[key] = self._moved_inside(
                place, self._with(inside, told), word, told
            )
            return found

    def leaving_window(self, place: Place, after: InWindow, told: Told) -> Position | None:
        """Return the position after what `in_window` has returned."""
        if after.asked is None:
            return self._landed(place, after.inside, CLOSED, told)
        return Position(place, after.number, after.asked)

    def ordered(self, place: Place, order: int) -> Place | None:
        """Return the place after an order is carried out, or None if it is refused."""
        key = (place.number, order)
        if key not in self._found.ordered:
            run = place.run.copy()
            try:
                apply(self.orders[order], run)
                self._found.ordered[key] = self._place(run).number
            except FsmError:
                self._found.ordered[key] = None
        number = self._found.ordered[key]
        return None if number is None else self._found.places[number]

    def signalled(
        self, place: Place, inside: int, word: str, told: Told, event: str
    ) -> Position | None:
        """Return where an answer with a signal leads, or None if the game refuses it or cannot go
        on.
        """
        here = self._with(inside, told)
        if not self.shares_windows(inside):
            return self._landed(place, here, word, told, event)
        key = (self._window_side, place.window, here, word, told)
        try:
            mid = self._found.at_once[key]
        except KeyError:
            mid = self._found.at_once[key] = self._moved_at_once(place, here, word, told)
        return None if mid is None else self._landed(place, mid, "", told, event)

    def _with(self, inside: int, told: Told) -> Inside:
        """Return the inside with those of the told facts that stay true."""
        found = self._found.insides[inside]
        latches = frozenset([name for name, value in told if value and name in self._reported])
        return found._replace(latched=found.latched | self._mask(latches)) if latches else found

    def _moved_inside(self, place: Place, inside: Inside, word: str, told: Told) -> InWindow | None:
        if (WINDOW, inside.frame, word) not in self._semantics.rows:
            return None
        run = self._standing(place, inside, told)
        run.latched = self._names(inside.latched)
        try:
            self._semantics.microstep(run, WINDOW, word, holds, _ignore)
            self._semantics.macrostep(run, holds, _ignore, lambda run: run.frame in self._finals)
            closes = run.frame in self._finals
            asked = None if closes else self._asked(place, run.frame, run.holder)
        except FsmError:
            return None
        after = Inside("" if closes else run.frame, run.holder, run.passed, self._mask(run.latched))
        return InWindow(after, self._number(after), asked)

    def _moved_at_once(self, place: Place, inside: Inside, word: str, told: Told) -> Inside | None:
        """Return the inside after the transition of a word, before any that needs no answer."""
        run = self._standing(place, inside, told)
        run.latched = self._names(inside.latched)
        try:
            self._semantics.microstep(run, WINDOW, word, holds, _ignore)
        except FsmError:
            return None
        return Inside(run.frame, run.holder, run.passed, self._mask(run.latched))

    def _landed(
        self, place: Place, inside: Inside, word: str, told: Told, event: str = ""
    ) -> Position | None:
        frame, holder, passed, latched = inside
        reads, tells, side = self._needed(place.run.state, frame, word, event)
        if word == CLOSED:
            told = tuple([one for one in told if one[0] in tells])
        key = (side, place.number, frame, holder, passed, latched & reads, word, told, event)
        try:
            landing = self._found.steps[key]
        except KeyError:
            run = self._standing(place, inside, told)
            run.latched = self._names(latched | ~reads)
            try:
                self._go_on(run, word, event)
                after = self._place(run)
                asked, now = self._asked(after, run.frame, run.holder), self._mask(run.latched)
                landing = _Landing(
                    after.number,
                    asked,
                    run.frame,
                    run.holder,
                    run.passed,
                    now & ~reads,
                    now & reads,
                )
            except FsmError:
                landing = None
            self._found.steps[key] = landing
        if landing is None:
            return None
        number, asked, frame, holder, passed, kept, added = landing
        return Position(
            self._found.places[number],
            self._number(Inside(frame, holder, passed, latched & kept | added)),
            asked,
        )

    def _go_on(self, run: Run, word: str, event: str) -> None:
        """Process a word, and a signal if there is one, up to the next request."""
        code, idle = self._points.code, run.agenda.idle
        if event:
            if word:
                self._semantics.microstep(run, WINDOW if run.frame else TURN, word, holds, _ignore)
            self._semantics.signal(run, Signal(event), holds, _ignore)
            self._semantics.macrostep(run, holds, _ignore)
            return
        if run.frame:
            functions, here = code.idle_window if idle else code.window, run.frame
        else:
            functions, here = code.idle_turn if idle else code.turn, run.state
        following = functions.get((here, word))
        if following is None:
            raise FsmError(f"no answer in {here!r} is {word!r}")
        for _ in range(SILENT_LIMIT):
            following = following(run)
            if following is None:
                return
        raise endless()

    def _standing(self, place: Place, inside: Inside, told: Told) -> Run:
        run = place.run.copy()
        run.frame, run.holder, run.passed, run.told = (
            inside.frame,
            inside.holder,
            inside.passed,
            dict(told),
        )
        return run

    def _names(self, mask: int) -> frozenset[str]:
        return frozenset([name for name, bit in self._bits.items() if mask & bit])

    # what steps need ------------------------------------------------------------------------------

    def _needed(self, state: str, frame: str, word: str, event: str) -> _Needs:
        """Return what the step of a word, and of a signal, depends on."""
        key = (state, frame, word, event)
        found = self._needs.get(key)
        if found is None:
            starts = [(WINDOW, frame, word) if frame else (TURN, state, word)]
            if event:
                starts += [(TURN, state, event), (TURN, state, CLOSED)]
                starts += self._window_sources
            found = self._needs[key] = self._found_needed(state, starts)
        return found

    def _found_needed(self, state: str, starts: list[_Source]) -> _Needs:
        names, latched = set[str](), set[str]()
        sources = tuple(_sources_ahead(self._semantics, state, starts))
        for source in sources:
            for row in self._semantics.rows.get(source, ()):
                names.update(term.fact for term in row.transition.guard)
                for action in row.transition.actions:
                    if action.name == "latch":
                        latched.add(action.args[0])
                    elif action.name != "clear" and "latched" in _written(action.name, action.args):
                        latched.update(self._bits)
        mask = self._mask(frozenset(latched | names & self._bits.keys()))
        return _Needs(mask, frozenset(names), self._side and self._side_of(sources))

    def _side_of(self, sources: Iterable[_Source]) -> int:
        """Return 0 if the transitions of these sources are those of the other Model."""
        own, other = self._semantics.rows, self._other
        return int(
            any(
                _effective(own.get(source, ())) != _effective(other.get(source, ()))
                for source in sources
            )
        )


def tables_of(a: Model, b: Model, orders: tuple[Order, ...]) -> tuple[StepTable, StepTable]:
    """Return the tables of two Models.

    If the Models differ in nothing but transitions, the tables share what they find out. A step
    that the same transitions decide is computed once for both.
    """
    found = _Found()
    if window_tests(a) == window_tests(b) and _frame(a) == _frame(b):
        return StepTable(a, orders, found), StepTable(b, orders, found, a)
    return StepTable(a, orders, found), StepTable(b, orders, _Found())


def _effective(rows: Iterable[Row]) -> list[tuple[object, ...]]:
    """Return what transitions read and do."""
    return [(t.target, t.guard, t.actions) for t in (row.transition for row in rows)]


def _frame(model: Model) -> tuple[object, ...]:
    """Return all of a Model that a run reads, but for its transitions."""
    parts = [
        (m.states, m.facts, m.initial, m.signals, m.leaving, m.durations)
        for m in model.machines.values()
    ]
    return (model.settings, *parts)


def _sources_ahead(semantics: Semantics, state: str, starts: list[_Source]) -> Iterator[_Source]:
    """Yield where transitions may fire before the next request, as machine, source and event."""
    model, kinds = semantics.model, semantics.kinds
    todo, seen = [(*start, state) for start in starts], set[tuple[str, str, str, str]]()
    while todo:
        place = todo.pop()
        if place in seen:
            continue
        seen.add(place)
        machine, source, event, here = place
        yield machine, source, event
        for row in semantics.rows.get((machine, source, event), ()):
            target = source if row.transition.target is None else row.transition.target
            within = here
            if machine == TURN and kinds[TURN, target] == "window" and model.window is not None:
                to, within = (WINDOW, model.window.initial), target
            else:
                to = (machine, target)
            if kinds[to] == "final" and to[0] == WINDOW:
                todo.append((TURN, within, CLOSED, within))
            elif kinds[to] in ("choice", "stage"):
                todo.append((*to, DONE, within))


_INSIDE = frozenset({"holder", "passed", "latched"})
_OUTSIDE = frozenset({"players", "teams", "left", "settings"})
"""What the tests of a window may read beside what is inside: it is the same in all places with one
`Place.window`.
"""


@per_model
def window_tests(model: Model) -> tuple[tuple[str, ...], ...] | None:
    """Return the tests of a window whose values it has from outside. It is None if more than these
    may matter to it.
    """
    if model.window is None:
        return None
    for row in model.window.transitions:
        if not all(_written(action.name, action.args) <= _INSIDE for action in row.actions):
            return None
    found = []
    for fact in model.window.facts:
        if not fact.test:
            continue
        name, *args = fact.test
        reads = TESTS[name].fields_read(tuple(args)) if name in TESTS else None
        if reads is None:
            return None
        if reads.isdisjoint(_INSIDE | {"frame", "told"}):
            found.append(fact.test)
        elif not reads <= _INSIDE | _OUTSIDE:
            return None
    return tuple(dict.fromkeys(found))


def _written(action: str, args: tuple[str, ...]) -> frozenset[str]:
    """Return what an action may change: also what nobody knows, if it does not say."""
    fields = ACTIONS[action].fields_written(args) if action in ACTIONS else None
    return frozenset({"latched", "anything"}) if fields is None else fields


def _further(a: Agenda) -> Hashable:
    """Return what `EquivalenceKey` leaves out, and what is observed of it now or later."""
    return (
        sorted_names(a),
        a.candidate_turn,
        a.candidate_turn_extra,
        a.candidate_turn_label,
        a.candidate_phase,
        a.candidate_step,
        a.decider,
        a.appointed,
        a.missed,
        a.turns_taken,
        a.own_turns,
        _iteration(a.current_phase),
        _iteration(a.current_step),
        tuple([(_iteration(s.phase), _iteration(s.step)) for s in a.suspended]),
    )


def sorted_names(a: Agenda) -> tuple[tuple[str, str, str], ...]:
    """Return what has begun this turn, without its order."""
    return tuple(sorted([(o.level, o.name, o.family) for o in a.begun]))


def _iteration(o: Occurrence | None) -> int:
    return 0 if o is None else o.iteration


def _ignore(fired: object) -> None:
    pass
