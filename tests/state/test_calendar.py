"""Durations and "at the beginning of" triggers: when the controller says that they are due (CR
500.4-6, 603, 611).
"""

from __future__ import annotations

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
    Over,
    Perform,
    Priority,
    Request,
    SkipPhase,
    SkipStep,
    SkipTurn,
    StandingTrigger,
    TurnController,
)
from fsm.model import Model
from fsm.orders import Order
from support.playing import (
    asked,
    attack,
    leaves,
    quiet,
    resolving,
    signal,
    started,
    to,
    to_action,
    turns,
    until,
)

Notice = tuple[int, str, str]


def heard(
    game: TurnController, turn: int, take: Callable[[Request | Over], tuple[str, ...]]
) -> list[Notice]:
    """Play quietly to the end of this turn; (turn, step, id) of every notice, where it was given."""
    found: list[Notice] = []
    while game.request.at.turn <= turn:
        found += [(game.request.at.turn, game.request.at.step, id) for id in take(game.request)]
        game.answer(quiet(game.request))
    return found


def expiries(game: TurnController, turn: int) -> list[Notice]:
    return heard(game, turn, lambda r: r.expired)


def triggers(game: TurnController, turn: int) -> list[Notice]:
    return heard(game, turn, lambda r: r.triggered)


def with_effect(
    model: Model, step: str, *orders: Order, players: str = "AB", turn: int = 1
) -> TurnController:
    """A game in which these orders were given as something resolved in this step."""
    game = started(model, players)
    resolving(game, step, *orders, turn=turn)
    return game


# durations: each of the model, made by A and by B, in turn 1 (A's) --------------------------------

ENDS: list[tuple[str, str, str, tuple[int, str]]] = [
    # until, whose, made in (turn 1, A's), ends in
    ("end_of_turn", "A", "precombat_main", (1, "cleanup")),
    ("end_of_turn", "B", "precombat_main", (1, "cleanup")),
    ("end_of_turn", "A", "end", (1, "cleanup")),
    ("end_of_combat", "A", "beginning_of_combat", (1, "end_of_combat")),
    ("end_of_combat", "B", "end_of_combat", (1, "end_of_combat")),
    ("your_next_turn", "A", "precombat_main", (3, "untap")),
    ("your_next_turn", "B", "precombat_main", (2, "untap")),
    ("end_of_your_next_turn", "A", "precombat_main", (3, "cleanup")),
    ("end_of_your_next_turn", "B", "precombat_main", (2, "cleanup")),
    ("your_next_upkeep", "A", "precombat_main", (3, "upkeep")),
    ("your_next_upkeep", "B", "upkeep", (2, "upkeep")),
    ("your_next_upkeep", "A", "upkeep", (3, "upkeep")),
    ("your_next_end_step", "A", "precombat_main", (1, "end")),
    ("your_next_end_step", "A", "end", (3, "end")),
    ("your_next_end_step", "B", "precombat_main", (2, "end")),
    ("end_of_combat_on_your_next_turn", "A", "upkeep", (3, "end_of_combat")),
    ("end_of_combat_on_your_next_turn", "B", "upkeep", (2, "end_of_combat")),
]


@pytest.mark.parametrize(
    ("until", "player", "made", "ends"), ENDS, ids=["-".join(e[:3]) for e in ENDS]
)
def test_a_duration_ends_when_the_rules_say(
    magic: Model, until: str, player: str, made: str, ends: tuple[int, str]
) -> None:
    game = with_effect(magic, made, Effect("e", player, until))
    assert expiries(game, 4) == [(*ends, "e")]
    assert game.calendar.empty


def test_every_duration_of_the_model_is_in_that_table(magic: Model) -> None:
    assert {e[0] for e in ENDS} == {d.name for d in magic.durations}


def test_until_your_next_turn_ends_before_anything_of_that_turn(magic: Model) -> None:
    game = with_effect(magic, "upkeep", Effect("e", "B", "your_next_turn"))
    request = until(game, lambda r: bool(r.expired))
    assert (request.at.turn, asked(request)) == (2, "phasing")


def test_until_your_next_upkeep_ends_before_its_triggers(magic: Model) -> None:
    """500.4 before 500.6, worked case 72: both come with one request, the expiry listed apart."""
    game = with_effect(
        magic, "upkeep", Effect("e", "B", "your_next_upkeep"), StandingTrigger("t", "upkeep")
    )
    request = until(game, lambda r: bool(r.expired))
    assert (request.expired, request.triggered, asked(request)) == (("e",), ("t",), "check")


