"""Corners of Grand Archive that no scenario can say: refusals, what runs out when, before the
first turn, and a clean-up that never ends. `tests/scenarios` has the rest.
"""

from __future__ import annotations

import pytest
from msgspec.structs import replace

import fsm
from fsm import CheckState, Effect, Leave, Over, Perform, Priority, Signal, TurnController
from fsm.model import Model


@pytest.fixture(scope="module")
def model() -> Model:
    return fsm.load("grand-archive")


def waiting(
    model: Model, stage: str, turn: int, player: str, players: str = "AB"
) -> tuple[TurnController, Priority]:
    """A quiet game in which this player has Opportunity in this window, and the request."""
    game = TurnController(model, list(players))
    for request in game:
        here = (request.at.stage, request.at.turn, request.player) == (stage, turn, player)
        if here and isinstance(request, Priority):
            return game, request
        game.answer(request.quiet())
    raise AssertionError("it did not come to that")


@pytest.mark.parametrize(
    ("stage", "turn", "player", "players", "why"),
    [
        ("main_window", 1, "A", "AB", "nobody attacks on their first turn (Turn One 1.1)"),
        ("main_window", 2, "B", "ABC", "on their first turn"),
        ("main_window", 2, "B", "AB", ""),
        ("main_window", 3, "C", "ABC", ""),
        ("recollection_window", 3, "A", "AB", "the attack card fizzles (Attacking GR1.7.1)"),
    ],
)
def test_why_there_is_no_attack(
    model: Model, stage: str, turn: int, player: str, players: str, why: str
) -> None:
    game, _ = waiting(model, stage, turn, player, players)
    refusal = game.why_not("attack")
    assert (refusal == "") == (why == "")
    assert why in refusal


def test_an_attack_in_combat_does_nothing(model: Model) -> None:
    game, request = waiting(model, "main_window", 2, "B")
    declaring = game.answer(request.acted(Signal("attack"), stack_empty=True))
    assert isinstance(declaring, Perform)
    game.answer(declaring.done(attack_declared=True))
    for asked in game:
        if isinstance(asked, Priority):
            assert game.why_not("attack")
            game.answer(asked.acted(Signal("attack"), stack_empty=True))
            break
        game.answer(asked.quiet())
    assert game.request.at.stage == "retaliation_window"


def test_a_pass_is_refused_while_an_attack_is_required(model: Model) -> None:
    game, request = waiting(model, "main_window", 2, "B")
    assert game.answer(request.passed(stack_empty=True, attack_required=True)) == request
    assert game.answer(request.passed(stack_empty=True, attack_required=False)) != request


@pytest.mark.parametrize(("leaver", "holder"), [("B", "C"), ("C", "B")])
def test_who_leaves_with_a_refused_pass_gives_opportunity_on(
    model: Model, leaver: str, holder: str
) -> None:
    game, request = waiting(model, "main_window", 1, "B", "ABC")
    told = {"stack_empty": True, "attack_required": True}
    after = game.answer(request.passed(Leave(leaver), **told))
    assert isinstance(after, Priority)
    assert (after.player, after.at.stage) == (holder, "main_window")


@pytest.mark.parametrize("order", ["end_phase", "end_turn", "attack"])
def test_before_the_first_turn_there_is_nothing_to_end(model: Model, order: str) -> None:
    game = TurnController(model, ["A", "B"])
    assert isinstance(game.request, Perform)
    after = game.answer(game.request.done(Signal(order)))
    assert (after.at.turn, after.at.active, after.at.stage) == (1, "A", "main_triggers")


@pytest.mark.parametrize("player", ["A", "B"])
def test_who_leaves_before_the_first_turn_takes_none(model: Model, player: str) -> None:
    game = TurnController(model, ["A", "B", "C"])
    game.order(Leave(player))
    turns = {}
    for request in game:
        turns[request.at.turn] = request.at.active
        if request.at.turn == 3:
            break
        game.answer(request.quiet())
    first, second = [name for name in "ABC" if name != player]
    assert [turns[number] for number in (1, 2, 3)] == [first, second, first]


@pytest.mark.parametrize(
    ("edition", "over_at", "discards_later"),
    [("CUR", "clean_up", False), ("OLD", "end_effects", True)],
)
def test_a_hand_limit_of_this_turn_is_over_before_the_discard_of_2024(
    edition: str, over_at: str, discards_later: bool
) -> None:
    """End Phase GR3: today effects end in the same action in which the turn player discards."""
    old = fsm.load("grand-archive", edition=edition)
    game, request = waiting(old, "end_window", 1, "A")
    game.answer(request.acted(Effect("limit", "A", "end_of_turn"), stack_empty=True))
    expired = {}
    for asked in game:
        if asked.at.turn == 2:
            break
        if isinstance(asked, Perform):
            expired[asked.action] = asked.expired
        game.answer(asked.quiet())
    assert expired[over_at] == ("limit",)
    actions = list(expired)
    assert ("discard_to_limits" in actions[actions.index(over_at) + 1 :]) == discards_later


def test_a_clean_up_that_never_ends_is_the_end_of_the_game(model: Model) -> None:
    """After so many repeats the game says where it is. Here a low bound stands for 1000."""
    endless = model.fact("clean_up_endless")
    assert endless.test[-1] == "1000"
    near = replace(endless, test=(*endless.test[:-1], "3"))
    facts = tuple(near if fact is endless else fact for fact in model.facts)
    game = TurnController(replace(model, facts=facts), ["A", "B"])
    clean_ups, fresh = 0, False
    for request in game:
        if isinstance(request, Perform) and request.action == "clean_up":
            clean_ups, fresh = clean_ups + 1, True
        changed = fresh and isinstance(request, CheckState)
        fresh = fresh and not changed
        game.answer(request.quiet(sba_performed=True) if changed else request.quiet())
    assert isinstance(game.request, Over)
    assert (game.request.state, clean_ups) == ("clean_up_loop", 4)
