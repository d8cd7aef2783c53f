"""What became of orders: they took effect, wait, or came to nothing, and the reason is said."""

from __future__ import annotations

import json

import pytest

from fsm import (
    AddPhase,
    AddStep,
    AddTurn,
    ControlNextTurn,
    DelayedTrigger,
    Effect,
    EndTurn,
    Leave,
    Order,
    Result,
    ReverseTurnOrder,
    SkipPhase,
    SkipStep,
    SkipTurn,
    StandingTrigger,
    TurnController,
    Withdraw,
)
from fsm.errors import OrderError
from fsm.model import Model
from support.playing import quiet, resolved, resolving, started, to, unchanged

Settled = tuple[str, str, str, str]


def settled(game: TurnController, turn: int) -> list[Settled]:
    """Play quietly to the end of this turn. Return the step, the order, state and reason of what
    was settled.
    """
    found = list[Settled]()
    while game.request.at.turn <= turn:
        at = game.request.at.step
        game.answer(quiet(game.request))
        found += [(at, type(one.order).__name__, one.state, one.why) for one in game.request.orders]
    return found


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        (AddPhase("combat"), "for the end of this phase"),
        (AddPhase("combat", after="main", nth=2), "for main 2"),
        (AddStep("upkeep"), "for the end of this step"),
        (AddStep("upkeep", before="end"), "for the next end in this turn"),
        (AddTurn("A", after="x"), "for the turn with the id 'x'"),
        (SkipTurn("B", extra=True), "for the next extra turn of B"),
        (SkipPhase("combat", "A", "all_next_turn"), "for the next combat of A"),
        (DelayedTrigger("x", "end"), "for the next end"),
    ],
)
def test_an_order_that_waits_says_for_what(magic: Model, order: Order, reason: str) -> None:
    assert resolved(magic, "precombat_main", order).request.orders == (
        Result(order, "waiting", reason),
    )


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        (AddPhase("combat", after="combat"), "combat 1 of this turn is over"),
        (AddStep("end", player="B", you_get=True), "it is not the turn of B, who would get it"),
        (Withdraw("Stasis"), "nothing stands or waits under 'Stasis'"),
    ],
)
def test_an_order_that_does_nothing_says_why(magic: Model, order: Order, reason: str) -> None:
    assert resolved(magic, "end", order).request.orders == (Result(order, "nothing", reason),)


@pytest.mark.parametrize(
    "order",
    [
        Effect("big", "A"),
        StandingTrigger("x", "upkeep"),
        SkipStep("draw", "A", "each"),
        ReverseTurnOrder(),
        Leave("C"),
        EndTurn(),
    ],
)
def test_what_is_in_force_is_done(magic: Model, order: Order) -> None:
    game = resolved(magic, "upkeep", order, players="ABC")
    assert game.request.orders == (Result(order, "done"),)


def test_each_order_of_an_answer_has_its_result_until_the_next_answer(magic: Model) -> None:
    game = resolved(magic, "end", AddTurn("A"), AddPhase("combat", after="combat"), EndTurn())
    assert [one.state for one in game.request.orders] == ["waiting", "nothing", "done"]
    assert json.loads(json.dumps(game.request.orders[0].to_json()))["state"] == "waiting"
    game.answer(quiet(game.request))
    assert game.request.orders == ()


def test_orders_before_the_game_and_between_two_answers_have_results(magic: Model) -> None:
    game = started(magic, orders=[SkipStep("untap"), SkipStep("draw", "B")])
    assert [one.why for one in game.request.orders] == [
        "for the next untap",
        "for the next draw of B",
    ]
    game.order(AddTurn("B"))
    assert [one.why for one in game.request.orders] == ["for the end of this turn"]
    results = game.request.orders
    unchanged(game, lambda: game.order(AddTurn("Z")), OrderError, "not in this game")
    assert game.request.orders == results


SKIPPED = "it was skipped"
NO_DRAW = "the turn ended; it waited for the next draw in this turn"


