"""How a game begins: at its first turn, or with a step in the middle of a later one.

Then the turns before are played quietly, and so is the turn itself as far as the step. So only the
Model says which steps come before, and what is remembered of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
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
from fsm.state.run import Players, Run, StartAt, first_run
from fsm.state.scheduling import Scheduler
from fsm.wording import citation

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
        run = _played_to(semantics, players, run, start)
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


def _played_to(semantics: Semantics, players: Players, run: Run, start: StartAt) -> Run:
    """Play a run quietly to where a game starts. Return it just before the step begins."""
    model = semantics.model
    steps = {step.id for step in model.of_kind("step") if start.step in ("", step.name)}
    roles = {state.id: state.role for state in model.states if state.parent in steps}
    latches = {name for name in semantics.latching if start.facts.get(name)}
    read = dict[str, bool]()
    held = set[str]()
    why = ""
    for before, fired in _turn_of(semantics, players, run, start, latches):
        read |= dict(fired.guards)
        held |= {name for name, value in fired.guards if value}
        if roles.get(fired.target) == "begin":
            for fact in sorted(latches - before.latched - held):  # it comes too early, or is lost
                told = f"no game has told {fact!r} when {start.step or 'the turn'!r} begins"
                text = f"{told}; leave the fact out, or start later"
                raise FsmError(text, kind="early-fact", place="start.facts", found=fact)
            return before
        if roles.get(fired.source) == "before":
            row = fired.row.transition
            why = f": {row.doc or 'it is left out'}{citation(row.rule)}"
    names = ", ".join(name for name in read if name in semantics.facts.keys() - start.facts)
    tell = f"; tell those of these facts that hold: {names}" if names else ""
    why = why or f"{tell}; no quiet turn with these facts leads there"
    raise FsmError(f"step {start.step!r} does not begin in turn {start.turn}{why}")


def _turn_of(
    semantics: Semantics, players: Players, run: Run, start: StartAt, latches: Set[str]
) -> Iterator[tuple[Run, Fired]]:
    """Yield what fires in the turn in which a game starts, each with the run before it. The turns
    before are quiet. In this one the facts hold, those that latch from the action that tells them,
    or from any action if none asks for them.
    """
    asked = set(chain.from_iterable(state.tells for state in semantics.states.values()))
    told = Told(semantics.quiet)
    player = start.player
    for _ in range(SILENT_LIMIT * start.turn):
        before = copy(run)
        state = semantics.waiting(run)
        if run.turns_begun == start.turn:
            told.update(start.facts)
            if state.kind == "action":
                run.latched |= latches - asked.difference(state.tells)
        elif player and run.turns_begun == start.turn - 1:
            run.natural = run.side_of(players.index(player)) - 1
            player = ""
        fired = semantics.quietly(run, told)
        if fired is None or run.turns_begun > start.turn:
            return
        if run.turns_begun == start.turn and fired.machine == TURN:
            yield before, fired
