"""What cards say about the turn: each test is one line of rules or one card, played from the rule."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import fsm
from fsm.engine.controller import TurnController
from fsm.engine.requests import Request
from fsm.model import Model
from fsm.state.orders import (
    AddPhase,
    AddStep,
    AddTurn,
    DelayedTrigger,
    Order,
    SkipPhase,
    SkipStep,
    SkipTurn,
    StandingTrigger,
)
from support.playing import attack, quiet, resolving, started

Notice = tuple[int, str, str]


def given(model: Model, step: str, *orders: Order, players: str = "AB", turn: int = 1) -> TurnController:
    """A game in which these orders were given as something resolved in this step."""
    game = started(model, players)
    resolving(game, step, *orders, turn=turn)
    return game


def noticed(game: TurnController, turn: int, take: Callable[[Request], tuple[str, ...]]) -> list[Notice]:
    """Play quietly to the end of this turn. Return turn, step and id of every notice."""
    found: list[Notice] = []
    while game.request.at.turn <= turn:
        found += [(game.request.at.turn, game.request.at.step, id) for id in take(game.request)]
        game.answer(quiet(game.request))
    return found


def triggered(game: TurnController, turn: int) -> list[Notice]:
    return noticed(game, turn, lambda r: r.triggered)


# "at the beginning of your next upkeep" (603.7b, 614.10a): the Pacts, Glorious End -----------------------------------


def pact(step: str, player: str = "A") -> DelayedTrigger:
    return DelayedTrigger("pact", step, player, on="your_next")


def test_your_next_upkeep_is_in_your_next_turn(magic: Model) -> None:
    game = given(magic, "precombat_main", pact("upkeep"))
    assert triggered(game, 6) == [(3, "upkeep", "pact")]


def test_your_next_end_step_may_be_ahead_in_this_turn(magic: Model) -> None:
    assert triggered(given(magic, "precombat_main", pact("end")), 4) == [(1, "end", "pact")]


def test_in_your_end_step_your_next_one_is_another(magic: Model) -> None:
    assert triggered(given(magic, "end", pact("end")), 4) == [(3, "end", "pact")]


def test_an_opponents_step_is_not_your_next_one(magic: Model) -> None:
    game = given(magic, "precombat_main", pact("end", "B"))
    assert triggered(game, 4) == [(2, "end", "pact")]


def test_your_next_upkeep_waits_while_it_is_skipped(magic: Model) -> None:
    game = given(magic, "precombat_main", pact("upkeep"), SkipStep("upkeep", "A"))
    assert triggered(game, 6) == [(5, "upkeep", "pact")]


def test_your_next_upkeep_waits_while_its_turn_is_skipped(magic: Model) -> None:
    game = given(magic, "precombat_main", pact("upkeep"), SkipTurn("A"))
    assert triggered(game, 5) == [(4, "upkeep", "pact")]


def test_your_next_upkeep_may_be_one_that_an_effect_adds_to_this_turn(magic: Model) -> None:
    game = given(magic, "precombat_main", AddStep("upkeep", "current_phase"), pact("upkeep"))
    assert triggered(game, 4) == [(1, "upkeep", "pact")]


def test_a_team_mates_step_is_yours(magic: Model) -> None:
    """805.4: the members of a team share their turns."""
    game = started(magic, "ABCD", teams=[["A", "B"], ["C", "D"]])
    resolving(game, "precombat_main", pact("upkeep", "D"))
    assert triggered(game, 3) == [(2, "upkeep", "pact")]


# "at the beginning of the next turn's upkeep" (603.7): Mishra's Bauble ---------------------------------------------


def cantrip(step: str = "upkeep") -> DelayedTrigger:
    return DelayedTrigger("draw", step, "A", on="next_turn")


def test_the_next_turns_upkeep_is_in_the_turn_after_this_one(magic: Model) -> None:
    assert triggered(given(magic, "precombat_main", cantrip()), 5) == [(2, "upkeep", "draw")]


def test_an_upkeep_added_to_this_turn_is_not_the_next_turns(magic: Model) -> None:
    game = given(magic, "precombat_main", AddStep("upkeep", "current_phase"), cantrip())
    assert triggered(game, 4) == [(2, "upkeep", "draw")]


def test_the_next_turn_may_be_an_extra_one(magic: Model) -> None:
    game = given(magic, "precombat_main", AddTurn("A"), cantrip())
    assert triggered(game, 4) == [(2, "upkeep", "draw")]


def test_a_skipped_turn_is_not_the_next_one(magic: Model) -> None:
    """614.10a: the turn of B does not exist, so the next one is that of C."""
    game = given(magic, "precombat_main", SkipTurn("B"), cantrip(), players="ABC")
    assert triggered(game, 3) == [(2, "upkeep", "draw")]
    assert game.position.active == "B"


def test_the_trigger_is_lost_if_the_next_turn_has_no_upkeep(magic: Model) -> None:
    game = given(magic, "precombat_main", SkipStep("upkeep", "B"), cantrip())
    assert triggered(game, 6) == []
    assert game.calendar.empty


def test_only_the_first_such_step_of_the_next_turn_counts(magic: Model) -> None:
    game = given(magic, "precombat_main", cantrip())
    resolving(game, "upkeep", AddStep("upkeep"), turn=2)
    assert triggered(game, 4) == []  # it came before


def test_before_the_game_the_next_turn_is_the_first(magic: Model) -> None:
    game = started(magic, orders=[DelayedTrigger("first", "upkeep", "A", on="next_turn")])
    assert triggered(game, 3) == [(1, "upkeep", "first")]


# "at the beginning of the next main phase" (603.7): Mana Drain -----------------------------------------------------


def test_the_next_main_phase_may_be_the_first(magic: Model) -> None:
    assert triggered(given(magic, "upkeep", DelayedTrigger("mana", "main", "A")), 3) == [(1, "precombat_main", "mana")]


def test_the_next_main_phase_may_be_the_second(magic: Model) -> None:
    game = given(magic, "precombat_main", DelayedTrigger("mana", "main", "A"))
    assert triggered(game, 3) == [(1, "postcombat_main", "mana")]


def test_your_next_main_phase_is_not_an_opponents(magic: Model) -> None:
    game = given(magic, "postcombat_main", DelayedTrigger("mana", "main", "A", on="your_next"))
    assert triggered(game, 4) == [(3, "precombat_main", "mana")]


def test_the_beginning_of_a_phase_is_its_first_step_that_begins(magic: Model) -> None:
    orders = DelayedTrigger("war", "combat", "A"), SkipStep("beginning_of_combat", "A")
    game = given(magic, "precombat_main", *orders)
    assert triggered(game, 3) == [(1, "declare_attackers", "war")]


def test_a_phase_under_way_is_not_the_next_one(magic: Model) -> None:
    game = given(magic, "beginning_of_combat", DelayedTrigger("war", "combat", "A"), AddPhase(("combat",)))
    attack(game)
    assert triggered(game, 3) == [(1, "beginning_of_combat", "war")]


def test_a_phase_of_one_step_begins_with_that_step(magic: Model) -> None:
    """500.10: a beginning phase that has only an upkeep step."""
    game = given(magic, "precombat_main", AddStep("upkeep", "current_phase"), DelayedTrigger("dawn", "beginning", "A"))
    assert triggered(game, 3) == [(1, "upkeep", "dawn")]


def test_a_standing_trigger_of_a_family_triggers_at_each(magic: Model) -> None:
    game = started(magic, orders=[StandingTrigger("war", "combat"), StandingTrigger("mana", "main")])
    main = [(turn, f"{when}combat_main", "mana") for turn in (1, 2) for when in ("pre", "post")]
    assert sorted(triggered(game, 2)) == sorted([*main, *((t, "beginning_of_combat", "war") for t in (1, 2))])


def test_the_first_of_a_family_each_turn_is_one(magic: Model) -> None:
    orders = [StandingTrigger("mana", "main", first_each_turn=True), StandingTrigger("war", "combat", "each", True)]
    game = started(magic, orders=orders)
    resolving(game, "postcombat_main", AddPhase(("combat", "main")))
    assert triggered(game, 1) == []  # all of it came before
    assert triggered(game, 2) == [(2, "precombat_main", "mana"), (2, "beginning_of_combat", "war")]


def test_a_skipped_first_combat_is_not_the_first(magic: Model) -> None:
    orders = [StandingTrigger("war", "combat", "each", True), SkipPhase("combat", "A")]
    game = started(magic, orders=orders)
    resolving(game, "postcombat_main", AddPhase(("combat",)))
    assert triggered(game, 1) == [(1, "beginning_of_combat", "war")]


@pytest.mark.parametrize("ruleset", ["magic", "magic-2010", "magic-classic", "grand-archive"])
def test_each_phase_of_a_quiet_turn_begins_once(ruleset: str) -> None:
    model = fsm.load(ruleset)
    phases = tuple(dict.fromkeys(s.name for s in model.of_kind("phase")))
    game = started(model, orders=[DelayedTrigger(phase, phase, "B", on="your_next") for phase in phases])
    fired, begun = triggered(game, 2), {(r.turn, r.phase) for r in game.trace.records}
    assert sorted(fired) == sorted(set(fired))
    assert {(turn, id) for turn, _, id in fired} == {(2, phase) for phase in phases if (2, phase) in begun}
