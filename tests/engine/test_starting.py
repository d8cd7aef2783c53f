"""A game that starts in the middle goes on like one that was played to there."""

from __future__ import annotations

from typing import Any

import pytest

import fsm
from fsm import (
    AddStep,
    Effect,
    Leave,
    SkipStep,
    StandingTrigger,
    StartAt,
    Trace,
    TurnController,
)
from fsm.errors import FsmError, OrderError
from fsm.model import Model
from fsm.rulesets import names
from support.playing import actives, quiet, rest_of_turn, started, to, until

ATTACK = {"attackers_declared": True}
FIRST_STRIKE = {**ATTACK, "first_strike_in_combat": True}
PLACES = [
    *((name, "AB", {}, 2) for name in names()),
    ("magic", "ABC", FIRST_STRIKE, 1),
    ("magic-2010", "AB", FIRST_STRIKE, 5),
    ("magic-classic", "AB", ATTACK, 2),
    ("grand-archive", "ABC", {}, 5),
]


def onward(game: TurnController, facts: dict[str, bool]) -> list[object]:
    """The requests of the rest of this turn and of the next, on a fork."""
    fork = game.fork()
    seen, last = [fork.request], game.position.turn + 2
    while fork.position.turn < last:
        seen.append(fork.answer(quiet(fork.request, facts)))
    return [*seen, fork.run.latched]


@pytest.mark.parametrize(("ruleset", "players", "facts", "turn"), PLACES)
def test_a_game_goes_on_as_if_it_had_been_played_to_there(
    ruleset: str, players: str, facts: dict[str, bool], turn: int
) -> None:
    """At the first request in each step of the turn."""
    model = fsm.load(ruleset)
    game, met, told = started(model, players), set[str](), dict[str, bool]()
    until(game, lambda r: r.at.turn == turn)
    while game.position.turn == turn:
        step = game.position.step
        if step and step not in met:
            there = started(model, players, start=StartAt(step, turn, facts=told))
            assert onward(there, facts) == onward(game, facts), step
            met.add(step)
        told |= {name: facts[name] for name in game.request.facts if name in facts}
        game.answer(quiet(game.request, facts))
    assert len(met) > 2


def test_a_step_to_which_only_an_event_leads_is_refused() -> None:
    start = StartAt("damage", 3, facts={"time_distorted": True})
    with pytest.raises(FsmError, match="in turn 3; no quiet turn with these facts leads there"):
        started(fsm.load("grand-archive"), start=start)


def test_without_a_step_the_turn_has_just_begun(magic: Model) -> None:
    game = started(magic, start=StartAt(turn=4))
    assert (game.position.turn, game.position.active, game.position.step) == (4, "B", "untap")


def test_a_player_out_of_turn_has_the_turns_before_skipped(magic: Model) -> None:
    game = started(magic, "ABC", start=StartAt("draw", 1, "B"))
    assert actives(game, through=3) == "BCA"


def test_orders_are_in_force_before_the_step_begins(magic: Model) -> None:
    start = StartAt("upkeep", 2)
    orders = (
        *(StandingTrigger("bell", "upkeep"), Effect("spell", "B", "your_next_upkeep")),
        AddStep("draw", "upkeep"),
    )
    game = started(magic, orders=orders, start=start)
    assert (game.request.triggered, game.request.expired) == (("bell",), ("spell",))
    assert rest_of_turn(game)[:3] == ["upkeep", "draw", "draw"]
    skipping = started(magic, orders=[SkipStep("upkeep")], start=start)
    assert skipping.position.step == "draw"
    assert [result.state for result in skipping.request.orders] == ["waiting"]  # for A
    with pytest.raises(OrderError, match="leave it out"):
        started(magic, orders=[Leave("A")], start=start)


def test_a_trace_from_its_beginning_knows_where_it_started(magic: Model) -> None:
    start = StartAt("draw", 3, "B")
    game = started(magic, start=start, trace=True)
    to(game, "end")
    assert game.trace is not None
    read = Trace.read(list(game.trace.lines()))
    assert read.head.start == start
    assert read.replay(magic).snapshot() == game.snapshot()


@pytest.mark.parametrize(
    ("start", "says"),
    [
        ("upkeep", "'upkeep' is not a StartAt"),
        (
            StartAt("upkep"),
            "step 'upkep' is not in magic; did you mean 'upkeep'?",
        ),
        (StartAt(turn=1_001), "a game starts in turn 1 to 1000, not in turn 1001"),
        (StartAt(player="C"), "player 'C' is not in this game; known: A, B"),
        (
            StartAt("draw"),
            "does not begin in turn 1: the starting player skips the draw",
        ),
        (StartAt("combat_damage"), "tell those of these facts that hold: attackers_declared, put_"),
        (
            StartAt("beginning_of_combat", facts=ATTACK),
            "no game has told 'attackers_declared' when 'beginning_of_combat' begins; leave",
        ),
        (
            StartAt("beginning_of_combat", facts={"put_in_attacking": True}),  # it would be lost
            "no game has told 'put_in_attacking' when 'beginning_of_combat' begins; leave",
        ),
        (StartAt(facts={"attackers": True}), "fact 'attackers' is not in what magic is told"),
        (StartAt(facts={"stack_empty": 1}), "fact 'stack_empty' must be true or false, not 1"),  # type: ignore[dict-item]
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(magic: Model, start: Any, says: str) -> None:
    with pytest.raises(FsmError) as error:
        started(magic, start=start)
    assert says in str(error.value)
    assert "\n" not in str(error.value)
