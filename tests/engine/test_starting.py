"""A game that starts in the middle goes on like one that was played to there, and says what it
takes for granted.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

import fsm
from fsm import (
    AddStep,
    AddTurn,
    Answer,
    Effect,
    Leave,
    Over,
    Perform,
    Priority,
    Request,
    SkipStep,
    SkipTurn,
    StandingTrigger,
    StartAt,
    Trace,
    TurnController,
)
from fsm.coverage import collecting, data_of
from fsm.errors import FsmError, OrderError, SnapshotError, TraceError
from fsm.rulesets import names, window_alone
from fsm.runs.visits import visits_of
from fsm.scenarios import play
from fsm.scenarios.writer import scenario_of
from fsm.views import explore
from support.playing import quiet, signal, to, until

ATTACK = {"attackers_declared": True}
FIRST_STRIKE = {**ATTACK, "first_strike_in_combat": True}


def onward(game: TurnController, facts: dict[str, bool], turns: int = 2) -> list[Request | Over]:
    """The requests of the rest of this turn and of the next."""
    seen, last = [game.request], game.request.at.turn + turns
    while game.request.at.turn < last:
        seen.append(game.answer(quiet(game.request, facts)))
    return seen


def played(game: TurnController, facts: dict[str, bool], turn: int) -> dict[str, TurnController]:
    """The game at the first request in each step of a turn, when all turns go like this."""
    found: dict[str, TurnController] = {}
    while game.request.at.turn <= turn:
        at = game.request.at
        if at.turn == turn and at.iteration == 1 and at.step:
            found.setdefault(at.step, game.fork())
        game.answer(quiet(game.request, facts if at.turn == turn else {}))
    return found


GAMES: list[tuple[str, dict[str, bool]]] = [(name, {}) for name in names()]
GAMES += [
    (name, facts)
    for name in names()
    if name.startswith("magic")
    for facts in (ATTACK, FIRST_STRIKE)
]


@pytest.mark.parametrize(
    ("name", "facts"), GAMES, ids=[f"{name}, {len(facts)} facts" for name, facts in GAMES]
)
@pytest.mark.parametrize("players", ["AB", "ABC"])
@pytest.mark.parametrize("turn", [1, 2, 5])
def test_a_game_goes_on_as_if_it_had_been_played_to_there(
    name: str, players: str, facts: dict[str, bool], turn: int
) -> None:
    model = fsm.load(name)
    there = played(TurnController(model, tuple(players)), facts, turn)
    latched = {name for name in facts if model.fact(name).timing == "latched"}
    assert there
    for step, game in there.items():
        started = TurnController(model, tuple(players), start=StartAt(step, turn, facts=facts))
        assert started.facts == game.facts | latched, step
        assert onward(started, facts) == onward(game, facts), step


def test_a_combat_of_grand_archive_is_one_that_was_declared() -> None:
    model, facts = fsm.load("grand-archive"), {"attack_declared": True}
    game = TurnController(model, ("A", "B"))
    to(game, "main", turn=3)
    game.answer(quiet(game.request, facts, word="acted", signal=signal("attack")))
    game.answer(quiet(until(game, lambda r: isinstance(r, Perform)), facts))
    for step in ("retaliation", "damage", "end_of_combat"):
        while game.request.at.step != step:
            game.answer(quiet(game.request, facts))
        started = TurnController(model, ("A", "B"), start=StartAt(step, 3, facts=facts))
        assert onward(started, {}) == onward(game.fork(), {}), step
        assert "The event attack came in turn 3." in started.assumed


@pytest.mark.parametrize("name", names())
def test_teams_start_in_the_middle_too(name: str) -> None:
    model, teams = fsm.load(name), (("A", "B"), ("C", "D"))
    there = played(TurnController(model, ("A", "B", "C", "D"), teams=teams), {}, 4)
    for step, game in there.items():
        started = TurnController(
            model, ("A", "B", "C", "D"), teams=teams, start=StartAt(step, 4, "D")
        )
        assert onward(started, {}) == onward(game, {}), step


def test_without_a_step_the_turn_has_just_begun() -> None:
    game = TurnController(fsm.load("magic"), ("A", "B"), start=StartAt(turn=4))
    assert (game.position.turn, game.position.active, game.position.step) == (4, "B", "untap")


def test_a_player_out_of_turn_has_the_turns_before_skipped() -> None:
    """103.8a: the player who skips the first draw is the one who plays first, also if their turn
    was skipped.
    """
    game = TurnController(fsm.load("magic"), ("A", "B", "C"), start=StartAt("draw", 1, "B"))
    assert (game.position.active, game.agenda.turns_taken, game.agenda.own_turns) == (
        "B",
        (0, 1, 0),
        (0, 1, 0),
    )
    assert until(game, lambda r: r.at.turn == 2).at.active == "C"
    assert (
        "Turn 1 would have been that of A; the turns before that of B were skipped." in game.assumed
    )


def test_what_is_assumed_is_said() -> None:
    model = fsm.load("magic")
    game = TurnController(model, ("A", "B"), start=StartAt("declare_blockers", 3, facts=ATTACK))
    assert game.assumed == (
        "Turns 1 to 2 went round in turn order, and nothing is remembered of them.",
        "In turn 3 these steps took place, and nothing is remembered of them: untap, upkeep, draw, precombat_main, "
        "beginning_of_combat, declare_attackers.",
        "attackers_declared was true; nothing else happened.",
    )
    assert TurnController(model, ("A", "B")).assumed == ()
    assert TurnController(model, ("A", "B"), start=StartAt()).assumed == (
        "Nothing happened that the game would report.",
    )
    archive = TurnController(fsm.load("grand-archive"), ("A", "B"), start=StartAt())
    assert "What happens before the first turn has happened." in archive.assumed


def test_orders_are_in_force_before_the_step_begins() -> None:
    model, start = fsm.load("magic"), StartAt("upkeep", 2)
    orders = (
        StandingTrigger("bell", "upkeep"),
        Effect("spell", "B", "your_next_upkeep"),
        AddStep("draw", "upkeep"),
    )
    game = TurnController(model, ("A", "B"), orders=orders, start=start)
    assert (game.request.triggered, game.request.expired) == (("bell",), ("spell",))
    assert until(game, lambda r: r.at.step != "upkeep").at.step == "draw"
    assert game.position.turn == 2
    skipping = TurnController(model, ("A", "B"), orders=[SkipStep("upkeep")], start=start)
    assert skipping.position.step == "draw"
    with pytest.raises(OrderError, match="leave the players out of it"):
        TurnController(model, ("A", "B"), orders=[Leave("A")], start=start)


def test_what_became_of_these_orders_is_said() -> None:
    orders = SkipStep("upkeep"), AddTurn("A"), SkipStep("untap", scope="this_turn")
    game = TurnController(fsm.load("magic"), ("A", "B"), orders=orders, start=StartAt("upkeep", 2))
    assert [(result.order, result.state) for result in game.results] == [
        (orders[0], "done"),
        (orders[1], "waiting"),
        (orders[2], "waiting"),
    ]


# what a game leaves behind ------------------------------------------------------------------------


def some_game() -> TurnController:
    model, start = fsm.load("magic-2010"), StartAt("first_strike_damage", 3, "B", FIRST_STRIKE)
    return TurnController(model, ("A", "B"), orders=[Effect("spell", "A")], start=start)


def test_a_trace_of_it_is_written_read_and_replayed() -> None:
    game = some_game()
    onward(game, {})
    trace = Trace.read(list(game.trace.lines()))
    assert trace == game.trace
    assert trace.head.start == StartAt("first_strike_damage", 3, "B", FIRST_STRIKE)
    again = trace.replay(game.model)
    assert (again.request, again.snapshot()) == (game.request, game.snapshot())
    assert [v.step for v in visits_of(trace.records, game.model)][:2] == [
        "first_strike_damage",
        "combat_damage",
    ]


def test_coverage_counts_it_from_where_it_starts() -> None:
    with collecting() as session:
        game = some_game()
        onward(game, {})
    assert session.data == data_of(game.model, [game.trace])
    assert (
        game.trace.records[0].transition
        == "first_strike_damage_before -> first_strike_damage_begin"
    )


def test_it_is_told_as_a_scenario() -> None:
    head = some_game().head
    data = scenario_of(fsm.load("magic-2010"), "magic-2010", "again", head, (), through=4)
    assert data["start"] == {
        "turn": 3,
        "player": "B",
        "step": "first_strike_damage",
        "facts": FIRST_STRIKE,
    }
    [scenario] = fsm.scenarios.load(data, place="again")
    assert scenario.start == head.start
    outcome = play(scenario)
    assert [(turn.turn, turn.active) for turn in outcome.turns] == [(3, "B"), (4, "A")]


@pytest.mark.parametrize("player", ["", "B", "C"])
def test_random_games_hold_the_invariants_from_there(player: str) -> None:
    model, orders = fsm.load("magic"), (AddTurn("C"), SkipTurn("A"))
    start = StartAt("upkeep", 5, player)
    game = TurnController(model, ("A", "B", "C"), orders=orders, start=start)
    onward(game, {}, turns=6)
    assert [at.active for at in turns_of(game)][1:3] == ["C", {"": "C", "B": "C", "C": "B"}[player]]


def turns_of(game: TurnController) -> list[Any]:
    return list({record.turn: record for record in game.trace.records}.values())


def test_a_page_to_walk_it_is_refused() -> None:
    with pytest.raises(TraceError, match="starts in the middle"):
        explore(fsm.load("magic-2010"), trace=some_game().trace)


def test_a_snapshot_of_it_is_restored() -> None:
    game = some_game()
    restored = TurnController.restore(game.model, json.loads(json.dumps(game.snapshot())))
    assert (restored.request, restored.head, restored.assumed) == (
        game.request,
        game.head,
        game.assumed,
    )
    assert onward(restored, {}) == onward(game.fork(), {}) == onward(game, {})


def test_a_damaged_start_is_refused() -> None:
    game = some_game()

    def damaged(data: dict[str, Any]) -> dict[str, Any]:
        data["head"]["start"]["player"] = "X"
        return data

    with pytest.raises(
        SnapshotError, match="player 'X', in whose turn the game starts, does not play"
    ):
        TurnController.restore(fsm.load("magic"), game.snapshot(), migrate=damaged)
    head = game.head
    wrong = Trace(replace(head, start=StartAt("upkep")))
    with pytest.raises(TraceError, match="trace line 1: step 'upkep' is not in magic-2010"):
        wrong.replay(game.model)


def test_a_window_alone_can_be_started_at_its_only_step() -> None:
    model = window_alone(fsm.load("magic"))
    assert TurnController(model, ("A", "B"), start=StartAt("window")).position.step == "window"
    with pytest.raises(FsmError, match="no transition that ends a turn"):
        TurnController(model, ("A", "B"), start=StartAt("window", 2))


def test_a_game_from_the_beginning_is_written_as_before() -> None:
    game = TurnController(fsm.load("magic"), ("A", "B"))
    assert "start" not in game.snapshot()["head"]  # type: ignore[operator]
    assert '"start"' not in next(game.trace.lines())


def test_the_facts_of_a_start_cannot_be_changed_later() -> None:
    facts = dict(ATTACK)
    game = TurnController(
        fsm.load("magic"), ("A", "B"), start=StartAt("combat_damage", facts=facts)
    )
    facts.clear()
    assert game.head.start is not None
    assert game.head.start.facts == ATTACK


# what cannot be -----------------------------------------------------------------------------------

WRONG: list[tuple[Any, str]] = [
    ("upkeep", "start must be a StartAt, not 'upkeep'"),
    (StartAt("upkep"), "step 'upkep' is not in magic; did you mean 'upkeep'?"),
    (StartAt(3), "step 3 is not in magic"),  # type: ignore[arg-type]
    (StartAt(turn=0), "a game starts in turn 1 to 10000, not in turn 0"),
    (StartAt(turn=10_001), "a game starts in turn 1 to 10000, not in turn 10001"),
    (StartAt(turn=True), "a game starts in turn 1 to 10000, not in turn True"),
    (StartAt(player="C"), "player 'C', in whose turn the game starts, does not play"),
    (
        StartAt("draw"),
        "step 'draw' does not begin in turn 1, that of A: the starting player skips the draw step",
    ),
    (
        StartAt("combat_damage"),
        "that of A: tell those of these facts that hold: attackers_declared, put_in_attacking",
    ),
    (StartAt(facts={"attackers": True}), "fact 'attackers' is not one the game tells in magic"),
    (StartAt(facts={"first_turn": True}), "fact 'first_turn' is not one the game tells in magic"),
    (StartAt(facts={"stack_empty": 1}), "fact 'stack_empty' must be true or false, not 1"),  # type: ignore[dict-item]
    (
        StartAt(facts=["stack_empty"]),  # type: ignore[arg-type]
        "the facts of a start must be a mapping of names to true or false",
    ),
    (
        StartAt("end", facts={"sba_performed": True}),
        "step 'end' does not begin in turn 1, that of A",
    ),
]


@pytest.mark.parametrize(("start", "says"), WRONG, ids=[says for _, says in WRONG])
def test_what_cannot_be_is_refused_in_one_sentence(start: Any, says: str) -> None:
    with pytest.raises(FsmError) as error:
        TurnController(fsm.load("magic"), ("A", "B"), start=start)
    assert says in str(error.value)
    assert "\n" not in str(error.value)


def test_a_late_turn_is_no_search() -> None:
    game = TurnController(fsm.load("magic"), ("A", "B", "C"), start=StartAt("cleanup", 10_000))
    assert (game.position.turn, game.position.active) == (10_000, "A")
    assert not isinstance(game.request, (Over, Priority))
    assert isinstance(game.answer(Answer()), Perform)
