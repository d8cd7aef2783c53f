"""How a game begins: its players, teams, settings, first orders, and perhaps a step in its middle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from fsm.engine.automaton import NO_NEWS, Automaton, News, Node
from fsm.engine.semantics import Fired
from fsm.engine.starting import go_to
from fsm.errors import OrderError
from fsm.model import Model
from fsm.state.calendar import NO_ENTRIES, Calendar
from fsm.state.orders import Interruption, Leave, Order, Plain
from fsm.state.run import Run
from fsm.state.scheduling import Scheduler
from fsm.state.setup import StartAt, first_run

TRACE_FORMAT: Literal["fsm-trace-2"] = "fsm-trace-2"


class GameHeader(Plain, frozen=True):
    """How a game was set up: what a replay needs to start.

    Attributes
    ----------
    format
        The version of the file.
    model, fingerprint
        The name and the fingerprint of the model.
    players, teams, settings, orders, start
        What the `TurnController` was given.
    snapshot
        The snapshot with which the trace begins instead, if it does not begin with its game.
    """

    format: Literal["fsm-trace-2"]
    model: str
    fingerprint: str
    players: tuple[str, ...]
    teams: tuple[tuple[str, ...], ...] = ()
    settings: Mapping[str, bool] = {}
    orders: tuple[Order, ...] = ()
    start: StartAt | None = None
    snapshot: Mapping[str, object] | None = None


Place: TypeAlias = tuple[Node, int, int, Calendar, News]
"""Where a game stands: its node, the numbers of turn and request, its calendar, and its news."""
Beginning: TypeAlias = tuple[Place, tuple[Fired, ...]]
"""Where a game begins, and what has fired before."""


def begun(
    automaton: Automaton,
    players: tuple[str, ...],
    teams: Sequence[Sequence[str]],
    settings: Mapping[str, bool],
    orders: tuple[Order, ...],
    start: StartAt | None,
) -> Beginning:
    """Begin a game. Games that differ in nothing but the names of their players begin alike.

    Raises FsmError or OrderError if something does not fit the model.
    """
    plain = not (teams or settings or orders or start)
    edge = automaton.starts.get(len(players)) if plain else None
    if edge is not None:
        return (edge.node, edge.turns, 0, NO_ENTRIES, NO_NEWS), edge.fired
    calendar = NO_ENTRIES
    run = first_run(automaton.model, players, teams, settings)
    facts: Mapping[str, bool] = {}
    if start is not None:
        run = go_to(automaton.semantics, run, players, start)
        facts = {**automaton.semantics.quiet, **start.facts}
    if orders:
        calendar = _ordered(automaton.model, run, players, orders)
    edge = automaton.start(run, facts)
    if plain:
        automaton.starts[len(players)] = edge
    calendar, news = automaton.news(edge, calendar)
    return (edge.node, edge.turns, 0, calendar, news), edge.fired


def _ordered(
    model: Model, run: Run, players: tuple[str, ...], orders: tuple[Order, ...]
) -> Calendar:
    """Give the orders that are in force as a game begins. Return the calendar after them."""
    for order in orders:
        if isinstance(order, Leave | Interruption):
            remedy = "the players out of it" if isinstance(order, Leave) else "the order out"
            text = f"{order!r} needs a turn, and none is under way before the game"
            raise OrderError(f"{text}: leave {remedy}")
    scheduler = Scheduler(model, run, NO_ENTRIES, players)
    scheduler.give(orders, "orders")
    return scheduler.calendar
