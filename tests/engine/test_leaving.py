"""Players who leave the game: between two answers, several at once, and how it ends (CR 104, 117.4,
800.4).
"""

from __future__ import annotations

import pytest

import fsm
from fsm import (
    AddTurn,
    Answer,
    CheckState,
    ControlNextTurn,
    History,
    Leave,
    Over,
    Perform,
    Priority,
    Request,
    Resolve,
    Trace,
    TurnController,
)
from fsm.errors import AnswerError, OrderError
from fsm.hosts import wire
from fsm.model import Model
from fsm.orders import Order
from fsm.scenarios import play
from support.playing import (
    act,
    quiet,
    resolving,
    signal,
    started,
    to,
    to_action,
    turns,
    unchanged,
    until,
)

RULESETS = ("magic", "magic-2010", "magic-classic", "grand-archive")
EVERY_RULESET = pytest.mark.parametrize("ruleset", RULESETS)


def window(ruleset: str, players: str = "ABC") -> TurnController:
    """A game in which somebody has put something on the stack in a window, and A has priority
    again.
    """
    game = started(fsm.load(ruleset), players)
    until(game, lambda r: isinstance(r, Priority))
    act(game)
    return game


def passes(game: TurnController, *names: str) -> Request | Over:
    """These players pass in this order. The stack is not empty."""
    for name in names:
        request = until(game, lambda r: not isinstance(r, CheckState))
        assert isinstance(request, Priority) and request.player == name
        game.answer(quiet(request, {"stack_empty": False}))
    return until(game, lambda r: not isinstance(r, CheckState))


@EVERY_RULESET
def test_who_leaves_undoes_nobodys_pass(ruleset: str) -> None:
    """117.4: A passes, C concedes while B has priority, B passes: then all have passed."""
    game = window(ruleset)
    before = passes(game, "A")
    assert game.order(Leave("C")) == before
    assert isinstance(passes(game, "B"), Resolve)


@EVERY_RULESET
def test_if_the_player_with_priority_leaves_the_next_one_has_it(ruleset: str) -> None:
    """800.4a."""
    game = window(ruleset)
    passes(game, "A")
    game.order(Leave("B"))
    assert isinstance(passes(game, "C"), Resolve)


@EVERY_RULESET
def test_if_the_last_to_pass_leaves_the_next_one_has_priority_all_the_same(ruleset: str) -> None:
    """800.4a: C leaves instead of passing, so that A has priority once more."""
    game = window(ruleset)
    passes(game, "A", "B")
    game.order(Leave("C"))
    assert isinstance(passes(game, "A"), Resolve)


@EVERY_RULESET
def test_several_may_leave_one_after_the_other_while_somebody_has_priority(ruleset: str) -> None:
    game = window(ruleset, "ABCDE")
    passes(game, "A")
    for player in "CBD":
        game.order(Leave(player))
    assert isinstance(passes(game, "E"), Resolve)


def test_who_receives_priority_instead_gets_the_check_first(magic: Model) -> None:
    """117.5: state-based actions are checked each time a player would receive priority."""
    game = window("magic")
    assert isinstance(game.order(Leave("A")), CheckState)
    assert isinstance(game.order(Leave("C")), Over)


@pytest.mark.parametrize("action", ["untap_permanents", "draw_card", "discard_to_hand_size"])
def test_a_player_can_leave_while_an_action_is_performed(magic: Model, action: str) -> None:
    game = started(magic, "ABC")
    request = to_action(game, action, turn=2)
    assert game.order(Leave("C")) == request
    left = game.order(Leave("B"))
    assert isinstance(left, Over) and left.winners == ("A",)


def test_who_leaves_decides_for_nobody_any_more(magic: Model) -> None:
    game = started(magic, "ABC", orders=[ControlNextTurn("A", "B")])
    assert to(game, "upkeep").at.controller == "B"
    assert game.order(Leave("B")).at.controller == "A"


