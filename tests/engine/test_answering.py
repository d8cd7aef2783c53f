"""Requests and answers: what an answer may say, what it must tell, and what is refused without a
change.
"""

from __future__ import annotations

import pickle
from copy import deepcopy
from threading import Event, Thread
from typing import Any

import pytest
from msgspec.structs import replace

import fsm
from fsm import Answer, Order, Over, Perform, Priority, TurnController
from fsm.errors import AnswerError, FsmError, OrderError, StaleAnswerError, StuckError
from fsm.hosts import Position
from fsm.model import Model
from fsm.rulesets import names
from support.amounts import amount
from support.playing import (
    act,
    asked,
    quiet,
    started,
    through,
    to,
    to_action,
    unchanged,
    until,
)
from support.wanderer import Wanderer

ANSWER = Answer()
QUIET = "untap upkeep draw precombat_main beginning_of_combat declare_attackers end_of_combat "
QUIET += "postcombat_main end cleanup"


def test_answers_that_say_the_same_are_equal() -> None:
    told = Answer("passed", {"stack_empty": True})
    again = Answer.from_json(told.to_json(), trusted=True)
    assert told == again and hash(told) == hash(again)
    assert (told != again) is False
    assert told != Answer("passed")


def test_a_game_starts_with_the_first_turn_under_way(magic: Model) -> None:
    game = started(magic)
    assert game.position == Position(1, "A", "A", False, "beginning", "untap", 1, "untap_phasing")
    assert isinstance(game.request, Perform)
    assert (game.request.action, game.request.by, game.request.kind) == (
        "phasing",
        ("A",),
        "perform",
    )


# what cannot be -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "rest", "says"),
    [
        ([], {}, "players must be one or more different names"),
        (
            ["A", "B", "C"],
            {"teams": [["A", "B"], ["B", "C"]]},
            "groups of different players' names",
        ),
        ("Ann", {}, "not 'Ann'; write ['Ann', 'Ben']"),
        (["A", "\ud800"], {}, "each a string"),
        ([0, 1], {}, "each a string that is not empty, not [0, 1]"),
        (["A", "B"], {"teams": ["A", "B"]}, "not ['A', 'B']; write [['A', 'B'], ['C', 'D']]"),
        (["A", "B"], {"teams": [["A", "X"]]}, "player 'X' is not in this game; known: A, B"),
        (
            ["A", "B"],
            {"settings": {"first_draw_skiped": True}},
            "did you mean 'first_draw_skipped'",
        ),
        (["A", "B"], {"orders": [fsm.AddTurn("X")]}, "player 'X' is not in this game; known: A, B"),
    ],
)
def test_a_game_that_cannot_be_is_refused(
    magic: Model, players: Any, rest: dict[str, Any], says: str
) -> None:
    with pytest.raises(FsmError) as refused:
        TurnController(magic, players, **rest)
    assert says in str(refused.value)


def test_what_is_no_model_is_refused_with_what_would_be_one() -> None:
    wrong: Any = None
    with pytest.raises(FsmError, match="must be a Model or a Table"):
        TurnController(wrong, ["A", "B"])


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (Answer("passed"), ("'untap_phasing' was asked for", "'done'", "not 'passed'")),
        (Answer(facts={"stack_emptty": True}), ("did you mean 'stack_empty'?",)),
        (Answer(facts={"skip_turn": True}), ("'skip_turn' is not in what magic is told",)),
        (Answer(facts={"stack_empty": 1}), ("'stack_empty' must be true or false, not 1",)),  # type: ignore[dict-item]
        (Answer(orders=fsm.AddTurn("A")), ("orders",)),  # type: ignore[arg-type]
        (Answer(facts=["stack_empty"]), ("facts",)),  # type: ignore[arg-type]
        ("done", ("Answer", "str")),
    ],
)
def test_an_answer_that_was_not_asked_for_changes_nothing(
    magic: Model, answer: Any, words: tuple[str, ...]
) -> None:
    game = started(magic)
    unchanged(game, lambda: game.answer(answer), AnswerError, *words)
    assert asked(game.answer(Answer())) == "day_night"


def test_a_fact_that_is_read_must_be_told(magic: Model) -> None:
    game = started(magic)
    request = to_action(game, "declare_attackers")
    assert ([*request.facts], [*request.must_tell]) == (["attackers_declared"],) * 2
    words = ("must tell the fact 'attackers_declared'", "a creature was declared as an attacker")
    unchanged(game, lambda: game.answer(request.done()), AnswerError, *words)