def test_until_end_of_turn_ends_with_the_damage_after_the_discard(magic: Model) -> None:
    """514.1 before 514.2."""
    game = with_effect(magic, "upkeep", Effect("e", "A"))
    assert to_action(game, "discard_to_hand_size").expired == ()
    request = game.answer(quiet(game.request))
    assert (asked(request), request.expired) == ("remove_damage_and_end_effects", ("e",))


def test_until_end_of_turn_made_after_that_lasts_to_the_next_cleanup(magic: Model) -> None:
    """Section d.3 of the rules, [D]: effects made in cleanup after 514.2 last until the next
    cleanup's.
    """
    game = started(magic)
    until(game, lambda r: r.at.step == "cleanup" and "triggers_waiting" in r.facts)
    game.answer(quiet(game.request, {"triggers_waiting": True}, orders=[Effect("e", "A")]))
    request = until(game, lambda r: bool(r.expired))
    assert (request.at.turn, request.at.step, request.at.iteration) == (1, "cleanup", 2)


def expiry(game: TurnController) -> tuple[str, str, str]:
    """The phase and step in which the next duration ends, and what is asked then."""
    request = until(game, lambda r: bool(r.expired))
    return request.at.phase, request.at.step, asked(request)


@pytest.mark.parametrize("ruleset", ["magic", "magic-2010"])
def test_until_end_of_combat_ends_as_the_phase_ends_before_the_mana_empties(ruleset: str) -> None:
    """500.5, 500.5a; worked case 71: the first combat of two. The table of 2010 has a row for it."""
    orders = (Effect("e", "A", "end_of_combat"), AddPhase(("combat",)))
    game = with_effect(fsm.load(ruleset), "beginning_of_combat", *orders)
    action = {"magic": "empty_mana", "magic-2010": "end_combat_effects"}[ruleset]
    assert expiry(game) == ("combat", "end_of_combat", action)
    to(game, "beginning_of_combat", iteration=2)


@pytest.mark.parametrize("ruleset", ["magic", "magic-2010"])
def test_until_end_of_combat_lasts_through_a_step_added_after_the_last(ruleset: str) -> None:
    """500.5a: it ends with the phase, whose last step is the added one. Then mana empties once
    more.
    """
    game = with_effect(
        fsm.load(ruleset), "end_of_combat", Effect("e", "A", "end_of_combat"), AddStep("upkeep")
    )
    assert expiry(game) == ("combat", "upkeep", "empty_mana")
    assert game.request.state == "combat_phase_end"


@pytest.mark.parametrize("ruleset", ["magic", "magic-2010"])
def test_until_end_of_combat_ends_before_the_mana_if_the_last_step_is_skipped(ruleset: str) -> None:
    game = with_effect(
        fsm.load(ruleset),
        "upkeep",
        Effect("e", "A", "end_of_combat"),
        SkipStep("end_of_combat", scope="this_turn"),
    )
    assert expiry(game) == ("combat", "declare_attackers", "empty_mana")
    assert game.request.state == "combat_phase_end"


@pytest.mark.parametrize("event", ["", "end_turn", "end_phase"])
def test_in_the_older_reading_mana_empties_before_combat_is_over(event: str) -> None:
    """Editions before 2025-11 state no order: 2025-04 takes that of its numbers, also where an effect
    ends combat.
    """
    game = started(fsm.load("magic?edition=2025-04"))
    attack(game)
    ends = [signal(event)] if event else [None]
    resolving(game, "declare_blockers", Effect("e", "A", "end_of_combat"), signal=ends[0])
    heard = []
    while not game.request.expired:
        heard.append(asked(game.request))
        game.answer(quiet(game.request))
    assert heard[-1] == "empty_mana"


@pytest.mark.parametrize("extra", [False, True])
def test_mana_empties_once_as_combat_ends_with_its_last_step(magic: Model, extra: bool) -> None:
    game = with_effect(magic, "end_of_combat", *([AddStep("end_of_combat")] if extra else []))
    heard = [asked(game.request)]
    while game.position.phase == "combat":
        heard.append(asked(game.answer(quiet(game.request))))
    assert heard.count("empty_mana") == (3 if extra else 1)


