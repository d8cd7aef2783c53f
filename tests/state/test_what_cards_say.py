"""What cards say about the turn: each test is one line of rules or one card, played from the rule."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

import fsm
from fsm import (
    AddPhase,
    AddStep,
    AddTurn,
    ControlNextTurn,
    DelayedTrigger,
    Effect,
    Leave,
    Over,
    PlaceTriggers,
    Priority,
    Request,
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
from fsm.orders import Order
from support.playing import (
    attack,
    quiet,
    resolving,
    signal,
    started,
    steps,
    through,
    to,
    turns,
    until,
)

Notice = tuple[int, str, str]


def given(
    model: Model, step: str, *orders: Order, players: str = "AB", turn: int = 1
) -> TurnController:
    """A game in which these orders were given as something resolved in this step."""
    game = started(model, players)
    resolving(game, step, *orders, turn=turn)
    return game


def noticed(
    game: TurnController, turn: int, take: Callable[[Request | Over], tuple[str, ...]]
) -> list[Notice]:
    """Play quietly to the end of this turn. Return turn, step and id of every notice."""
    found: list[Notice] = []
    while game.request.at.turn <= turn:
        found += [(game.request.at.turn, game.request.at.step, id) for id in take(game.request)]
        game.answer(quiet(game.request))
    return found


def triggered(game: TurnController, turn: int) -> list[Notice]:
    return noticed(game, turn, lambda r: r.triggered)


# "at the beginning of your next upkeep" (603.7b, 614.10a): the Pacts, Glorious End ----------------


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


# "at the beginning of the next turn's upkeep" (603.7): Mishra's Bauble ----------------------------


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


# "at the beginning of the next main phase" (603.7): Mana Drain ------------------------------------


def test_the_next_main_phase_may_be_the_first(magic: Model) -> None:
    assert triggered(given(magic, "upkeep", DelayedTrigger("mana", "main", "A")), 3) == [
        (1, "precombat_main", "mana")
    ]


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
    game = given(
        magic, "beginning_of_combat", DelayedTrigger("war", "combat", "A"), AddPhase(("combat",))
    )
    attack(game)
    assert triggered(game, 3) == [(1, "beginning_of_combat", "war")]


def test_a_phase_of_one_step_begins_with_that_step(magic: Model) -> None:
    """500.10: a beginning phase that has only an upkeep step."""
    game = given(
        magic,
        "precombat_main",
        AddStep("upkeep", "current_phase"),
        DelayedTrigger("dawn", "beginning", "A"),
    )
    assert triggered(game, 3) == [(1, "upkeep", "dawn")]


def test_a_standing_trigger_of_a_family_triggers_at_each(magic: Model) -> None:
    game = started(
        magic, orders=[StandingTrigger("war", "combat"), StandingTrigger("mana", "main")]
    )
    main = [(turn, f"{when}combat_main", "mana") for turn in (1, 2) for when in ("pre", "post")]
    assert sorted(triggered(game, 2)) == sorted(
        [*main, *((t, "beginning_of_combat", "war") for t in (1, 2))]
    )


def test_the_first_of_a_family_each_turn_is_one(magic: Model) -> None:
    orders = [
        StandingTrigger("mana", "main", first_each_turn=True),
        StandingTrigger("war", "combat", "each", True),
    ]
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
    game = started(
        model, orders=[DelayedTrigger(phase, phase, "B", on="your_next") for phase in phases]
    )
    fired, begun = triggered(game, 2), {(r.turn, r.phase) for r in game.trace.records}
    assert sorted(fired) == sorted(set(fired))
    assert {(turn, id) for turn, _, id in fired} == {
        (2, phase) for phase in phases if (2, phase) in begun
    }


# "that turn", "that combat": bound to what this effect added (500.7, 500.8, 603.7, 614.10a) -------


def lines(game: TurnController, turn: int) -> list[str]:
    """The steps of this turn, which is played to its end."""
    through(game, turn)
    return steps(game, turn)


def test_savor_the_moment_skips_the_untap_step_of_that_turn(magic: Model) -> None:
    game = given(
        magic,
        "precombat_main",
        AddTurn("A", id="that turn"),
        SkipStep("untap", "A", within="that turn"),
    )
    assert lines(game, 2)[0] == "upkeep"
    assert lines(game, 4)[0] == "untap"


def test_that_turn_is_not_the_next_extra_turn(magic: Model) -> None:
    """500.7: the newest extra turn comes first, and has its untap step."""
    game = given(
        magic,
        "precombat_main",
        AddTurn("A", id="that turn"),
        SkipStep("untap", "A", within="that turn"),
    )
    resolving(game, "postcombat_main", AddTurn("A"), turn=1)
    assert lines(game, 2)[0] == "untap"
    assert lines(game, 3)[0] == "upkeep"
    assert turns(game) == ["A", "A", "A", "B"]


LAST_CHANCE = AddTurn("A", id="that turn"), DelayedTrigger("lose", "end", "A", within="that turn")


def test_final_fortune_is_lost_at_the_end_step_of_that_turn(magic: Model) -> None:
    game = given(magic, "precombat_main", *LAST_CHANCE)
    assert triggered(game, 5) == [(2, "end", "lose")]


def test_if_that_turn_is_skipped_nothing_happens(magic: Model) -> None:
    """614.10a: a Time Vault's owner, or Stranglehold, takes the turn away."""
    game = given(magic, "precombat_main", *LAST_CHANCE, SkipTurn("A"))
    assert triggered(game, 5) == []
    assert game.calendar.empty and game.agenda.idle


