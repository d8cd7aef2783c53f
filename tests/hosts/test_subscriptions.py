"""Subscriptions tell what is really entered, in order. The log is quiet until it is set up."""

from __future__ import annotations

import logging
import sys

import pytest

import fsm
from fsm import AddStep, Request, SkipStep, TurnController
from fsm.errors import AnswerError
from fsm.hosts import entering, logged
from support import processes


class Attacking(fsm.BaseHost):
    stack_empty = attackers_declared = True


def play(game: TurnController, turns: int) -> None:
    fsm.drive(game, Attacking(), until=lambda request: request.at.turn > turns)


def quietly(game: TurnController) -> None:
    request = game.request
    assert isinstance(request, Request)
    game.answer(request.quiet())


def test_what_is_skipped_is_not_entered_and_what_is_added_is(game: TurnController) -> None:
    """Rule 103.8a: the player who goes first skips the first draw step."""
    heard = list[tuple[int, str]]()
    for place in ("upkeep", "draw"):
        entering(game, place, lambda record: heard.append((record.turn, record.step)))
    game.order(SkipStep("upkeep", "Ben"), AddStep("upkeep", after="draw"))
    play(game, 2)
    assert heard == [(1, "upkeep"), (2, "draw")]


@pytest.mark.parametrize(
    "place", ["turn", "combat", "combat_phase", "declare_blockers", "untap_untap_permanents"]
)
def test_turns_phases_steps_and_states_can_be_entered(place: str, game: TurnController) -> None:
    heard = list[str]()
    entering(game, place, lambda record: heard.append(record.transition))
    play(game, 2)
    assert len(heard) == 2


def test_a_place_that_a_refused_pass_stays_in_is_not_entered_again() -> None:
    """Grand Archive: who must attack cannot pass, and keeps Opportunity."""
    game, heard = TurnController("grand-archive", ["Ann", "Ben"]), list[str]()
    request = fsm.drive(game, fsm.BaseHost(), until=lambda request: request.kind == "priority")
    entering(game, "opportunity", lambda record: heard.append(record.transition))
    assert isinstance(request, fsm.Priority)
    game.answer(request.quiet(attack_required=True))
    assert heard == []
    fsm.drive(game, fsm.BaseHost(), until=lambda request: request.at.turn == 2)
    assert heard != []


def test_subscriptions_are_called_in_their_order_until_they_end(game: TurnController) -> None:
    heard = list[str]()
    first = entering(game, "upkeep", lambda record: heard.append("first"))
    entering(game, "upkeep", lambda record: heard.append("second"))
    play(game, 1)
    fsm.drive(game, fsm.BaseHost(), until=lambda request: request.at.step == "upkeep")
    first()
    play(game, 3)
    assert heard == ["first", "second", "first", "second", "second"]


def test_one_that_raises_takes_the_answer_back(game: TurnController) -> None:
    def refuse(record: object) -> None:
        raise ValueError("not now")

    with entering(game, "upkeep", refuse), pytest.raises(ValueError, match="not now"):
        play(game, 1)
    assert game.position.step == "untap"
    quietly(game)
    assert game.position.step == "upkeep"


def test_an_unknown_place_is_refused(game: TurnController) -> None:
    with pytest.raises(AnswerError, match=r"no place 'upkep'.* did you mean 'upkeep'"):
        entering(game, "upkep", print)


def test_each_transition_is_logged_with_its_record(
    game: TurnController, caplog: pytest.LogCaptureFixture
) -> None:
    told = list[str]()
    game.watch(lambda record: told.append(record.transition))
    with caplog.at_level(logging.DEBUG, logger="fsm"), logged(game):
        quietly(game)
        quietly(game)
    assert [vars(entry)["record"]["transition"] for entry in caplog.records] == told != []
    assert caplog.messages[0].startswith("turn 1 of Ann, untap: ")
    quietly(game)
    assert len(caplog.records) < len(told)


def test_nothing_is_logged_below_the_level(
    game: TurnController, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, logger="fsm"), logged(game):
        quietly(game)
    assert caplog.records == []


def test_nothing_is_printed_by_a_program_without_logging() -> None:
    program = (
        "import fsm, logging; game = fsm.TurnController('magic', ['Ann', 'Ben']);"
        "fsm.hosts.logged(game, level=logging.WARNING); game.answer(game.request.quiet())"
    )
    done = processes.run([sys.executable, "-c", program], check=True)
    assert (done.stdout, done.stderr) == ("", "")
