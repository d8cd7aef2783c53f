"""What became of orders: they took effect, wait, or came to nothing, and the reason is said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fsm import (
    AddPhase,
    AddStep,
    AddTurn,
    Answer,
    Appoint,
    ControlNextTurn,
    DelayedTrigger,
    Effect,
    Leave,
    Over,
    Result,
    ReverseTurnOrder,
    SkipPhase,
    SkipStep,
    SkipTurn,
    StandingTrigger,
    TurnController,
    Withdraw,
    load,
)
from fsm.model import Model
from fsm.orders import Order
from fsm.rulesets import names
from support.playing import quiet, resolving, signal, started
from support.wanderer import Wanderer


def told(game: TurnController) -> list[tuple[str, str]]:
    return [(one.state, one.why) for one in game.results]


def ordered(model: Model, step: str, *orders: Order, players: str = "AB") -> TurnController:
    """A game in which these orders were given as something resolved in this step of turn 1."""
    game = started(model, players)
    resolving(game, step, *orders)
    return game


def settled(game: TurnController, turn: int) -> list[tuple[str, str, str, str]]:
    """Play quietly to the end of this turn. Return the step, the order, status and reason of what
    was settled.
    """
    found: list[tuple[str, str, str, str]] = []
    while game.request.at.turn <= turn and not isinstance(game.request, Over):
        at = game.request.at.step
        game.answer(quiet(game.request))
        found += [(at, type(one.order).__name__, one.state, one.why) for one in game.results]
    return found


# at once ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "order", "reason"),
    [
        ("end", AddPhase(("combat",), after="combat"), "combat 1 of this turn is over"),
        ("end", AddPhase(("combat",), after="main", nth=2), "main 2 of this turn is over"),
        (
            "upkeep",
            AddStep("upkeep", player="B", you_get=True),
            "it is not the turn of B, who would get it",
        ),
        (
            "upkeep",
            AddPhase(("main",), player="B", you_get=True),
            "it is not the turn of B, who would get it",
        ),
        ("upkeep", Withdraw("Stasis"), "nothing stands or waits under 'Stasis'"),
    ],
)
def test_an_order_that_does_nothing_says_so(
    magic: Model, step: str, order: Order, reason: str
) -> None:
    game = ordered(magic, step, order)
    assert game.results == (Result(order, "nothing", reason),)


@pytest.mark.parametrize(
    ("order", "reason"),
    [
        (AddPhase(("combat",)), "for the end of this phase"),
        (AddPhase(("combat",), after="combat"), "for the next combat in this turn"),
        (AddPhase(("combat",), after="main", nth=2), "for main 2"),
        (AddStep("upkeep"), "for the end of this step"),
        (AddStep("upkeep", before="end"), "for the next end in this turn"),
        (AddStep("upkeep", "current_phase"), "for the end of this phase"),
        (AddTurn("A"), "for the end of this turn"),
        (AddTurn("A", after="x"), "for the turn with the id 'x'"),
        (SkipTurn("B"), "for the next turn of B"),
        (SkipTurn("B", extra=True), "for the next extra turn of B"),
        (SkipStep("draw", "B"), "for the next draw of B"),
        (SkipPhase("combat", "A", "all_next_turn"), "for the next combat of A"),
        (ControlNextTurn("B", "A"), "for the next turn of B"),
        (DelayedTrigger("x", "end"), "for the next end"),
    ],
)
def test_an_order_that_waits_says_for_what(magic: Model, order: Order, reason: str) -> None:
    game = ordered(magic, "precombat_main", order)
    assert game.results == (Result(order, "waiting", reason),)


@pytest.mark.parametrize(
    "order",
    [
        Effect("big", "A"),
        StandingTrigger("x", "upkeep"),
        SkipStep("draw", "A", "each"),
        SkipTurn(extra=True, scope="each"),
        ReverseTurnOrder(),
        Leave("C"),
    ],
)
def test_what_is_in_force_has_taken_effect(magic: Model, order: Order) -> None:
    assert ordered(magic, "upkeep", order, players="ABC").results == (Result(order, "done"),)


def test_who_is_appointed_defends(magic: Model) -> None:
    order = Appoint("defending", "B")
    assert ordered(magic, "beginning_of_combat", order, players="ABC").results == (
        Result(order, "done"),
    )


def test_each_order_of_an_answer_has_its_result(magic: Model) -> None:
    game = ordered(
        magic, "end", AddTurn("A"), AddPhase(("combat",), after="combat"), ReverseTurnOrder()
    )
    assert [one.state for one in game.results] == ["waiting", "nothing", "done"]
    game.answer(quiet(game.request))
    assert game.results == ()


def test_orders_between_two_answers_and_before_the_game_have_results(magic: Model) -> None:
    game = started(magic, orders=[SkipStep("untap"), SkipStep("draw", "B")])
    assert told(game) == [("done", ""), ("waiting", "for the next draw of B")]
    game.order(AddTurn("B"))
    assert told(game) == [("waiting", "for the end of this turn")]


# later --------------------------------------------------------------------------------------------


def test_a_step_before_which_nothing_can_come_any_more_is_lost_with_the_turn(magic: Model) -> None:
    game = ordered(magic, "end", AddStep("upkeep", before="draw"))
    assert told(game) == [("waiting", "for the next draw in this turn")]
    reason = "the turn ended, and there was no draw before which it could come"
    assert settled(game, 1) == [("cleanup", "AddStep", "nothing", reason)]
    assert settled(game, 4) == []


def test_an_effect_may_still_add_that_step(magic: Model) -> None:
    game = ordered(magic, "end", AddStep("upkeep", before="draw"), AddPhase(("beginning",)))
    assert ("upkeep", "AddStep", "done", "") in settled(game, 1)


def test_what_was_added_takes_effect_as_it_begins(magic: Model) -> None:
    game = ordered(magic, "precombat_main", AddTurn("A", 2), AddPhase(("combat", "main")))
    assert settled(game, 4) == [
        ("precombat_main", "AddPhase", "done", ""),
        ("cleanup", "AddTurn", "done", ""),
    ]


def test_what_was_added_may_be_skipped(magic: Model) -> None:
    game = ordered(
        magic,
        "precombat_main",
        AddTurn("A"),
        SkipTurn("A"),
        AddPhase(("combat",)),
        SkipPhase("combat", "A"),
    )
    assert settled(game, 3) == [
        ("precombat_main", "AddPhase", "nothing", "it was skipped"),
        ("precombat_main", "SkipPhase", "done", ""),
        ("cleanup", "AddTurn", "nothing", "it was skipped"),
        ("cleanup", "SkipTurn", "done", ""),
    ]


def test_the_extra_turn_of_a_player_who_left_comes_to_nothing(magic: Model) -> None:
    game = ordered(magic, "precombat_main", AddTurn("C"), players="ABC")
    game.order(Leave("C"))
    assert settled(game, 1) == [("cleanup", "AddTurn", "nothing", "that player has left the game")]


def test_a_turn_after_one_that_never_begins_comes_to_nothing(magic: Model) -> None:
    game = ordered(magic, "precombat_main", AddTurn("A", after="x"))
    assert settled(game, 2) == [("cleanup", "AddTurn", "nothing", "no turn with the id 'x' began")]


def test_a_turn_after_that_turn_waits_for_it(magic: Model) -> None:
    game = ordered(magic, "precombat_main", AddTurn("A", id="x"), AddTurn("B", after="x"))
    assert [one.state for one in game.results] == ["waiting", "waiting"]
    assert settled(game, 1) == [("cleanup", "AddTurn", "done", "")]
    assert settled(game, 2) == [("cleanup", "AddTurn", "done", "")]


def test_an_ended_turn_takes_along_what_it_has_not_come_to(magic: Model) -> None:
    game = ordered(magic, "precombat_main", AddPhase(("combat",)), AddStep("end", before="end"))
    resolving(game, "precombat_main", signal=signal("end_turn"))
    reason = "the turn ended, and there was no end before which it could come"
    assert {why for _, _, status, why in settled(game, 1) if status == "nothing"} == {
        "the turn ended first",
        reason,
    }


def test_a_skip_for_a_turn_without_the_step_comes_to_nothing(magic: Model) -> None:
    game = ordered(magic, "end", SkipStep("draw", "A", "this_turn"))
    assert settled(game, 2) == [("cleanup", "SkipStep", "nothing", "that turn had no draw")]


def test_a_skip_for_a_turn_takes_effect_the_first_time(magic: Model) -> None:
    game = ordered(magic, "upkeep", SkipPhase("main", "A", "this_turn"))
    assert settled(game, 2) == [("upkeep", "SkipPhase", "done", "")]


def test_triggers_and_control_are_settled_too(magic: Model) -> None:
    lost = DelayedTrigger("lost", "upkeep", "A", "next_turn")
    game = ordered(
        magic,
        "end",
        DelayedTrigger("x", "end"),
        ControlNextTurn("B", "A"),
        lost,
        SkipStep("upkeep", "B"),
    )
    assert sorted(settled(game, 3)) == [
        ("cleanup", "ControlNextTurn", "done", ""),
        ("cleanup", "DelayedTrigger", "nothing", "that turn had no upkeep"),
        ("postcombat_main", "DelayedTrigger", "done", ""),
        ("untap", "SkipStep", "done", ""),
    ]


def test_of_two_who_control_a_turn_the_newer_one_does(magic: Model) -> None:
    game = ordered(
        magic, "end", ControlNextTurn("B", "A"), ControlNextTurn("B", "C"), players="ABC"
    )
    reason = "a newer effect controls that turn"
    assert [(status, why) for _, _, status, why in settled(game, 1)] == [
        ("nothing", reason),
        ("done", ""),
    ]


def test_what_is_withdrawn_comes_to_nothing(magic: Model) -> None:
    skip, withdraw = SkipStep("draw", "A", id="x"), Withdraw("x")
    game = ordered(magic, "upkeep", skip)
    game.order(withdraw)
    assert game.results == (Result(withdraw, "done"), Result(skip, "nothing", "it was withdrawn"))


def test_what_stands_is_withdrawn(magic: Model) -> None:
    game = ordered(magic, "upkeep", SkipStep("draw", "A", "each", id="x"))
    game.order(Withdraw("x"))
    assert told(game) == [("done", "")]


# whoever asks, and whenever -----------------------------------------------------------------------


def test_forks_and_restored_games_have_results(magic: Model) -> None:
    game = ordered(magic, "upkeep", AddStep("upkeep", id="x"))
    fork, restored = game.fork(), TurnController.restore(magic, game.snapshot())
    assert fork.results == game.results and restored.results == ()
    assert settled(fork, 1) == [("upkeep", "AddStep", "done", "")]
    restored.order(AddTurn("A"))
    assert told(restored) == [("waiting", "for the end of this turn")]
    assert [status for _, _, status, _ in settled(restored, 1)] == ["done"]


def test_a_refused_order_has_no_result(magic: Model) -> None:
    game = ordered(magic, "upkeep", AddTurn("A"))
    before = game.results
    with pytest.raises(Exception, match="not in this game"):
        game.order(AddTurn("Z"))
    assert game.results == before


class Labelled(Wanderer):
    """Random games whose added turns, phases and steps have a label of their own each. It notes
    which have begun.
    """

    def __init__(self, model: Model, seed: int) -> None:
        super().__init__(model, seed, self.note)
        self.begun, self.said = set[str](), dict[str, list[str]]()

    def _order(self, players: list[str]) -> Order:
        order = super()._order(players)
        if isinstance(order, AddTurn) and order.after:
            order = replace(order, after=f"{self.random.randrange(self.number)}")
        return (
            replace(order, id=f"{self.number}")
            if isinstance(order, AddTurn | AddPhase | AddStep)
            else order
        )

    def note(self, game: TurnController) -> None:
        agenda = game.agenda
        self.begun.update(
            one.label
            for one in (agenda.current_turn, *agenda.begun)
            if one is not None and one.label
        )
        for one in game.results:
            if one.state != "waiting" and isinstance(one.order, AddTurn | AddPhase | AddStep):
                self.said.setdefault(one.order.id, []).append(one.state)


@pytest.mark.parametrize("ruleset", names())
def test_what_is_said_to_have_begun_has_begun(ruleset: str) -> None:
    """In random games, of which some end before what waits in them has begun."""
    for seed in range(6):
        wanderer = Labelled(load(ruleset), seed)
        assert len(list(wanderer.games(600))) > 1
        assert all(len(statuses) == 1 for statuses in wanderer.said.values())
        assert {
            label for label, statuses in wanderer.said.items() if statuses == ["done"]
        } == wanderer.begun


def test_results_are_the_same_whenever_they_are_asked_for(magic: Model) -> None:
    *_, game = Wanderer(magic, 3).games(300)
    answers = [one for one in game.trace.entries if isinstance(one, Answer)]
    head = game.head
    asking = TurnController(magic, head.players, teams=head.teams, settings=head.settings)
    for answer in answers:
        asking.answer(answer)
        assert isinstance(asking.results, tuple)
    assert asking.results == game.results