def test_if_that_turn_ends_without_the_step_nothing_happens(magic: Model) -> None:
    game = given(magic, "precombat_main", *LAST_CHANCE, SkipStep("end", "A", within="that turn"))
    assert triggered(game, 5) == []
    assert game.calendar.empty and game.agenda.idle


def test_what_is_bound_to_a_turn_may_be_ordered_before_it_is_added(magic: Model) -> None:
    game = given(magic, "precombat_main", *LAST_CHANCE[::-1])
    assert triggered(game, 5) == [(2, "end", "lose")]


def test_what_is_bound_to_what_nobody_adds_is_gone_with_the_turn(magic: Model) -> None:
    bound = DelayedTrigger("lose", "end", "A", within="x"), SkipStep("upkeep", within="x")
    game = given(
        magic, "precombat_main", *bound, ControlNextTurn("B", "A", within="x"), AddTurn("A")
    )
    assert triggered(game, 4) == []
    assert turns(game) == ["A", "A", "B", "A", "B"]
    assert game.calendar.empty and game.agenda.idle


def test_of_several_added_turns_one_is_enough(magic: Model) -> None:
    game = given(
        magic,
        "precombat_main",
        AddTurn("A", 2, id="x"),
        DelayedTrigger("lose", "end", "A", within="x"),
    )
    assert triggered(game, 5) == [(2, "end", "lose")]


def test_of_several_added_turns_the_second_may_be_the_one(magic: Model) -> None:
    bound = DelayedTrigger("lose", "end", "A", within="x"), SkipStep("end", "A", within="x")
    game = given(magic, "precombat_main", AddTurn("A", 2, id="x"), *bound)
    assert triggered(game, 5) == [(3, "end", "lose")]


def test_you_control_that_turn(magic: Model) -> None:
    """Emrakul in a game where another extra turn comes first."""
    added = (
        AddTurn("B", id="that turn"),
        ControlNextTurn("B", "A", within="that turn"),
        AddTurn("B"),
    )
    game = given(magic, "precombat_main", *added)
    deciders = [to(game, "upkeep", turn=turn).at.controller for turn in (2, 3, 4)]
    assert deciders == ["B", "A", "B"]


MORAUG = (
    AddPhase(("combat",), id="that combat"),
    DelayedTrigger("untap", "combat", "A", within="that combat"),
)


def combats(game: TurnController, turn: int) -> list[tuple[str, int]]:
    """The visits of beginning of combat at which something triggers."""
    found: list[tuple[str, int]] = []
    while game.request.at.turn <= turn:
        found += [(id, game.request.at.iteration) for id in game.request.triggered]
        game.answer(quiet(game.request))
    return found