@pytest.mark.parametrize(
    ("leaving", "winners", "draw"),
    [(("B", "C"), ("A",), False), (("A", "B", "C"), (), True), (("A", "C"), ("B",), False)],
)
def test_those_who_leave_together_leave_the_others_to_win(
    magic: Model, leaving: tuple[str, ...], winners: tuple[str, ...], draw: bool
) -> None:
    """104.2a; 104.4a: if all who are left lose at the same time, the game is a draw."""
    over = resolving(started(magic, "ABC"), "upkeep", Leave(*leaving))
    assert isinstance(over, Over)
    assert (over.winners, over.draw) == (winners, draw)


def test_a_team_wins_together(magic: Model) -> None:
    game = started(magic, "ACBD", teams=[list("AB"), list("CD")])
    over = resolving(game, "upkeep", Leave("C", "D"))
    assert isinstance(over, Over) and over.winners == ("A", "B")
    alone = resolving(
        started(magic, "ACBD", teams=[list("AB"), list("CD")]), "upkeep", Leave("B", "C", "D")
    )
    assert isinstance(alone, Over) and alone.winners == ("A",)


def test_nobody_who_has_left_receives_priority_in_a_scenario(magic: Model) -> None:
    """Three players lose in one resolution: nobody is asked any more."""
    when = {"turn": 1, "step": "upkeep", "at": "priority"}
    for given in (
        [{"when": when, "do": "player_leaves", "players": ["A", "B", "C"]}],
        [{"when": when, "do": "player_leaves", "player": player} for player in "ABC"],
    ):
        data = {
            "players": 3,
            "through_turn": 2,
            "given": given,
            "expect": [{"over": True}, {"turn_order": ["A"]}],
        }
        outcome = play(fsm.scenarios.load(data, magic, place="all")[0])
        assert outcome.ok, outcome.failures
        assert outcome.trace.answers[-1].orders == (Leave("A", "B", "C"),)


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
    game = window("magic", "ABCD")
    game.order(Leave("C"))
    unchanged(game, lambda: game.order(order), OrderError, *words)


def test_nobody_leaves_before_the_game(magic: Model) -> None:
    with pytest.raises(OrderError, match="cannot be in force before the game"):
        started(magic, orders=[Leave("A")])


# between two answers ------------------------------------------------------------------------------


def test_any_order_can_be_given_between_two_answers(magic: Model) -> None:
    game = started(magic)
    request = to(game, "upkeep")
    assert game.order(AddTurn("A"), AddTurn("A")) == request
    until(game, lambda r: r.at.turn == 4)
    assert turns(game)[:3] == ["A", "A", "A"]


def test_between_two_answers_only_orders_can_be_given(magic: Model) -> None:
    game = window("magic")
    unchanged(game, lambda: game.order(), AnswerError, "no order was given")
    unchanged(
        game,
        lambda: game.answer(Answer("", {}, (AddTurn("A"),), signal("end_turn"))),
        AnswerError,
        "comes with an answer",
    )
    game.order(Leave("B", "C"))
    unchanged(game, lambda: game.order(AddTurn("A")), AnswerError, "the game is over")


def test_orders_between_two_answers_are_recorded_replayed_undone_and_sent(magic: Model) -> None:
    game = History(window("magic"))
    before = game.controller.snapshot()
    game.controller.order(Leave("C"))
    controller = game.controller
    assert Trace.read(controller.trace.lines()).replay(magic).snapshot() == controller.snapshot()
    assert TurnController.restore(magic, controller.snapshot()).request == controller.request
    answer = controller.trace.answers[-1]
    assert wire.answer_of(wire.dump(answer)) == answer == Answer("", {}, (Leave("C"),))
    fresh = History(TurnController.restore(magic, before))
    fresh.answer(answer)
    assert fresh.undo() == TurnController.restore(magic, before).request


def test_facts_come_with_the_orders_if_the_departure_needs_them() -> None:
    """Grand Archive, Ending the Game GR8: what is pending finishes when the turn player loses."""
    game = window("grand-archive")
    order: Order = Leave("A")
    unchanged(game, lambda: game.order(order), AnswerError, "stack_empty")
    assert isinstance(game.order(order, stack_empty=False), Resolve)


def test_with_no_departure_the_request_stays_the_same(magic: Model) -> None:
    game = started(magic)
    request = game.request
    assert isinstance(request, Perform)
    assert game.order(AddTurn("B")) is game.request and game.request == request