@pytest.mark.parametrize("event", ["end_turn", "end_phase"])
def test_until_end_of_combat_ends_when_combat_is_cut_short(magic: Model, event: str) -> None:
    """723.1d, 723.2d: the phase ends; 500.5: expiry, then mana."""
    game = started(magic)
    attack(game)
    resolving(game, "declare_blockers", Effect("e", "A", "end_of_combat"), signal=signal(event))
    request = until(game, lambda r: bool(r.expired))
    assert (request.expired, asked(request)) == (("e",), "empty_mana")


def test_a_skipped_turn_is_not_the_next_turn(magic: Model) -> None:
    """614.10a: what waits for the next one waits for one that really begins."""
    game = with_effect(magic, "upkeep", Effect("e", "B", "your_next_turn"), SkipTurn("B"))
    assert expiries(game, 4) == [(3, "untap", "e")]


def test_an_extra_turn_is_the_next_turn(magic: Model) -> None:
    orders = (
        AddTurn("A"),
        Effect("t", "A", "your_next_turn"),
        Effect("e", "A", "end_of_your_next_turn"),
    )
    assert expiries(with_effect(magic, "upkeep", *orders), 3) == [
        (2, "untap", "t"),
        (2, "cleanup", "e"),
    ]


def test_a_skipped_upkeep_is_not_the_next_upkeep(magic: Model) -> None:
    game = with_effect(
        magic, "draw", Effect("e", "B", "your_next_upkeep"), SkipStep("upkeep", "B"), turn=3
    )
    assert expiries(game, 8) == [(6, "upkeep", "e")]


def test_an_extra_upkeep_is_the_next_upkeep(magic: Model) -> None:
    game = with_effect(
        magic, "precombat_main", Effect("e", "A", "your_next_upkeep"), AddStep("upkeep")
    )
    assert expiries(game, 1) == [(1, "upkeep", "e")]


def test_end_of_combat_on_a_turn_without_combat_is_over_with_that_turn(magic: Model) -> None:
    orders = (Effect("e", "B", "end_of_combat_on_your_next_turn"), SkipPhase("combat", "B"))
    assert expiries(with_effect(magic, "upkeep", *orders), 5) == [(3, "untap", "e")], (
        "told as the following turn begins"
    )


@pytest.mark.parametrize(
    "until_when", ["your_next_turn", "your_next_upkeep", "end_of_your_next_turn"]
)
def test_what_lasts_until_the_turn_of_one_who_left_ends_when_it_would_have_begun(
    magic: Model, until_when: str
) -> None:
    """800.4m: neither at once nor never."""
    game = started(magic, "ABC")
    resolving(game, "upkeep", Effect("e", "C", until_when), signal=leaves("C"))
    assert expiries(game, 4) == [(3, "untap", "e")]
    assert "C" not in turns(game)[1:]


def test_nobodys_effect_ends_because_another_left(magic: Model) -> None:
    game = started(magic, "ABC")
    resolving(game, "upkeep", Effect("e", "B", "your_next_turn"), signal=leaves("C"))
    assert expiries(game, 3) == [(2, "untap", "e")]


def test_a_missed_turn_of_one_who_left_is_no_turn_of_another(magic: Model) -> None:
    """800.4m is about the effects of the one who left."""
    game = started(magic, "ABC")
    resolving(game, "upkeep", Effect("e", "A", "your_next_upkeep"), signal=leaves("C"))
    assert expiries(game, 4) == [(3, "upkeep", "e")]


def test_a_missed_turn_does_not_end_what_lasts_until_a_moment_of_any_turn(magic: Model) -> None:
    game = started(magic, "ABC")
    resolving(
        game, "postcombat_main", Effect("e", "C", "end_of_combat"), signal=leaves("C"), turn=2
    )
    assert expiries(game, 4) == [(3, "end_of_combat", "e")]


def test_a_team_has_one_next_turn(magic: Model) -> None:
    game = started(magic, "ACBD", teams=[list("AB"), list("CD")])
    resolving(
        game, "upkeep", Effect("b", "B", "your_next_turn"), Effect("d", "D", "your_next_turn")
    )
    assert expiries(game, 4) == [(2, "untap", "d"), (3, "untap", "b")]


def test_several_that_end_together_are_told_in_the_order_they_were_made(magic: Model) -> None:
    game = with_effect(magic, "upkeep", Effect("b", "A"), Effect("a", "B"), Effect("b", "A"))
    assert to_action(game, "remove_damage_and_end_effects").expired == ("b", "a", "b")