def test_moraug_untaps_at_the_combat_that_it_added(magic: Model) -> None:
    """In the first main phase it is the first combat: it comes directly after that phase."""
    assert combats(given(magic, "precombat_main", *MORAUG), 3) == [("untap", 1)]


def test_a_combat_that_another_effect_adds_later_comes_first_and_does_not_count(
    magic: Model,
) -> None:
    """500.8: the newest comes first."""
    game = given(magic, "precombat_main", *MORAUG)
    resolving(game, "precombat_main", AddPhase(("combat",)))
    assert combats(game, 3) == [("untap", 2)]


def test_an_ordinary_combat_that_comes_first_does_not_count(magic: Model) -> None:
    """World at War, cast in the first main phase: after the second main phase."""
    added = AddPhase("combat", "main", after="main", nth=2, id="that combat")
    game = given(
        magic, "precombat_main", added, DelayedTrigger("untap", "combat", "A", within="that combat")
    )
    assert combats(game, 3) == [("untap", 2)]


def test_if_that_combat_is_skipped_nothing_happens(magic: Model) -> None:
    game = given(magic, "precombat_main", *MORAUG, SkipPhase("combat", within="that combat"))
    assert combats(game, 3) == []
    assert game.calendar.empty and game.agenda.idle
    assert steps(game, 1).count("beginning_of_combat") == 1


def test_if_the_turn_is_ended_nothing_happens(magic: Model) -> None:
    game = given(magic, "precombat_main", *MORAUG)
    resolving(game, "precombat_main", signal=signal("end_turn"))
    assert combats(game, 3) == []
    assert game.calendar.empty


def test_a_step_within_that_phase_is_skipped_and_no_other(magic: Model) -> None:
    added = AddPhase(("combat",), id="x"), SkipStep("end_of_combat", within="x")
    game = given(magic, "precombat_main", *added)
    assert lines(game, 1).count("end_of_combat") == 1
    assert lines(game, 1)[3:7] == [
        "beginning_of_combat",
        "declare_attackers",
        "beginning_of_combat",
        "declare_attackers",
    ]


def test_after_that_phase_nothing_is_within_it(magic: Model) -> None:
    """The ordinary combat phase, which comes after the added one, is not skipped for it."""
    game = given(
        magic, "precombat_main", AddPhase(("main",), id="x"), SkipPhase("combat", within="x")
    )
    assert "beginning_of_combat" in lines(game, 1)


def test_an_added_step_may_be_the_one(magic: Model) -> None:
    added = AddStep("upkeep", id="x"), DelayedTrigger("x", "upkeep", "A", within="x")
    game = given(magic, "upkeep", *added)
    assert triggered(game, 3) == [(1, "upkeep", "x")]
    alone = given(magic, "upkeep", AddStep("upkeep", "current_phase", id="x"), added[1])
    assert combats(alone, 3) == [("x", 2)]


@pytest.mark.parametrize("ruleset", ["magic", "magic-2010", "magic-classic"])
def test_an_effect_may_last_until_the_end_of_that_combat(ruleset: str) -> None:
    effects = [
        Effect(id, "A", "end_of_combat", within=bound)
        for id, bound in (("next", ""), ("that", "x"))
    ]
    game = given(
        fsm.load(ruleset),
        "precombat_main",
        AddPhase("combat", after="main", nth=2, id="x"),
        *effects,
    )
    ended = []
    while game.request.at.turn == 1:
        ended += [(id, game.agenda.count("phase", "combat")) for id in game.request.expired]
        game.answer(quiet(game.request))
    assert ended == [("next", 1), ("that", 2)]


def test_an_effect_that_is_bound_to_a_turn_ends_with_that_turn(magic: Model) -> None:
    game = given(
        magic, "precombat_main", AddTurn("A", id="x"), Effect("big", "A", "end_of_turn", within="x")
    )
    assert noticed(game, 4, lambda r: r.expired) == [(2, "cleanup", "big")]


def test_an_effect_that_is_bound_to_what_never_comes_ends_with_the_turn(magic: Model) -> None:
    game = given(magic, "precombat_main", Effect("big", "A", "end_of_combat", within="x"))
    assert noticed(game, 4, lambda r: r.expired) == [(2, "untap", "big")]


