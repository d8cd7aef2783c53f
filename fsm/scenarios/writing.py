"""Writes a game as a scenario: the items that lead to it, and what happened as expectations.

Everybody who writes scenarios uses these functions. A scenario describes a game and not single
answers, so the game may differ a little when it is played. Play the scenario to see whether it
shows what it should.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from msgspec.structs import asdict

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Over, Request
from fsm.engine.trace import GameHeader
from fsm.model import Model
from fsm.rulesets.choices import parse_options
from fsm.scenarios.playing import Outcome
from fsm.scenarios.verbs import ORDERS
from fsm.state.orders import AddPhase, Interruption, Leave, Order, Signal, StandingTrigger
from fsm.state.setup import StartAt, first_run

_VERBS = {row.kind: row.name for row in ORDERS}
Written = dict[str, Any]


@dataclass(frozen=True)
class Departure:
    """One thing that a quiet game would not do, in which everybody passes and nothing special
    happens (`Fact.quiet`).

    Attributes
    ----------
    request
        The request at which it happens.
    what
        True if the player acts. Else a fact with its value and the one of several players who
        tells it, or an order.
    """

    request: Request | Over
    what: bool | tuple[str, bool, str] | Order


def departures_of(game: TurnController, answers: Iterable[Answer]) -> Iterator[list[Departure]]:
    """Give a game these answers, and yield what each of them does that a quiet game would not,
    before it is given.
    """
    for answer in answers:
        request = game.request
        found = list[bool | tuple[str, bool, str] | Order]([True] * (answer.word == "acted"))
        for name, value in answer.facts.items():
            if answer.word and value != request.facts.get(name, False):
                found.append((name, value, answer.player))
        yield [Departure(request, what) for what in (*found, *answer.orders)]
        game.answer(answer)


def scenario_of(  # noqa: PLR0913 - what a scenario consists of
    model: Model,
    spec: str,
    name: str,
    head: GameHeader,
    acts: Iterable[Iterable[Departure]],
    *,
    through: int,
    note: str = "",
) -> Written:
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
    given = list[Written]()
    for number, act in enumerate(acts):
        for departure in act:
            given += _items_of(model, departure, f"act-{number}")
    optional: Written = {
        "options": dict(parse_options(spec, query)),
        "teams": [list(team) for team in head.teams],
        "settings": settings,
        "start": _start_of(head.start) if head.start is not None else None,
    }
    made: Written = {"id": name, "ruleset": ruleset, "players": len(head.players)}
    made |= {key: value for key, value in optional.items() if value}
    made |= {"through_turn": through} | ({"note": note} if note else {})
    return made | {"given": _without_unknown_labels(given), "expect": []}


def _start_of(start: StartAt) -> Written:
    """Return where a game starts, without what is empty."""
    return {name: value for name, value in asdict(start).items() if value not in ("", {})}


def _without_unknown_labels(items: list[Written]) -> list[Written]:
    """Leave out what refers to a label that no item has: nothing comes of it, and scenarios refuse
    it as a mistake.
    """
    labels = {item.get("id") for item in items if item["do"] != "withdraw"}
    kept = list[Written]()
    for item in items:
        named = {item.get("in"), item.get("after") if item["do"] == "add_turn" else None}
        named.add(item.get("id") if item["do"] == "withdraw" else None)
        if labels.issuperset(named - {None}):
            kept.append(item)
    return kept if len(kept) == len(items) else _without_unknown_labels(kept)


def _items_of(model: Model, departure: Departure, name: str) -> Iterator[Written]:
    """Yield a departure as an item, if it can be one. `name` is the name of what a player does."""
    at, what = departure.request.at, departure.what
    inside = departure.request.state != at.stage
    if not at.step:
        return
    when = {"turn": at.turn, "step": at.step, "iteration": at.iteration, "at": "priority"}
    if isinstance(what, bool):
        yield {"when": when, "do": "trigger", "id": name}
    elif isinstance(what, tuple):
        fact, value, player = what
        of_window = model.window is not None and fact in {f.name for f in model.window.facts}
        if of_window or not inside:
            when["at"] = "begin" if inside else at.stage
            told = {"fact": fact, "value": value} | ({"player": player} if player else {})
            yield {"when": when, "do": "tell", **told}
    else:
        if not inside and not isinstance(what, Interruption):
            when["at"] = at.stage
        yield {"when": when, **item_of(model, what)}


def item_of(model: Model, order: Order) -> Written:
    """Return an order as the verb and the fields of an item."""
    if isinstance(order, Signal) and order.event == model.leaving:
        order = Leave(order.player)
    found = order.to_json()
    del found["is"]
    if "within" in found:
        found["in"] = found.pop("within")
    if isinstance(order, AddPhase) and order.after:
        found["after"] = {"phase": order.after, "nth": found.pop("nth", 1)}
    elif isinstance(order, StandingTrigger) and found.pop("first_each_turn", False):
        found["limit"] = "first_each_turn"
    elif isinstance(order, Leave) and len(order.players) == 1:
        found = {"player": order.players[0]}
    return {"do": _VERBS[type(order)], **found}


def expected(outcome: Outcome) -> Iterator[Written]:
    """Yield what happened as expectations: who takes which turn, its steps, and the actions of each
    step in order.
    """
    for turn in outcome.turns:
        steps = outcome.steps_in(turn.turn)
        yield {"turn": turn.turn, "active": turn.active, "extra": turn.extra, "steps": steps}
    if outcome.over:
        yield {"over": True}
    for visit in outcome.visits:
        if visit.actions:
            where = {"turn": visit.turn, "step": visit.step, "iteration": visit.iteration}
            yield where | {"tba_order": list(visit.actions)}
