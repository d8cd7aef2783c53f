"""How a game begins: at its first turn, or with a step in the middle of a later one.

Turns that come before are passed over from the transition that begins a turn to the one that ends
it. The turn itself is played quietly as far as the step. So only the Model says which steps come
before, and what is remembered of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from itertools import chain

from fsm.engine.automaton import Automaton, Edge
from fsm.engine.requests import check_facts
from fsm.engine.semantics import SILENT_LIMIT, TURN, WINDOW, Fired, NothingFires, Semantics, Told
from fsm.errors import FsmError, OrderError, shown
from fsm.model.fieldtypes import misfit
from fsm.state.calendar import NO_ENTRIES, Calendar
from fsm.state.orders import Interruption, Leave, Order
from fsm.state.run import Run
from fsm.state.scheduling import Scheduler
from fsm.state.setup import Players, StartAt, first_run

MOST_TURNS = 10_000
"""A game starts at most in this turn."""


def begun(
    automaton: Automaton,
    players: Players,
    teams: Sequence[Sequence[str]] = (),
    settings: Mapping[str, bool] | None = None,
    orders: tuple[Order, ...] = (),
    start: StartAt | None = None,
) -> tuple[Edge, Calendar]:
    """Begin a game. Return where it waits first, and its calendar. Games that differ in nothing but
    the names of their players begin alike.

    Raises FsmError or OrderError if something does not fit the model.
    """
    usual = not (teams or settings or orders or start)
    if usual and len(players) in automaton.starts:
        return automaton.starts[len(players)], NO_ENTRIES
    run = first_run(automaton.model, players, teams, settings or {})
    told = Told()
    if start is not None:
        _check(automaton.semantics, players, start)
        told = Told({**automaton.semantics.quiet, **start.facts})
        run = _Search(automaton.semantics, start, told).found(run, players)
    calendar = _ordered(automaton, run, players, orders) if orders else NO_ENTRIES
    edge = automaton.start(run, told)
    if usual:
        automaton.starts[len(players)] = edge
    return edge, calendar


def _ordered(
    automaton: Automaton, run: Run, players: Players, orders: tuple[Order, ...]
) -> Calendar:
    """Give the orders that are in force as a game begins. Return the calendar after them."""
    for order in orders:
        if isinstance(order, Leave | Interruption):
            remedy = "the players out of it" if isinstance(order, Leave) else "the order out"
            text = f"{order!r} needs a turn, and none is under way before the game"
            raise OrderError(f"{text}: leave {remedy}")
    scheduler = Scheduler(automaton.semantics.names, run, NO_ENTRIES, players)
    scheduler.give(orders, "orders")
    return scheduler.calendar


def _check(semantics: Semantics, players: Players, start: StartAt) -> None:
    """Raise FsmError if a start names what is not there."""
    if not isinstance(start, StartAt):
        raise FsmError(f"start must be a StartAt, not {shown(start)}")
    model = semantics.model
    wrong = misfit(start)
    if not wrong and not 1 <= start.turn <= MOST_TURNS:
        wrong = f"a game starts in turn 1 to {MOST_TURNS}, not in turn {shown(start.turn)}"
    if wrong:
        raise FsmError(wrong, place="start")
    check_facts(start.facts, model, semantics.facts, "start.facts")
    steps = [state.name for state in model.of_kind("step")]
    for kind, name, known in ("step", start.step, steps), ("player", start.player, players):
        if name and name not in known:
            text = f"{kind} {shown(name)}, with which the game starts, is unknown"
            kind, place = f"unknown-{kind}", f"start.{kind}"
            raise FsmError(text, kind=kind, place=place, found=name, known=known, limit=20)


class _Search:
    """Looks for the beginning of a step in a turn that is quiet, but for facts."""

    def __init__(self, semantics: Semantics, start: StartAt, told: Told) -> None:
        self.semantics = semantics
        self.model = semantics.model
        self.start = start
        self.told = told
        self.ends = [row.source for row in self.model.transitions if "end_turn" in row.actions]
        steps = [step for step in self.model.of_kind("step") if start.step in ("", step.name)]
        self.steps = {step.id for step in steps}
        self.latches = {name for name in semantics.latching if start.facts.get(name)}
        tells = [state.tells for state in semantics.states.values()]
        self.asked = set(chain.from_iterable(tells))  # other facts can be told anywhere
        self.read = dict[str, None]()
        self.used = set[str]()
        self.left_out = ""

    def found(self, run: Run, players: Players) -> Run:
        """Return the run just before the step begins."""
        start = self.start
        for _ in range(start.turn - 1):
            self._begin_turn(run)
        if start.player:
            run.natural = (run.side_of(players.index(start.player)) - 1) % len(run.sides)
        self._begin_turn(run)
        active = players[run.head(run.active)]
        found = self._through_turn(run)
        if found is None:
            where = f"step {start.step!r} does not begin in turn {start.turn}, that of {active}"
            raise FsmError(f"{where}{self._why_not()}")
        self._check_told(found)
        found.moments = found.results = ()
        return found

    def _check_told(self, run: Run) -> None:
        """Raise FsmError if a fact was given that no game has told by now, or to no effect."""
        for fact in sorted(self.latches - self.used - run.latched):
            step = self.start.step or "the first step"
            text = f"no game has told {fact!r} when {step!r} begins in turn {self.start.turn}"
            remedy = "leave the fact out, or start later"
            raise FsmError(text, kind="early-fact", place="start.facts", found=fact, remedy=remedy)

    def _begin_turn(self, run: Run) -> None:
        """Let the turn under way end where it stands, and the next one begin. No phase or step is
        played.
        """
        if run.current is not None:
            if not self.ends:
                text = f"{self.model.name} has no transition that ends a turn"
                raise FsmError(f"{text}, so that no turn follows another", place="start.turn")
            run.frame = ""
            run.state = self.ends[0]
        run.moments, turns = (), run.turns_begun  # else they grow with the turns
        for _ in self._quietly(run, Told(self.semantics.quiet)):
            if run.turns_begun > turns:
                return
        raise FsmError(f"no turn of {self.model.name} begins", place="start")

    def _quietly(self, run: Run, told: Told) -> Iterator[Fired]:
        """Fire one transition after another, as long as one can fire while nobody does anything."""
        semantics = self.semantics
        with suppress(NothingFires):
            for _ in range(SILENT_LIMIT):
                event = semantics.onward(run)
                if event is None:
                    words = semantics.waiting(run).words
                    if not words:
                        return
                    event = WINDOW if run.frame else TURN, words[-1]
                yield semantics.microstep(run, *event, told, [])

    def _through_turn(self, run: Run) -> Run | None:
        """Play the rest of a turn. Return where the step begins."""
        firings = self._quietly(run, self.told)
        while True:
            state = self.semantics.waiting(run)
            if state.kind == "action":
                run.latched |= self.latches - self.asked.difference(state.tells)
            before = copy(run)
            fired = next(firings, None)
            if fired is None or run.turns_begun > self.start.turn or run.current is None:
                return None
            self.used |= {name for name, value in fired.guards if value}
            if fired.machine == TURN and self._begins(fired):
                return before

    def _begins(self, fired: Fired) -> bool:
        """Say whether the step begins. If not, note what was read, and what leaves the step out."""
        row = fired.row.transition
        source = self.model.state(fired.source)
        target = self.model.state(fired.target)
        if target.role == "begin" and target.parent in self.steps:
            return True
        self.read |= dict.fromkeys(name for name, _ in fired.guards)
        if source.role == "before" and source.parent in self.steps:
            self.left_out = f": {row.doc or 'it is left out'} ({row.rule})"
        return False

    def _why_not(self) -> str:
        """Return why the step does not begin, or the facts of the turn that may change that."""
        of_turn = {fact.name for fact in self.model.facts if fact.owner == "game"}
        names = [name for name in self.read if name in of_turn - self.start.facts.keys()]
        tell = f": tell those of these facts that hold: {', '.join(names)}" if names else ""
        return self.left_out or f"{tell}; no game starts where only an event leads"