def test_what_is_bound_is_saved(magic: Model) -> None:
    game = given(
        magic, "precombat_main", *LAST_CHANCE, *MORAUG, SkipStep("untap", "A", within="that turn")
    )
    twin = TurnController.restore(magic, json.loads(json.dumps(game.snapshot())))
    assert twin.agenda == game.agenda and twin.calendar == game.calendar
    assert (
        triggered(twin, 4)
        == triggered(game, 4)
        == [(1, "beginning_of_combat", "untap"), (2, "end", "lose")]
    )


def test_a_snapshot_without_labels_is_as_small_as_before(magic: Model) -> None:
    game = given(magic, "precombat_main", AddTurn("A"), AddPhase(("combat",)), SkipStep("draw"))
    text = json.dumps(game.snapshot())
    assert "label" not in text and "within" not in text


# "as long as this is there, skip your draw step" (614.10a): Necropotence, Stasis, Eon Hub ---------

NECROPOTENCE = SkipStep("draw", "A", "each", id="Necropotence")


def test_a_skip_that_stands_ends_when_it_is_withdrawn(magic: Model) -> None:
    game = given(magic, "precombat_main", NECROPOTENCE)
    assert "draw" not in lines(game, 3)
    resolving(game, "precombat_main", Withdraw("Necropotence"), turn=5)
    assert "draw" not in lines(game, 5)
    assert "draw" in lines(game, 7)
    assert game.agenda.idle


def test_withdrawn_in_the_step_before_the_step_takes_place(magic: Model) -> None:
    game = given(magic, "precombat_main", NECROPOTENCE)
    resolving(game, "upkeep", Withdraw("Necropotence"), turn=3)
    assert "draw" in lines(game, 3)


def test_what_has_begun_is_not_undone(magic: Model) -> None:
    game = started(magic)
    resolving(game, "draw", AddTurn("A", id="x"), turn=2)
    resolving(game, "precombat_main", Withdraw("x"), turn=3)
    through(game, 4)
    assert turns(game)[:4] == ["A", "B", "A", "A"]


def test_a_permanent_may_leave_between_two_answers(magic: Model) -> None:
    game = given(magic, "precombat_main", NECROPOTENCE)
    to(game, "upkeep", turn=3)
    before = game.request
    assert game.order(Withdraw("Necropotence")) == before
    assert "draw" in lines(game, 3)


def test_everything_under_the_label_is_withdrawn_and_nothing_else(magic: Model) -> None:
    def orders(id: str) -> tuple[Order, ...]:
        return (
            *(AddTurn("A", id=id), SkipTurn("B", id=id), ControlNextTurn("B", "A", id=id)),
            *(SkipPhase("combat", id=id), SkipStep("draw", id=id), AddPhase(("combat",), id=id)),
            *(AddStep("upkeep", id=id), AddStep("draw", "current_phase", id=id)),
            *(
                DelayedTrigger(id, "end"),
                StandingTrigger(id, "upkeep"),
                Effect(id, "A", "your_next_turn"),
            ),
        )

    game, other = (
        given(magic, "upkeep", *orders("x")),
        given(magic, "upkeep", *orders("y"), *orders("x")),
    )
    alone = given(magic, "upkeep", *orders("y"))
    game.order(Withdraw("x"))
    other.order(Withdraw("x"))
    assert game.agenda.idle and game.calendar.empty
    assert other.agenda == alone.agenda and other.calendar == alone.calendar


def test_withdrawing_without_an_id_is_refused(magic: Model) -> None:
    """Else it would end everything that has no id."""
    game = given(magic, "upkeep", AddTurn("A"))
    with pytest.raises(OrderError, match="Withdraw needs the id of earlier orders"):
        game.order(Withdraw(""))
    assert len(game.agenda.turns) == 1


def test_what_is_withdrawn_is_not_reported_as_ended(magic: Model) -> None:
    game = given(magic, "upkeep", Effect("big", "A"))
    assert game.order(Withdraw("big")).expired == ()
    assert noticed(game, 3, lambda r: r.expired) == []


def test_withdrawing_what_is_not_there_does_nothing(magic: Model) -> None:
    game = given(magic, "upkeep", NECROPOTENCE)
    before = game.snapshot()
    game.order(Withdraw("nobody"))
    assert game.snapshot() == before


