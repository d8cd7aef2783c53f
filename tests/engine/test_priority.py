"""Who is asked what, in which order, wherever players may act (CR 117, 603.3, 704.3, 514.3)."""

from __future__ import annotations

import pytest

import fsm
from fsm import Answer, CheckState, PlaceTriggers, Resolve, TurnController
from fsm.model import Model
from support.playing import (
    act,
    actives,
    asked,
    log_of,
    quiet,
    rest_of_turn,
    started,
    to,
    to_action,
    until,
)

NOTHING = Answer("done", {"sba_performed": False, "triggers_waiting": False})
DIED = Answer("done", {"sba_performed": True, "triggers_waiting": False})
TRIGGERED = Answer("done", {"sba_performed": False, "triggers_waiting": True})
BOTH = Answer("done", {"sba_performed": True, "triggers_waiting": True})
DONE, ACT = Answer("done"), Answer("acted")
EMPTY, FULL = (Answer("passed", {"stack_empty": empty}) for empty in (True, False))
TEAMS = (("A", "B"), ("C", "D"))


def at_priority(model: Model, players: str = "AB", turn: int = 1) -> TurnController:
    game = started(model, players)
    to(game, "upkeep", turn=turn)
    return game


def at_check(
    model: Model, players: str = "AB", turn: int = 1, step: str = "upkeep"
) -> TurnController:
    game = started(model, players)
    to(game, step, CheckState, turn=turn)
    return game


def spoken(game: TurnController, answers: list[Answer]) -> list[str]:
    """What is asked, but for the checks."""
    return [heard for heard in log_of(game, answers) if heard != "check"]


# before somebody receives priority (117.5, 603.3b, 704.3) -----------------------------------------


@pytest.mark.parametrize(
    ("answers", "heard"),
    [
        ([NOTHING, EMPTY, NOTHING, EMPTY], "check, priority A, check, priority B, empty_mana"),
        ([DIED, DIED, NOTHING], "check, check, check, priority A"),
        ([BOTH, TRIGGERED, DONE, NOTHING], "check, check, place AB, check, priority A"),
        (
            [TRIGGERED, DONE, DIED, TRIGGERED, DONE, NOTHING],
            "check, place AB, check, check, place AB, check, priority A",
        ),
    ],
    ids=["quiet", "checked until quiet", "triggers come after that", "and are followed by a check"],
)
def test_all_is_settled_before_a_player_receives_priority(
    magic: Model, answers: list[Answer], heard: str
) -> None:
    assert ", ".join(log_of(at_check(magic), answers)) == heard


def test_triggers_are_placed_in_turn_order_from_the_active_player(magic: Model) -> None:
    """Rule 603.3b."""
    game = at_check(magic, "ABC", turn=2)
    placing = game.answer(TRIGGERED)
    assert isinstance(placing, PlaceTriggers) and placing.by == ("B", "C", "A")
    game.order(fsm.Leave("C"))
    game.answer(DONE)
    assert asked(game.answer(TRIGGERED)) == "place BA"


# priority goes round (117.3, 117.4) ---------------------------------------------------------------


def test_an_action_makes_earlier_passes_count_no_longer(magic: Model) -> None:
    game = at_priority(magic, "ABC")
    passing = [EMPTY, NOTHING, EMPTY, NOTHING, ACT, NOTHING, FULL, NOTHING, FULL, NOTHING, FULL]
    assert "".join(heard[-1] for heard in spoken(game, passing)[:-1]) == "ABCCAB"
    assert isinstance(game.request, Resolve) and game.request.by == ()


def test_after_a_resolution_the_active_player_is_next(magic: Model) -> None:
    """Rule 117.3b, whoever acted last."""
    game = at_priority(magic)
    spoken(game, [EMPTY, NOTHING, ACT, NOTHING, FULL, NOTHING, FULL])
    assert log_of(game, [DONE, NOTHING]) == ["resolve", "check", "priority A"]


# the cleanup step (514.3) -------------------------------------------------------------------------


def test_in_a_quiet_cleanup_nobody_receives_priority(magic: Model) -> None:
    game = at_check(magic, step="cleanup")
    assert log_of(game, [NOTHING, DONE]) == ["check", "empty_mana", "phasing"]


