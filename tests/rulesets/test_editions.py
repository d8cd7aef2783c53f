"""Editions of the rulebooks: numbers follow the edition, the turn only where its text differs, and
a game goes on with an edition that only renumbers.
"""

from __future__ import annotations

import pytest

import fsm
from fsm import (
    AddStep,
    CheckState,
    Effect,
    EndPhase,
    EndTurn,
    Order,
    PlaceTriggers,
    Resolve,
    TurnController,
)
from fsm.errors import SnapshotError
from fsm.model import Model
from support.commandline import command
from support.playing import resolving, to_action

CURRENT = fsm.load("magic")
OLD = fsm.load("magic", edition="2025-04")
NEW = fsm.load("magic", edition="2026-04")


# what an edition cites ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "edition", "state", "rule"),
    [
        ("magic", "CR 2026-01", "end_turn_triggers", "723.1a"),
        ("magic?edition=2025-04", "CR 2025-04", "end_turn_triggers", "722.1a"),
        ("magic?edition=2026-04", "CR 2026-04", "end_turn_triggers", "724.1a"),
        ("magic?edition=2025-04", "CR 2025-04", "draw_end", "500.4"),
        ("magic-2010", "CR 2010-07", "draw_end", "500.4"),
        ("magic-classic", "CR 2006-10", "combat_phase_end", "300.3"),
        ("grand-archive", "GA CR 2026-08", "materialize_materialize", "Materialize GR3"),
        ("grand-archive?edition=OLD", "GA CR 2024", "wake_up_wake", "Wake Up GR1"),
    ],
)
def test_a_state_cites_the_rule_of_its_edition(
    spec: str, edition: str, state: str, rule: str
) -> None:
    model = fsm.load(spec)
    assert (model.edition, model.state(state).rule) == (edition, rule)
    assert model.window is not None and model.window.edition == edition


@pytest.mark.parametrize(
    ("edition", "no_attack", "first_draw"),
    [
        ("2003-07", "308.4", "101.5"),
        ("2006-10", "308.4", "101.5a"),
        ("2007-07", "308.4", "101.6a"),
        ("2009-05", "308.5", "101.6a"),
    ],
)
def test_numbers_move_with_the_edition(edition: str, no_attack: str, first_draw: str) -> None:
    model = fsm.load("magic-classic", edition=edition)
    assert model.fact("attackers_declared").rule == no_attack
    assert model.fact("first_draw_skipped").rule == first_draw


@pytest.mark.parametrize(
    ("spec", "state", "manner"),
    [
        ("magic-2010", "first_strike_damage_assign_attackers", "first_or_double_strike"),
        ("magic-2010", "combat_damage_assign_blockers", "others_and_double_strike"),
        (
            "magic-classic?stopped_double_strike=true",
            "combat_damage_assign_combat_damage",
            "not_yet_assigned_or_double_strike_unless_stopped",
        ),
    ],
)
def test_an_action_says_whose_damage_is_assigned(spec: str, state: str, manner: str) -> None:
    assert fsm.load(spec).state(state).manner == manner


# what an edition plays ----------------------------------------------------------------------------


def test_editions_that_only_renumber_are_equal_in_behaviour() -> None:
    assert CURRENT.behaviour_fingerprint == NEW.behaviour_fingerprint
    assert CURRENT.behaviour_fingerprint != OLD.behaviour_fingerprint
    assert CURRENT.fingerprint != NEW.fingerprint


@pytest.mark.parametrize(
    ("spec", "order", "message"),
    [
        ("magic-classic", AddStep("upkeep", "current_phase"), "knows no steps added after a phase"),
        ("magic-classic", EndPhase(), "end_phase"),
        ("magic-classic?edition=2003-07", EndTurn(), "end_turn"),
        ("magic-2010", AddStep("upkeep", player="A", you_get=True), "knows no rule for what"),
    ],
)
def test_an_order_that_an_edition_does_not_know_is_refused(
    spec: str, order: Order, message: str
) -> None:
    game = TurnController(spec, ["A", "B"])
    with pytest.raises(fsm.FsmError, match=message):
        resolving(game, "upkeep", order)
    assert isinstance(game.request, Resolve)


def test_an_edition_that_knows_an_order_takes_it() -> None:
    game = TurnController("magic-classic?edition=2004-10", ["A", "B"])
    resolving(game, "upkeep", EndTurn())
    assert to_action(game, "discard_to_hand_size").at.turn == 1


@pytest.mark.parametrize("ends", [[], [EndTurn()]], ids=["combat ends", "the turn is ended"])
def test_mana_burns_after_durations_end(ends: list[Order]) -> None:
    """What lasts until end of combat is over before the mana burns."""
    game = TurnController("magic-classic", ["A", "B"])
    resolving(game, "beginning_of_combat", Effect("f", "A", "end_of_combat"), *ends)
    assert to_action(game, "lose_mana").expired == ("f",)


@pytest.mark.parametrize("spec", ["magic", "magic-2010", "magic-classic"])
def test_state_based_actions_come_before_triggers(spec: str) -> None:
    """Rule 704.3 (116.5 in 2010): checks until nothing is found, then what waits is placed."""
    game = TurnController(spec, ["A", "B"])
    for request in game:
        if isinstance(request, CheckState):
            break
        game.answer(request.quiet())
    again = game.answer(request.quiet(sba_performed=True, triggers_waiting=True))
    assert isinstance(again, CheckState)
    assert isinstance(game.answer(again.quiet(triggers_waiting=True)), PlaceTriggers)


# games that go on with another edition ------------------------------------------------------------


def test_a_game_goes_on_with_an_edition_that_only_renumbers() -> None:
    """By its snapshot and by its token, at any point, and back again."""
    game = TurnController(CURRENT, ["A", "B"])
    resolving(game, "beginning_of_combat", Effect("f", "A", "end_of_turn"))
    for number, request in enumerate(game):
        if request.at.turn == 3:
            break
        if number % 7 == 0:
            for saved in (game.snapshot(), game.token()):
                there = TurnController.restore(NEW, saved)
                assert there.request == request
                assert TurnController.restore(CURRENT, there.snapshot()).request == request
        game.answer(request.quiet())


@pytest.mark.parametrize(
    ("here", "there"), [(CURRENT, OLD), (OLD, CURRENT), (NEW, OLD)], ids=["older", "newer", "two"]
)
def test_an_edition_that_plays_differently_refuses_and_names_both(
    here: Model, there: Model
) -> None:
    game = TurnController(here, ["A", "B"])
    both = f"taken with 'magic' '{here.fingerprint}', not with magic {there.fingerprint}"
    with pytest.raises(SnapshotError, match=both):
        TurnController.restore(there, game.snapshot())
    with pytest.raises(SnapshotError, match=both):
        TurnController.restore(there, game.token())


# on the command line ------------------------------------------------------------------------------


def test_the_difference_counts_what_is_renumbered_apart() -> None:
    renumbered = command("diff", "magic", "magic?edition=2026-04").output
    assert "magic -> magic?edition=2026-04\nThey play the same" in renumbered
    assert "Only in words: 139 (--rules lists them)" in renumbered
    assert "They play the same" not in command("diff", "magic", "magic?edition=2025-04").output