# "would begin an extra turn, skips it instead" (614.10): Stranglehold, Ugin's Nexus ---------------


def test_only_extra_turns_are_skipped(magic: Model) -> None:
    nexus = SkipTurn(extra=True, scope="each", id="Ugin's Nexus")
    game = given(magic, "precombat_main", nexus, AddTurn("A"), AddTurn("B"))
    through(game, 3)
    assert turns(game)[:4] == ["A", "B", "A", "B"]
    resolving(game, "precombat_main", Withdraw("Ugin's Nexus"), AddTurn("B"))
    through(game, 5)
    assert turns(game)[:6] == ["A", "B", "A", "B", "B", "A"]


def test_extra_turns_of_one_player_are_skipped(magic: Model) -> None:
    game = given(
        magic, "precombat_main", SkipTurn("A", extra=True, scope="each"), AddTurn("A"), AddTurn("B")
    )
    through(game, 3)
    assert turns(game)[:4] == ["A", "B", "B", "A"]


def test_the_next_extra_turn_is_skipped_and_the_ordinary_ones_are_not(magic: Model) -> None:
    game = given(magic, "precombat_main", SkipTurn("A", extra=True))
    resolving(game, "precombat_main", AddTurn("A", 2), turn=3)
    through(game, 4)
    assert turns(game)[:5] == ["A", "B", "A", "A", "B"]


def test_each_player_skips_a_turn(magic: Model) -> None:
    game = given(magic, "precombat_main", SkipTurn(), AddTurn("C"), players="ABC")
    through(game, 2)
    assert turns(game)[:3] == ["A", "C", "B"]  # the extra turn of C, the next ones of B and A
    assert game.agenda.idle


def test_what_waits_for_a_step_before_it_is_withdrawn_too(magic: Model) -> None:
    game = given(
        magic, "upkeep", AddStep("draw", id="x"), AddStep("end", before="draw"), players="ABC"
    )
    to(game, "end")
    game.order(Withdraw("x"))
    assert lines(game, 1)[:5] == ["untap", "upkeep", "end", "draw", "precombat_main"]
    assert game.agenda.idle


# "after that turn" (500.7 says "the specified turn") ----------------------------------------------


def test_a_turn_may_be_added_after_that_turn(magic: Model) -> None:
    game = given(
        magic, "precombat_main", AddTurn("A", id="x"), AddTurn("C", after="x"), players="ABC"
    )
    through(game, 4)
    assert turns(game)[:5] == ["A", "A", "C", "B", "C"]


def test_turns_that_come_before_that_turn_do_not_matter(magic: Model) -> None:
    orders = AddTurn("A", id="x"), AddTurn("C", after="x"), AddTurn("B")
    game = given(magic, "precombat_main", *orders, players="ABC")
    through(game, 5)
    assert turns(game)[:6] == ["A", "B", "A", "C", "B", "C"]


def test_a_turn_added_during_that_turn_is_newer_and_comes_first(magic: Model) -> None:
    game = given(
        magic, "precombat_main", AddTurn("A", id="x"), AddTurn("C", after="x"), players="ABC"
    )
    resolving(game, "precombat_main", AddTurn("A"), turn=2)
    through(game, 4)
    assert turns(game)[:5] == ["A", "A", "A", "C", "B"]


def test_after_that_turn_while_it_is_under_way_is_after_this_turn(magic: Model) -> None:
    game = given(magic, "precombat_main", AddTurn("A", id="x"))
    resolving(game, "precombat_main", AddTurn("A", after="x"), turn=2)
    through(game, 3)
    assert turns(game)[:4] == ["A", "A", "A", "B"]


@pytest.mark.parametrize(
    "never", [(), (AddTurn("A", id="x"), SkipTurn("A")), (AddTurn("A", id="x", after="x"),)]
)
def test_after_a_turn_that_never_begins_nothing_comes(
    magic: Model, never: tuple[Order, ...]
) -> None:
    game = given(magic, "precombat_main", *never, AddTurn("B", after="x"))
    through(game, 4)
    assert turns(game)[:5] == ["A", "B", "A", "B", "A"]
    assert game.agenda.idle


