"""Writes a game as a scenario: the items that lead to it, and what happened as expectations.

Everybody who writes scenarios uses these functions. A scenario describes a game and not single
answers, so the game may differ a little when it is played. Play the scenario to see whether it
shows what it should.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.structs import asdict

from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer
from fsm.engine.trace import GameHeader
from fsm.errors import FsmError
from fsm.rulesets.choices import parse_options
from fsm.scenarios.playing import Outcome
from fsm.scenarios.verbs import ORDERS
from fsm.scenarios.words import words_of
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
    items, start = [*_items_of(game, answers)], head.start
    optional: Written = {
        "options": dict(parse_options(spec, query)),
        "teams": [list(team) for team in head.teams],
        "settings": dict(head.settings),
        "start": start and {k: value for k, value in asdict(start).items() if value},
    }
    made: Written = {"id": name, "ruleset": ruleset, "turn_order": [*head.players]}
    made |= {key: value for key, value in optional.items() if value}
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
        request, items = game.request, list[Written]()
        at, inside = request.at, request.state != request.at.stage
        if answer.word == "acted":
            items.append({"at": "priority", "do": "trigger", "id": f"act-{number}"})
        for fact, value in answer.facts.items():
            changed = bool(answer.word) and value != request.facts.get(fact, False)
            if changed and (fact in of_window or not inside):
                tell = {"do": "tell", "fact": fact, "value": value}
                tell |= {"player": answer.player} if answer.player else {}
                items.append({"at": "begin" if inside else at.stage, **tell})
        if answer.word == "out":
            then = [item_of(order) for order in answer.orders]
            passes = {"at": "priority", "do": "pass_for_good", "player": request.by[0]}
            items.append(passes | ({"then": then} if then else {}))
        for order in answer.orders if answer.word != "out" else ():
            resolves = inside or isinstance(order, Interruption)
            stage = "priority" if resolves else at.stage
            items.append({"at": stage, **item_of(order)})
        for item in items:
            when = {"turn": at.turn, "step": at.step, "iteration": at.iteration}
            told = {"when": when | {"at": item.pop("at")}, **item}
            yield told if at.stage in stages.get(at.step, ()) else None
        try:
            game.answer(answer)
        except FsmError:
            return


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
        steps = outcome.steps_in(turn.turn)
        yield {"turn": turn.turn, "active": turn.active, "extra": turn.extra, "steps": steps}
    if outcome.over:
        yield {"over": True}
    for visit in outcome.visits:
        if visit.actions:
            where = {"turn": visit.turn, "step": visit.step, "iteration": visit.iteration}
            yield where | {"tba_order": list(visit.actions)}