def test_effects_of_one_name_end_each_at_its_own_time(magic: Model) -> None:
    game = with_effect(magic, "upkeep", Effect("e", "A"), Effect("e", "A", "your_next_turn"))
    assert expiries(game, 3) == [(1, "cleanup", "e"), (3, "untap", "e")]


def test_delayed_triggers_of_one_name_wait_each_for_its_own_step(magic: Model) -> None:
    game = with_effect(magic, "upkeep", DelayedTrigger("d", "end"), DelayedTrigger("d", "upkeep"))
    assert triggers(game, 2) == [(1, "end", "d"), (2, "upkeep", "d")]


def test_a_notice_is_given_once(magic: Model) -> None:
    game = with_effect(magic, "upkeep", Effect("e", "A"))
    to_action(game, "remove_damage_and_end_effects")
    assert game.answer(quiet(game.request)).expired == ()


# delayed triggers ---------------------------------------------------------------------------------


def test_at_the_beginning_of_the_next_end_step(magic: Model) -> None:
    assert triggers(with_effect(magic, "upkeep", DelayedTrigger("d", "end")), 4) == [
        (1, "end", "d")
    ]


def test_next_means_after_it_was_made(magic: Model) -> None:
    """603.7b: made in an upkeep, it waits for another, whoever's."""
    assert triggers(with_effect(magic, "upkeep", DelayedTrigger("d", "upkeep")), 4) == [
        (2, "upkeep", "d")
    ]


def test_a_delayed_trigger_waits_for_a_step_that_is_not_skipped(magic: Model) -> None:
    """614.10a."""
    game = with_effect(magic, "upkeep", DelayedTrigger("d", "end"), SkipStep("end", "A"))
    assert triggers(game, 4) == [(2, "end", "d")]


def test_an_end_step_that_the_end_of_the_turn_jumped_over_does_not_count(magic: Model) -> None:
    """723.1e, worked case 30."""
    game = started(magic)
    resolving(game, "upkeep", DelayedTrigger("d", "end"), signal=signal("end_turn"))
    assert triggers(game, 4) == [(2, "end", "d")]


def test_at_the_beginning_of_the_next_cleanup_step(magic: Model) -> None:
    game = with_effect(magic, "upkeep", DelayedTrigger("d", "cleanup"))
    request = until(game, lambda r: bool(r.triggered))
    assert (request.at.step, asked(request)) == ("cleanup", "discard_to_hand_size")


@pytest.mark.parametrize(("maker", "fires"), [("A", (3, "upkeep", "d")), ("B", (2, "upkeep", "d"))])
def test_in_your_next_turn_only(magic: Model, maker: str, fires: Notice) -> None:
    assert triggers(
        with_effect(
            magic, "precombat_main", DelayedTrigger("d", "upkeep", maker, "your_next_turn")
        ),
        5,
    ) == [fires]


def test_your_next_turn_is_not_this_one(magic: Model) -> None:
    assert triggers(
        with_effect(magic, "upkeep", DelayedTrigger("d", "end", "A", "your_next_turn")), 5
    ) == [(3, "end", "d")]


def test_without_a_player_it_is_the_active_one(magic: Model) -> None:
    assert triggers(
        with_effect(magic, "upkeep", DelayedTrigger("d", "end", on="your_next_turn"), turn=2), 5
    ) == [(4, "end", "d")]


def test_without_a_player_it_is_the_active_one_also_while_another_decides(magic: Model) -> None:
    game = with_effect(magic, "upkeep", ControlNextTurn("B", "A"))
    resolving(game, "upkeep", DelayedTrigger("d", "end", on="your_next_turn"), turn=2)
    assert triggers(game, 5) == [(4, "end", "d")]


def test_it_is_lost_when_that_turn_lacks_the_step(magic: Model) -> None:
    orders = (DelayedTrigger("d", "draw", "B", "your_next_turn"), SkipStep("draw", "B"))
    game = with_effect(magic, "upkeep", *orders)
    assert triggers(game, 6) == []
    assert game.calendar.delayed == ()


def test_it_waits_for_a_turn_that_is_not_skipped(magic: Model) -> None:
    orders = (DelayedTrigger("d", "draw", "B", "your_next_turn"), SkipTurn("B"))
    assert triggers(with_effect(magic, "upkeep", *orders), 5) == [(3, "draw", "d")]


EXTRA_END: list[Order] = [DelayedTrigger("d", "end"), AddStep("end")]


def test_an_extra_end_step_is_the_next_end_step(magic: Model) -> None:
    """Worked case 45: 603.7b, and a published ruling on Y'shtola Rhul."""
    assert triggers(with_effect(magic, "end", *EXTRA_END), 4) == [(1, "end", "d")]


