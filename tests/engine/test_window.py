"""The window: who is asked what, in which order, wherever players may act (CR 117, 603.3, 704.3,
800.4).
"""

from __future__ import annotations

import pytest

from fsm import Answer, CheckState, Over, Perform, PlaceTriggers, Priority, Resolve, TurnController
from fsm.model import Model
from support.playing import (
    act,
    asked,
    attack,
    leaves,
    log_of,
    quiet,
    signal,
    started,
    steps,
    through,
    to,
    to_action,
    until,
)

QUIET = {"sba_performed": False, "triggers_waiting": False}
DIED = Answer("done", {**QUIET, "sba_performed": True})
TRIGGERED = Answer("done", {**QUIET, "triggers_waiting": True})
BOTH = Answer("done", {"sba_performed": True, "triggers_waiting": True})
NOTHING = Answer("done", QUIET)
DONE = Answer("done")
ACT = Answer("acted")
EMPTY = Answer("passed", {"stack_empty": True})
FULL = Answer("passed", {"stack_empty": False})


def at_priority(
    model: Model, players: str = "AB", turn: int = 1, step: str = "upkeep"
) -> TurnController:
    game = started(model, players)
    to(game, step, turn=turn)
    return game


def at_check(
    model: Model, players: str = "AB", turn: int = 1, step: str = "upkeep"
) -> TurnController:
    game = started(model, players)
    to(game, step, CheckState, turn=turn)
    return game


# settling (117.5, 603.3b, 704.3) ------------------------------------------------------------------


def test_a_quiet_window_checks_before_each_player_receives_priority(magic: Model) -> None:
    game = at_check(magic)
    heard = log_of(game, [NOTHING, EMPTY, NOTHING, EMPTY])
    assert heard == ["check", "priority A", "check", "priority B", "empty_mana"]


def test_state_based_actions_are_checked_until_none_applies(magic: Model) -> None:
    assert log_of(at_check(magic), [DIED, DIED, NOTHING]) == [
        "check",
        "check",
        "check",
        "priority A",
    ]


def test_triggers_wait_for_state_based_actions_to_be_quiet(magic: Model) -> None:
    heard = log_of(at_check(magic), [BOTH, BOTH, TRIGGERED, DONE, NOTHING])
    assert heard == ["check", "check", "check", "place AB", "check", "priority A"]


def test_placing_triggers_is_followed_by_another_check_and_maybe_more_triggers(
    magic: Model,
) -> None:
    heard = log_of(at_check(magic), [TRIGGERED, DONE, DIED, TRIGGERED, DONE, NOTHING])
    assert heard == ["check", "place AB", "check", "check", "place AB", "check", "priority A"]


@pytest.mark.parametrize(("turn", "order"), [(1, "ABC"), (2, "BCA"), (3, "CAB")])
def test_triggers_are_placed_active_player_first_then_in_turn_order(
    magic: Model, turn: int, order: str
) -> None:
    game = at_check(magic, "ABC", turn)
    placing = game.answer(TRIGGERED)
    assert isinstance(placing, PlaceTriggers)
    assert "".join(placing.players) == order


def test_who_is_gone_places_nothing(magic: Model) -> None:
    game = at_check(magic, "ABC", 2)
    game.answer(Answer("done", DIED.facts, signal=leaves("C")))
    assert asked(game.answer(TRIGGERED)) == "place BA"


# priority goes round (117.3, 117.4) ---------------------------------------------------------------


def test_who_acts_keeps_priority(magic: Model) -> None:
    assert log_of(at_priority(magic), [ACT, NOTHING, ACT, NOTHING]) == [
        *("priority A", "check", "priority A", "check", "priority A"),
    ]


def test_the_nonactive_player_responds_and_the_active_player_is_next(magic: Model) -> None:
    """Worked case 73 (117.3b): whoever acted last, the active player receives priority after a
    resolution.
    """
    game = at_priority(magic)
    round_one = [ACT, NOTHING, FULL, NOTHING, ACT, NOTHING, FULL, NOTHING, FULL]
    assert log_of(game, round_one)[-4:] == ["priority B", "check", "priority A", "resolve"]
    assert log_of(game, [DONE, NOTHING]) == ["resolve", "check", "priority A"]
    assert log_of(game, [FULL, NOTHING, FULL, DONE, NOTHING]) == [
        *("priority A", "check", "priority B"),
        *("resolve", "check", "priority A"),
    ]


