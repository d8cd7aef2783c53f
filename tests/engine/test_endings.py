"""Effects that end the turn or a phase, and events of a ruleset: what they do, where, and what is
left of the turn (CR 723).
"""

from __future__ import annotations

import pytest

import fsm
from fsm import AddPhase, AddStep, AddTurn, EndPhase, EndTurn, Order, TurnController
from fsm.errors import AnswerError, OrderError
from fsm.model import Model
from support.playing import (
    asked,
    attack,
    quiet,
    resolved,
    rest_of_turn,
    started,
    to,
    unchanged,
    until,
)

PROCEDURE = "cease_triggers exile_stack check"
COMBAT = "beginning_of_combat declare_attackers end_of_combat"


def fought_to(model: Model, step: str) -> TurnController:
    """A game of three at the first priority in this step of turn 1, with an attack."""
    game = started(model, "ABC")
    if step not in ("upkeep", "precombat_main", "beginning_of_combat"):
        attack(game)
    to(game, step)
    return game


def ends(game: TurnController, order: Order) -> str:
    """Give the order. Return what its procedure asks, until the next step begins."""
    game.answer(quiet(game.request, orders=[order]))
    heard, here = list[str](), (game.position.step, game.position.iteration)
    while (game.position.step, game.position.iteration) == here:
        heard.append(asked(game.request))
        game.answer(game.request.quiet())  # type: ignore[union-attr]
    return " ".join(heard)


@pytest.mark.parametrize(
    "step", ["upkeep", "precombat_main", "declare_blockers", "combat_damage", "end"]
)
def test_the_turn_can_be_ended_in_every_phase(magic: Model, step: str) -> None:
    """Rule 723.1: straight to the cleanup step, in which nobody receives priority."""
    combat = "remove_from_combat " if step in ("declare_blockers", "combat_damage") else ""
    game = fought_to(magic, step)
    assert ends(game, EndTurn()) == f"{PROCEDURE} {combat}empty_mana"
    heard = []
    while game.position.turn == 1:
        assert game.position.step == "cleanup"
        heard.append(asked(game.request))
        game.answer(game.request.quiet())  # type: ignore[union-attr]
    assert heard == ["discard_to_hand_size", "remove_damage_and_end_effects", "check", "empty_mana"]


def test_the_turn_can_be_ended_in_the_untap_and_the_cleanup_step(magic: Model) -> None:
    """Rule 723.1d: a new cleanup step begins."""
    game = started(magic)
    assert ends(game, EndTurn()) == f"{PROCEDURE} empty_mana"
    assert ends(game, EndTurn()) == f"{PROCEDURE} empty_mana"
    assert (game.position.step, game.position.iteration) == ("cleanup", 2)
    assert rest_of_turn(game) == ["cleanup"]


def test_ending_the_turn_checks_until_quiet_and_places_triggers_in_cleanup(magic: Model) -> None:
    """Rules 723.1c and 723.1f."""
    game = fought_to(magic, "precombat_main")
    game.answer(quiet(game.request, orders=[EndTurn()]))
    heard = []
    for facts in ({}, {}, {"sba_performed": True}, {}):
        heard.append(asked(game.request))
        game.answer(quiet(game.request, {**facts, "triggers_waiting": True}))
    assert " ".join(heard) == f"{PROCEDURE} check"
    check = until(game, lambda r: asked(r) == "check")
    assert check.at.step == "cleanup"
    assert asked(game.answer(quiet(check, {"triggers_waiting": True}))) == "place ABC"
    assert rest_of_turn(game) == ["cleanup", "cleanup"]


def test_extra_turns_survive_the_end_of_a_turn_and_extra_phases_do_not(magic: Model) -> None:
    """Rules 723.1b and 500.7: what the same effect ordered is carried out first."""
    orders = AddTurn("A"), AddPhase("combat"), AddStep("upkeep", "current_phase"), EndTurn()
    game = resolved(magic, "upkeep", *orders, AddStep("end", before="end"))
    assert rest_of_turn(game) == ["upkeep", "cleanup"]
    assert "end" in rest_of_turn(game) and game.position.turn == 3
    assert game.position.active == "B"