def test_a_standing_trigger_triggers_in_an_extra_end_step(magic: Model) -> None:
    game = with_effect(magic, "end", AddStep("end"), StandingTrigger("s", "end"))
    assert triggers(game, 1) == [(1, "end", "s")]


# standing triggers --------------------------------------------------------------------------------


def test_each_upkeep(magic: Model) -> None:
    game = started(magic, orders=[StandingTrigger("s", "upkeep")])
    assert triggers(game, 3) == [(1, "upkeep", "s"), (2, "upkeep", "s"), (3, "upkeep", "s")]


def test_only_in_ones_own_turns(magic: Model) -> None:
    game = started(magic, orders=[StandingTrigger("s", "upkeep", "B")])
    assert triggers(game, 4) == [(2, "upkeep", "s"), (4, "upkeep", "s")]


@pytest.mark.parametrize(
    "step",
    ["untap", "upkeep", "precombat_main", "postcombat_main", "end_of_combat", "end", "cleanup"],
)
def test_once_in_each_such_step(magic: Model, step: str) -> None:
    """603.2b; a main phase and its only step are one thing."""
    game = started(magic, "ABC", orders=[StandingTrigger("s", step)])
    assert triggers(game, 2) == [(1, step, "s"), (2, step, "s")]


def test_in_an_extra_step_too_unless_it_is_for_the_first(magic: Model) -> None:
    orders = [
        StandingTrigger("each", "upkeep"),
        StandingTrigger("first", "upkeep", first_each_turn=True),
    ]
    game = started(magic, "ABC", orders=orders)
    resolving(game, "upkeep", AddStep("upkeep"))
    assert triggers(game, 2) == [
        (1, "upkeep", "each"),
        (2, "upkeep", "each"),
        (2, "upkeep", "first"),
    ]


def test_the_second_upkeep_is_not_the_first_for_what_came_in_between(magic: Model) -> None:
    """505.1b counts what has occurred this turn, not what the ability has seen."""
    game = with_effect(
        magic,
        "upkeep",
        AddStep("upkeep"),
        StandingTrigger("first", "upkeep", first_each_turn=True),
        players="ABC",
    )
    assert triggers(game, 2) == [(2, "upkeep", "first")]


def test_what_came_in_this_step_has_missed_it(magic: Model) -> None:
    """513.2, worked case 46."""
    assert triggers(with_effect(magic, "end", StandingTrigger("s", "end")), 2) == [(2, "end", "s")]


def test_a_skipped_step_triggers_nothing(magic: Model) -> None:
    """614.10a, worked case 48."""
    game = started(magic, "ABC", orders=[StandingTrigger("s", "draw"), SkipStep("draw", "A")])
    assert triggers(game, 2) == [(2, "draw", "s")]


@pytest.mark.parametrize(
    ("attacks", "fires"), [(True, [(1, "declare_blockers", "s")]), (False, [])]
)
def test_a_step_that_does_not_come_triggers_nothing(
    magic: Model, attacks: bool, fires: list[Notice]
) -> None:
    game = started(magic, orders=[StandingTrigger("s", "declare_blockers")])
    if attacks:
        attack(game)
    assert triggers(game, 1) == fires


def test_ending_the_turn_triggers_no_end_step(magic: Model) -> None:
    """723.1e."""
    game = started(magic, orders=[StandingTrigger("s", "end"), StandingTrigger("c", "cleanup")])
    resolving(game, "upkeep", signal=signal("end_turn"))
    assert triggers(game, 1) == [(1, "cleanup", "c")]


def test_triggers_of_the_untap_step_come_with_its_first_request(magic: Model) -> None:
    """502.4: nobody would get priority there; the game holds them until it may place them."""
    game = started(magic, orders=[StandingTrigger("s", "untap")])
    assert isinstance(game.request, Perform)
    assert game.request.triggered == ("s",)


def test_delayed_before_standing_each_in_the_order_made(magic: Model) -> None:
    orders = [
        StandingTrigger("s2", "end"),
        StandingTrigger("s1", "end"),
        DelayedTrigger("d2", "end"),
        DelayedTrigger("d1", "end"),
    ]
    game = started(magic, orders=orders)
    request = until(game, lambda r: bool(r.triggered))
    assert request.triggered == ("d2", "d1", "s2", "s1")
    assert not isinstance(request, Priority)