def test_a_stack_that_has_emptied_does_not_end_the_step_without_another_round(magic: Model) -> None:
    """Worked case 74 (117.4, 500.2)."""
    game = at_priority(magic)
    heard = log_of(
        game,
        [EMPTY, NOTHING, ACT, NOTHING, FULL, NOTHING, FULL, DONE, NOTHING, EMPTY, NOTHING, EMPTY],
    )
    assert heard == [
        *("priority A", "check", "priority B", "check", "priority B", "check", "priority A"),
        *("resolve", "check", "priority A", "check", "priority B", "empty_mana"),
    ]


def test_an_action_makes_earlier_passes_count_no_longer(magic: Model) -> None:
    game = at_priority(magic, "ABC")
    passing = [EMPTY, NOTHING, EMPTY, NOTHING, ACT, NOTHING, FULL, NOTHING, FULL, NOTHING, FULL]
    assert [h for h in log_of(game, passing) if h != "check"] == [
        *("priority A", "priority B", "priority C", "priority C", "priority A", "priority B"),
        "resolve",
    ]


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_in_each_turn_its_active_player_is_first(magic: Model, turn: int) -> None:
    game = at_check(magic, "ABC", turn)
    heard = log_of(game, [NOTHING, EMPTY, NOTHING, EMPTY, NOTHING])
    assert [h[-1] for h in heard if h != "check"] == [*"ABCABC"][turn - 1 : turn + 2]


def test_a_whole_quiet_turn_asks_what_the_rulebook_says(magic: Model) -> None:
    game = started(magic)
    until(game, lambda r: r.at.turn == 2)
    heard = []
    while game.request.at.turn == 2:
        heard.append(asked(game.request))
        game.answer(quiet(game.request))
    window = ["check", "priority B", "check", "priority A"]
    assert heard == [
        *("phasing", "day_night", "untap_permanents", "empty_mana"),
        *(*window, "empty_mana"),
        *("draw_card", *window, "empty_mana"),
        *("set_scheme", "add_lore_counters", "roll_attractions", *window, "empty_mana"),
        *(*window, "empty_mana"),
        *("declare_attackers", *window, "empty_mana"),
        *(*window, "remove_from_combat", "empty_mana"),
        *(*window, "empty_mana"),
        *(*window, "empty_mana"),
        *("discard_to_hand_size", "remove_damage_and_end_effects", "check", "empty_mana"),
    ]


# the conditional window: cleanup (514.3) ----------------------------------------------------------


def at_cleanup(model: Model, players: str = "AB") -> TurnController:
    return at_check(model, players, step="cleanup")


def test_in_a_quiet_cleanup_nobody_receives_priority(magic: Model) -> None:
    assert log_of(at_cleanup(magic), [NOTHING, DONE]) == ["check", "empty_mana", "phasing"]


@pytest.mark.parametrize(
    "cause", [[DIED], [TRIGGERED, DONE], [BOTH, TRIGGERED, DONE]], ids=["sba", "trigger", "both"]
)
def test_a_cause_opens_the_window_and_another_cleanup_follows(
    magic: Model, cause: list[Answer]
) -> None:
    game = at_cleanup(magic)
    heard = log_of(game, [*cause, NOTHING, EMPTY, NOTHING, EMPTY, DONE, DONE, DONE, NOTHING, DONE])
    opened = heard.index("priority A")
    assert heard[opened:] == [
        *("priority A", "check", "priority B", "empty_mana"),
        *("discard_to_hand_size", "remove_damage_and_end_effects", "check", "empty_mana"),
        "phasing",
    ]
    assert steps(game, 1)[-2:] == ["cleanup", "cleanup"]


def test_the_second_cleanup_is_counted(magic: Model) -> None:
    game = at_cleanup(magic)
    log_of(game, [DIED, NOTHING, EMPTY, NOTHING, EMPTY, DONE])
    assert (game.position.step, game.position.iteration) == ("cleanup", 2)