# one effect on both heads of a team (805.8) -------------------------------------------------------


def heads(model: Model, *orders: Order) -> TurnController:
    game = started(model, "ABCD", teams=[["A", "B"], ["C", "D"]])
    resolving(game, "precombat_main", *orders)
    return game


def test_one_effect_takes_one_turn_of_a_team(magic: Model) -> None:
    game = heads(magic, SkipTurn(players=("C", "D")))
    through(game, 3)
    assert turns(game)[:4] == ["A", "A", "C", "A"]


def test_two_effects_take_two_turns_of_a_team(magic: Model) -> None:
    game = heads(magic, SkipTurn("C"), SkipTurn("D"))
    through(game, 3)
    assert turns(game)[:4] == ["A", "A", "A", "C"]


def test_one_effect_gives_a_team_one_turn(magic: Model) -> None:
    game = heads(magic, AddTurn(players=("B", "A")))
    through(game, 2)
    assert turns(game)[:3] == ["A", "A", "C"]


@pytest.mark.parametrize("players", [("C", "D"), ("D",), ()])
def test_one_effect_skips_one_step_of_a_team(magic: Model, players: tuple[str, ...]) -> None:
    game = heads(magic, SkipStep("upkeep", players=players), SkipPhase("combat", players=players))
    assert "upkeep" not in lines(game, 2) and "beginning_of_combat" not in lines(game, 2)
    assert "upkeep" in lines(game, 4) and "beginning_of_combat" in lines(game, 4)


def test_several_players_get_turns_in_turn_order(magic: Model) -> None:
    """500.7: one at a time, in APNAP order, and the last one added is taken first."""
    game = given(magic, "precombat_main", AddTurn(players=("C", "A", "B")), players="ABC")
    through(game, 4)
    assert turns(game)[:5] == ["A", "C", "B", "A", "B"]


@pytest.mark.parametrize(
    ("order", "text"),
    [
        (AddTurn(), "names no player"),
        (SkipTurn("A", players=("B",)), "one is right"),
        (AddTurn("E"), "not in this game"),
    ],
)
def test_an_order_names_its_players(magic: Model, order: Order, text: str) -> None:
    with pytest.raises(OrderError, match=text):
        started(magic, orders=[order])


# the turn order is reversed (103.1): Aeon Engine --------------------------------------------------


def test_turns_come_the_other_way_round(magic: Model) -> None:
    game = given(magic, "precombat_main", ReverseTurnOrder(), players="ABCD")
    through(game, 4)
    assert turns(game)[:5] == ["A", "D", "C", "B", "A"]
    resolving(game, "precombat_main", ReverseTurnOrder())
    through(game, 6)
    assert turns(game)[4:] == ["A", "B", "C"]


def test_extra_turns_come_as_they_would_have(magic: Model) -> None:
    game = given(
        magic, "precombat_main", AddTurn("B"), ReverseTurnOrder(), AddTurn("C"), players="ABCD"
    )
    through(game, 4)
    assert turns(game)[:5] == ["A", "C", "B", "D", "C"]


def test_priority_goes_the_other_way_round(magic: Model) -> None:
    game = given(magic, "precombat_main", ReverseTurnOrder(), players="ABCD")
    asked = []
    while game.request.at.step == "precombat_main":
        asked += [game.request.player] if isinstance(game.request, Priority) else []
        game.answer(quiet(game.request))
    assert asked == ["A", "D", "C", "B"]
    place = until(game, lambda r: "triggers_waiting" in r.facts)
    place = game.answer(quiet(place, {"triggers_waiting": True}))
    assert isinstance(place, PlaceTriggers) and place.players == ("A", "D", "C", "B")


def test_who_leaves_is_passed_over_the_other_way_round(magic: Model) -> None:
    game = given(magic, "precombat_main", ReverseTurnOrder(), players="ABCD")
    game.order(Leave("D"))
    through(game, 3)
    assert turns(game)[:4] == ["A", "C", "B", "A"]


def test_with_two_players_nothing_changes(magic: Model) -> None:
    game = given(magic, "precombat_main", ReverseTurnOrder())
    through(game, 3)
    assert turns(game)[:4] == ["A", "B", "A", "B"]
