"""Writes a game as a scenario: the items that lead to it, and what happened as expectations.

Everybody who writes scenarios uses these functions. A scenario describes a game and not single
answers, so the game may differ a little when it is played. Play the scenario to see whether it
shows what it should.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Over, Request
from fsm.engine.trace import GameHeader
from fsm.errors import FsmError
from fsm.rulesets import parse_options
from fsm.scenarios.playing import Outcome
from fsm.scenarios.scenario import ORDERS, words_of
from fsm.state.orders import AddPhase, Interruption, Order, StandingTrigger

_VERBS = {row.kind: row.name for row in ORDERS}
Written = dict[str, Any]


def scenario_of(
    game: TurnController, answers: Iterable[Answer], head: GameHeader, spec: str, name: str
) -> tuple[Written, bool]:
    """Give a new game these answers, up to one that it refuses, and return it as a scenario without
    expectations, and whether that tells everything.

    What happens outside the steps of a turn cannot be told.

    Parameters
    ----------
    game, answers
        The game, and what it is answered.
    head
        How the game is set up.
    spec
        The specification of its ruleset, as scenarios name it.
    name
        The id of the scenario.
    """
    ruleset, _, query = spec.partition("?")
    items, began = [*_items_of(game, answers)], head.to_json()
    made: Written = {"id": name, "ruleset": ruleset, "turn_order": [*head.players]}
    options = parse_options(spec, query)
    if options:
        made["options"] = dict(options)
    made |= {key: began[key] for key in ("teams", "settings", "start") if key in began}
    given = [item for item in items if item is not None]
    made |= {"through_turn": game.request.at.turn, "given": given, "expect": []}
    return made, None not in items


def _items_of(game: TurnController, answers: Iterable[Answer]) -> Iterator[Written | None]:
    """Yield what each answer does that a quiet game would not, in which everybody passes and
    nothing special happens (`Fact.quiet`), before it is given. None is what cannot be told.
    """
    window, stages = game.model.window, words_of(game.model).stages
    of_window = {fact.name for fact in window.facts} if window is not None else set[str]()
    for number, answer in enumerate(answers):
        at = game.request.at
        items = [*_facts_of(answer, game.request, of_window)]
        if answer.word == "acted":
            items.insert(0, ("priority", {"do": "trigger", "id": f"act-{number}"}))
        items += _orders_of(answer, game.request)
        for stage, item in items:
            when = {"turn": at.turn, "step": at.step, "iteration": at.iteration, "at": stage}
            yield {"when": when, **item} if at.stage in stages.get(at.step, ()) else None
        try:
            game.answer(answer)
        except FsmError:
            return


def _facts_of(
    answer: Answer, request: Request | Over, of_window: Collection[str]
) -> Iterator[tuple[str, Written]]:
    """Yield where in its step an answer tells a fact that is not usual, and the item that does."""
    inside = request.state != request.at.stage
    for fact, value in answer.facts.items():
        changed = bool(answer.word) and value != request.facts.get(fact, False)
        if changed and (fact in of_window or not inside):
            tell: Written = {"do": "tell", "fact": fact, "value": value}
            tell |= {"player": answer.player} if answer.player else {}
            yield "begin" if inside else request.at.stage, tell


def _orders_of(answer: Answer, request: Request | Over) -> Iterator[tuple[str, Written]]:
    """Yield where in its step an answer orders something, and the item that does."""
    items = [item_of(order) for order in answer.orders]
    if answer.word == "out":
        passes = {"do": "pass_for_good", "player": request.by[0]}
        yield "priority", passes | ({"then": items} if items else {})
        return
    for order, item in zip(answer.orders, items, strict=True):
        inside = request.state != request.at.stage or isinstance(order, Interruption)
        yield "priority" if inside else request.at.stage, item


def item_of(order: Order) -> Written:
    """Return an order as the verb and the fields of an item."""
    found = order.to_json()
    del found["is"]
    if "within" in found:
        found["in"] = found.pop("within")
    if isinstance(order, AddPhase) and order.after:
        found["after"] = {"phase": order.after, "nth": found.pop("nth", 1)}
    elif isinstance(order, StandingTrigger) and found.pop("first_each_turn", False):
        found["limit"] = "first_each_turn"
    return {"do": _VERBS[type(order)], **found}


def expected(outcome: Outcome) -> Iterator[Written]:
    """Yield what happened as expectations: who takes which turn, its steps, and the actions of each
    step in order.
    """
    for turn in outcome.turns:
        steps = [visit.step for visit in outcome.visits if visit.turn == turn.number]
        yield {"turn": turn.number, "active": turn.active, "extra": turn.extra, "steps": steps}
    if outcome.over:
        yield {"over": True}
    for visit in outcome.visits:
        if visit.actions:
            where = {"turn": visit.turn, "step": visit.step, "iteration": visit.iteration}
            yield where | {"tba_order": list(visit.actions)}