def test_a_cause_in_an_earlier_cleanup_does_not_open_the_next(magic: Model) -> None:
    game = at_cleanup(magic)
    log_of(game, [DIED, NOTHING, EMPTY, NOTHING, EMPTY, DONE, DONE, DONE])
    assert asked(game.request) == "check"
    assert asked(game.answer(NOTHING)) == "empty_mana"


def test_an_endless_cleanup_goes_on_as_long_as_it_is_answered(magic: Model) -> None:
    """514.3a sets no limit; the controller comes back after each answer."""
    game = at_cleanup(magic)
    for round in range(1, 200):
        assert (game.position.step, game.position.iteration) == ("cleanup", round)
        log_of(game, [DIED, NOTHING, EMPTY, NOTHING, EMPTY, DONE, DONE, DONE])
    assert asked(game.answer(NOTHING)) == "empty_mana"


# somebody leaves (800.4a, 800.4j) -----------------------------------------------------------------


def leaving(answer: Answer, player: str) -> Answer:
    return Answer(answer.word, answer.facts, answer.orders, leaves(player))


def test_who_leaves_with_priority_hands_it_to_the_next(magic: Model) -> None:
    game = at_priority(magic, "ABC", 2)
    assert log_of(game, [leaving(ACT, "B"), NOTHING]) == ["priority B", "check", "priority C"]
    assert [h for h in log_of(game, [EMPTY, NOTHING, EMPTY]) if h != "check"] == [
        "priority C",
        "priority A",
        "empty_mana",
    ]


def test_who_leaves_without_priority_leaves_it_where_it_is(magic: Model) -> None:
    game = at_priority(magic, "ABC")
    assert log_of(game, [leaving(ACT, "B"), NOTHING]) == ["priority A", "check", "priority A"]
    assert log_of(game, [EMPTY, NOTHING, EMPTY]) == [
        "priority A",
        "check",
        "priority C",
        "empty_mana",
    ]


def test_who_had_passed_and_left_is_not_waited_for(magic: Model) -> None:
    game = at_priority(magic, "ABC")
    log_of(game, [EMPTY, NOTHING])
    assert asked(game.request) == "priority B"
    assert log_of(game, [leaving(ACT, "A"), NOTHING, FULL, NOTHING, FULL]) == [
        *("priority B", "check", "priority B", "check", "priority C"),
        "resolve",
    ]


def test_when_the_last_to_be_asked_leaves_all_who_are_left_have_passed(magic: Model) -> None:
    game = at_priority(magic, "ABC")
    log_of(game, [EMPTY, NOTHING])
    assert log_of(game, [leaving(EMPTY, "C")]) == ["priority B", "empty_mana"]


def test_who_passes_and_leaves_has_passed(magic: Model) -> None:
    game = at_priority(magic, "ABC")
    heard = log_of(game, [leaving(EMPTY, "A"), NOTHING, EMPTY, NOTHING, EMPTY])
    assert heard == ["priority A", "check", "priority B", "check", "priority C", "empty_mana"]


@pytest.mark.parametrize("answer", [NOTHING, DIED, TRIGGERED], ids=["quiet", "sba", "trigger"])
def test_who_leaves_while_all_settles_does_not_receive_priority(
    magic: Model, answer: Answer
) -> None:
    game = at_check(magic, "ABC")
    game.answer(leaving(answer, "A"))
    request = until(game, lambda r: isinstance(r, Priority))
    assert asked(request) == "priority B"


def test_after_a_resolution_the_next_player_stands_in_for_a_missing_active_player(
    magic: Model,
) -> None:
    game = at_priority(magic, "ABC", 2)
    act(game)
    heard = log_of(game, [FULL, NOTHING, FULL, NOTHING, FULL, leaving(DONE, "B"), NOTHING])
    assert heard[-3:] == ["resolve", "check", "priority C"]
    act(game)
    assert log_of(game, [FULL, NOTHING, FULL, DONE, NOTHING])[-3:] == [
        "resolve",
        "check",
        "priority C",
    ]


