"""The agenda: which of several entries that fit comes first, seen in the steps and turns that a
game takes.
"""

from __future__ import annotations

import re

import pytest

from fsm import AddPhase, AddStep, AddTurn, ControlNextTurn, SkipStep
from fsm.model import Model
from fsm.state.orders import Scope
from support.folders import ROOT
from support.playing import (
    asked,
    quiet,
    resolving,
    started,
    steps,
    through,
    to,
    to_action,
    turns,
    until,
)

CITATION = re.compile(r"\d{3}\.\d+[a-z]?")


@pytest.mark.parametrize(
    ("scopes", "missing"),
    [(("next", "this_turn"), [1]), (("this_turn", "next"), [1, 4])],
    ids=["next skip first", "this turn's skip first"],
)
def test_of_two_skips_that_apply_the_older_one_is_used(
    magic: Model, scopes: tuple[Scope, Scope], missing: list[int]
) -> None:
    """614.10a: a skip of the next draw step is used up only if no older skip has taken that step
    away.
    """
    game = started(magic, "ABC")
    game.answer(quiet(game.request, orders=[SkipStep("draw", "A", scope) for scope in scopes]))
    through(game, 4)
    assert [turn for turn in (1, 2, 3, 4) if "draw" not in steps(game, turn)] == missing


def test_of_two_steps_added_before_a_step_the_newer_one_comes_first(magic: Model) -> None:
    game = started(magic)
    resolving(game, "upkeep", AddStep("upkeep", before="end"), AddStep("draw", before="end"))
    assert steps(through(game, 1), 1)[-4:] == ["draw", "upkeep", "end", "cleanup"]


def test_the_turn_after_a_controlled_turn_comes_before_older_extra_turns(magic: Model) -> None:
    """500.7: the extra turn that was added last is taken first."""
    game = started(magic, "ABC")
    resolving(
        game, "upkeep", AddTurn("C"), AddTurn("B"), ControlNextTurn("B", "A", extra_turn_after=True)
    )
    assert turns(through(game, 5))[:5] == ["A", "B", "B", "C", "B"]


def test_of_two_who_are_to_control_a_turn_the_newer_decides(magic: Model) -> None:
    """722.1a."""
    game = started(magic, "ABC")
    resolving(game, "upkeep", ControlNextTurn("B", "A"), ControlNextTurn("B", "C"))
    assert until(game, lambda r: r.at.turn == 2).at.controller == "C"


def test_phases_of_one_family_are_numbered_by_their_names(magic: Model) -> None:
    game = started(magic, "ABC")
    resolving(game, "precombat_main", AddPhase(("combat", "main")))
    to_action(game, "discard_to_hand_size")
    begun = [(o.name, o.iteration) for o in game.agenda.begun if o.level == "phase"]
    assert begun == [
        ("beginning", 1),
        ("precombat_main", 1),
        ("combat", 1),
        ("postcombat_main", 1),
        ("combat", 2),
        ("postcombat_main", 2),
        ("ending", 1),
    ]


def test_a_block_of_phases_that_is_added_twice_stays_together(magic: Model) -> None:
    game = started(magic, "ABC")
    resolving(game, "postcombat_main", AddPhase(("combat", "main"), count=2))
    to_action(game, "discard_to_hand_size")
    families = [o.family for o in game.agenda.begun if o.level == "phase"]
    assert families == [
        "beginning",
        "main",
        "combat",
        "main",
        "combat",
        "main",
        "combat",
        "main",
        "ending",
    ]


def test_a_phase_after_one_that_is_over_does_not_come(magic: Model) -> None:
    """The second combat phase is under way, and the order names the first."""
    game = started(magic, "ABC")
    resolving(game, "beginning_of_combat", AddPhase(("combat",)))
    to(game, "beginning_of_combat", iteration=2)
    game.answer(quiet(game.request, orders=[AddPhase(("main",), after="combat", nth=1)]))
    to_action(game, "discard_to_hand_size")
    assert game.agenda.count("phase", "main") == 2


def test_a_phase_after_the_one_under_way_comes_when_that_ends(magic: Model) -> None:
    game = started(magic, "ABC")
    resolving(game, "beginning_of_combat", AddPhase(("main",), after="combat"))
    to_action(game, "discard_to_hand_size")
    assert game.agenda.count("phase", "main") == 3


def test_a_step_after_one_that_has_just_ended_waits_for_the_next(magic: Model) -> None:
    game = started(magic, "ABC")
    to(game, "draw")
    until(game, lambda r: asked(r) == "empty_mana")
    game.answer(
        quiet(game.request, orders=[AddStep("upkeep", after="draw"), AddStep("draw", before="end")])
    )
    assert steps(through(game, 1), 1)[-4:] == ["draw", "upkeep", "end", "cleanup"]


def test_an_order_may_add_a_thousand_turns(magic: Model) -> None:
    game = started(magic)
    game.answer(quiet(game.request, orders=[AddTurn("A", 1000)]))
    assert len(game.agenda.turns) == 1000


@pytest.mark.parametrize(
    "rule", ["500.7", "500.8", "500.9", "500.10", "500.10a", "500.11", "614.10", "614.10a"]
)
def test_the_code_of_each_rule_is_found_by_its_number(rule: str) -> None:
    cited = {
        number
        for path in (ROOT / "fsm" / "state").glob("*.py")
        for number in CITATION.findall(path.read_text())
    }
    assert rule in cited
