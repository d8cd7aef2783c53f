"""What is possible: it agrees with what the controller takes, and with why_not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random

import pytest

import fsm
from fsm import Answer, Over, Perform, Priority, Request, Signal, TurnController
from fsm.engine.options import request_words
from fsm.errors import AnswerError, FsmError
from fsm.hosts import Option
from fsm.rulesets import names
from support.playing import attack, quiet, started, through, to
from support.wanderer import Wanderer


def accepted(game: TurnController, option: Option) -> Iterator[Request | Over]:
    """Each request that an answer with this option leads to, unless its signal makes no difference."""
    state, players = (
        game.waiting,
        game.agenda.living if option.name == game.model.leaving else ("",),
    )
    words = (option.name,) if option.kind == "answer" else state.words
    for word, player, values in product(
        words, players, product((False, True), repeat=len(game.request.facts))
    ):
        answer = Answer(word, dict(zip(game.request.facts, values, strict=True)))  # type: ignore[arg-type]
        given = (
            answer
            if option.kind == "answer"
            else replace(answer, signal=Signal(option.name, player))
        )
        after, without = game.fork(), game.fork()
        try:
            after.answer(given)
            without.answer(answer)
        except FsmError:
            continue
        if given is answer or after.snapshot() != without.snapshot():
            yield after.request


@pytest.mark.parametrize("name", names())
def test_what_is_possible_is_what_the_controller_takes(name: str) -> None:
    """In random games, all answers and signals are tried by hand, with all values of the facts."""
    random, seen = Random(2), set[tuple[str, bool]]()

    def look(game: TurnController) -> None:
        if random.random() > 0.08:
            return
        for option in game.possible():
            found = {
                request_words(request, game.position.step) for request in accepted(game, option)
            }
            assert option.possible == bool(found), (game.request, option)
            assert set(option.leads_to) == found
            assert game.why_not(option.name) == option.refusal
            assert (option.refusal is None) == option.possible == (not option.why)
            seen.add((option.kind, option.possible))
            if option.refusal is not None:
                assert option.name not in option.refusal.possible

    for _ in Wanderer(fsm.load(name), 7, look).games(150):
        pass
    assert {("answer", True), ("order", True)} <= seen


def test_a_request_of_magic_lists_answers_then_orders() -> None:
    game = started(fsm.load("magic"))
    to(game, "upkeep")
    options = game.possible()
    assert [(option.name, option.kind, option.possible) for option in options] == [
        ("acted", "answer", True),
        ("passed", "answer", True),
        ("end_turn", "order", True),
        ("end_phase", "order", False),
        ("player_left", "order", True),
    ]
    assert (options[0].text, options[0].leads_to) == ("A acts", ("CheckState",))
    assert options[3].why == "it is no combat phase: nothing happens (723.2g)"
    assert options[3].refusal is not None and options[3].refusal.rule == "723.2g"
    assert options[4].leads_to == ("the game is over",)


def test_the_facts_that_decide_are_tried_both_ways() -> None:
    game = started(fsm.load("magic"))
    to(game, "upkeep")
    game.answer(quiet(game.request))
    while not isinstance(game.request, Priority):
        game.answer(quiet(game.request))
    passing = next(option for option in game.possible() if option.name == "passed")
    assert passing.facts == ("stack_empty",)
    assert passing.leads_to == ("Resolve", "Perform empty mana by A")


def test_ending_the_phase_is_possible_in_combat() -> None:
    game = started(fsm.load("magic"))
    attack(game)
    assert game.why_not("end_phase") is None


def test_nothing_is_possible_when_the_game_is_over() -> None:
    game = started(fsm.load("magic"))
    game.order(fsm.Leave("B"))
    assert isinstance(game.request, Over)
    assert not any(option.possible for option in game.possible())
    assert {option.why for option in game.possible()} == {"the game is over"}
    assert all(
        game.why_not(asked) is not None for asked in ("done", "end_turn", fsm.Leave, fsm.AddTurn)
    )


def test_orders_are_asked_for_by_their_class() -> None:
    game = started(fsm.load("magic"))
    assert game.why_not(fsm.Leave) is None
    assert game.why_not(fsm.AddTurn) is None


def test_asking_changes_nothing() -> None:
    game = through(started(fsm.load("grand-archive")), 1)
    before = game.snapshot(), list(game.trace.lines())
    game.possible()
    game.why_not("attack")
    assert (game.snapshot(), list(game.trace.lines())) == before


def test_an_event_that_the_model_does_not_have_is_an_error() -> None:
    game = started(fsm.load("magic"))
    assert isinstance(game.request, Perform)
    with pytest.raises(AnswerError, match="magic has no event 'end_trun'; did you mean 'end_turn'"):
        game.why_not("end_trun")