def test_a_phase_added_in_the_cleanup_of_an_ended_turn_follows_it(magic: Model) -> None:
    game = resolved(magic, "upkeep", EndTurn())
    request = until(game, lambda r: asked(r) == "discard_to_hand_size")
    game.answer(quiet(request, orders=[AddPhase("combat")]))
    assert " ".join(rest_of_turn(game)) == f"cleanup {COMBAT}"


@pytest.mark.parametrize(
    "step",
    [
        "beginning_of_combat",
        "declare_attackers",
        "declare_blockers",
        "combat_damage",
        "end_of_combat",
    ],
)
def test_combat_can_be_ended_in_each_of_its_steps(magic: Model, step: str) -> None:
    """Rule 723.2: the next phase follows."""
    game = fought_to(magic, step)
    assert ends(game, EndPhase()) == f"{PROCEDURE} remove_from_combat empty_mana"
    assert rest_of_turn(game) == ["postcombat_main", "end", "cleanup"]


def test_ending_the_first_of_two_combats_leads_to_the_second(magic: Model) -> None:
    """Rule 723.2d, also from an extra step in it."""
    game = resolved(magic, "beginning_of_combat", AddPhase("combat"), AddStep("upkeep"))
    to(game, "upkeep", iteration=2)
    game.answer(quiet(game.request, orders=[EndPhase()]))
    rest = " ".join(rest_of_turn(game))
    assert rest == f"upkeep {COMBAT} postcombat_main end cleanup"


@pytest.mark.parametrize("step", ["upkeep", "precombat_main", "end"])
def test_ending_the_phase_elsewhere_does_nothing(magic: Model, step: str) -> None:
    """Rule 723.2g."""
    game, plain = fought_to(magic, step), fought_to(magic, step)
    game.answer(quiet(game.request, orders=[EndPhase()]))
    plain.answer(quiet(plain.request))
    assert (game.position, game.run.key) == (plain.position, plain.run.key)
    [result] = game.request.orders
    assert (result.state, result.why) == ("nothing", "it is no combat phase: nothing happens")


# several at once, and where they may be given -----------------------------------------------------


def test_an_interruption_that_changes_nothing_does_not_let_the_turn_go_on(magic: Model) -> None:
    """Rule 723.2g: the turn ends where the answer was given, not in the phase after it."""
    game = started(magic)
    request = until(game, lambda r: r.at.step == "precombat_main" and asked(r) == "empty_mana")
    game.answer(quiet(request, orders=[EndPhase(), EndTurn()]))
    assert (game.position.step, game.request.state) == ("precombat_main", "end_turn_triggers")
    assert [result.state for result in game.request.orders] == ["nothing", "done"]


@pytest.mark.parametrize("step", ["upkeep", "declare_blockers", "end"])
@pytest.mark.parametrize("orders", [(EndTurn(), EndPhase()), (EndPhase(), EndTurn())])
def test_the_turn_ends_in_whatever_order_it_and_its_phase_are_ended(
    magic: Model, orders: tuple[Order, ...], step: str
) -> None:
    """Rules 723.1d and 723.2g: cleanup is next, and nothing ends a phase on the way there."""
    game = fought_to(magic, step)
    game.answer(quiet(game.request, orders=orders))
    results = {type(one.order): one.state for one in game.request.orders}
    assert results[EndTurn] == "done"
    assert rest_of_turn(game) == [step, "cleanup"]


def test_no_phase_can_be_ended_while_the_turn_is_being_ended(magic: Model) -> None:
    game = fought_to(magic, "declare_blockers")
    game.answer(quiet(game.request, orders=[EndTurn()]))
    while game.position.step == "declare_blockers":
        possible = {option.name: option.possible for option in game.possible()}
        assert (possible["end_turn"], possible["end_phase"]) == (True, False)
        assert "nothing happens (723." in game.why_not(EndPhase)
        game.answer(game.request.quiet())  # type: ignore[union-attr]


@pytest.mark.parametrize("order", [EndTurn(), EndPhase(), fsm.Signal("end_turn")])
def test_nothing_is_interrupted_between_two_answers_or_before_the_game(
    magic: Model, order: Order
) -> None:
    game = fought_to(magic, "upkeep")
    unchanged(game, lambda: game.order(order), AnswerError, "not between two answers")
    with pytest.raises(OrderError, match="needs a turn, and none is under way yet"):
        started(magic, orders=[order])
