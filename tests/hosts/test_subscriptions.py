"""Subscriptions tell what is really entered, in order. The log is quiet until it is set up."""

from __future__ import annotations

import logging
from typing import Any

import pytest

import fsm
from fsm import AddStep, SkipStep, TurnController
from fsm.errors import AnswerError
from fsm.hosts import entering, logged


class Attacking(fsm.BaseHost):
    attackers_declared = True


def play(game: TurnController, turns: int) -> None:
    fsm.drive(game, Attacking(), until=lambda request: request.at.turn > turns)


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
    heard = list[Any]()
    entering(game, place, heard.append)
    play(game, 2)
    assert len(heard) == 2


def test_a_place_that_a_refused_pass_stays_in_is_not_entered_again() -> None:
    """Grand Archive: who must attack cannot pass, and keeps Opportunity."""
    game, heard = TurnController("grand-archive", ["Ann", "Ben"]), list[Any]()
    request = fsm.drive(game, fsm.BaseHost(), until=lambda request: request.kind == "priority")
    entering(game, "opportunity", heard.append)
    game.answer(request.quiet(attack_required=True))  # type: ignore[union-attr]
    assert heard == []
    fsm.drive(game, fsm.BaseHost(), until=lambda request: request.at.turn == 2)
    assert heard != []


def test_subscriptions_are_called_in_their_order_until_they_end(game: TurnController) -> None:
    heard = list[str]()
    first = entering(game, "upkeep", lambda record: heard.append("first"))
    entering(game, "upkeep", lambda record: heard.append("second"))
    play(game, 1)
    first()
    play(game, 2)
    assert heard == ["first", "second", "second"]


def test_an_unknown_place_is_refused(game: TurnController) -> None:
    with pytest.raises(AnswerError, match=r"no place 'upkep'.* did you mean 'upkeep'"):
        entering(game, "upkep", print)


@pytest.mark.parametrize("level", [logging.DEBUG, logging.INFO])
def test_each_transition_is_logged_with_its_record(
    level: int, game: TurnController, caplog: pytest.LogCaptureFixture
) -> None:
    """At the level DEBUG, until it ends."""
    told = list[str]()
    with caplog.at_level(level, logger="fsm"), logged(game):
        with game.watch(lambda answered: told.extend(r.transition for r in answered.records)):
            fsm.drive(game, fsm.BaseHost(), until=lambda r: r.at.step == "upkeep")
        assert told != []
    play(game, 1)
    logs = [vars(entry)["record"]["transition"] for entry in caplog.records]
    assert logs == (told if level == logging.DEBUG else [])
    assert all(message.startswith("turn 1 of Ann, ") for message in caplog.messages)
