"""How a game begins: at its first turn, or with a step in the middle of a later one.

Then the turns before are played quietly, and so is the turn itself as far as the step. So only the
Model says which steps come before, and what is remembered of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from itertools import chain
from typing import Any

from fsm.engine.automaton import Automaton, Edge
from fsm.engine.requests import check_facts
from fsm.engine.semantics import SILENT_LIMIT, TURN, Fired, Semantics, Told
from fsm.errors import FsmError, OrderError, shown
from fsm.model.valid import misfit
from fsm.state.calendar import NO_ENTRIES, Calendar
from fsm.state.orders import Interruption, Leave, Order
from fsm.state.run import NOBODY, Players, Run, StartAt, first_run
from fsm.state.scheduling import Scheduler

MOST_TURNS = 1_000
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
    semantics = automaton.semantics
    run = first_run(automaton.model, players, teams, settings or {})
    told = Told()
    if start is not None:
        _check(semantics, players, start)
        told.update({**semantics.quiet, **start.facts})
        run = _Search(semantics, players, start).found(run)
    for order in orders:
        if isinstance(order, Leave | Interruption):
            raise OrderError(f"{order!r} needs a turn, and none is under way yet; leave it out")
    scheduler = Scheduler(semantics.names, run, NO_ENTRIES, players)
    scheduler.give(orders, "orders")
    fired: list[Fired] = []
    semantics.macrostep(run, told, fired)
    edge = automaton.edge(run, fired)
    if usual:
        automaton.starts[len(players)] = edge
    return edge, scheduler.calendar


def _check(semantics: Semantics, players: Players, start: Any) -> None:
    """Raise FsmError if a start names what is not there."""
    model = semantics.model
    wrong = misfit(start) if isinstance(start, StartAt) else f"{shown(start)} is not a StartAt"
    if not wrong and not 1 <= start.turn <= MOST_TURNS:
        wrong = f"a game starts in turn 1 to {MOST_TURNS}, not in turn {shown(start.turn)}"
    if wrong:
        raise FsmError(wrong, place="start")
    check_facts(start.facts, model, semantics.facts, "start.facts")
    steps = ["", *(state.name for state in model.of_kind("step"))]
    FsmError.known_name("step", start.step, steps, model.name, "start.step")
    FsmError.known_name("player", start.player, ["", *players], "this game", "start.player")


class _Search:
    """Looks for the beginning of a step in a turn that is quiet, but for facts.

    `read` has the facts that were read in that turn, and whether one was true.
    """

    def __init__(self, semantics: Semantics, players: Players, start: StartAt) -> None:
        self.semantics = semantics
        self.players = players
        self.start = start
        self.latches = {name for name in semantics.latching if start.facts.get(name)}
        tells = [state.tells for state in semantics.states.values()]
        self.asked = set(chain.from_iterable(tells))  # other facts can be told anywhere
        self.read = dict[str, bool]()
        self.left_out = ""
        model = semantics.model
        steps = {step.id for step in model.of_kind("step") if start.step in ("", step.name)}
        self.roles = {state.id: state.role for state in model.states if state.parent in steps}

    def found(self, run: Run) -> Run:
        """Return the run just before the step begins, where this one leads quietly."""
        start = self.start
        told = Told(self.semantics.quiet)
        for _ in range(SILENT_LIMIT * start.turn):
            before = copy(run)
            fired = self._quietly(run, told)
            if fired is None or run.turns_begun > start.turn:
                break
            if run.turns_begun == start.turn:
                told.update(start.facts)
                if self._begins(fired):
                    return self._checked(before)
        raise FsmError(f"step {start.step!r} does not begin in turn {start.turn}{self._why_not()}")

    def _quietly(self, run: Run, told: Told) -> Fired | None:
        """Fire a transition, with the turn and the facts that are asked for."""
        start = self.start
        state = self.semantics.waiting(run)
        before_turn = run.turns_begun == start.turn - 1 and start.player
        if before_turn and (run.turn.current is not None or run.natural == NOBODY):
            run.natural = run.side_of(self.players.index(start.player)) - 1
        if run.turns_begun == start.turn and state.kind == "action":
            run.latched |= self.latches - self.asked.difference(state.tells)
        return self.semantics.quietly(run, told)

    def _begins(self, fired: Fired) -> bool:
        """Say whether the step begins. If not, note what was read, and what leaves the step out."""
        if fired.machine != TURN:
            return False
        for name, value in fired.guards:
            self.read[name] = value or self.read.get(name, False)
        if self.roles.get(fired.source) == "before":
            row = fired.row.transition
            self.left_out = f": {row.doc or 'it is left out'} ({row.rule})"
        return self.roles.get(fired.target) == "begin"

    def _checked(self, run: Run) -> Run:
        """Raise FsmError if a fact was given that no game has told by now, or to no effect."""
        for fact in sorted(self.latches - run.latched):
            if not self.read.get(fact):
                where = f"when {self.start.step or 'the turn'!r} begins in turn {self.start.turn}"
                text = f"no game has told {fact!r} {where}; leave the fact out, or start later"
                raise FsmError(text, kind="early-fact", place="start.facts", found=fact)
        return run

    def _why_not(self) -> str:
        """Return why the step does not begin, or the facts of the turn that may change that."""
        game = self.semantics.facts.keys() - self.start.facts.keys()
        names = ", ".join(name for name in self.read if name in game)
        tell = f": tell those of these facts that hold: {names}" if names else ""
        return self.left_out or f"{tell}; no game starts where only an event leads"