def test_a_fact_is_read_only_where_it_matters(magic: Model) -> None:
    """The stack matters once everybody has passed."""
    game = started(magic)
    assert to(game, "upkeep").facts == {}
    assert not game.request.must_tell
    game.answer(Answer("passed"))
    assert to(game, "upkeep").facts == {"stack_empty": True}
    unchanged(game, lambda: game.answer(Answer("passed")), AnswerError, "'stack_empty'")


@pytest.mark.parametrize("ruleset", names())
def test_a_request_names_every_fact_that_its_answer_may_need(ruleset: str) -> None:
    """In random games. An answer with orders tells every live fact."""
    wanderer = Wanderer(fsm.load(ruleset), 3)
    for _ in range(amount(5, 60)):
        game = wanderer.game()
        for _ in range(100):
            for answer in wanderer.attempts(game):
                try:
                    game.answer(answer)
                    break
                except FsmError as error:
                    assert "does not tell" not in str(error)


def test_an_answer_to_an_earlier_request_is_refused(magic: Model) -> None:
    """A click that comes twice does not pass twice."""
    game = started(magic)
    request, number = to(game, "upkeep"), game.number
    game.answer(request.quiet(), to=number)
    assert game.number == number + 1
    again = request.quiet()
    unchanged(game, lambda: game.answer(again, to=number), StaleAnswerError, str(number + 1))


def test_when_the_game_is_over_nothing_can_be_answered(magic: Model) -> None:
    game = started(magic)
    before, over = game.over, game.order(fsm.Leave("B"))
    assert isinstance(over, Over) and (before, game.over) == (None, over)
    assert (over.winners, over.draw, over.by, over.player) == (("A",), False, (), "")
    unchanged(game, lambda: game.answer(Answer()), AnswerError, "the game is over")
    assert list(game) == []


# orders that name what is not there ---------------------------------------------------------------


@pytest.mark.parametrize(
    "order",
    [
        fsm.AddPhase("combt"),
        fsm.AddPhase("combat", after="combt"),
        fsm.AddStep("upkep"),
        fsm.SkipStep("upkep"),
        fsm.DelayedTrigger("x", "upkep"),
        fsm.Effect("x", "A", "end_of_trun"),
    ],
)
def test_a_misspelt_place_is_named_with_a_suggestion(magic: Model, order: fsm.Order) -> None:
    game = started(magic)
    orders = [fsm.AddTurn("A"), order]
    wrong = quiet(game.request, orders=orders)
    unchanged(game, lambda: game.answer(wrong), OrderError, "is not in magic; did you mean")


@pytest.mark.parametrize(
    ("order", "says"),
    [
        (fsm.AddTurn("A", 0), "Expected `int` >= 1 - at `$.count`"),
        (fsm.AddPhase("combat", after="combat", nth=0), "Expected `int` >= 1 - at `$.nth`"),
        (fsm.AddTurn("A", True), "AddTurn.count must be int, not True"),
        (fsm.AddTurn(), "names no player"),
        (fsm.SkipStep("upkeep", "A", "allways"), "not 'allways'"),  # type: ignore[arg-type]
        (fsm.Effect(3, "A"), "Effect.id must be str, not 3"),  # type: ignore[arg-type]
        (fsm.Effect("\ud800", "A"), "Effect.id must be text without lone surrogates"),
        (fsm.AddPhase(phases=["combat"]), "AddPhase.phases must be tuple[str, ...], not ["),  # type: ignore[arg-type]
        ("end_turn", "'end_turn' is not an order"),
    ],
)
def test_an_order_with_a_wrong_value_changes_nothing(magic: Model, order: Any, says: str) -> None:
    game = started(magic)
    unchanged(game, lambda: game.answer(quiet(game.request, orders=[order])), OrderError, says)


@pytest.mark.parametrize(
    "orders",
    [
        [fsm.AddTurn("A", 1000), fsm.AddTurn("B")],
        [fsm.AddPhase(*("combat",) * 1000, count=1000)],
        [fsm.AddTurn("A")] * 1001,
        [fsm.Effect("x", "A")] * 100_001,
    ],
    ids=["count", "phases", "orders", "effects"],
)
def test_no_way_to_spell_a_count_fills_the_memory(magic: Model, orders: list[Order]) -> None:
    game = started(magic)
    wrong = quiet(game.request, orders=orders)
    unchanged(game, lambda: game.answer(wrong), FsmError, "at most 1000")


# how a request makes its answers ------------------------------------------------------------------