@pytest.mark.parametrize(
    "cause", [[DIED], [TRIGGERED, DONE], [BOTH, TRIGGERED, DONE]], ids=["sba", "trigger", "both"]
)
def test_a_cause_opens_the_cleanup_and_another_cleanup_follows(
    magic: Model, cause: list[Answer]
) -> None:
    """Rule 514.3a: the next one is quiet, unless it has a cause of its own."""
    game = at_check(magic, step="cleanup")
    heard = spoken(game, [*cause, NOTHING, EMPTY, NOTHING, EMPTY])
    assert heard[-3:] == ["priority A", "priority B", "empty_mana"]
    game.answer(DONE)
    assert (game.position.turn, game.position.step, game.position.iteration) == (1, "cleanup", 2)
    assert log_of(game, [DONE, DONE, NOTHING, DONE]) == [
        *("discard_to_hand_size", "remove_damage_and_end_effects", "check", "empty_mana"),
        "phasing",
    ]


# somebody leaves while players have priority (117.4, 800.4a) --------------------------------------

RULESETS = pytest.mark.parametrize(
    "ruleset", ["magic", "magic-2010", "magic-classic", "grand-archive"]
)


def responding(ruleset: str, players: str, *passed: str) -> TurnController:
    """Something is on the stack, and these players have passed."""
    game = started(fsm.load(ruleset), players)
    until(game, lambda r: isinstance(r, fsm.Priority))
    act(game)
    for player in passed:
        passes(game, player)
    return game


def passes(game: TurnController, player: str) -> str:
    """This player is asked, and passes. Return what comes next."""
    request = until(game, lambda r: not isinstance(r, CheckState))
    assert asked(request) == f"priority {player}"
    game.answer(quiet(request, {"stack_empty": False}))
    return asked(until(game, lambda r: not isinstance(r, CheckState)))


@RULESETS
def test_who_leaves_undoes_nobodys_pass(ruleset: str) -> None:
    """A has passed. C leaves while B has priority. B passes: then all have passed."""
    game = responding(ruleset, "ABC", "A")
    request = until(game, lambda r: isinstance(r, fsm.Priority))
    assert str(game.order(fsm.Leave("C"))) == str(request)
    assert passes(game, "B") == "resolve"


@RULESETS
def test_if_the_player_with_priority_leaves_the_next_one_has_it(ruleset: str) -> None:
    game = responding(ruleset, "ABC", "A")
    game.order(fsm.Leave("B"))
    assert passes(game, "C") == "resolve"


def test_who_passes_and_leaves_in_one_answer_has_passed(magic: Model) -> None:
    game = at_priority(magic, "ABC")
    game.answer(Answer("passed", {"stack_empty": True}, (fsm.Leave("A"),)))
    assert spoken(game, [NOTHING, EMPTY, NOTHING, EMPTY])[-2:] == ["priority C", "empty_mana"]


def test_the_next_player_stands_in_for_an_active_player_who_has_left(magic: Model) -> None:
    """Rule 800.4j: the turn goes on, nobody performs its actions, and priority begins with the
    next player.
    """
    game = at_priority(magic, "ABC", turn=2)
    game.order(fsm.Leave("B"))
    assert to_action(game, "draw_card").by == ()
    act_first = to(game, "draw")
    assert (act_first.player, act_first.at.active) == ("C", "B")
    assert "declare_attackers" in rest_of_turn(game)
    assert actives(game, 4) == "CA"


# teams (805.5) ------------------------------------------------------------------------------------


def test_teams_hold_priority_draw_and_pass_together(magic: Model) -> None:
    game = started(magic, "ACBD", teams=TEAMS)
    assert to(game, "upkeep").by == ("A", "B")
    log_of(game, [EMPTY, NOTHING])
    assert game.request.by == ("C", "D")
    assert asked(game.answer(EMPTY)) == "empty_mana"
    assert to_action(game, "draw_card", turn=2).by == ("C", "D")
    to(game, "upkeep", CheckState, turn=3)
    assert asked(game.answer(TRIGGERED)) == "place ABCD"
