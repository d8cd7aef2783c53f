"""A request makes its own answers."""

from __future__ import annotations

import pickle
from copy import deepcopy
from typing import Any, assert_never

import pytest

import fsm
from fsm import Answer
from fsm.engine.answers import quiet_facts
from fsm.errors import AnswerError, OrderError
from fsm.hosts import Position
from fsm.model import Fact
from fsm.rulesets import names
from support.playing import to

HERE = Position(1, "Ann", "Ann", False, "beginning", "upkeep", 1, "upkeep")


def test_a_request_makes_its_answers() -> None:
    perform, priority = fsm.Perform(HERE, "untap"), fsm.Priority(HERE, "priority")
    skip = fsm.SkipTurn("Ann")
    assert perform.done() == Answer("done")
    assert perform.done(skip, accepted=True) == Answer("done", {"accepted": True}, (skip,))
    assert priority.acted(skip) == Answer("acted", {}, (skip,))
    assert priority.passed(stack_empty=True) == Answer("passed", {"stack_empty": True})
    for kind in (fsm.CheckState, fsm.PlaceTriggers, fsm.Resolve):
        assert kind(HERE, "s").done(skip) == Answer("done", {}, (skip,))


def test_answers_without_orders_are_shared() -> None:
    perform = fsm.Perform(HERE, "untap")
    assert perform.done() is fsm.Resolve(HERE, "r").done()
    assert perform.done(accepted=True) is perform.done(accepted=True)
    assert perform.done(accepted=True) is not perform.done(accepted=False)
    with pytest.raises(TypeError):
        perform.done(accepted=True).facts["accepted"] = False  # type: ignore[index]


def test_a_shared_answer_can_be_copied_and_pickled() -> None:
    for answer in (
        fsm.Perform(HERE, "untap").done(accepted=True),
        Answer(),
        Answer("acted", {}, (fsm.EndTurn(),)),
    ):
        assert pickle.loads(pickle.dumps(answer)) == deepcopy(answer) == answer


def test_a_shared_answer_is_not_spoiled_by_a_wrong_one() -> None:
    """1 equals true, and is no value of a fact."""
    game = fsm.TurnController(fsm.load("magic"), ["Ann", "Ben"])
    request = to(game, "upkeep", fsm.CheckState)
    assert isinstance(request, fsm.CheckState)
    wrong: object
    for wrong in (1, "yes", [], None):
        with pytest.raises(AnswerError, match="fact 'sba_performed' must be true or false"):
            game.answer(request.quiet(sba_performed=wrong))  # type: ignore[arg-type]
    assert isinstance(game.answer(request.quiet(sba_performed=True)), fsm.CheckState)


def test_what_is_no_order_is_refused() -> None:
    game = fsm.TurnController(fsm.load("magic"), ["Ann", "Ben"])
    assert isinstance(game.request, fsm.Perform)
    with pytest.raises(OrderError, match="'end_turn' is not an order"):
        game.answer(game.request.done("end_turn"))  # type: ignore[arg-type]


def test_quiet_tells_every_fact_that_may_be_read() -> None:
    game = fsm.TurnController(fsm.load("magic"), ["Ann", "Ben"])
    request = to(game, "draw", fsm.Priority)
    assert isinstance(request, fsm.Priority)
    assert request.quiet() == Answer(
        "passed", {name: name == "stack_empty" for name in request.facts}
    )
    assert request.quiet(stack_empty=False).facts["stack_empty"] is False
    assert request.quiet() is request.quiet()
    assert fsm.Resolve(HERE, "b", ("stack_empty", "a")).quiet() == Answer(
        "done", {"stack_empty": True, "a": False}
    )


def test_a_fact_says_its_quiet_value() -> None:
    """Of stack_empty it is true, of any other fact false, unless the fact says otherwise."""
    facts = [
        Fact("stack_empty", ""),
        Fact("a", ""),
        Fact("b", "", quiet=True),
        Fact("stack_empty", "", quiet=False),
    ]
    assert [fact.is_quietly for fact in facts] == [True, False, True, False]
    for name in names():
        assert quiet_facts(fsm.load(name)) == ("stack_empty",)


def test_what_must_be_told() -> None:
    game = fsm.TurnController(fsm.load("magic"), ["Ann", "Ben"])
    while not game.request.must_tell:
        assert not isinstance(game.request, fsm.Over)
        game.answer(game.request.quiet())
    request = game.request
    assert isinstance(request, fsm.Perform)
    assert set(request.must_tell) <= set(request.facts)
    with pytest.raises(AnswerError, match=f"must tell the fact '{request.must_tell[0]}'"):
        game.answer(request.done())
    assert pickle.loads(pickle.dumps(request)).must_tell == request.must_tell


def test_everything_readable_is_on_every_request() -> None:
    game = fsm.TurnController(fsm.load("magic"), ["Ann", "Ben"])
    assert (game.request.by, game.request.player) == (("Ann",), "Ann")
    check = to(game, "upkeep", fsm.CheckState)
    assert (check.by, check.player) == ((), "")
    game.order(fsm.Leave("Ann", "Ben"))
    assert isinstance(game.request, fsm.Over)
    assert not isinstance(game.request, fsm.Request)
    assert (game.request.by, game.request.player, game.request.must_tell, game.request.at.turn) == (
        (),
        "",
        (),
        1,
    )


def test_a_match_over_the_kinds_of_requests_is_complete() -> None:
    """Type checkers find that nothing is left: see tests/packaging/typed.py."""

    def kind(request: fsm.Request) -> str:
        match request:
            case fsm.Perform():
                return "perform"
            case fsm.Priority():
                return "priority"
            case fsm.CheckState() | fsm.PlaceTriggers() | fsm.Resolve():
                return "else"
            case _:
                assert_never(request)

    game = fsm.TurnController("magic", ["Ann", "Ben"])
    seen = set()
    for request in game:
        assert isinstance(request, fsm.Request)
        seen.add(kind(request))
        game.answer(request.quiet())
        if game.position.turn == 2:
            break
    assert seen == {"perform", "priority", "else"}


def test_an_answer_that_does_not_fit_names_those_that_do() -> None:
    game = fsm.TurnController("magic", ["Ann", "Ben"])
    asked: Any = game.request
    with pytest.raises(
        AttributeError,
        match=r"Perform .* has no answer 'passed'; answer it by done\(...\) or quiet",
    ):
        asked.passed()
    asked = to(game, "upkeep", fsm.Priority)
    with pytest.raises(
        AttributeError,
        match=r"no answer 'done'; answer it by acted\(...\) or passed\(...\) or quiet",
    ):
        asked.done()
    asked = game.order(fsm.Leave("Ben"))
    with pytest.raises(
        AttributeError, match="Over, won by Ann> has no answer 'done'; the game is over"
    ):
        asked.done()
    assert not hasattr(asked, "quiet") and not hasattr(fsm.Over, "quiet")