def test_a_request_makes_its_answers(magic: Model) -> None:
    game, skip = started(magic), fsm.SkipTurn("A")
    assert isinstance(game.request, Perform)
    assert game.request.done(skip, accepted=True) == Answer("done", {"accepted": True}, (skip,))
    priority: Any = until(game, lambda r: isinstance(r, Priority) and r.player == "B")
    assert priority.acted(skip) == Answer("acted", {}, (skip,))
    assert priority.passed(stack_empty=True) == Answer("passed", {"stack_empty": True})
    assert priority.quiet() == Answer("passed", {"stack_empty": True})
    assert priority.quiet(stack_empty=False) == Answer("passed", {"stack_empty": False})


def test_an_answer_is_a_value(magic: Model) -> None:
    """It does not change with what it was made of, and can be copied, sent and compared."""
    facts = {"stack_empty": True}
    answer = Answer("passed", facts, (fsm.EndTurn(), fsm.AddTurn("A")))
    facts.clear()
    assert answer.facts == {"stack_empty": True}
    with pytest.raises(TypeError):
        answer.facts["stack_empty"] = False  # type: ignore[index]
    assert pickle.loads(pickle.dumps(answer)) == deepcopy(answer) == answer
    assert Answer.from_json(answer.to_json(), trusted=True) == answer


def test_a_loop_that_does_not_answer_is_stopped(magic: Model) -> None:
    with pytest.raises(AnswerError, match="went on without an answer"):
        for _ in started(magic):
            pass


# watching -----------------------------------------------------------------------------------------


def test_watchers_hear_what_fired_once_the_answer_is_taken(magic: Model) -> None:
    game, heard = started(magic), list[str]()
    with game.watch(lambda answered: heard.extend(r.transition for r in answered.records)):
        with pytest.raises(AnswerError):
            game.answer(Answer("passed"))
        assert heard == []
        game.answer(Answer())
    assert heard[0].startswith("untap_phasing -> ")
    game.answer(Answer())
    assert len(heard) == 1


def test_a_watcher_that_raises_undoes_the_answer(magic: Model) -> None:
    def fails(_: object) -> None:
        raise ZeroDivisionError

    game, plain = started(magic), started(magic)
    before = game.request, game.snapshot(), game.number
    with game.watch(fails):
        for orders in ((), (fsm.AddTurn("A"),)):
            with pytest.raises(ZeroDivisionError):
                game.answer(quiet(game.request, orders=orders))
            assert (game.request, game.snapshot(), game.number) == before
    for each in (game, plain):
        each.answer(quiet(each.request, orders=[fsm.AddTurn("B")]))
        through(each, 1)
    assert game.snapshot() == plain.snapshot()


def test_a_game_is_answered_by_one_thread_at_a_time(magic: Model) -> None:
    """Who comes in between is refused, also with an answer that has been given before."""
    started(magic).answer(ANSWER)
    game, entered, go_on = started(magic), Event(), Event()

    def wait(_: object) -> None:
        entered.set()
        assert go_on.wait(10)

    game.watch(wait)
    thread = Thread(target=lambda: game.answer(ANSWER))
    thread.start()
    assert entered.wait(10)
    with pytest.raises(AnswerError, match="one thread at a time"):
        game.answer(ANSWER)
    with pytest.raises(AnswerError, match="one thread at a time"):
        game.order(fsm.AddTurn("A"))
    go_on.set()
    thread.join(10)
    assert game.number == 1


# it never hangs -----------------------------------------------------------------------------------


def test_when_everything_is_skipped_for_ever_it_says_so(magic: Model) -> None:
    game = started(magic)
    orders = [fsm.SkipPhase(s.family, scope="each") for s in magic.of_kind("phase")]
    until(game, lambda r: r.at.step == "cleanup" and asked(r) == "empty_mana")
    unchanged(game, lambda: game.answer(quiet(game.request, orders=orders)), StuckError, "skipped")
    assert asked(game.answer(Answer())) == "phasing"


def test_a_hole_in_the_model_is_named_where_it_is_met(magic: Model) -> None:
    assert magic.window is not None
    game = started(magic.without("upkeep_end -> upkeep_after"))
    with pytest.raises(
        StuckError, match="nothing can fire on 'done' in 'upkeep_end': no transition"
    ):
        through(game, 1)
    inside = started(replace(magic, window=magic.window.without("priority -> sba on acted")))
    assert isinstance(to(inside, "upkeep"), Priority)
    with pytest.raises(StuckError, match="nothing can fire on 'acted' in 'priority'"):
        act(inside)
    inside.answer(quiet(inside.request))
    assert inside.position.step == "upkeep"
    with pytest.raises(StuckError, match="'upkeep_window' is a window, and magic has no window"):
        to(started(replace(magic, window=None)), "upkeep")
