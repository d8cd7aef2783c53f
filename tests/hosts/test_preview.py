"""What comes next: certain and open steps, as games then really go."""

from __future__ import annotations

from random import Random

import pytest

import fsm
from fsm import (
    AddPhase,
    AddStep,
    AddTurn,
    Answer,
    Over,
    Priority,
    Request,
    SkipStep,
    SkipTurn,
    TurnController,
)
from fsm.engine.requests import Word
from fsm.hosts import Coming, Position, coming
from fsm.hosts.preview import next_turn
from fsm.rulesets import names, window_alone
from fsm.runs.visits import visits_of
from support.amounts import amount
from support.wanderer import Wanderer


def told(request: Request | Over, random: Random) -> Answer:
    word: Word = "passed" if isinstance(request, Priority) else "done"
    window = {"stack_empty": True, "sba_performed": False, "triggers_waiting": False}
    return Answer(word, {name: window.get(name, random.random() < 0.5) for name in request.facts})


def upto(game: TurnController, step: str, turn: int = 1) -> TurnController:
    random = Random(1)
    while (game.position.turn, game.position.step) != (turn, step):
        game.answer(told(game.request, random))
    return game


def following_turn(game: TurnController) -> Position:
    found = next_turn(game)
    assert found is not None
    return found


def following(game: TurnController) -> tuple[int, str, bool] | None:
    at = next_turn(game)
    return (at.turn, at.active, at.extra) if at is not None else None


def steps(found: list[Coming]) -> list[str]:
    return [one.step for one in found]


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("seed", range(amount(3, 8)))
def test_games_go_as_foreseen(name: str, seed: int) -> None:
    """What is certain comes, what comes was foreseen, in that order."""
    model, random = fsm.load(name), Random(seed)
    game = TurnController(model, ["A", "B"])
    for _ in range(random.randint(3, 90)):
        game.answer(told(game.request, random))
    found, turn = coming(game), game.position.turn
    before = len(list(visits_of(game.trace.records, model)))
    while game.position.turn == turn:
        game.answer(told(game.request, random))
    came = [v.step for v in list(visits_of(game.trace.records, model))[before:] if v.turn == turn]
    assert [one.step for one in found if one.certain] == [
        s for s in came if s in {o.step for o in found if o.certain}
    ]
    following = iter(steps(found))
    assert all(step in following for step in came), (came, found)


def test_what_an_open_step_depends_on() -> None:
    game = upto(TurnController(fsm.load("magic"), ["A", "B"]), "upkeep")
    open = {one.step: one.opened_by for one in coming(game) if not one.certain}
    attack = (("attackers_declared", True), ("put_in_attacking", True))
    assert open == {
        "declare_blockers": attack,
        "first_strike_damage": (("first_strike_in_combat", True),),
        "combat_damage": attack,
    }


def test_steps_of_one_name_are_numbered_from_one() -> None:
    game = TurnController(fsm.load("magic"), ["A", "B", "C"])
    game.answer(Answer(orders=(AddStep("draw", after="upkeep"),)))
    assert [(one.phase_number, one.number) for one in coming(game) if one.step == "draw"] == [
        (1, 1),
        (1, 2),
    ]


def test_what_is_scheduled_is_counted_in() -> None:
    game = upto(TurnController(fsm.load("magic"), ["A", "B"]), "upkeep")
    extra = AddPhase(("combat", "main"), after="main")
    game.answer(
        Answer("done", told(game.request, Random(1)).facts, orders=(extra, SkipStep("end", "A")))
    )
    found = coming(game)
    assert [
        (one.phase, one.phase_number) for one in found if one.step == "beginning_of_combat"
    ] == [
        ("combat", 1),
        ("combat", 2),
    ]
    assert "end" not in steps(found) and "cleanup" in steps(found)


def test_looking_changes_nothing() -> None:
    game = upto(TurnController(fsm.load("grand-archive"), ["A", "B"]), "main", 2)
    before = game.snapshot()
    coming(game)
    assert game.snapshot() == before


# who takes the next turn --------------------------------------------------------------------------


def test_the_next_turn_is_the_next_players_or_an_extra_one() -> None:
    """500.1, 500.7: an extra turn comes directly after the current one, and the newest first."""
    game = TurnController(fsm.load("magic"), ["A", "B", "C"])
    assert (following(game), following(upto(game, "end"))) == ((2, "B", False), (2, "B", False))
    game.order(AddTurn("C"))
    game.order(AddTurn("A"))
    assert following(game) == (2, "A", True)
    assert following(upto(game, "upkeep", 2)) == (3, "C", True)
    assert following(upto(game, "upkeep", 3)) == (4, "B", False)


def test_turns_that_are_skipped_and_players_who_left_are_passed_over() -> None:
    """614.10, 800.4k: they take no turn."""
    game = upto(TurnController(fsm.load("magic"), ["A", "B", "C"]), "upkeep")
    game.order(SkipTurn("B"))
    assert following(game) == (2, "C", False)
    game.order(fsm.Leave("C"))
    assert following(game) == (2, "A", False)
    assert not game.agenda.skips[0].turn, "the preview changes nothing"


def test_the_order_of_turns_can_be_reversed() -> None:
    game = upto(TurnController(fsm.load("magic"), ["A", "B", "C"]), "upkeep")
    game.order(fsm.ReverseTurnOrder())
    assert following(game) == (2, "C", False)


def test_who_decides_in_the_next_turn_is_known_too() -> None:
    game = upto(TurnController(fsm.load("magic"), ["A", "B"]), "upkeep")
    game.order(fsm.ControlNextTurn("B", "A"))
    assert following_turn(game).controller == "A"


def test_before_the_first_turn_it_is_that_of_the_first_player() -> None:
    game = TurnController(fsm.load("grand-archive"), ["A", "B"])
    assert game.position.turn == 0
    assert following(game) == (1, "A", False)


def test_nobody_takes_the_next_turn_if_the_game_is_over_or_every_turn_is_skipped() -> None:
    game = upto(TurnController(fsm.load("magic"), ["A", "B"]), "upkeep")
    skipping = game.fork()
    skipping.order(SkipTurn("", scope="each"))
    assert next_turn(skipping) is None
    game.order(fsm.Leave("B"))
    assert next_turn(game) is None


def test_a_model_in_which_no_turn_ends_has_no_next_one() -> None:
    with pytest.raises(fsm.FsmError, match="has no transition that ends a turn"):
        next_turn(TurnController(window_alone(fsm.load("magic")), ["A", "B"]))


@pytest.mark.parametrize("name", names())
def test_the_next_turn_in_random_games_is_the_one_that_was_said(name: str) -> None:
    """Unless something was ordered or somebody left after it was said."""
    said: list[tuple[int, str, bool] | None] = []
    turns = [0, 0]

    def watch(game: TurnController) -> None:
        answer = game.trace.answers[-1] if game.trace.answers else None
        if answer is None or answer.orders or answer.signal is not None:
            said.clear()
        at = game.position
        if said and (isinstance(game.request, Over) or game.agenda.current_turn is None):
            said.clear()
        if said and said[0] is not None and at.turn == said[0][0]:
            assert (at.turn, at.active, at.extra) == said[0]
            turns[at.extra] += 1
            said.clear()
        now = following(game) if not isinstance(game.request, Over) else None
        assert not said or said[0] == now, "what is said stays as it is while nothing is ordered"
        said[:] = [now]

    for _ in Wanderer(fsm.load(name), 7, watch).games(2500):
        said.clear()
    assert turns[False] > 5
    assert turns[True]
