"""What comes next: certain and open steps, as games then really go."""

from __future__ import annotations

from random import Random

import pytest

import fsm
from fsm import AddPhase, AddStep, SkipStep, TurnController
from fsm.hosts import coming, entering
from support.amounts import amount


class Careless(fsm.BaseHost):
    """Tells the facts of the turn at random, and those of the window as on a quiet table."""

    stack_empty = True
    sba_performed = triggers_waiting = False

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def fact(self, name: str) -> bool:
        return self.random.random() < 0.5


@pytest.mark.parametrize("seed", range(amount(3, 8)))
@pytest.mark.parametrize("name", ["magic", "grand-archive"])
def test_games_go_as_foreseen(name: str, seed: int) -> None:
    """What is certain comes, and what comes was foreseen, in that order."""
    game, host, came = TurnController(name, ["Ann", "Ben"]), Careless(seed), list[str]()
    left = iter(range(3 * seed))
    fsm.drive(game, host, until=lambda r: r.at.turn == 2 and next(left, None) is None)
    found = coming(game)
    for step in {one.step for one in found}:
        entering(game, step, lambda record: came.append(record.step))
    fsm.drive(game, host, until=lambda request: request.at.turn == 3)

    certain = [one.step for one in found if one.certain]
    foreseen = iter([one.step for one in found])
    assert certain == [step for step in came if step in certain]
    assert all(step in foreseen for step in came)


@pytest.fixture
def upkeep(game: TurnController) -> TurnController:
    """A game that waits in the first upkeep."""
    fsm.drive(game, fsm.BaseHost(), until=lambda request: request.at.step == "upkeep")
    return game


def test_what_an_open_step_depends_on(upkeep: TurnController) -> None:
    """Rule 506.1: without attackers there is nothing to block and no damage."""
    attack = (("attackers_declared", True), ("put_in_attacking", True))
    assert {one.step: one.opened_by for one in coming(upkeep) if not one.certain} == {
        "declare_blockers": attack,
        "first_strike_damage": (("first_strike_in_combat", True),),
        "combat_damage": attack,
    }


def test_what_is_scheduled_is_counted_in_and_looking_changes_nothing(
    upkeep: TurnController,
) -> None:
    upkeep.order(AddPhase("beginning", after="main"), SkipStep("end", "Ann"))
    upkeep.order(AddStep("draw", after="upkeep"), AddStep("draw", after="upkeep"))
    before = upkeep.snapshot()
    found = [(one.step, one.iteration) for one in coming(upkeep)]
    assert [one for one in found if one[0] in ("draw", "beginning_of_combat", "end")] == [
        ("draw", 1),
        ("draw", 2),
        ("draw", 3),
        ("beginning_of_combat", 1),
    ]
    assert upkeep.snapshot() == before


def test_nothing_comes_in_a_game_that_is_over(game: TurnController) -> None:
    game.order(fsm.Leave("Ben"))
    assert coming(game) == []
