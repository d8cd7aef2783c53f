"""What is possible, and why not: it agrees with what the controller takes."""

from __future__ import annotations

import pytest

import fsm
from fsm import Answer, EndPhase, Leave, TurnController
from fsm.errors import AnswerError, FsmError
from fsm.model import Model
from support.amounts import amount
from support.playing import attack, quiet, started, to, until
from support.wanderer import Wanderer


def taken(game: TurnController, word: str) -> bool:
    """Does an answer with this word fit, whatever it tells?"""
    for value in (True, False):
        try:
            game.fork().answer(Answer(word, dict.fromkeys(game.request.facts, value)))  # type: ignore[arg-type]
        except FsmError:
            continue
        return True
    return False


@pytest.mark.parametrize("ruleset", ["magic", "grand-archive"])
def test_what_is_possible_is_what_the_controller_takes(ruleset: str) -> None:
    """In random games, now and then."""
    for game in Wanderer(fsm.load(ruleset), 7, agrees).games(amount(120, 6_000)):
        assert game.possible()


def agrees(game: TurnController) -> None:
    if game.number % 11:
        return
    before, words = game.snapshot(), set[str]()
    for option in game.possible():
        assert option.why in game.why_not(option.name)
        assert (not game.why_not(option.name)) == option.possible == bool(option.leads_to)
        words |= {option.name} if option.kind == "answer" and option.possible else set()
    assert words == {word for word in ("done", "acted", "passed") if taken(game, word)}
    assert game.snapshot() == before


def test_a_request_of_magic_lists_answers_then_orders(magic: Model) -> None:
    game = started(magic)
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
    assert options[3].rule == "723.2g"
    assert options[4].leads_to == ("Over, won by B", "Over, won by A")


def test_the_facts_that_decide_are_tried_both_ways(magic: Model) -> None:
    game = started(magic)
    until(game, lambda r: isinstance(r, fsm.Priority) and r.player == "B")
    passing = next(option for option in game.possible() if option.name == "passed")
    assert passing.facts == ("stack_empty",)
    assert passing.leads_to == ("Resolve", "Perform empty mana of A")


def test_orders_are_asked_for_by_their_class(magic: Model) -> None:
    game = started(magic)
    assert game.why_not(Leave) == game.why_not(fsm.AddTurn) == ""
    assert "723.2g" in game.why_not(EndPhase)
    attack(game)
    assert game.why_not(EndPhase) == ""


def test_a_refusal_says_what_is_possible_instead(magic: Model) -> None:
    game = started(magic)
    assert game.why_not("passed") == (
        "'passed' is not possible in 'untap_phasing': it is not asked for; "
        "possible here: done, end_turn, player_left"
    )
    to(game, "upkeep")
    assert "'priority': it is not asked for; possible here: acted, " in game.why_not("done")
    with pytest.raises(
        AnswerError, match="event 'end_trun' is not in magic; did you mean 'end_turn'"
    ):
        game.why_not("end_trun")


def test_a_closed_guard_is_named_with_its_value_and_its_rule() -> None:
    """Grand Archive: an attack in the first turn."""
    game = started(fsm.load("grand-archive"))
    to(game, "main")
    refused = next(option for option in game.possible() if option.name == "attack")
    assert refused.rule and refused.rule in refused.why and refused.why in game.why_not("attack")


def test_nothing_is_possible_when_the_game_is_over(magic: Model) -> None:
    game = started(magic)
    game.answer(quiet(game.request, orders=[Leave("B")]))
    assert {(option.possible, option.why) for option in game.possible()} == {
        (False, "the game is over")
    }
    assert all(game.why_not(asked) for asked in ("done", Leave, fsm.AddTurn))
