"""Players who leave the game: when, several at once, and how the game ends (CR 104, 800.4)."""

from __future__ import annotations

import pytest

import fsm
from fsm import AddTurn, Leave, Over, Resolve
from fsm.errors import FsmError, OrderError
from fsm.model import Model
from support.playing import (
    act,
    actives,
    attack,
    resolving,
    rest_of_turn,
    started,
    to,
    to_action,
    unchanged,
    until,
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
        (Leave(), ("different players", "()")),
        (Leave("A", "A"), ("different players",)),
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


def test_nobody_leaves_before_the_game(magic: Model) -> None:
    with pytest.raises(OrderError, match="cannot be in force before the game"):
        started(magic, orders=[Leave("A")])


def test_between_two_answers_there_must_be_orders_and_a_game(magic: Model) -> None:
    game = started(magic)
    unchanged(game, game.order, FsmError, "no order was given")
    game.order(Leave("B"))
    unchanged(game, lambda: game.order(AddTurn("A")), FsmError, "the game is over")


def test_an_order_between_two_answers_leaves_the_request_as_it_is(magic: Model) -> None:
    game = started(magic)
    request, number = to(game, "upkeep"), game.number
    assert game.order(AddTurn("A"), AddTurn("A")) == request
    assert game.number == number + 1
    assert actives(game, through=4) == "AAAB"


def test_facts_come_with_the_order_if_the_departure_needs_them() -> None:
    """Grand Archive, Ending the Game GR8: what is pending finishes when the turn player loses."""
    game = started(fsm.load("grand-archive"), "ABC")
    until(game, lambda r: isinstance(r, fsm.Priority))
    act(game)
    unchanged(game, lambda: game.order(Leave("A")), FsmError, "stack_empty")
    assert isinstance(game.order(Leave("A"), stack_empty=False), Resolve)