@pytest.mark.parametrize(
    ("step", "orders", "becomes"),
    [
        ("precombat_main", [AddPhase("combat")], [("precombat_main", "AddPhase", "done", "")]),
        ("end", [AddTurn("A", 2)], [("cleanup", "AddTurn", "done", "")]),
        ("end", [AddStep("upkeep", before="draw")], [("cleanup", "AddStep", "nothing", NO_DRAW)]),
        (
            "end",
            [AddTurn("A"), SkipTurn("A")],
            [("cleanup", "AddTurn", "nothing", SKIPPED), ("cleanup", "SkipTurn", "done", "")],
        ),
        (
            "end_of_combat",
            [AddPhase("combat"), SkipPhase("combat", "A")],
            [
                ("end_of_combat", "AddPhase", "nothing", SKIPPED),
                ("end_of_combat", "SkipPhase", "done", ""),
            ],
        ),
        (
            "end",
            [AddTurn("A", after="x")],
            [
                (
                    "cleanup",
                    "AddTurn",
                    "nothing",
                    "the turn ended; it waited for the turn with the id 'x'",
                )
            ],
        ),
        (
            "end",
            [AddTurn("A", id="y", after="x"), ControlNextTurn("A", "B", within="y")],
            [
                (
                    "cleanup",
                    "AddTurn",
                    "nothing",
                    "the turn ended; it waited for the turn with the id 'x'",
                ),
                (
                    "cleanup",
                    "ControlNextTurn",
                    "nothing",
                    "the turn ended; it waited for the next turn of A within 'y'",
                ),
            ],
        ),
        (
            "end",
            [AddTurn("A", id="x", after="x")],
            [
                (
                    "cleanup",
                    "AddTurn",
                    "nothing",
                    "the turn ended; it waited for the turn with the id 'x'",
                )
            ],
        ),
        (
            "end",
            [SkipStep("draw", "A", "this_turn")],
            [
                (
                    "cleanup",
                    "SkipStep",
                    "nothing",
                    "the turn ended; it waited for the next draw of A",
                )
            ],
        ),
        (
            "end",
            [ControlNextTurn("B", "A"), ControlNextTurn("B", "B")],
            [
                ("cleanup", "ControlNextTurn", "nothing", "a newer effect controls that turn"),
                ("cleanup", "ControlNextTurn", "done", ""),
            ],
        ),
    ],
)
def test_what_waited_is_told_when_it_comes_or_comes_to_nothing(
    magic: Model, step: str, orders: list[Order], becomes: list[Settled]
) -> None:
    assert settled(resolved(magic, step, *orders), 2) == becomes


def test_an_order_of_several_things_has_one_result_that_says_what_became_of_them(
    magic: Model,
) -> None:
    """When the last of them has come or has come to nothing."""
    orders = AddPhase("combat", "main"), SkipPhase("main", "A", "this_turn")
    game = resolved(magic, "end_of_combat", *orders)
    assert settled(game, 1) == [
        ("end_of_combat", "AddPhase", "done", "1 of 2 came to nothing: it was skipped"),
        ("end_of_combat", "SkipPhase", "done", ""),
    ]


def test_equal_orders_have_a_result_each(magic: Model) -> None:
    game = resolved(magic, "end", AddTurn("A", 2), AddTurn("A", 2), AddTurn("B"))
    assert [one.state for one in game.request.orders] == ["waiting"] * 3
    assert settled(game, 5) == [
        ("cleanup", "AddTurn", "done", ""),  # B
        ("cleanup", "AddTurn", "done", ""),
        ("cleanup", "AddTurn", "done", ""),
    ]


def test_each_of_two_equal_orders_of_several_things_has_its_own_result(magic: Model) -> None:
    """A skips by both of them before B, who could skip by both, leaves."""
    skip = SkipStep("draw", players=("A", "B"))
    game = resolved(magic, "upkeep", skip, skip, AddTurn("A"), players="ABC")
    to(game, "precombat_main", turn=2)
    game.order(Leave("B"))
    half = "1 of 2 came to nothing: that player has left the game"
    results = [one for one in settled(game, 2) if one[1] == "SkipStep"]
    assert [(state, why) for _, _, state, why in results] == [("done", half)] * 2


def test_a_delayed_trigger_is_done_as_it_triggers_or_lost(magic: Model) -> None:
    lost = DelayedTrigger("lost", "upkeep", "A", "next_turn")
    game = resolved(magic, "end", DelayedTrigger("x", "upkeep"), lost, SkipStep("upkeep", "B"))
    assert settled(game, 3) == [
        ("untap", "SkipStep", "done", ""),
        ("cleanup", "DelayedTrigger", "nothing", "the turn ended; it waited for the next upkeep"),
        ("untap", "DelayedTrigger", "done", ""),
    ]


def test_an_ended_turn_takes_along_what_it_has_not_come_to(magic: Model) -> None:
    orders = AddPhase("combat"), AddStep("upkeep", before="draw")
    game = resolved(magic, "end", *orders)
    resolving(game, "end", EndTurn())
    reasons = {why for _, _, state, why in settled(game, 1) if state == "nothing"}
    assert reasons == {"the turn ended; it waited for the end of this phase", NO_DRAW}


def test_what_waits_for_a_player_who_leaves_comes_to_nothing(magic: Model) -> None:
    """As the turn ends: until then, that player's turn may go on."""
    orders = SkipTurn("C"), ControlNextTurn("C", "A"), SkipStep("draw")
    game = resolved(magic, "end", *orders, players="ABC")
    game.order(Leave("C"))
    left = "that player has left the game"
    assert settled(game, 4) == [
        ("cleanup", "SkipTurn", "nothing", left),
        ("cleanup", "ControlNextTurn", "nothing", left),
        ("upkeep", "SkipStep", "done", f"1 of 3 came to nothing: {left}"),
    ]


@pytest.mark.parametrize("waits", [SkipStep("draw", "A", id="x"), DelayedTrigger("x", "end")])
def test_what_is_withdrawn_comes_to_nothing(magic: Model, waits: Order) -> None:
    withdraw = Withdraw("x")
    game = resolved(magic, "upkeep", waits, Effect("big", "A"))
    game.order(withdraw)
    assert game.request.orders == (
        Result(waits, "nothing", "it was withdrawn"),
        Result(withdraw, "done"),
    )
    assert game.order(Withdraw("big")).expired == ()
    unchanged(game, lambda: game.order(Withdraw("")), OrderError, "Withdraw needs the id")
