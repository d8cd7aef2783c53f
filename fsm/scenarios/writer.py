"""Writes a game as a scenario: the items that lead to it, and what happened as expectations.

Everybody who writes scenarios uses these functions. A scenario describes a game and not single
answers, so the game may differ a little when it is played. Play the scenario to see whether it
shows what it should.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.structs import asdict

from fsm.engine.requests import Answer
from fsm.engine.trace import GameHeader
from fsm.model import Model
from fsm.rulesets.choices import parse_options
from fsm.scenarios.departures import Departure
from fsm.scenarios.outcome import Outcome
from fsm.state.orders import (
    AddPhase,
    AddStep,
    AddTurn,
    Appoint,
    ControlNextTurn,
    DelayedTrigger,
    Effect,
    Interruption,
    Leave,
    Order,
    ReverseTurnOrder,
    SkipPhase,
    SkipStep,
    SkipTurn,
    StandingTrigger,
    Withdraw,
)
from fsm.state.setup import StartAt, first_run

SIGNALS = {"end_turn": "end_turn", "end_phase": "end_phase"}
"""The verbs of scenarios for signals that have one of their own."""


def scenario_of(
    model: Model,
    spec: str,
    name: str,
    head: GameHeader,
    acts: Iterable[Iterable[Departure]],
    *,
    through: int,
    note: str = "",
) -> dict[str, Any]:
    """Return a game as a scenario without expectations.

    What happens outside the steps of a turn is left out. So are orders bound to a label that
    nothing is added with.

    Parameters
    ----------
    model
        The model of the game.
    spec
        The specification of its ruleset, as scenarios name it.
    name
        The id of the scenario.
    head
        How the game is set up.
    acts
        What departs from a quiet game, answer by answer.
    through
        The number of the last turn.
    note
        The note of the scenario.
    """
    ruleset, _, query = spec.partition("?")
    usual = first_run(model, head.players, head.teams, {}).settings
    settings = {name: value for name, value in head.settings.items() if value != (name in usual)}
    made: dict[str, Any] = {"id": name, "ruleset": ruleset, "players": len(head.players)}
    made |= {"options": dict(parse_options(spec, query))} if query else {}
    made |= {"teams": [list(team) for team in head.teams]} if head.teams else {}
    made |= {"settings": settings} if settings else {}
    made |= {"start": _start_of(head.start)} if head.start is not None else {}
    made |= {"through_turn": through} | ({"note": note} if note else {})
    given = [
        item
        for n, act in enumerate(acts)
        for one in act
        for item in _items_of(model, one, f"act-{n}")
    ]
    return made | {"given": _without_unknown_labels(given), "expect": []}


def _without_unknown_labels(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Leave out what refers to a label that no item has: nothing comes of it, and scenarios refuse
    it as a mistake.
    """
    added = {item.get("id", "") for item in items if item["do"].startswith("add_")}
    known = {item.get("id", "") for item in items if item["do"] != "withdraw"}
    kept = [
        item
        for item in items
        if item.get("in", "") in {"", *added}
        and (item["do"] != "add_turn" or item.get("after", "") in {"", *added})
        and (item["do"] != "withdraw" or item["id"] in known)
    ]
    return kept if len(kept) == len(items) else _without_unknown_labels(kept)


def _start_of(start: StartAt) -> dict[str, Any]:
    """Return where a game starts, without what is empty."""
    return {name: value for name, value in asdict(start).items() if value not in ("", {})}


def _items_of(model: Model, departure: Departure, name: str) -> Iterator[dict[str, Any]]:
    """Yield a departure as items. `name` is the name of what a player does."""
    at, what = departure.request, departure.what
    when: dict[str, Any] = {"turn": at.turn, "step": at.step, "iteration": at.iteration}
    inside = at.state != at.stage
    if not at.step:
        return
    if isinstance(what, bool):
        yield {"when": when | {"at": "priority"}, "do": "trigger", "id": name}
    elif isinstance(what, tuple):
        if not inside or (
            model.window is not None and what[0] in {fact.name for fact in model.window.facts}
        ):
            yield {
                "when": when | {"at": "begin" if inside else at.stage},
                "do": "tell",
                "fact": what[0],
                "value": what[1],
            }
    elif isinstance(what, Interruption):
        yield {"when": when | {"at": "priority"}, **_signal_of(what, model.leaving)}
    elif isinstance(what, Answer):
        for order in what.orders:
            yield from _items_of(model, Departure(departure.request, order), name)
    else:
        yield {"when": when | {"at": "priority" if inside else at.stage}, **_order_of(what)}


def _signal_of(signal: Interruption, leaving: str) -> dict[str, Any]:
    """Return a signal as the verb and fields of an item."""
    if signal.event == leaving:
        return {"do": "player_leaves", "player": signal.player}
    return (
        {"do": SIGNALS[signal.event]}
        if signal.event in SIGNALS
        else {"do": "signal", "event": signal.event}
    )


_VERBS: dict[type[Order], str] = {
    AddTurn: "add_turn",
    SkipTurn: "skip_turn",
    ControlNextTurn: "control_next_turn",
    AddPhase: "add_phase",
    AddStep: "add_step",
    SkipPhase: "skip_phase",
    SkipStep: "skip_step",
    DelayedTrigger: "delayed_trigger",
    StandingTrigger: "standing_trigger",
    Effect: "effect",
    ReverseTurnOrder: "reverse_turn_order",
    Withdraw: "withdraw",
    Leave: "player_leaves",
    Appoint: "appoint",
}


_FIELDS = {"within": "in"}
"""Fields of orders that have another name in scenarios."""


def _order_of(order: Order) -> dict[str, Any]:
    """Return an order as the verb and fields of an item."""
    fields = {
        _FIELDS.get(name, name): value
        for name, value in asdict(order).items()
        if value not in ("", False, ())
    }
    fields |= {name: list(value) for name, value in fields.items() if isinstance(value, tuple)}
    if isinstance(order, AddPhase):
        nth = fields.pop("nth")
        fields["after"] = {"phase": order.after, "nth": nth} if order.after else "current_phase"
    elif isinstance(order, AddStep) and order.before:
        fields.pop("after", None)
    elif isinstance(order, StandingTrigger) and fields.pop("first_each_turn", False):
        fields["limit"] = "first_each_turn"
    elif isinstance(order, Leave):
        [player, *others] = order.players
        fields = fields if others else {"player": player}
    return {"do": _VERBS[type(order)], **fields}


def expected(outcome: Outcome) -> Iterator[dict[str, Any]]:
    """Yield what happened as expectations: who takes which turn, its steps, and the actions of each
    step in order.
    """
    for turn in outcome.turns:
        steps = [visit.step for visit in outcome.visits if visit.turn == turn.turn]
        yield {"turn": turn.turn, "active": turn.active, "extra": turn.extra, "steps": steps}
    if outcome.over:
        yield {"over": True}
    for visit in outcome.visits:
        if visit.actions:
            where = {"turn": visit.turn, "step": visit.step, "iteration": visit.iteration}
            yield where | {"tba_order": list(visit.actions)}
