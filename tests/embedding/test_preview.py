"""What comes next: certain and open steps, as games then really go."""

from __future__ import annotations

from random import Random

import pytest

import fsm
from fsm.embedding.preview import Coming, coming
from fsm.engine.controller import TurnController
from fsm.engine.requests import Answer, Priority, Request, Word
from fsm.rulesets import names
from fsm.runs.visits import visits_of
from fsm.state.orders import AddPhase, AddStep, SkipStep


def told(request: Request, random: Random) -> Answer:
    word: Word = "passed" if isinstance(request, Priority) else "done"
    window = {"stack_empty": True, "sba_performed": False, "triggers_waiting": False}
    return Answer(word, {name: window.get(name, random.random() < 0.5) for name in request.facts})


def upto(game: TurnController, step: str, turn: int = 1) -> TurnController:
    random = Random(1)
    while (game.position.turn, game.position.step) != (turn, step):
        game.answer(told(game.request, random))
    return game


def steps(found: list[Coming]) -> list[str]:
    return [one.step for one in found]


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("seed", range(8))
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
    assert [one.step for one in found if one.certain] == [s for s in came if s in {o.step for o in found if o.certain}]
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
    assert [(one.phase_number, one.number) for one in coming(game) if one.step == "draw"] == [(1, 1), (1, 2)]


def test_what_is_scheduled_is_counted_in() -> None:
    game = upto(TurnController(fsm.load("magic"), ["A", "B"]), "upkeep")
    extra = AddPhase(("combat", "main"), after="main")
    game.answer(Answer("done", told(game.request, Random(1)).facts, orders=(extra, SkipStep("end", "A"))))
    found = coming(game)
    assert [(one.phase, one.phase_number) for one in found if one.step == "beginning_of_combat"] == [
        ("combat", 1),
        ("combat", 2),
    ]
    assert "end" not in steps(found) and "cleanup" in steps(found)


def test_looking_changes_nothing() -> None:
    game = upto(TurnController(fsm.load("grand-archive"), ["A", "B"]), "main", 2)
    before = game.snapshot()
    coming(game)
    assert game.snapshot() == before
