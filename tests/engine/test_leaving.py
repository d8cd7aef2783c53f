"""Players who leave the game: when, several at once, and how the game ends (CR 104, 800.4)."""

from __future__ import annotations

import pytest

from fsm import AddTurn, Appoint, ControlNextTurn, Leave, Order, Over, SkipStep
from fsm.errors import FsmError, OrderError
from fsm.model import Model
from support.playing import (
    actives,
    attack,
    quiet,
    resolved,
    resolving,
    rest_of_turn,
    started,
    to,
    to_action,
    unchanged,
)

TEAMS = [["A", "B"], ["C", "D"]]


@pytest.mark.parametrize("player", ["A", "B"])
@pytest.mark.parametrize("action", ["phasing", "declare_blockers", "discard_to_hand_size"])
def test_a_player_can_leave_at_any_time_and_the_turn_goes_on(
    magic: Model, action: str, player: str
) -> None:
    """Rules 800.4 and 800.4k."""
    game = started(magic, "ABC")
    if action == "declare_blockers":
        attack(game)
    request = to_action(game, action)
    assert game.order(Leave(player)).state == request.state
    assert rest_of_turn(game)[-1] == "cleanup"
    assert actives(game, through=4) == ("BCB" if player == "A" else "CAC")


@pytest.mark.parametrize(
    ("players", "rest", "leaving", "winners"),
    [
        ("ABC", {}, ("B", "C"), ("A",)),
        ("ABC", {}, ("A", "C"), ("B",)),
        ("ABC", {}, ("A", "B", "C"), ()),
        ("ACBD", {"teams": TEAMS}, ("C", "D"), ("A", "B")),
        ("ACBD", {"teams": TEAMS}, ("B", "C", "D"), ("A",)),
    ],
)
def test_those_who_leave_together_leave_the_others_to_win(
    magic: Model,
    players: str,
    rest: dict[str, object],
    leaving: tuple[str, ...],
    winners: tuple[str, ...],
) -> None:
    """Rules 104.2a and 104.4a: if all leave at the same time, the game is a draw."""
    over = resolving(started(magic, players, **rest), "upkeep", Leave(*leaving))
    assert isinstance(over, Over)
    assert (over.winners, over.draw) == (winners, not winners)


@pytest.mark.parametrize(
    ("order", "words"),
    [
        (Leave(), ("names no player",)),
        (Leave("A", "A"), ("'A' has left the game already",)),
        (Leave("Z"), ("'Z' is not in this game",)),
        (Leave("C"), ("'C' has left the game already",)),
    ],
)
def test_a_departure_that_cannot_be_is_refused(
    magic: Model, order: Leave, words: tuple[str, ...]
) -> None:
    game = started(magic, "ABCD")
    game.order(Leave("C"))
    unchanged(game, lambda: game.order(order), OrderError, *words)


def test_a_game_that_is_over_takes_no_orders(magic: Model) -> None:
    game = started(magic)
    game.order(Leave("B"))
    unchanged(game, lambda: game.order(AddTurn("A")), FsmError, "the game is over")


def test_an_order_between_two_answers_leaves_the_request_as_it_is(magic: Model) -> None:
    game = started(magic)
    request, number = to(game, "upkeep"), game.number
    after = game.order(AddTurn("A"), AddTurn("A"))
    assert (after.state, after.at, after.by) == (request.state, request.at, request.by)
    assert game.number == number + 1
    assert actives(game, through=4) == "AAAB"


def test_who_has_left_a_team_is_not_named_any_more(magic: Model) -> None:
    """Not as the active player, nor as the one who decides, in this turn and in later ones."""
    game = started(magic, "ACBD", teams=TEAMS)
    to(game, "upkeep")
    game.order(Leave("A"))
    named = set[tuple[int, str]]()
    with game.watch(lambda done: named.update((r.turn, r.active) for r in done.records)):
        for turn, expected in ((1, "B"), (2, "C"), (3, "B")):
            position = to(game, "end", turn=turn).at
            assert (position.active, position.controller) == (expected, expected)
    assert named == {(1, "B"), (2, "C"), (3, "B")}


@pytest.mark.parametrize(
    ("orders", "draws"),
    [
        ((Leave("A"), SkipStep("end", scope="this_turn")), True),
        ((SkipStep("end", scope="this_turn"), Leave("A")), False),
    ],
)
def test_who_leaves_and_what_everyone_skips_are_carried_out_in_their_order(
    magic: Model, orders: tuple[Order, ...], draws: bool
) -> None:
    """Everyone is who is in the game when the effect says so. The turn goes on without A (800.4k)."""
    game = resolved(magic, "upkeep", *orders, players="ABC")
    assert ("end" in rest_of_turn(game)) is draws
    assert game.position.active == "B"


def test_nobody_controls_a_turn_or_has_a_role_who_leaves_in_the_same_resolution(
    magic: Model,
) -> None:
    game = started(magic, "ABC")
    request = to(game, "beginning_of_combat")
    for order in (ControlNextTurn("A", "B"), Appoint("defending", "B"), Leave("B")):
        answer = quiet(request, orders=[Leave("B"), order])
        unchanged(game, lambda given=answer: game.answer(given), OrderError, "'B' has left")  # type: ignore[misc]