def test_the_turn_goes_on_without_an_active_player(magic: Model) -> None:
    """Worked case 67: no attackers, priority begins with the next player, nothing else is missing."""
    game = at_priority(magic, "ABC")
    game.answer(leaving(ACT, "A"))
    through(game, 1)
    rest = [
        "beginning_of_combat",
        "declare_attackers",
        "end_of_combat",
        "postcombat_main",
        "end",
        "cleanup",
    ]
    assert steps(game, 1) == ["untap", "upkeep", "draw", "precombat_main", *rest]
    assert game.position.active == "B"


def test_without_an_active_player_nobody_performs_its_actions(magic: Model) -> None:
    game = at_priority(magic, "ABC")
    game.answer(leaving(ACT, "A"))
    assert to_action(game, "draw_card").players == ()


@pytest.mark.parametrize("player", ["A", "B"])
def test_when_one_is_left_the_game_is_over(magic: Model, player: str) -> None:
    game = at_priority(magic)
    assert isinstance(game.answer(leaving(ACT, player)), Over)


# a window is never resumed ------------------------------------------------------------------------


def test_a_signal_that_leaves_the_stage_drops_the_window(magic: Model) -> None:
    game = at_priority(magic)
    game.answer(Answer("acted", signal=signal("end_turn")))
    assert asked(game.request) == "cease_triggers"
    to(game, "upkeep", CheckState, turn=2)
    assert log_of(game, [NOTHING]) == ["check", "priority B"]


def test_a_signal_that_changes_nothing_leaves_the_window_as_it_is(magic: Model) -> None:
    game = at_priority(magic)
    log_of(game, [EMPTY, NOTHING])
    heard = log_of(game, [Answer("acted", signal=signal("end_phase")), NOTHING])
    assert heard == ["priority B", "check", "priority B"]


def test_facts_latched_in_one_window_are_forgotten_in_the_next(magic: Model) -> None:
    game = at_check(magic)
    log_of(game, [DIED, NOTHING])
    assert {"something_happened", "window_opened"} <= game.facts
    to(game, "draw" if "draw" in steps(game, 1) else "precombat_main", CheckState)
    assert not {"something_happened", "window_opened"} & game.facts


# teams (805.5) ------------------------------------------------------------------------------------

TEAMS = (("A", "B"), ("C", "D"))


def test_teams_hold_priority_and_pass_together(magic: Model) -> None:
    game = started(magic, "ACBD", teams=TEAMS)
    request = to(game, "upkeep")
    assert isinstance(request, Priority)
    assert (request.player, request.players) == ("A", ("A", "B"))
    log_of(game, [EMPTY, NOTHING])
    other = game.request
    assert isinstance(other, Priority)
    assert (other.player, other.players) == ("C", ("C", "D"))
    assert isinstance(game.answer(EMPTY), Perform)


def test_triggers_are_placed_by_team(magic: Model) -> None:
    game = started(magic, "ACBD", teams=TEAMS)
    to(game, "upkeep", CheckState, turn=2)
    assert asked(game.answer(TRIGGERED)) == "place CDAB"


def test_the_whole_team_draws(magic: Model) -> None:
    game = started(magic, "ACBD", teams=TEAMS)
    assert to_action(game, "draw_card", turn=2).players == ("C", "D")


def test_a_team_goes_on_without_one_of_its_members(magic: Model) -> None:
    game = started(magic, "ACBD", teams=TEAMS)
    to(game, "upkeep")
    game.answer(leaving(ACT, "A"))
    request = to(game, "upkeep")
    assert isinstance(request, Priority)
    assert (request.player, request.players) == ("B", ("B",))
    assert isinstance(game.answer(leaving(ACT, "B")), Over)


def test_resolving_is_asked_of_nobody(magic: Model) -> None:
    game = at_priority(magic)
    act(game)
    log_of(game, [FULL, NOTHING])
    request = game.answer(FULL)
    assert isinstance(request, Resolve)
    assert request.state == "resolve_top"


def test_attackers_are_declared_before_anybody_receives_priority(magic: Model) -> None:
    game = started(magic)
    assert asked(attack(game)) == "check"
    assert [asked(game.answer(NOTHING))] == ["priority A"]
